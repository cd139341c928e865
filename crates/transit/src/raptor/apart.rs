//! Entries of one stop, and riders of one lane, that are kept although another one is no later and costs no more.
//!
//! Where transfers.txt has rules for certain trips or routes, who came first may not be allowed what another is. And who
//! has only ridden vehicles without fixed times can *slide*: leave home later (arriving by a time: reach the destination
//! earlier) by as much as they wait for the next vehicle. A second of such a wait costs what one of the first wait does.

use super::costs::{Centicost, RIDE};
use super::direction::Direction;
use super::entering::Boarding;
use super::labels::{Entry, LabelKind, Rider};
use super::rounds::Rounds;
use super::window::{Lane, NONE};

/// Slides beyond this do not matter, and what they save does not overflow.
pub(super) const LONGEST_SLIDE: i32 = 200_000;

/// The ride by which somebody came to a stop.
#[derive(Clone, Copy)]
pub(super) struct Came {
    /// Stop at which it was left.
    pub(super) stop: u32,
    pub(super) run: u32,
    /// When (key).
    pub(super) off: i32,
}

/// A way whose cost falls while it slides: the earliest time, the reduced cost then, and seconds of sliding.
type Sliding = (i32, Centicost, i32);

impl Rounds<'_> {
    /// Whether a stop keeps entries apart by how they came.
    #[inline(always)]
    pub(super) fn keeps_apart(&self, stop: usize) -> bool {
        (self.walks.has_trip_rules(stop) && !self.memory.arrivals.by_time()) || self.slide_price() > 0
    }

    /// What a second of sliding saves; 0 where nobody slides. Searches that take the first vehicle everywhere leave it to
    /// [`super::journey::JourneyRules::slide`].
    #[inline(always)]
    pub(super) fn slide_price(&self) -> Centicost {
        if self.boarding == Boarding::First || self.window.headways.is_empty() || self.on_board.is_some() {
            return 0;
        }
        (self.costs.wait - self.costs.first_wait).max(0)
    }

    /// Adds an entry for having left a vehicle at a stop that keeps entries apart; false if another entry dominates it.
    pub(super) fn add_left_apart<D: Direction>(&mut self, stop: usize, entry: Entry) -> bool {
        let mut bag = std::mem::take(&mut self.memory.left[stop]);
        let added = bag.insert_where(entry, |a, b| self.hides::<D>(a, b));
        self.memory.left[stop] = bag;
        if added {
            self.memory.marks.left.add(stop);
        }
        added
    }

    /// Adds an entry for entering a vehicle at a stop that keeps entries apart; false if another entry dominates it.
    pub(super) fn add_enter_apart<D: Direction>(&mut self, stop: usize, entry: Entry) -> bool {
        let mut bag = std::mem::take(&mut self.memory.enter[stop]);
        let added = bag.insert_where(entry, |a, b| self.hides::<D>(a, b));
        self.memory.enter[stop] = bag;
        if added {
            self.memory.marks.entered.add(stop);
        }
        added
    }

    /// Whether whatever the second of two entries of a stop can lead to, the first one can at no higher cost.
    fn hides<D: Direction>(&self, a: &Entry, b: &Entry) -> bool {
        let sliding = |entry: &Entry| (entry.time, entry.reduced_cost, entry.slide);
        self.costs_no_more(sliding(a), sliding(b)) && self.may_do_all::<D>(self.came(a), self.came(b))
    }

    /// Whether a way is no later than another one and costs no more, however far that one slides.
    fn costs_no_more(&self, a: Sliding, b: Sliding) -> bool {
        let price = self.slide_price();
        let reduced_cost = |(time, reduced_cost, slide): Sliding, at: i32| {
            reduced_cost - price * (at - time).clamp(0, slide)
        };
        let (first, last) = (b.0, b.0 + b.2);
        a.0 <= first && [first, last].into_iter().all(|at| reduced_cost(a, at) <= reduced_cost(b, at))
    }

    /// Whether rules for certain trips or routes allow who came by the first ride all that they allow who came by the second.
    fn may_do_all<D: Direction>(&self, a: Option<Came>, b: Option<Came>) -> bool {
        let is_asked =
            |came: &Option<Came>| came.is_some_and(|came| self.walks.asks_how_one_came::<D>(came.stop));
        match (a.filter(|_| is_asked(&a)), b.filter(|_| is_asked(&b))) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                let ride = |came: Came| self.window.trip_and_route(came.run as usize);
                a.stop == b.stop && a.off <= b.off && self.walks.treats_alike::<D>(a.stop, ride(a), ride(b))
            }
            _ => false,
        }
    }

    /// The ride by which an entry came; `None` before the first one.
    pub(super) fn came(&self, entry: &Entry) -> Option<Came> {
        let labels = &self.memory.labels;
        let mut label = labels.get(entry.label as usize)?;
        if let LabelKind::Walk { .. } = label.kind {
            label = labels.get(label.parent as usize)?;
        }
        let LabelKind::Ride { run, .. } = label.kind else { return None };
        let off = label.time - self.costs.leave_slack - self.leave_time(entry.pattern);
        Some(Came { stop: label.stop, run, off })
    }

    /// Whether rules name trips of a lane, so that its vehicles do not stand for each other.
    pub(super) fn is_named(&self, lane: &Lane) -> bool {
        let runs = lane.first_run..lane.first_run + lane.runs;
        self.walks.names_trips()
            && !self.memory.arrivals.by_time()
            && runs.into_iter().any(|run| self.names(run))
    }

    /// Whether rules name the trip of a run.
    fn names(&self, run: u32) -> bool {
        let trip = self.window.scheduled_trip(self.window.runs[run as usize].trip);
        trip.is_some_and(|trip| self.walks.names(trip))
    }

    /// Adds a rider of a lane that keeps riders apart, unless another one stands for them; removes those for whom the
    /// rider stands.
    pub(super) fn add_rider_apart(&mut self, lane: &Lane, rider: Rider) {
        let mut riders = std::mem::take(&mut self.memory.riders);
        if !riders.iter().any(|other| self.stands_for(lane, other, &rider)) {
            riders.retain(|other| !self.stands_for(lane, &rider, other));
            riders.push(rider);
        }
        self.memory.riders = riders;
    }

    /// Whether whatever the second of two riders of a vehicle can do, the first one can at no higher cost.
    fn stands_for(&self, lane: &Lane, a: &Rider, b: &Rider) -> bool {
        if lane.headway == NONE {
            return a.run == b.run && a.reduced_cost <= b.reduced_cost;
        }
        // Settled at the price of riding, they are to be compared at that of waiting.
        let sliding = |rider: &Rider| {
            (rider.shift, rider.reduced_cost + (RIDE - self.costs.wait) * rider.shift, rider.slide)
        };
        !a.partial && self.costs_no_more(sliding(a), sliding(b))
    }
}
