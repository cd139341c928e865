//! Some entries of a stop, and some riders of a lane, are kept although another one is no later and costs no more.
//!
//! There are two reasons. Rules of transfers.txt for certain trips or routes may forbid a transfer after the earlier
//! one that they allow after the later one. And someone who has only ridden vehicles without fixed times can *slide*:
//! leave home later by the time of the wait for the next vehicle (backward: reach the destination earlier), so that this
//! wait costs as little as the first one.

use trestle_model::Directed;

use super::active_service::{Lane, NONE};
use super::costs::{Centicost, RIDE_RATE};
use super::entering::Boarding;
use super::labels::{Entry, LabelKind, Rider};
use super::mc_raptor::McRaptor;

/// The longest slide, seconds. A longer one would make no difference, and what this one saves does not overflow.
pub(super) const LONGEST_SLIDE: i32 = 200_000;

/// The last ride before an entry.
#[derive(Clone, Copy)]
pub(super) struct LastRide {
    /// Stop at which the vehicle was left.
    pub(super) stop: u32,
    pub(super) run: u32,
    /// When it was left (key).
    pub(super) off: i32,
}

/// Someone whose path so far can slide.
#[derive(Clone, Copy)]
struct Sliding {
    /// The earliest time (key).
    time: i32,
    /// The reduced cost at that time. Each second of sliding lowers it by [`McRaptor::slide_price`].
    reduced_cost: Centicost,
    /// Seconds by which the path can slide.
    slide: i32,
}

impl McRaptor<'_> {
    /// Whether a stop keeps entries apart.
    #[inline(always)]
    pub(super) fn keeps_apart(&self, stop: usize) -> bool {
        self.data.walks.has_trip_rules(stop) || self.slide_price() > 0
    }

    /// What a second of sliding saves; 0 if nobody slides. Searches that always take the first vehicle slide afterwards,
    /// see [`super::journey::JourneyRules::slide`].
    #[inline(always)]
    pub(super) fn slide_price(&self) -> Centicost {
        if self.boarding == Boarding::First
            || self.data.service.headways.is_empty()
            || self.on_board.is_some()
        {
            return 0;
        }
        (self.costs.wait - self.costs.first_wait).max(0)
    }

    /// Adds an entry for having left a vehicle at a stop that keeps entries apart; false if another entry dominates it.
    pub(super) fn add_left_apart<D: Directed>(&mut self, stop: usize, entry: Entry) -> bool {
        let mut bag = std::mem::take(&mut self.memory.left[stop]);
        let added = bag.insert_where(entry, |a, b| self.entry_dominates::<D>(a, b));
        self.memory.left[stop] = bag;
        if added {
            self.memory.marks.left.add(stop);
        }
        added
    }

    /// Adds an entry for entering a vehicle at a stop that keeps entries apart; false if another entry dominates it.
    pub(super) fn add_enter_apart<D: Directed>(&mut self, stop: usize, entry: Entry) -> bool {
        let mut bag = std::mem::take(&mut self.memory.enter[stop]);
        let added = bag.insert_where(entry, |a, b| self.entry_dominates::<D>(a, b));
        self.memory.enter[stop] = bag;
        if added {
            self.memory.marks.entered.add(stop);
        }
        added
    }

    /// Whether entry `a` of a stop dominates `b`: it can reach everything that `b` can, at no higher cost.
    fn entry_dominates<D: Directed>(&self, a: &Entry, b: &Entry) -> bool {
        let sliding =
            |&Entry { time, reduced_cost, slide, .. }: &Entry| Sliding { time, reduced_cost, slide };
        self.costs_no_more(sliding(a), sliding(b))
            && self.rules_allow_as_much::<D>(self.last_ride(a), self.last_ride(b))
    }

    /// Whether `a` is no later than `b` and costs no more, however far `b` slides.
    fn costs_no_more(&self, a: Sliding, b: Sliding) -> bool {
        let price = self.slide_price();
        let reduced_cost = |of: Sliding, at: i32| of.reduced_cost - price * (at - of.time).clamp(0, of.slide);
        // Each second makes `b` cheaper while it slides, but `a` only while it slides too, so the last second decides.
        let last = b.time + b.slide;
        a.time <= b.time && reduced_cost(a, last) <= reduced_cost(b, last)
    }

    /// Whether rules for certain trips or routes allow every transfer after ride `a` that they allow after ride `b`.
    fn rules_allow_as_much<D: Directed>(&self, a: Option<LastRide>, b: Option<LastRide>) -> bool {
        let is_ruled = |ride: &LastRide| self.data.walks.has_trip_rules_out_of::<D>(ride.stop);
        match (a.filter(is_ruled), b.filter(is_ruled)) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                let ride = |last: LastRide| self.data.service.trip_and_route(last.run as usize);
                a.stop == b.stop
                    && a.off <= b.off
                    && self.data.walks.treats_alike::<D>(a.stop, ride(a), ride(b))
            }
            _ => false,
        }
    }

    /// The last ride before an entry, if there is one.
    pub(super) fn last_ride(&self, entry: &Entry) -> Option<LastRide> {
        let labels = &self.memory.labels;
        let mut label = labels.get(entry.label as usize)?;
        if let LabelKind::Walk { .. } = label.kind {
            label = labels.get(label.parent as usize)?;
        }
        let LabelKind::Ride { run, .. } = label.kind else { return None };
        let off = label.time - self.costs.leave_slack - self.leave_time(entry.pattern);
        Some(LastRide { stop: label.stop, run, off })
    }

    /// Whether rules name trips of a lane, so that its first run is not always the best.
    pub(super) fn is_named(&self, lane: &Lane) -> bool {
        self.data.walks.names_trips() && lane.run_range().any(|run| self.names(run))
    }

    /// Whether rules name the trip of a run.
    fn names(&self, run: usize) -> bool {
        let trip = self.data.service.scheduled_trip(self.data.service.runs[run].trip);
        trip.is_some_and(|trip| self.data.walks.names(trip))
    }

    /// Whether rider `a` of a lane that keeps riders apart dominates `b`: it can reach everything that `b` can, at no
    /// higher cost.
    pub(super) fn rider_dominates_apart(&self, lane: &Lane, a: &Rider, b: &Rider) -> bool {
        if lane.headway == NONE {
            return a.run == b.run && a.reduced_cost <= b.reduced_cost;
        }
        // Riders' reduced costs count time at the price of riding; a wait has its own price.
        let sliding = |rider: &Rider| Sliding {
            time: rider.shift,
            reduced_cost: rider.reduced_cost + (RIDE_RATE - self.costs.wait) * rider.shift,
            slide: rider.slide,
        };
        self.costs_no_more(sliding(a), sliding(b))
    }
}
