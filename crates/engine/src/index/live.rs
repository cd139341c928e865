//! Patterns and trips that only live data knows: added trips, and those that replace a scheduled one. They are not in
//! the columns: the i-th added trip of the overlay is trip `number of scheduled trips + i` (as in searches), and the
//! i-th live pattern is pattern `number of scheduled patterns + i`. Lists of all entities leave them out.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::ServiceDate;
use trestle_model::ids::{PatternIdx, RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_transit::overlay::{AddedTrip, Overlay};
use trestle_transit::semantic_hash;
use trestle_transit::timetable::Timetable;

/// Live trips of one route and direction that call at the same stops under the same rules, and whose calls are those of
/// trips of one pattern or of none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LivePattern {
    /// `feed:route:direction:rt#n`; n is computed from the stops and their rules, so that it is the same after the next
    /// update and in every process.
    pub code: String,
    pub route: RouteIdx,
    /// direction_id, −1 when unknown.
    pub direction: i32,
    /// Its trips by day and time.
    pub trips: Vec<TripIdx>,
}

/// What the overlay of one snapshot adds to the index.
#[derive(Default)]
pub struct LiveSchedule {
    overlay: Option<Arc<Overlay>>,
    first_pattern: u32,
    first_trip: u32,
    patterns: Vec<LivePattern>,
    /// Pattern of each added trip.
    pattern_of: Vec<u32>,
    by_code: FxHashMap<String, u32>,
    by_trip: FxHashMap<String, u32>,
    /// The added trip that runs instead of a scheduled one on a day.
    replacing: FxHashMap<(TripIdx, ServiceDate), u32>,
    of_stop: FxHashMap<StopIdx, Vec<u32>>,
    without_schedule: Vec<StopIdx>,
    of_route: FxHashMap<RouteIdx, Vec<u32>>,
}

impl LiveSchedule {
    /// Sorts the added trips of an overlay into patterns.
    pub fn new(timetable: &Timetable, overlay: Option<Arc<Overlay>>) -> Self {
        let mut schedule = LiveSchedule {
            first_pattern: timetable.patterns.count() as u32,
            first_trip: timetable.trips.count() as u32,
            patterns: overlay.as_deref().map_or_else(Vec::new, |overlay| patterns(timetable, overlay)),
            overlay,
            ..LiveSchedule::default()
        };
        schedule.index(timetable);
        schedule
    }

    fn index(&mut self, timetable: &Timetable) {
        let Some(overlay) = self.overlay.clone() else { return };
        self.pattern_of = vec![u32::MAX; overlay.added.len()];
        for (pattern, row) in (self.first_pattern..).zip(&self.patterns) {
            self.by_code.insert(row.code.clone(), pattern);
            self.of_route.entry(row.route).or_default().push(pattern);
            for trip in &row.trips {
                self.pattern_of[(trip.0 - self.first_trip) as usize] = pattern;
            }
            let mut seen = FxHashSet::default();
            let first =
                row.trips.first().and_then(|trip| overlay.added.get(trip.index() - self.first_trip as usize));
            let calls = first.into_iter().flat_map(|trip| {
                trip.stops.iter().enumerate().filter(|(position, _)| !trip.passes(*position))
            });
            for (_, &stop) in calls.filter(|(_, stop)| seen.insert(**stop)) {
                self.of_stop.entry(stop).or_default().push(pattern);
            }
        }
        let is_unscheduled = |stop: &StopIdx| !timetable.stops.is_served(*stop);
        self.without_schedule = self.of_stop.keys().copied().filter(is_unscheduled).collect();
        for (trip, added) in (self.first_trip..).zip(&overlay.added) {
            self.by_trip.entry(added.outer_id(timetable)).or_insert(trip);
            if let (Some(replaced), None) = (added.replaces, added.run) {
                self.replacing.insert((replaced, added.service_date), trip);
            }
        }
    }

    /// The stops of live patterns that no scheduled trip ever serves.
    pub fn stops_without_schedule(&self) -> &[StopIdx] {
        &self.without_schedule
    }

    /// A live pattern; `None` for scheduled and unknown ones.
    pub fn pattern(&self, pattern: PatternIdx) -> Option<&LivePattern> {
        self.patterns.get(pattern.0.checked_sub(self.first_pattern)? as usize)
    }

    /// An added trip; `None` for scheduled and unknown ones.
    pub fn trip(&self, trip: TripIdx) -> Option<&AddedTrip> {
        self.overlay.as_ref()?.added.get(trip.0.checked_sub(self.first_trip)? as usize)
    }

    /// The trips of a live pattern; none for scheduled ones.
    pub fn trips_of(&self, pattern: PatternIdx) -> impl Iterator<Item = (TripIdx, &AddedTrip)> {
        let trips = self.pattern(pattern).map_or(&[][..], |row| &row.trips);
        trips.iter().filter_map(|&trip| Some((trip, self.trip(trip)?)))
    }

    /// The calls that the trips of a live pattern share, as those of its first trip.
    pub fn calls_of(&self, pattern: PatternIdx) -> Option<&AddedTrip> {
        self.trips_of(pattern).next().map(|(_, trip)| trip)
    }

    /// The scheduled pattern whose shape a live pattern has: that of the trips whose calls its trips have.
    pub fn shaping_pattern(&self, timetable: &Timetable, pattern: PatternIdx) -> Option<PatternIdx> {
        self.calls_of(pattern).and_then(|first| shaping_pattern(timetable, first))
    }

    /// The live pattern of an added trip.
    pub fn pattern_of(&self, trip: TripIdx) -> Option<PatternIdx> {
        let pattern = self.pattern_of.get(trip.0.checked_sub(self.first_trip)? as usize);
        pattern.map(|&pattern| PatternIdx(pattern))
    }

    /// The added trip that runs on a day instead of a scheduled one; single runs of a frequency trip replace no trip.
    pub fn replacement(&self, trip: TripIdx, date: ServiceDate) -> Option<TripIdx> {
        self.replacing.get(&(trip, date)).map(|&trip| TripIdx(trip))
    }

    /// Live patterns that call at a stop, each once.
    pub fn patterns_at(&self, stop: StopIdx) -> &[u32] {
        self.of_stop.get(&stop).map_or(&[], Vec::as_slice)
    }

    pub fn patterns_of(&self, route: RouteIdx) -> &[u32] {
        self.of_route.get(&route).map_or(&[], Vec::as_slice)
    }

    pub fn find_pattern(&self, code: &str) -> Option<PatternIdx> {
        self.by_code.get(code).map(|&pattern| PatternIdx(pattern))
    }

    /// The first added trip with this id (`feed:trip`), on whichever day it runs.
    pub fn find_trip(&self, id: &str) -> Option<TripIdx> {
        self.by_trip.get(id).map(|&trip| TripIdx(trip))
    }
}

/// The service that an added trip belongs to: that of the trip it replaces, or else the first of its feed that runs on
/// its day.
pub fn service_of(timetable: &Timetable, trip: &AddedTrip) -> Option<ServiceIdx> {
    if let Some(replaced) = trip.replaces {
        return timetable.trips.service.get(replaced.index()).map(|&service| ServiceIdx(service));
    }
    let feed = timetable.routes.feed.get(trip.route.index());
    let services = (0..timetable.services.id.len()).map(ServiceIdx::from);
    let runs = |service: &ServiceIdx| timetable.services.runs_on(*service, trip.service_date);
    services.filter(|service| timetable.services.feed.get(service.index()) == feed).find(runs)
}

/// The pattern of the scheduled trip whose calls an added trip has.
fn shaping_pattern(timetable: &Timetable, added: &AddedTrip) -> Option<PatternIdx> {
    added.scheduled_with_same_calls(timetable).map(|trip| timetable.pattern_of(trip))
}

/// Route, direction, stops, rules, which stops are skipped and which pattern has the calls: what the trips of a pattern
/// share.
type PatternKey<'a> = (RouteIdx, i32, &'a [StopIdx], [&'a [u8]; 2], &'a [bool], Option<PatternIdx>);

fn patterns(timetable: &Timetable, overlay: &Overlay) -> Vec<LivePattern> {
    let first_trip = timetable.trips.count();
    let mut trips_of: FxHashMap<PatternKey<'_>, Vec<TripIdx>> = FxHashMap::default();
    for (i, trip) in overlay.added.iter().enumerate() {
        let rules = [&trip.pickup[..], &trip.dropoff[..]];
        let shaping = shaping_pattern(timetable, trip);
        let key = (trip.route, trip.direction, &trip.stops[..], rules, &trip.skipped[..], shaping);
        trips_of.entry(key).or_default().push(TripIdx::from(first_trip + i));
    }
    let mut patterns: Vec<_> = trips_of.into_iter().collect();
    patterns.sort_by(|a, b| a.0.cmp(&b.0));
    let mut known = FxHashSet::default();
    let pattern = |((route, direction, stops, rules, ..), mut trips): (PatternKey<'_>, Vec<TripIdx>)| {
        let [pickup, dropoff] = rules;
        let start = |trip: &TripIdx| {
            let added = &overlay.added[trip.index() - first_trip];
            (added.service_date, added.times.departures.first().copied())
        };
        trips.sort_by_key(start);
        // Stops at the same place, skipped stops and the calls of two patterns may give the same number; then the later
        // one takes the next free number.
        let mut number = semantic_hash::of_calls(timetable, stops.iter().copied(), pickup, dropoff);
        let mut code = live_code(timetable, route, direction, number);
        while !known.insert(code.clone()) {
            number = number.wrapping_add(1);
            code = live_code(timetable, route, direction, number);
        }
        LivePattern { code, route, direction, trips }
    };
    patterns.into_iter().map(pattern).collect()
}

fn live_code(timetable: &Timetable, route: RouteIdx, direction: i32, number: u32) -> String {
    let direction = if direction < 0 { String::new() } else { direction.to_string() };
    format!("{}:{direction}:rt#{number}", timetable.route_id(route))
}
