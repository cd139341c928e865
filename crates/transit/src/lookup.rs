//! Reads the timetable: the lists of an entity, and entities by outer id. Outer ids are `feed:entity`, split at the
//! first colon. They are found by binary search in stored orders, so a graph needs no index when it is opened.

use std::cmp::Ordering;
use std::ops::Range;

use trestle_model::Column;
use trestle_model::geo::LatLon;
use trestle_model::ids::{AgencyIdx, FeedIdx, PatternIdx, RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_model::lists::{list, range};

use crate::gtfs::{MOST_PARENTS, STATION};
use crate::timetable::{
    DirectTransfer, Frequency, IdOrders, Patterns, Routes, Stops, Timetable, Transfers, Trips,
};

/// wheelchair_boarding: not possible.
const NO_WHEELCHAIRS: u8 = 2;

impl Stops {
    /// (pattern, position) of every call at a stop, in pattern order.
    pub fn calls_at(&self, stop: StopIdx) -> &[[u32; 2]] {
        list(&self.pattern_offsets, &self.patterns, stop.index())
    }

    #[inline]
    pub fn position(&self, stop: StopIdx) -> LatLon {
        LatLon::new(self.lat[stop.index()], self.lon[stop.index()])
    }

    /// Whether this is a station, and not a stop or another part of one.
    pub fn is_station(&self, stop: StopIdx) -> bool {
        self.location_type.get(stop.index()) == Some(&STATION)
    }

    /// The station that a stop is part of.
    pub fn station_of(&self, stop: StopIdx) -> Option<StopIdx> {
        self.parent.get(stop.index()).filter(|&&parent| parent != u32::MAX).map(|&parent| StopIdx(parent))
    }

    /// The station that a stop belongs to, also through its platform. A station belongs to itself.
    pub fn own_station(&self, stop: StopIdx) -> Option<StopIdx> {
        self.with_stations(stop).find(|&stop| self.is_station(stop)).or_else(|| self.station_of(stop))
    }

    /// A stop and the stations around it, the innermost first. They come to an end even in a damaged graph, where
    /// stations may be around each other.
    pub fn with_stations(&self, stop: StopIdx) -> impl Iterator<Item = StopIdx> {
        std::iter::successors(Some(stop), |&inner| self.station_of(inner)).take(1 + MOST_PARENTS)
    }

    /// The stops that are named, and those that are part of one, also through a platform.
    pub fn with_parts(&self, is_named: impl Fn(StopIdx) -> bool) -> impl Iterator<Item = StopIdx> {
        let stops = (0..self.id.len()).map(StopIdx::from);
        stops.filter(move |&stop| self.with_stations(stop).any(&is_named))
    }

    /// Whether vehicles cannot be boarded in a wheelchair at a stop. A stop that says nothing about it is like the
    /// platform or station that it is part of.
    pub fn bars_wheelchairs(&self, stop: StopIdx) -> bool {
        let said = |stop: StopIdx| self.wheelchair.get(stop.index()).copied().filter(|&said| said != 0);
        self.with_stations(stop).find_map(said) == Some(NO_WHEELCHAIRS)
    }

    /// Whether travellers can board here: at a stop, or at a station or another place that a pattern calls at. Some feeds
    /// have vehicles call at stations.
    pub fn is_boardable(&self, stop: StopIdx) -> bool {
        self.location_type.get(stop.index()) == Some(&0) || self.is_served(stop)
    }

    /// Whether any pattern calls at a stop.
    pub fn is_served(&self, stop: StopIdx) -> bool {
        !self.calls_at(stop).is_empty()
    }
}

impl Routes {
    /// Patterns of a route, in pattern order.
    pub fn patterns_of(&self, route: RouteIdx) -> &[u32] {
        list(&self.pattern_offsets, &self.patterns, route.index())
    }
}

impl Patterns {
    /// Number of patterns.
    pub fn count(&self) -> usize {
        self.route.len()
    }

    /// Positions of a pattern's calls in the `call_*` columns.
    #[inline]
    pub fn calls(&self, pattern: PatternIdx) -> Range<usize> {
        range(&self.call_offsets, pattern.index())
    }

    /// Stops of a pattern in order.
    #[inline]
    pub fn stops(&self, pattern: PatternIdx) -> &[u32] {
        list(&self.call_offsets, &self.call_stop, pattern.index())
    }

    /// pickup_type of each call.
    pub fn pickups(&self, pattern: PatternIdx) -> &[u8] {
        list(&self.call_offsets, &self.call_pickup, pattern.index())
    }

    /// drop_off_type of each call.
    pub fn dropoffs(&self, pattern: PatternIdx) -> &[u8] {
        list(&self.call_offsets, &self.call_dropoff, pattern.index())
    }

    /// Trips of a pattern (positions of the trip columns).
    #[inline]
    pub fn trips(&self, pattern: PatternIdx) -> Range<usize> {
        range(&self.trip_offsets, pattern.index())
    }

    /// Shape from call `position` to the next, (lat, lon) with both ends; empty for a straight line.
    pub fn hop(&self, pattern: PatternIdx, position: usize) -> &[[f64; 2]] {
        let calls = self.calls(pattern);
        if position >= calls.len() {
            return &[];
        }
        list(&self.hop_offsets, &self.hop_points, calls.start + position)
    }

    /// The whole shape: all hops, each but the first without its first point. Empty without a shape.
    pub fn geometry(&self, pattern: PatternIdx) -> Vec<[f64; 2]> {
        let hops = (0..self.calls(pattern).len()).map(|position| self.hop(pattern, position));
        hops.enumerate().flat_map(|(i, hop)| hop.iter().skip(usize::from(i > 0))).copied().collect()
    }
}

/// The calls of one trip. Each list has one entry for each call of the trip's pattern.
#[derive(Clone, Copy, Debug)]
pub struct TripCalls<'a> {
    /// Start of its run profile, seconds since the start of the service day.
    pub start: i32,
    /// Arrivals of its run profile, seconds after the start.
    pub profile_arrivals: &'a [i32],
    /// Departures of its run profile, seconds after the start.
    pub profile_departures: &'a [i32],
    /// stop_sequence values.
    pub sequences: &'a [u32],
    /// 1 for timepoints.
    pub timepoints: &'a [u8],
    /// stop_headsign texts; `None` when no call of the trip has one.
    pub headsigns: Option<&'a [u32]>,
}

impl TripCalls<'_> {
    /// The same calls in a run with this first departure, seconds since the start of the service day, if there is one.
    #[must_use]
    pub fn of_run(self, run: Option<i32>) -> Self {
        TripCalls { start: self.start + self.shift_to(run), ..self }
    }

    /// Seconds from these calls to those of [`Self::of_run`].
    pub fn shift_to(&self, run: Option<i32>) -> i32 {
        run.zip(self.first_departure()).map_or(0, |(run, first)| run - first)
    }

    /// Number of calls.
    pub fn count(&self) -> usize {
        self.profile_arrivals.len()
    }

    /// Arrival at a call, seconds since the start of the service day. Panics when there is no such call.
    pub fn arrival(&self, call: usize) -> i32 {
        self.start + self.profile_arrivals[call]
    }

    /// Departure from a call, seconds since the start of the service day. Panics when there is no such call.
    pub fn departure(&self, call: usize) -> i32 {
        self.start + self.profile_departures[call]
    }

    /// All arrivals, seconds since the start of the service day.
    pub fn arrivals(&self) -> Vec<i32> {
        self.profile_arrivals.iter().map(|seconds| self.start + seconds).collect()
    }

    /// All departures, seconds since the start of the service day.
    pub fn departures(&self) -> Vec<i32> {
        self.profile_departures.iter().map(|seconds| self.start + seconds).collect()
    }

    /// Departure from the first call.
    pub fn first_departure(&self) -> Option<i32> {
        self.profile_departures.first().map(|seconds| self.start + seconds)
    }

    pub fn last_arrival(&self) -> Option<i32> {
        self.profile_arrivals.last().map(|seconds| self.start + seconds)
    }
}

impl Trips {
    /// Number of trips.
    pub fn count(&self) -> usize {
        self.id.len()
    }

    /// frequencies.txt rows of a trip.
    pub fn frequencies_of(&self, trip: TripIdx) -> &[Frequency] {
        list(&self.frequency_offsets, &self.frequencies, trip.index())
    }

    /// Whether a trip has rows in frequencies.txt.
    pub fn runs_by_frequency(&self, trip: TripIdx) -> bool {
        !self.frequencies_of(trip).is_empty()
    }
}

impl Transfers {
    /// The walks, pathways and other edges from a stop.
    pub fn direct_from(&self, stop: StopIdx) -> &[DirectTransfer] {
        list(&self.direct_offsets, &self.direct, stop.index())
    }

    /// The same edges to a stop.
    pub fn direct_to(&self, stop: StopIdx) -> &[DirectTransfer] {
        list(&self.reverse_offsets, &self.reverse, stop.index())
    }
}

impl Timetable {
    pub fn trip_calls(&self, trip: TripIdx) -> TripCalls<'_> {
        let count = self.patterns.calls(self.pattern_of(trip)).len();
        let range = |offsets: &[u32]| {
            let from = offsets.get(trip.index()).map_or(0, |&offset| offset as usize);
            from..from + count
        };
        let (profile, sequence) = (range(&self.trips.profile_offset), range(&self.trips.sequence_offset));
        let headsigns = self.trips.headsign_offset.get(trip.index()).filter(|&&offset| offset != u32::MAX);
        TripCalls {
            start: self.trips.start.get(trip.index()).copied().unwrap_or(0),
            profile_arrivals: self.trips.profile_arrival.get(profile.clone()).unwrap_or_default(),
            profile_departures: self.trips.profile_departure.get(profile).unwrap_or_default(),
            sequences: self.trips.sequences.get(sequence.clone()).unwrap_or_default(),
            timepoints: self.trips.timepoints.get(sequence).unwrap_or_default(),
            headsigns: headsigns.and_then(|&at| self.trips.headsigns.get(at as usize..at as usize + count)),
        }
    }

    pub fn pattern_of(&self, trip: TripIdx) -> PatternIdx {
        self.trips.pattern.get(trip.index()).map_or(PatternIdx::NONE, |&pattern| PatternIdx(pattern))
    }

    pub fn route_of(&self, pattern: PatternIdx) -> RouteIdx {
        self.patterns.route.get(pattern.index()).map_or(RouteIdx::NONE, |&route| RouteIdx(route))
    }

    pub fn route_of_trip(&self, trip: TripIdx) -> RouteIdx {
        self.route_of(self.pattern_of(trip))
    }

    pub fn agency_of(&self, route: RouteIdx) -> AgencyIdx {
        self.routes.agency.get(route.index()).map_or(AgencyIdx::NONE, |&agency| AgencyIdx(agency))
    }

    pub fn feed_of_route(&self, route: RouteIdx) -> FeedIdx {
        self.routes.feed.get(route.index()).map_or(FeedIdx::NONE, |&feed| FeedIdx(feed))
    }

    pub fn feed_of_trip(&self, trip: TripIdx) -> FeedIdx {
        self.feed_of_route(self.route_of_trip(trip))
    }

    /// Feeds with this id (several when feeds share one).
    pub fn feeds_by_id<'a>(&'a self, id: &'a str) -> impl Iterator<Item = FeedIdx> + 'a {
        let ids = self.feeds.id.iter().enumerate();
        ids.filter(move |&(_, &text)| self.texts.get(text) == id).map(|(feed, _)| FeedIdx::from(feed))
    }

    pub fn agency_by_id(&self, feed: &str, id: &str) -> Option<AgencyIdx> {
        let (rows, order) = (&self.agencies, &self.id_orders.agencies);
        self.find(order, feed, id, |i| (rows.feed[i], rows.id[i])).map(AgencyIdx)
    }

    /// Stop (of any location type) by outer id.
    pub fn stop_by_id(&self, outer_id: &str) -> Option<StopIdx> {
        let (feed, id) = outer_id.split_once(':')?;
        let (rows, order) = (&self.stops, &self.id_orders.stops);
        self.find(order, feed, id, |i| (rows.feed[i], rows.id[i])).map(StopIdx)
    }

    pub fn route_by_id(&self, outer_id: &str) -> Option<RouteIdx> {
        let (feed, id) = outer_id.split_once(':')?;
        let (rows, order) = (&self.routes, &self.id_orders.routes);
        self.find(order, feed, id, |i| (rows.feed[i], rows.id[i])).map(RouteIdx)
    }

    pub fn trip_by_id(&self, outer_id: &str) -> Option<TripIdx> {
        let (feed, id) = outer_id.split_once(':')?;
        let order = &self.id_orders.trips;
        self.find(order, feed, id, |i| (self.feed_of_trip(TripIdx::from(i)).0, self.trips.id[i])).map(TripIdx)
    }

    pub fn service_by_id(&self, outer_id: &str) -> Option<ServiceIdx> {
        let (feed, id) = outer_id.split_once(':')?;
        let (rows, order) = (&self.services, &self.id_orders.services);
        self.find(order, feed, id, |i| (rows.feed[i], rows.id[i])).map(ServiceIdx)
    }

    /// Pattern by code (`feed:route:direction:nn`).
    pub fn pattern_by_code(&self, code: &str) -> Option<PatternIdx> {
        let order = &self.id_orders.patterns;
        let text = |pattern: &u32| {
            self.patterns.code.get(*pattern as usize).map_or("", |&text| self.texts.get(text))
        };
        order.binary_search_by(|pattern| text(pattern).cmp(code)).ok().map(|at| PatternIdx(order[at]))
    }

    /// `feed:stop`.
    pub fn stop_id(&self, stop: StopIdx) -> String {
        self.outer_id(self.stops.feed[stop.index()], self.stops.id[stop.index()])
    }

    /// `feed:route`.
    pub fn route_id(&self, route: RouteIdx) -> String {
        self.outer_id(self.routes.feed[route.index()], self.routes.id[route.index()])
    }

    /// `feed:trip`.
    pub fn trip_id(&self, trip: TripIdx) -> String {
        self.outer_id(self.feed_of_trip(trip).0, self.trips.id[trip.index()])
    }

    /// `feed:service`.
    pub fn service_id(&self, service: ServiceIdx) -> String {
        self.outer_id(self.services.feed[service.index()], self.services.id[service.index()])
    }

    pub fn feed_id(&self, feed: FeedIdx) -> &str {
        self.feeds.id.get(feed.index()).map_or("", |&text| self.texts.get(text))
    }

    /// `feed:entity`, from the index of a feed and the text of an id.
    pub fn outer_id(&self, feed: u32, id: u32) -> String {
        format!("{}:{}", self.feed_id(FeedIdx(feed)), self.texts.get(id))
    }

    /// Binary search in an order by (feed, id text), both of which `key` returns for an entity.
    fn find(&self, order: &[u32], feed: &str, id: &str, key: impl Fn(usize) -> (u32, u32)) -> Option<u32> {
        self.feeds_by_id(feed).find_map(|feed| {
            let compare = |&entity: &u32| -> Ordering {
                let (entity_feed, text) = key(entity as usize);
                entity_feed.cmp(&feed.0).then_with(|| self.texts.get(text).cmp(id))
            };
            order.binary_search_by(compare).ok().map(|at| order[at])
        })
    }
}

/// The orders that the look-ups search.
pub(crate) fn id_orders(timetable: &Timetable) -> IdOrders {
    let texts = &timetable.texts;
    let sorted = |count: usize, key: &dyn Fn(usize) -> (u32, u32)| -> Column<u32> {
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by(|&a, &b| {
            let ((feed_a, id_a), (feed_b, id_b)) = (key(a as usize), key(b as usize));
            feed_a.cmp(&feed_b).then_with(|| texts.get(id_a).cmp(texts.get(id_b)))
        });
        order.into()
    };
    let Timetable { agencies, stops, routes, trips, services, patterns, .. } = timetable;
    IdOrders {
        agencies: sorted(agencies.id.len(), &|i| (agencies.feed[i], agencies.id[i])),
        stops: sorted(stops.id.len(), &|i| (stops.feed[i], stops.id[i])),
        routes: sorted(routes.id.len(), &|i| (routes.feed[i], routes.id[i])),
        trips: sorted(trips.id.len(), &|i| (timetable.feed_of_trip(TripIdx::from(i)).0, trips.id[i])),
        services: sorted(services.id.len(), &|i| (services.feed[i], services.id[i])),
        patterns: sorted(patterns.code.len(), &|i| (0, patterns.code[i])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stations_around_each_other_come_to_an_end() {
        let none = u32::MAX;
        let stops = Stops { parent: vec![1, 2, none, 4, 3].into_iter().collect(), ..Stops::default() };
        let around = |stop| stops.with_stations(StopIdx(stop)).map(|stop| stop.0).collect::<Vec<_>>();
        assert_eq!([around(0), around(2), around(9)], [vec![0, 1, 2], vec![2], vec![9]]);
        assert_eq!(around(3).len(), 1 + MOST_PARENTS);
    }
}
