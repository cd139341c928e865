//! Which trip, service day and run a trip descriptor refers to.

use jiff::tz::TimeZone;
use trestle_model::ServiceDate;
use trestle_model::ids::{AgencyIdx, FeedIdx, RouteIdx, ServiceIdx, TripIdx};
use trestle_transit::calendar::{date_at, service_day_start};
use trestle_transit::overlay::has_run;
use trestle_transit::timetable::Timetable;

use super::messages::{StopTimeUpdate, TripDescriptor, TripRelationship, TripUpdate, seconds_of_day};
use super::rejections::Rejection;
use super::trip_update_options::TripUpdateOptions;
use crate::index::fuzzy_trip;
use crate::snapshot::Snapshot;

/// A scheduled trip on a service day on which it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Addressed {
    pub(super) trip: TripIdx,
    pub(super) date: ServiceDate,
    /// For a run of a frequency trip, its scheduled departure from the first call, seconds after the service day's
    /// start. `None` for other trips, and for a frequency trip as a whole.
    pub(super) run: Option<i32>,
}

/// Finds what trip descriptors refer to.
pub(super) struct Addressing<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) options: &'a TripUpdateOptions,
}

impl Addressing<'_> {
    fn timetable(&self) -> &Timetable {
        &self.snapshot.graph.timetable
    }

    /// The trip, service day and run that an update refers to.
    ///
    /// # Errors
    /// The trip is not in the schedule or does not run that day, or a frequency trip has no such run.
    pub(super) fn find(
        &self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
    ) -> Result<Addressed, Rejection> {
        let id = descriptor.trip_id.as_deref().unwrap_or("");
        let trips = self.trips(id, descriptor.route_id.as_deref());
        let mut refused = None;
        for &trip in &trips {
            match self.on_its_day(update, descriptor, trip) {
                Err(why) => refused = refused.or(Some(why)),
                addressed => return addressed,
            }
        }
        match refused {
            Some(why) => Err(why),
            None if self.options.fuzzy_trip_matching => {
                let (trip, date) = self.find_fuzzily(descriptor)?;
                self.running(trip, date, self.timetable().trip_calls(trip).first_departure())
            }
            None => Err(("unknown-trip", format!("trip '{id}' is not in the schedule"))),
        }
    }

    /// The trips with an id, which several feeds may have. If some are of the route that the update names, only those.
    pub(super) fn trips(&self, id: &str, route: Option<&str>) -> Vec<TripIdx> {
        let timetable = self.timetable();
        let of_feed = |feed: &str| timetable.trip_by_id(&format!("{feed}:{id}"));
        let trips: Vec<TripIdx> = self.feeds().filter_map(of_feed).collect();
        let is_named = |trip: &TripIdx| {
            let id = timetable.routes.id[timetable.route_of_trip(*trip).index()];
            route.is_some_and(|route| timetable.texts.get(id) == route)
        };
        let named: Vec<TripIdx> = trips.iter().copied().filter(is_named).collect();
        if named.is_empty() { trips } else { named }
    }

    /// A trip with the day and run that an update names.
    fn on_its_day(
        &self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
        trip: TripIdx,
    ) -> Result<Addressed, Rejection> {
        let run = self.run_of(trip, descriptor)?;
        let date = match &descriptor.start_date {
            Some(text) => parse_date(text)?,
            None => self.nearest_day(update, descriptor, trip, run),
        };
        self.running(trip, date, run)
    }

    /// A trip on a day on which it runs, and a run that it has.
    fn running(&self, trip: TripIdx, date: ServiceDate, run: Option<i32>) -> Result<Addressed, Rejection> {
        let id = || self.timetable().trip_id(trip);
        let service = ServiceIdx(self.timetable().trips.service[trip.index()]);
        if !self.timetable().services.runs_on(service, date) {
            return Err(("not-running", format!("trip {} does not run on {date}", id())));
        }
        let rows = self.timetable().trips.frequencies_of(trip);
        let run = run.filter(|_| !rows.is_empty());
        if let Some(run) = run.filter(|run| !rows.iter().any(|row| has_run(row, *run))) {
            return Err(("unknown-run", format!("trip {} has no run that starts at {}", id(), clock(run))));
        }
        Ok(Addressed { trip, date, run })
    }

    /// The run of a frequency trip that a descriptor names.
    fn run_of(&self, trip: TripIdx, descriptor: &TripDescriptor) -> Result<Option<i32>, Rejection> {
        match descriptor.start_time.as_deref() {
            Some(text) if self.timetable().trips.runs_by_frequency(trip) => parse_time(text).map(Some),
            _ => Ok(None),
        }
    }

    /// By route, direction, service day and first departure; a trip after midnight belongs to the day before.
    fn find_fuzzily(&self, descriptor: &TripDescriptor) -> Result<(TripIdx, ServiceDate), Rejection> {
        let vague = || ("vague-trip", "needs route_id, direction_id, start_date and start_time".to_owned());
        let route_id = descriptor.route_id.as_deref().ok_or_else(vague)?;
        let direction = descriptor.direction_id.ok_or_else(vague)? as i32;
        let date = parse_date(descriptor.start_date.as_deref().ok_or_else(vague)?)?;
        let time = descriptor.start_time.as_deref().and_then(seconds_of_day).ok_or_else(vague)?;
        let unknown = || ("unknown-trip", format!("no trip of route '{route_id}' starts then"));
        let starts = [(date, time), (date.plus(-1), time + 86_400)];
        let trip_of = |route: RouteIdx| {
            starts.into_iter().find_map(|(day, start)| {
                fuzzy_trip(self.snapshot, route.0, direction, day, start).map(|trip| (trip, day))
            })
        };
        self.routes(route_id).find_map(|(_, route)| trip_of(route)).ok_or_else(unknown)
    }

    /// The service day near the present, in the agency's zone, on which the trip runs closest to the first time of the
    /// update. Without times: on which it is under way now, or closest to it; for a cancellation, starts closest to now.
    fn nearest_day(
        &self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
        trip: TripIdx,
        run: Option<i32>,
    ) -> ServiceDate {
        let timetable = self.timetable();
        let (route, calls) = (timetable.route_of_trip(trip), timetable.trip_calls(trip));
        let today = self.today(route);
        let service = ServiceIdx(timetable.trips.service[trip.index()]);
        let days = self.snapshot.service_days_around(self.options.now, timetable.agency_of(route));
        let running = days.filter(|day| timetable.services.runs_on(service, *day));
        let first = calls.first_departure().unwrap_or(0);
        let shift = run.map_or(0, |run| run - first);
        let is_off = descriptor.kind().is_ok_and(TripRelationship::is_off);
        let ([from, until], moment) = match self.first_time(update, trip) {
            Some((scheduled, time)) => ([scheduled; 2], time),
            None if is_off => ([first; 2], self.options.now),
            None => ([first, calls.last_arrival().unwrap_or(first)], self.options.now),
        };
        let distance = |day: &ServiceDate| {
            let start = self.day_start(route, *day) + i64::from(shift);
            let (before, after) = (start + i64::from(from) - moment, moment - start - i64::from(until));
            (before.max(after).max(0), before.abs())
        };
        running.min_by_key(|day| (distance(day), *day != today)).unwrap_or(today)
    }

    /// The scheduled time (seconds after the start of the service day) of the first call of an update that has a time
    /// and is in the schedule, and that time.
    fn first_time(&self, update: &TripUpdate, trip: TripIdx) -> Option<(i32, i64)> {
        let timetable = self.timetable();
        let (calls, stops) =
            (timetable.trip_calls(trip), timetable.patterns.stops(timetable.pattern_of(trip)));
        let stop_id = |stop: &u32| timetable.texts.get(timetable.stops.id[*stop as usize]);
        update.calls.iter().find_map(|call| {
            let (departs, time) = call.first_time()?;
            let by_sequence = call.stop_sequence.and_then(|n| calls.sequences.binary_search(&n).ok());
            let at = by_sequence.or_else(|| {
                let named = call.stop_id.as_deref()?;
                stops.iter().position(|stop| stop_id(stop) == named)
            })?;
            Some((if departs { calls.departure(at) } else { calls.arrival(at) }, time))
        })
    }

    /// The day of a trip that is not in the schedule: that of the descriptor, else the service day of its route's agency
    /// on which its first call is, else the present day.
    pub(super) fn start_date(
        &self,
        update: &TripUpdate,
        descriptor: &TripDescriptor,
        route: RouteIdx,
    ) -> Result<ServiceDate, Rejection> {
        if let Some(text) = &descriptor.start_date {
            return parse_date(text);
        }
        let first = update.calls.iter().find_map(StopTimeUpdate::first_time);
        Ok(first.map_or_else(
            || self.today(route),
            |(_, time)| {
                let date = date_at(time, &self.zone(route));
                // Where clocks are put back, a service day begins an hour after midnight.
                if time < self.day_start(route, date) { date.plus(-1) } else { date }
            },
        ))
    }

    /// The present date where a route's agency is.
    pub(super) fn today(&self, route: RouteIdx) -> ServiceDate {
        date_at(self.options.now, &self.zone(route))
    }

    /// The first service day of an agency for which data is kept: two days ago, or earlier if a vehicle that started
    /// then may still be under way.
    pub(super) fn first_kept(&self, agency: AgencyIdx) -> ServiceDate {
        let two_days_ago =
            date_at(self.options.now, &self.snapshot.agency_zones.of(self.timetable(), agency)).plus(-2);
        let mut days = self.snapshot.service_days_around(self.options.now, agency);
        days.next().map_or(two_days_ago, |first| first.min(two_days_ago))
    }

    /// Feeds whose ids the message uses.
    fn feeds(&self) -> impl Iterator<Item = &str> {
        let timetable = self.timetable();
        let all = (0..timetable.feeds.id.len()).map(|f| timetable.feed_id(FeedIdx::from(f)));
        all.filter(|id| self.options.feed_id.is_empty() || *id == self.options.feed_id)
    }

    /// The routes with an id, and the ids of their feeds.
    fn routes<'s>(&'s self, id: &'s str) -> impl Iterator<Item = (&'s str, RouteIdx)> + 's {
        self.feeds().filter_map(move |feed| {
            self.timetable().route_by_id(&format!("{feed}:{id}")).map(|route| (feed, route))
        })
    }

    /// The route of a trip that is not in the schedule, and the id of its feed. If several feeds have the route, it is that
    /// of the first one that has all stops of the trip.
    pub(super) fn route_of_calls(&self, id: &str, calls: &[StopTimeUpdate]) -> Option<(String, RouteIdx)> {
        let stops = || calls.iter().filter_map(StopTimeUpdate::named_stop);
        let has_stops =
            |feed: &str| stops().all(|stop| self.timetable().stop_by_id(&format!("{feed}:{stop}")).is_some());
        let found = self.routes(id).find(|(feed, _)| has_stops(feed)).or_else(|| self.routes(id).next());
        found.map(|(feed, route)| (feed.to_owned(), route))
    }

    /// The ids of the feeds that have a route with an id.
    pub(super) fn feeds_of_route(&self, id: &str) -> Vec<String> {
        self.routes(id).map(|(feed, _)| feed.to_owned()).collect()
    }

    /// Start of a service day of a route's agency, epoch seconds.
    pub(super) fn day_start(&self, route: RouteIdx, date: ServiceDate) -> i64 {
        service_day_start(date, &self.zone(route))
    }

    fn zone(&self, route: RouteIdx) -> TimeZone {
        self.snapshot.agency_zones.of(self.timetable(), self.timetable().agency_of(route))
    }
}

pub(super) fn parse_date(text: &str) -> Result<ServiceDate, Rejection> {
    ServiceDate::parse_compact(text)
        .ok_or_else(|| ("bad-start-date", format!("'{text}' is not a date YYYYMMDD")))
}

pub(super) fn parse_time(text: &str) -> Result<i32, Rejection> {
    seconds_of_day(text).ok_or_else(|| ("bad-start-time", format!("'{text}' is not a time HH:MM:SS")))
}

/// `HH:MM:SS` of seconds.
fn clock(seconds: i32) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
