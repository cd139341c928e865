//! Patterns, stops and runs that a request allows, computed once per request.

use std::ops::Range;

use rustc_hash::FxHashMap;
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::request::RouteSpec;
use trestle_model::{BitSet, Directed, Direction, Mode, RoutingRequest};

use super::active_service::{ActiveService, Lane, NONE, Run};
use super::costs::{Centicost, centi};
use super::run_order::is_before;
use super::transit_data::TransitData;
use crate::timetable::Timetable;

/// A pattern that may not be used.
const CLOSED: Centicost = -1;

/// Most pairs of runs that are compared to find out which of two vehicles is better for riders who stay seated.
pub(super) const MOST_PAIRS: usize = 1000;

/// Patterns, stops and runs that a request allows.
#[derive(Clone, Debug, Default)]
pub(super) struct Filters {
    /// Additional cost of boarding each active pattern, or [`CLOSED`].
    pub(super) pattern_penalty: Vec<Centicost>,
    /// Patterns that may not be used.
    closed_patterns: BitSet,
    /// Stops at which nobody boards or alights.
    no_stopping: BitSet,
    /// Stops that vehicles may not even pass.
    no_passing: BitSet,
    /// Whether any stop is closed.
    closed_stops: bool,
    /// Whole trips that are banned.
    banned_trips: BitSet,
    /// Departures of trips that run by frequency, as seconds added to their times.
    banned_departures: FxHashMap<TripIdx, Vec<i32>>,
    /// Positions at which a trip may not be boarded or alighted from.
    banned_calls: FxHashMap<TripIdx, Vec<u32>>,
    /// The runs with fixed times of the trips in `banned_calls`, in order.
    partial_runs: Vec<u32>,
    wheelchair: bool,
    bike_aboard: bool,
    /// Whether single runs have to be checked.
    run_checks: bool,
}

impl Filters {
    pub(super) fn new(data: &TransitData<'_>, request: &RoutingRequest) -> Self {
        let TransitData { timetable, service, .. } = *data;
        let bike_aboard = request.bike_aboard();
        let mut filters = Filters {
            wheelchair: request.wheelchair,
            bike_aboard,
            run_checks: request.wheelchair || bike_aboard,
            ..Filters::default()
        };
        filters.set_pattern_penalties(timetable, service, request);
        filters.set_closed_stops(timetable, request);
        filters.set_banned_trips(timetable, service, request);
        filters
    }

    fn set_pattern_penalties(
        &mut self,
        timetable: &Timetable,
        service: &ActiveService,
        request: &RoutingRequest,
    ) {
        let routes = RouteRules::new(timetable, request);
        self.pattern_penalty.extend(service.patterns.iter().map(|pattern| {
            let mode = Mode::from_number(pattern.mode);
            if mode.is_some_and(|mode| request.modes.has(mode)) {
                routes.penalty(pattern.route)
            } else {
                CLOSED
            }
        }));
        for (pattern, _) in self.pattern_penalty.iter().enumerate().filter(|(_, p)| **p == CLOSED) {
            self.closed_patterns.insert(pattern);
        }
    }

    fn set_closed_stops(&mut self, timetable: &Timetable, request: &RoutingRequest) {
        close(timetable, &request.banned_stops, &mut self.no_stopping);
        close(timetable, &request.banned_stops_hard, &mut self.no_stopping);
        close(timetable, &request.banned_stops_hard, &mut self.no_passing);
        if request.wheelchair {
            let stops = (0..timetable.stops.id.len()).map(StopIdx::from);
            for stop in stops.filter(|&stop| timetable.stops.bars_wheelchairs(stop)) {
                self.no_stopping.insert(stop.index());
            }
        }
        self.closed_stops = !self.no_stopping.is_empty();
    }

    fn set_banned_trips(&mut self, timetable: &Timetable, service: &ActiveService, request: &RoutingRequest) {
        for banned in &request.banned_trips {
            let positions = &banned.stop_positions;
            for trip in service.trips_by_id(timetable, &banned.trip) {
                self.run_checks = true;
                if positions.is_empty() {
                    self.banned_trips.insert(trip.index());
                } else {
                    self.banned_calls.entry(trip).or_default().extend(positions);
                }
            }
        }
        if self.bans_calls() {
            self.set_partial_runs(timetable, service);
        }
    }

    fn set_partial_runs(&mut self, timetable: &Timetable, service: &ActiveService) {
        let scheduled = self.banned_calls.keys().filter(|trip| trip.0 < service.scheduled_trips);
        let patterns: Vec<u32> = scheduled.map(|&trip| timetable.pattern_of(trip).0).collect();
        let first_live = timetable.patterns.route.len() as u32;
        for active in &service.patterns {
            if active.pattern < first_live && !patterns.contains(&active.pattern) {
                continue;
            }
            for lane in service.lanes[active.lane_range()].iter().filter(|lane| lane.headway == NONE) {
                let is_partial = |run: &usize| self.banned_calls.contains_key(&service.runs[*run].trip);
                self.partial_runs.extend(lane.run_range().filter(is_partial).map(|run| run as u32));
            }
        }
        self.partial_runs.sort_unstable();
    }

    /// Whether a pattern may not be used.
    #[inline(always)]
    pub(super) fn is_closed(&self, pattern: usize) -> bool {
        self.closed_patterns.has(pattern)
    }

    /// What staying seated from one pattern into another adds to the cost. The penalty is that of the route where
    /// riders board, and a backward search comes to that route last.
    #[inline(always)]
    pub(super) fn seated_penalty<D: Directed>(&self, from: usize, to: usize) -> Centicost {
        if D::is_backward() { self.pattern_penalty[to] - self.pattern_penalty[from] } else { 0 }
    }

    /// Whether trips are banned at some of their calls.
    pub(super) fn bans_calls(&self) -> bool {
        !self.banned_calls.is_empty()
    }

    /// Runs with fixed times, in order, that are banned at some of their calls. Riders may be able to leave later runs
    /// of the lane where they cannot leave these.
    #[inline(always)]
    pub(super) fn partial_runs(&self) -> &[u32] {
        &self.partial_runs
    }

    #[inline(always)]
    pub(super) fn partial_runs_of(&self, lane: &Lane) -> &[u32] {
        if self.partial_runs.is_empty() {
            return &[];
        }
        let Range { start, end } = lane.run_range();
        let before = |end: usize| self.partial_runs.partition_point(|&run| (run as usize) < end);
        &self.partial_runs[before(start)..before(end)]
    }

    /// The index of a run among [`Self::partial_runs`].
    #[inline(always)]
    pub(super) fn partial_index(&self, run: u32) -> Option<usize> {
        if self.partial_runs.is_empty() { None } else { self.partial_runs.binary_search(&run).ok() }
    }

    #[inline(always)]
    pub(super) fn is_partial(&self, run: u32) -> bool {
        self.partial_index(run).is_some()
    }

    pub(super) fn ban_trip(&mut self, trip: TripIdx) {
        self.banned_trips.insert(trip.index());
        self.run_checks = true;
    }

    /// Bans the departure of a frequency trip whose times are the trip's plus `shift` seconds.
    pub(super) fn ban_departure(&mut self, trip: TripIdx, shift: i32) {
        self.banned_departures.entry(trip).or_default().push(shift);
        self.run_checks = true;
    }

    /// The departure nearest to `shift`, but not before it (backward: not after it), that is at least a
    /// `headway` from every banned one.
    pub(super) fn free_departure(
        &self,
        trip: TripIdx,
        shift: i32,
        headway: i32,
        direction: Direction,
    ) -> i32 {
        let banned = self.banned_departures.get(&trip).map_or(&[][..], Vec::as_slice);
        let mut free = shift;
        while let Some(&taken) = banned.iter().find(|taken| (free - **taken).abs() < headway) {
            free = direction.pick(taken + headway, taken - headway);
        }
        free
    }

    /// Seconds, at most `room`, by which a departure of a headway service can be later (backward: earlier)
    /// and still be at least a `headway` from every banned one.
    pub(super) fn room(
        &self,
        trip: TripIdx,
        shift: i32,
        room: i32,
        headway: i32,
        direction: Direction,
    ) -> i32 {
        let banned = self.banned_departures.get(&trip).map_or(&[][..], Vec::as_slice);
        let ahead = banned.iter().map(|taken| direction.pick(taken - shift, shift - taken));
        ahead.filter(|ahead| *ahead > 0).fold(room, |room, ahead| room.min(ahead - headway)).max(0)
    }

    /// Whether riders may board and alight at a stop.
    #[inline(always)]
    pub(super) fn stops_at(&self, stop: StopIdx) -> bool {
        !self.closed_stops || !self.no_stopping.has(stop.index())
    }

    /// Whether vehicles with riders may pass a stop.
    #[inline(always)]
    pub(super) fn passes(&self, stop: StopIdx) -> bool {
        !self.closed_stops || !self.no_passing.has(stop.index())
    }

    /// Whether riders may board a run or alight from it at a position of its active pattern.
    #[inline(always)]
    pub(super) fn allows(&self, data: &TransitData<'_>, run: u32, position: usize) -> bool {
        !self.run_checks || self.allows_run(data, run) && self.allows_call(data, run, position)
    }

    /// Whether riders of a run that may be used can board and alight at a position of its active pattern.
    #[inline(always)]
    pub(super) fn allows_call(&self, data: &TransitData<'_>, run: u32, position: usize) -> bool {
        self.banned_calls.is_empty() || {
            let first = data.service.pattern_of_run(run as usize).first_position;
            let calls = self.banned_calls.get(&data.service.runs[run as usize].trip);
            !calls.is_some_and(|calls| calls.contains(&(first + position as u32)))
        }
    }

    /// The runs that the vehicle continues as after `run` (backward: before it) in which riders may stay
    /// seated.
    #[inline(always)]
    pub(super) fn continuations<D: Directed>(
        &self,
        data: &TransitData<'_>,
        run: u32,
    ) -> impl Iterator<Item = u32> {
        data.service.joined_with::<D>(run).filter(move |&next| self.allows_staying_in::<D>(data, next))
    }

    /// Whether riders may stay seated in a vehicle that continues as run `next`.
    pub(super) fn allows_staying_in<D: Directed>(&self, data: &TransitData<'_>, next: u32) -> bool {
        let service = data.service;
        let pattern = service.lane_of_run(next as usize).pattern as usize;
        let stops = service.stops_of(&service.patterns[pattern]);
        !self.is_closed(pattern)
            && self.passes(stops[D::position(0, stops.len())])
            && self.allows_run(data, next)
    }

    /// Whether riders who stay seated in run `a` get everywhere that those in `b` get, and no later. `b` is a later run
    /// of the lane. At most `left` pairs of the runs that they continue as are compared; false when there are none left,
    /// so that both are kept.
    pub(super) fn continues_as_well<D: Directed>(
        &self,
        data: &TransitData<'_>,
        (a, b): (u32, u32),
        left: &mut usize,
    ) -> bool {
        if a == b || data.service.are_joined_alike::<D>(a, b) {
            return true;
        }
        let lane = |run: u32| data.service.runs[run as usize].lane;
        self.continuations::<D>(data, b).all(|next_b| {
            let is_as_good = |next_a: u32| {
                let is_sooner = is_before::<D>(next_a, next_b) && !self.is_partial(next_a);
                next_a == next_b || (lane(next_a) == lane(next_b) && is_sooner)
            };
            let mut compared = data.service.joined_with::<D>(a).take_while(|_| take_one(left));
            let next_a =
                compared.find(|&next_a| is_as_good(next_a) && self.allows_staying_in::<D>(data, next_a));
            next_a.is_some_and(|next_a| self.continues_as_well::<D>(data, (next_a, next_b), left))
        })
    }

    /// Whether a run may be used at all, wherever riders board and alight.
    pub(super) fn allows_run(&self, data: &TransitData<'_>, run: u32) -> bool {
        let (TransitData { timetable, service, .. }, run) = (*data, run as usize);
        let Run { trip, shift, .. } = service.runs[run];
        if self.banned_trips.has(trip.index()) {
            return false;
        }
        if !self.banned_departures.is_empty()
            && self.banned_departures.get(&trip).is_some_and(|shifts| shifts.contains(&shift))
        {
            return false;
        }
        if !self.wheelchair && !self.bike_aboard {
            return true;
        }
        let scheduled = service.facts_of(trip);
        let accessible = scheduled.and_then(|trip| timetable.trips.wheelchair.get(trip.index()));
        (!self.wheelchair || accessible == Some(&1))
            && (!self.bike_aboard || allows_bikes(timetable, scheduled, service.pattern_of_run(run).route))
    }
}

/// Counts one down from what is left; false if nothing is left.
fn take_one(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}

/// Marks the stops that `feed:stop` ids name, and the stops of the stations and platforms that they name.
fn close(timetable: &Timetable, names: &[String], closed: &mut BitSet) {
    let mut named = BitSet::default();
    for stop in names.iter().filter_map(|name| timetable.stop_by_id(name)) {
        named.insert(stop.index());
    }
    if named.is_empty() {
        return;
    }
    for stop in timetable.stops.with_parts(|stop| named.has(stop.index())) {
        closed.insert(stop.index());
    }
}

/// Whether bikes may be taken on a trip (`None`: not in the schedule) of a route. The official column takes precedence
/// over the older extension, whose 1 and 2 mean the opposite, and the trip over the route. The default is yes.
fn allows_bikes(timetable: &Timetable, trip: Option<TripIdx>, route: RouteIdx) -> bool {
    let trips = &timetable.trips;
    let (trip, route) = (trip.map_or(usize::MAX, TripIdx::index), route.index());
    let value = |column: &[u8], index: usize| column.get(index).copied().unwrap_or(0);
    let official = |value: u8| (value != 0).then_some(value == 1);
    let older = |value: u8| (value != 0).then_some(value == 2);
    official(value(&trips.bikes_allowed, trip))
        .or(older(value(&trips.trip_bikes_allowed, trip)))
        .or(official(value(&timetable.routes.bikes_allowed, route)))
        .or(older(value(&timetable.routes.route_bikes_allowed, route)))
        .unwrap_or(true)
}

/// The lists of routes and agencies of a request.
struct RouteRules<'a> {
    timetable: &'a Timetable,
    request: &'a RoutingRequest,
    prefers: bool,
    whitelists: bool,
}

impl<'a> RouteRules<'a> {
    fn new(timetable: &'a Timetable, request: &'a RoutingRequest) -> Self {
        RouteRules {
            timetable,
            request,
            prefers: !request.preferred_routes.is_empty() || !request.preferred_agencies.is_empty(),
            whitelists: !request.whitelisted_routes.is_empty() || !request.whitelisted_agencies.is_empty(),
        }
    }

    /// Additional cost of boarding a route, or [`CLOSED`].
    fn penalty(&self, route: RouteIdx) -> Centicost {
        let request = self.request;
        if self.is_listed(route, &request.banned_routes, &request.banned_agencies) {
            return CLOSED;
        }
        if self.whitelists
            && !self.is_listed(route, &request.whitelisted_routes, &request.whitelisted_agencies)
        {
            return CLOSED;
        }
        let mut penalty: i32 = 0;
        if self.prefers && !self.is_listed(route, &request.preferred_routes, &request.preferred_agencies) {
            penalty = request.other_than_preferred_routes_penalty.max(0);
        }
        if self.is_listed(route, &request.unpreferred_routes, &request.unpreferred_agencies) {
            penalty = penalty.saturating_add(request.use_unpreferred_routes_penalty.max(0));
        }
        centi(f64::from(penalty))
    }

    fn is_listed(&self, route: RouteIdx, routes: &[RouteSpec], agencies: &[String]) -> bool {
        routes.iter().any(|spec| matches(self.timetable, route, spec))
            || (!agencies.is_empty() && {
                let agency = self.timetable.routes.agency[route.index()] as usize;
                let id = self.timetable.texts.get(self.timetable.agencies.id[agency]);
                agencies.iter().any(|listed| listed == id)
            })
    }
}

/// Whether a request's route specification names a route.
pub fn matches(timetable: &Timetable, route: RouteIdx, spec: &RouteSpec) -> bool {
    let (routes, texts, i) = (&timetable.routes, &timetable.texts, route.index());
    let feed_matches =
        spec.feed.is_empty() || texts.get(timetable.feeds.id[routes.feed[i] as usize]) == spec.feed;
    if !feed_matches {
        return false;
    }
    if !spec.route_id.is_empty() {
        return texts.get(routes.id[i]) == spec.route_id;
    }
    let name = texts.opt(routes.short_name[i]).unwrap_or(texts.get(routes.long_name[i]));
    !spec.name.is_empty() && name.replace('_', " ") == spec.name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::super::active_service::ActiveService;
    use super::super::transfers::Walks;
    use trestle_model::Forward;

    use super::*;

    #[test]
    fn only_some_pairs_of_next_runs_are_compared() {
        let mut service = ActiveService::default();
        [2, 50, 1].into_iter().for_each(|runs| service.add_runs_of_one_lane(runs));
        // The first run continues as all runs of one lane, the second one as the run of another lane.
        service.set_joints((2..52).map(|next| [0, next]).chain([[1, 52]]).collect());
        let (timetable, walks) = (Timetable::default(), Walks::default());
        let data = TransitData { timetable: &timetable, service: &service, walks: &walks };
        let mut filters = Filters::default();
        let compare = |filters: &Filters, a, b, mut left| {
            let is_as_well = filters.continues_as_well::<Forward>(&data, (a, b), &mut left);
            (is_as_well, left)
        };
        assert_eq!(compare(&filters, 0, 1, 60), (false, 10));
        assert_eq!(compare(&filters, 0, 1, 20), (false, 0));
        assert_eq!(compare(&filters, 0, 0, 20), (true, 20));
        // Runs that are closed count, too.
        filters.closed_patterns.insert(1);
        assert_eq!(compare(&filters, 0, 1, 60), (false, 10));
    }
}
