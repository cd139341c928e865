//! Paths of a search in travel order: built from its labels, improved, and turned into [`TransitPath`]s.

use trestle_model::ids::StopIdx;
use trestle_model::{Directed, Direction, Forward, RoutingRequest};

use super::active_service::{Lane, NONE};
use super::costs::Costs;
use super::filters::Filters;
use super::labels::{Label, LabelKind, LastLabel};
use super::pricing::Price;
use super::query::{Endpoint, TransitQuery};
use super::transit_data::TransitData;
use super::verdicts::{TransferVerdict, has_preferred};
use crate::path::{Ride, TransferWalk, TransitPath};
use crate::timetable::DirectTransfer;
use crate::transfers::PATHWAY;

/// A ride of a run between two positions of its active pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunRide {
    pub(super) run: u32,
    /// Seconds added to its times.
    pub(super) shift: i32,
    pub(super) board: u16,
    pub(super) alight: u16,
    /// The rider is already seated.
    pub(super) seated: bool,
}

/// A path in travel order.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Journey {
    /// Index into the access list; `None` when it starts on board.
    pub(super) access: Option<u32>,
    /// Index into the egress list.
    pub(super) egress: u32,
    pub(super) rides: Vec<RunRide>,
    /// Seconds walked before ride `i + 1`; `None` when both are at one stop.
    pub(super) walks: Vec<Option<i32>>,
}

impl Journey {
    /// The path that ends with the label `last` in a search in direction `D`.
    pub(super) fn from_labels<D: Directed>(labels: &[Label], last: LastLabel) -> Journey {
        let mut chain = Vec::new();
        let mut next = last.label;
        while next != NONE {
            let label = &labels[next as usize];
            chain.push(label.kind);
            next = label.parent;
        }
        if D::DIRECTION == Direction::Forward {
            chain.reverse();
        }
        let mut journey = Journey::default();
        let mut near = None;
        let mut walked = None;
        let mut seated_next = false;
        for kind in chain {
            match kind {
                LabelKind::Endpoint(index) => near = Some(index),
                LabelKind::OnBoard => {}
                LabelKind::Walk { seconds } => walked = Some(seconds),
                LabelKind::Ride { run, shift, entered, left, seated } => {
                    if !journey.rides.is_empty() {
                        journey.walks.push(walked.take());
                    }
                    let (board, alight) = D::pick((entered, left), (left, entered));
                    // In a backward search the flag is on the ride before the one in which the rider stays seated.
                    let is_seated =
                        if D::is_backward() { std::mem::replace(&mut seated_next, seated) } else { seated };
                    journey.rides.push(RunRide { run, shift, board, alight, seated: is_seated });
                }
            }
        }
        let (access, egress) = D::pick((near, last.endpoint), (Some(last.endpoint), near.unwrap_or(0)));
        (journey.access, journey.egress) = (access, egress);
        journey
    }

    /// Number of boardings; staying seated does not count.
    pub(super) fn boardings(&self) -> usize {
        self.rides.iter().filter(|ride| !ride.seated).count()
    }
}

/// Times, prices and improves the journeys of a request.
pub(super) struct JourneyRules<'a> {
    pub(super) data: TransitData<'a>,
    pub(super) query: &'a TransitQuery<'a>,
    /// Costs in travel direction, but with the search's cost of entering the first vehicle: a second costs as much as one of
    /// the first wait (backward: of other waits).
    pub(super) costs: Costs,
    pub(super) access: EndpointIndex,
    pub(super) egress: EndpointIndex,
}

impl<'a> JourneyRules<'a> {
    /// The rules of a request whose search has these costs.
    pub(super) fn new(data: TransitData<'a>, query: &'a TransitQuery<'a>, costs: &Costs) -> Self {
        let forward = Costs::new::<Forward>(query.request, has_preferred(data.timetable));
        JourneyRules {
            data,
            query,
            costs: Costs { first_enter_time: costs.first_enter_time, ..forward },
            access: EndpointIndex::new(query.access),
            egress: EndpointIndex::new(query.egress),
        }
    }
}

pub(super) struct EndpointIndex(Vec<(StopIdx, u32)>);

impl EndpointIndex {
    pub(super) fn new(endpoints: &[Endpoint]) -> EndpointIndex {
        let mut index: Vec<(StopIdx, u32)> =
            endpoints.iter().map(|endpoint| endpoint.stop).zip(0..).collect();
        index.sort_unstable();
        EndpointIndex(index)
    }

    /// Numbers of the endpoints at a stop, ascending.
    pub(super) fn at(&self, stop: StopIdx) -> impl Iterator<Item = u32> + '_ {
        let first = self.0.partition_point(|(other, _)| *other < stop);
        self.0[first..].iter().take_while(move |(other, _)| *other == stop).map(|(_, number)| *number)
    }
}

impl JourneyRules<'_> {
    pub(super) fn request(&self) -> &RoutingRequest {
        self.query.request
    }

    pub(super) fn boarding(&self, ride: &RunRide) -> i32 {
        self.data.service.departure(ride.run as usize, ride.board as usize, ride.shift)
    }

    pub(super) fn alighting(&self, ride: &RunRide) -> i32 {
        self.data.service.arrival(ride.run as usize, ride.alight as usize, ride.shift)
    }

    pub(super) fn stop(&self, ride: &RunRide, position: u16) -> StopIdx {
        self.data.service.stops_of(self.data.service.pattern_of_run(ride.run as usize))[position as usize]
    }

    pub(super) fn mode(&self, ride: &RunRide) -> usize {
        self.data.service.pattern_of_run(ride.run as usize).mode as usize
    }

    pub(super) fn headway(&self, ride: &RunRide) -> Option<i32> {
        self.data.service.headway_of_run(ride.run as usize).map(|headway| headway.seconds)
    }

    /// Seconds added to the trip's times for the departure of a frequency trip that a ride takes; `None` for other trips.
    pub(super) fn frequency_shift(&self, ride: &RunRide) -> Option<i32> {
        if self.headway(ride).is_some() {
            return Some(ride.shift);
        }
        let run = &self.data.service.runs[ride.run as usize];
        self.data.timetable.trips.runs_by_frequency(run.trip).then_some(run.shift)
    }

    /// Whether two rides take the same departure of the same trip, on any day. Departures of a headway service are the
    /// same if they are less than the headway apart.
    pub(super) fn is_same_departure(&self, a: &RunRide, b: &RunRide) -> bool {
        let trip = |ride: &RunRide| self.data.service.runs[ride.run as usize].trip;
        trip(a) == trip(b)
            && match (self.frequency_shift(a), self.frequency_shift(b)) {
                (Some(a_shift), Some(b_shift)) => (a_shift - b_shift).abs() < self.headway(a).unwrap_or(1),
                _ => true,
            }
    }

    pub(super) fn verdict(&self, before: &RunRide, after: &RunRide) -> TransferVerdict {
        self.data.verdict::<Forward>(
            (self.stop(before, before.alight).0, self.data.service.trip_and_route(before.run as usize)),
            (self.stop(after, after.board).0, self.data.service.trip_and_route(after.run as usize)),
        )
    }

    /// When someone who left `before` and walked is at the next stop: after the slack, but before the time that
    /// entering takes.
    pub(super) fn at_stop(&self, before: &RunRide, walked: Option<i32>) -> i32 {
        self.alighting(before)
            + self.costs.leave_times[self.mode(before)]
            + self.costs.leave_slack
            + walked.unwrap_or(0)
    }

    /// Whether `after` can be taken after `before`.
    pub(super) fn connects(&self, before: &RunRide, walked: Option<i32>, after: &RunRide) -> bool {
        // Most calls of the later ride are missed, whatever the rules say.
        self.boarding(after) >= self.alighting(before)
            && self.time_to_spare(before, walked, after).is_some_and(|seconds| seconds >= 0)
    }

    /// Seconds by which `after` departs later than it has to after `before`; `None` if the change is not allowed.
    /// A vehicle without fixed times comes within a headway: someone who departs at a time waits that long for it, and
    /// someone who arrives by a time leaves it that long before the next vehicle.
    fn time_to_spare(&self, before: &RunRide, walked: Option<i32>, after: &RunRide) -> Option<i32> {
        let ready =
            self.at_stop(before, walked) + self.costs.later_slack + self.costs.enter_times[self.mode(after)];
        let ready = match self.verdict(before, after) {
            TransferVerdict::Forbidden => return None,
            TransferVerdict::AtLeast(seconds) => ready.max(self.alighting(before).saturating_add(seconds)),
            TransferVerdict::Plain { .. } => ready,
        };
        let waits_for = self.request().direction.pick(after, before);
        Some(self.boarding(after) - ready - self.headway(waits_for).unwrap_or(0))
    }

    /// The same ride without fixed times in a vehicle `seconds` later (earlier if negative), or in the one closest to
    /// that which runs and is allowed; `None` if that changes nothing.
    fn moved(&self, ride: &RunRide, seconds: i32, filters: &Filters) -> Option<RunRide> {
        let headway = self.data.service.headway_of_run(ride.run as usize)?;
        let room = if seconds < 0 { ride.shift - headway.start } else { headway.end - 1 - ride.shift };
        let trip = self.data.service.runs[ride.run as usize].trip;
        let wanted = ride.shift + seconds.clamp(-room.max(0), room.max(0));
        // Of departures that are too close to a banned one, the nearer to that of the ride is taken.
        let direction = if seconds > 0 { Direction::Backward } else { Direction::Forward };
        let shift = filters.free_departure(trip, wanted, headway.seconds, direction);
        let is_nearer = if seconds < 0 { shift < ride.shift } else { shift > ride.shift };
        is_nearer.then_some(RunRide { shift, ..*ride })
    }

    /// A ride without fixed times in the latest vehicle that reaches the next ride of the journey.
    fn latest(&self, journey: &Journey, index: usize, filters: &Filters) -> Option<RunRide> {
        let (ride, after) = (&journey.rides[index], journey.rides.get(index + 1)?);
        let spare = self.time_to_spare(ride, journey.walks[index], after)?;
        self.moved(ride, spare.max(0), filters)
    }

    /// A ride without fixed times in the earliest vehicle that can be reached from the ride before it.
    fn earliest(&self, journey: &Journey, index: usize, filters: &Filters) -> Option<RunRide> {
        let (before, ride) = (journey.rides.get(index.checked_sub(1)?)?, &journey.rides[index]);
        let spare = self.time_to_spare(before, journey.walks[index - 1], ride)?;
        self.moved(ride, -spare.max(0), filters)
    }

    /// Moves the first vehicles of a search in direction `D`, as long as they have no fixed times, each to the last
    /// time (in its direction) from which the next vehicle can still be reached. Riders leave home later (arrive
    /// earlier) and wait less on the way.
    pub(super) fn slide<D: Directed>(&self, journey: &mut Journey, filters: &Filters) {
        let rides = journey.rides.len();
        let slides = |step: &usize| {
            let ride = &journey.rides[D::position(*step, rides)];
            self.headway(ride).is_some() && !ride.seated
        };
        let sliding = (0..rides).take_while(slides).count().min(rides.saturating_sub(1));
        for index in (0..sliding).rev().map(|step| D::position(step, rides)) {
            let moved = if D::is_backward() {
                self.earliest(journey, index, filters)
            } else {
                self.latest(journey, index, filters)
            };
            if let Some(moved) = moved {
                journey.rides[index] = moved;
            }
        }
    }

    /// Moves waits to the start: from the end backwards, every ride becomes the latest one between its calls from which
    /// the next ride can still be reached. Rides of a block stay as they are.
    pub(super) fn leave_later(&self, journey: &mut Journey, filters: &Filters) {
        for index in (0..journey.rides.len().saturating_sub(1)).rev() {
            let after = journey.rides[index + 1];
            if after.seated || self.is_tied(journey, index) {
                continue;
            }
            let walked = journey.walks[index];
            let ride = journey.rides[index];
            let better = match self.headway(&ride) {
                Some(_) => self.latest(journey, index, filters),
                None => self
                    .same_calls(&ride, filters)
                    .filter(|other| {
                        self.boarding(other) > self.boarding(&ride)
                            && self.connects(other, walked, &after)
                            && self.may_replace(journey, index, other)
                    })
                    .max_by_key(|other| self.boarding(other)),
            };
            if let Some(better) = better {
                journey.rides[index] = better;
            }
        }
    }

    /// Moves waits to the end: from the start, every ride becomes the earliest one between its calls that can be reached.
    pub(super) fn arrive_earlier(&self, journey: &mut Journey, filters: &Filters) {
        for index in 1..journey.rides.len() {
            let ride = journey.rides[index];
            let next_is_seated = journey.rides.get(index + 1).is_some_and(|next| next.seated);
            if ride.seated || next_is_seated || self.is_tied(journey, index) {
                continue;
            }
            let (before, walked) = (journey.rides[index - 1], journey.walks[index - 1]);
            let better = match self.headway(&ride) {
                Some(_) => self.earliest(journey, index, filters),
                None => self
                    .same_calls(&ride, filters)
                    .filter(|other| {
                        self.alighting(other) < self.alighting(&ride)
                            && self.connects(&before, walked, other)
                            && self.may_replace(journey, index, other)
                    })
                    .min_by_key(|other| self.alighting(other)),
            };
            if let Some(better) = better {
                journey.rides[index] = better;
            }
        }
    }

    /// Whether rules for certain trips allow `other` in place of a ride, between the rides before and after it.
    fn may_replace(&self, journey: &Journey, index: usize, other: &RunRide) -> bool {
        if !self.data.walks.names_trips() {
            return true;
        }
        let before =
            index.checked_sub(1).map(|before| (&journey.rides[before], journey.walks[before], other));
        let after = journey.rides.get(index + 1).filter(|after| !after.seated);
        let after = after.map(|after| (other, journey.walks[index], after));
        before.into_iter().chain(after).all(|(before, walked, after)| self.connects(before, walked, after))
    }

    /// The same journey with the first allowed runs, as a search in direction `D` takes them: a path that is known
    /// before the search. `None` if no such runs exist, and for journeys that start on board, stay seated in a vehicle
    /// that continues, or use vehicles without fixed times.
    pub(super) fn with_allowed_runs<D: Directed>(
        &self,
        journey: &Journey,
        filters: &Filters,
    ) -> Option<Journey> {
        let mut again = journey.clone();
        let access = journey.access?;
        let rides = journey.rides.len();
        if (0..rides)
            .any(|index| self.is_tied(journey, index) || self.headway(&journey.rides[index]).is_some())
        {
            return None;
        }
        for step in 0..rides {
            let index = D::position(step, rides);
            let follows = |other: &RunRide| match (D::DIRECTION, step) {
                (Direction::Forward, 0) => self.departure(access, other) >= self.requested(),
                (Direction::Forward, _) => {
                    self.connects(&again.rides[index - 1], again.walks[index - 1], other)
                }
                (Direction::Backward, 0) => self.arrival(other, journey.egress) <= self.requested(),
                (Direction::Backward, _) => self.connects(other, again.walks[index], &again.rides[index + 1]),
            };
            let key = |other: &RunRide| D::key(D::pick(self.boarding(other), self.alighting(other)));
            again.rides[index] =
                self.same_calls(&journey.rides[index], filters).filter(follows).min_by_key(key)?;
        }
        Some(again)
    }

    /// Whether a ride cannot be replaced: the rider stays seated from the ride before, or the search starts in it.
    fn is_tied(&self, journey: &Journey, index: usize) -> bool {
        journey.rides[index].seated || (journey.access.is_none() && index == 0)
    }

    /// Allowed rides between the same two calls of the same pattern.
    fn same_calls<'b>(&'b self, ride: &RunRide, filters: &'b Filters) -> impl Iterator<Item = RunRide> + 'b {
        let pattern = *self.data.service.pattern_of_run(ride.run as usize);
        let ride = *ride;
        self.data.service.lanes[pattern.lane_range()]
            .iter()
            .filter(|lane| lane.headway == NONE)
            .flat_map(Lane::run_range)
            .map(move |run| RunRide { run: run as u32, shift: 0, ..ride })
            .filter(move |other| {
                let allows = |position: u16| filters.allows(&self.data, other.run, position as usize);
                allows(ride.board) && allows(ride.alight)
            })
    }

    /// The transfer edge between two stops that takes `seconds`.
    fn edge(&self, from: StopIdx, to: StopIdx, seconds: i32) -> Option<&DirectTransfer> {
        let walks = self.data.walks_from::<Forward>(from.index());
        let index = walks.iter().position(|walk| walk.other_stop == to.0 && walk.seconds == seconds)?;
        let TransitData { timetable, service, .. } = self.data;
        service.transfers(timetable).direct_from(from).get(index)
    }

    /// The journey for the caller.
    pub(super) fn to_path(&self, journey: &Journey, price: &Price) -> TransitPath {
        let transfers = (1..journey.rides.len()).map(|index| {
            let (before, after) = (&journey.rides[index - 1], &journey.rides[index]);
            let (from_stop, to_stop) = (self.stop(before, before.alight), self.stop(after, after.board));
            let seconds = journey.walks[index - 1]?;
            let edge = self.edge(from_stop, to_stop, seconds);
            Some(TransferWalk {
                from_stop,
                to_stop,
                meters: edge.map_or(0.0, |edge| f64::from(edge.meters)),
                seconds,
                pathway: edge.is_some_and(|edge| edge.flags & PATHWAY != 0),
                straight: edge.is_some_and(|edge| edge.seconds >= 0 && edge.meters > 0.0),
            })
        });
        TransitPath {
            access: journey.access.map(|index| index as usize),
            egress: journey.egress as usize,
            transfers: transfers.collect(),
            rides: journey.rides.iter().map(|ride| self.to_ride(ride)).collect(),
            departure: self.data.service.epoch_of(price.departure),
            arrival: self.data.service.epoch_of(price.arrival),
            weight: price.cost as f64 / 100.0,
        }
    }

    fn to_ride(&self, ride: &RunRide) -> Ride {
        let run = &self.data.service.runs[ride.run as usize];
        let day = &self.data.service.days[run.day as usize];
        let first = self.data.service.pattern_of_run(ride.run as usize).first_position;
        let headway = self.headway(ride);
        let day_offset = (day.start - self.data.service.origin) as i32;
        let frequency_shift = run.shift + ride.shift - if headway.is_some() { day_offset } else { 0 };
        Ride {
            trip: run.trip,
            service_date: day.date,
            service_day_start: day.start,
            board_position: first + u32::from(ride.board),
            alight_position: first + u32::from(ride.alight),
            board_time: self.data.service.epoch_of(self.boarding(ride)),
            alight_time: self.data.service.epoch_of(self.alighting(ride)),
            interlined: ride.seated,
            frequency_shift,
            headway,
        }
    }
}
