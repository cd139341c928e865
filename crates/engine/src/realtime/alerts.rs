//! Alerts about transit: what they are about, when they are shown, and in which language.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use trestle_model::ServiceDate;
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::itinerary::Alert;
use trestle_transit::timetable::Timetable;

/// A text in one or more languages; an empty language is the default. Shared, because an alert about many entities
/// becomes as many patches.
pub type LocalizedText = Arc<[(String, String)]>;

/// One alert for one selection of transit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AlertPatch {
    /// Id; the same id replaces.
    pub id: String,
    pub header: LocalizedText,
    pub description: LocalizedText,
    pub url: LocalizedText,
    pub feed_id: String,
    /// agency_id, when the alert is about all of an agency.
    pub agency: Option<String>,
    /// `feed:route`.
    pub route: Option<String>,
    /// `feed:trip`.
    pub trip: Option<String>,
    /// `feed:stop` of a stop or station; alone, or as a part of the route or trip.
    pub stop: Option<String>,
    /// Headsign of the trips concerned.
    pub direction: Option<String>,
    /// direction_id of the trips concerned, −1 for any.
    pub direction_id: i32,
    /// route_type of the routes concerned.
    pub route_type: Option<i32>,
    /// Service day of the trips concerned; `None` for all days.
    pub service_date: Option<ServiceDate>,
    /// First departure of the run concerned, seconds of the service day, where a trip has many runs or is described by its
    /// route; `None` for all runs.
    pub start_time: Option<i32>,
    /// Half-open periods in which it is shown, epoch seconds.
    pub periods: Arc<[(i64, i64)]>,
    /// When it takes effect, epoch milliseconds, which may be later than it is first shown; `None` when unknown.
    pub effective_start: Option<i64>,
    /// When it ends, epoch milliseconds; `None` when unknown.
    pub effective_end: Option<i64>,
}

/// A ride, with the properties that alerts select by.
#[derive(Clone, Debug)]
pub struct AlertedRide<'a> {
    /// Scheduled trip, or the one that is replaced.
    pub trip: Option<TripIdx>,
    /// Id (`feed:trip`) of a trip that is not in the schedule.
    pub added_trip: Option<String>,
    pub service_date: ServiceDate,
    /// First departure of the run by the schedule, seconds of the service day. Unknown for trips that are not in the
    /// schedule, and for vehicles of which only the headway is known.
    pub start_time: Option<i32>,
    pub route: RouteIdx,
    /// direction_id, −1 when unknown.
    pub direction: i32,
    pub headsign: Option<&'a str>,
    /// Stops where the rider gets on and off.
    pub ends: [StopIdx; 2],
    /// When, epoch seconds.
    pub times: [i64; 2],
}

impl AlertPatch {
    /// First departure of the run that the patch is about, where its start is needed to tell runs apart. For a trip
    /// that runs once a day its id is enough, and feeds write its start in many ways.
    pub fn start_of_run(&self, timetable: &Timetable) -> Option<i32> {
        let runs_often = |trip: TripIdx| timetable.trips.runs_by_frequency(trip);
        let needs_start =
            self.trip.as_deref().is_none_or(|id| timetable.trip_by_id(id).is_some_and(runs_often));
        self.start_time.filter(|_| needs_start)
    }
}

/// All alerts, indexed for look-ups by ride.
#[derive(Clone, Debug, Default)]
pub struct AlertSet {
    /// Alerts of each source.
    sources: BTreeMap<u32, Vec<Arc<AlertPatch>>>,
    /// Alerts of all sources, in their order.
    patches: Vec<Arc<AlertPatch>>,
    stops: Vec<Option<StopIdx>>,
    by_trip: FxHashMap<TripIdx, Vec<u32>>,
    /// By ids (`feed:trip`) that the schedule does not have: live data may add such trips.
    by_added_trip: FxHashMap<String, Vec<u32>>,
    by_route: FxHashMap<RouteIdx, Vec<u32>>,
    by_stop: FxHashMap<StopIdx, Vec<u32>>,
    /// About an agency, or a whole feed.
    wide: Vec<u32>,
}

impl AlertSet {
    /// These alerts, with those of one source replaced by `patches`.
    pub fn with_source(&self, timetable: &Timetable, source: u32, patches: Vec<AlertPatch>) -> AlertSet {
        let mut sources = self.sources.clone();
        sources.insert(source, patches.into_iter().map(Arc::new).collect());
        AlertSet::new(timetable, sources)
    }

    /// Indexes patches by the entities of a timetable; patches about unknown ones are kept, but never shown.
    fn new(timetable: &Timetable, sources: BTreeMap<u32, Vec<Arc<AlertPatch>>>) -> AlertSet {
        let patches: Vec<_> = sources.values().flatten().cloned().collect();
        let mut set = AlertSet::default();
        for (number, patch) in (0u32..).zip(&patches) {
            let stop = patch.stop.as_deref().map(|id| timetable.stop_by_id(id));
            set.stops.push(stop.flatten());
            if let Some(id) = &patch.trip {
                let listed = match timetable.trip_by_id(id) {
                    Some(trip) => set.by_trip.entry(trip).or_default(),
                    None => set.by_added_trip.entry(id.clone()).or_default(),
                };
                listed.push(number);
            } else if let Some(id) = &patch.route {
                let route = timetable.route_by_id(id);
                route.into_iter().for_each(|route| set.by_route.entry(route).or_default().push(number));
            } else if let Some(stop) = stop {
                stop.into_iter().for_each(|stop| set.by_stop.entry(stop).or_default().push(number));
            } else {
                set.wide.push(number);
            }
        }
        AlertSet { sources, patches, ..set }
    }

    /// The same alerts about the entities of another timetable.
    pub(crate) fn of_timetable(&self, timetable: &Timetable) -> AlertSet {
        AlertSet::new(timetable, self.sources.clone())
    }

    /// All alerts, those of one source after the other.
    pub fn patches(&self) -> impl Iterator<Item = &AlertPatch> {
        self.patches.iter().map(Arc::as_ref)
    }

    /// Alerts of a ride. `from` is the start of the itinerary, epoch seconds; `unfiltered` ignores the alerts' periods.
    pub fn of_ride(
        &self,
        timetable: &Timetable,
        ride: &AlertedRide<'_>,
        from: i64,
        locale: &str,
        unfiltered: bool,
    ) -> Vec<Alert> {
        let listed = |list: Option<&Vec<u32>>| list.cloned().unwrap_or_default();
        let mut numbers = ride.trip.map_or_else(Vec::new, |trip| listed(self.by_trip.get(&trip)));
        numbers.extend(listed(ride.added_trip.as_ref().and_then(|id| self.by_added_trip.get(id))));
        numbers.extend(listed(self.by_route.get(&ride.route)));
        let ends = ride.ends.iter().flat_map(|&end| timetable.stops.with_stations(end));
        ends.for_each(|stop| numbers.extend(listed(self.by_stop.get(&stop))));
        numbers.extend(self.wide.iter().filter(|n| self.is_wide_about(timetable, **n, ride.route)));
        numbers.sort_unstable();
        numbers.dedup();
        let shown = numbers.into_iter().filter(|&n| {
            self.is_about_part(timetable, n, ride)
                && self
                    .times_concerned(timetable, n, ride)
                    .any(|time| unfiltered || is_in_force(&self.patches[n as usize], time, from))
        });
        // An alert about the route of a ride and about its stops is shown once.
        let mut alerts: Vec<Alert> = Vec::new();
        for alert in shown.map(|n| localized(&self.patches[n as usize], locale)) {
            if !alerts.contains(&alert) {
                alerts.push(alert);
            }
        }
        alerts
    }

    fn is_wide_about(&self, timetable: &Timetable, number: u32, route: RouteIdx) -> bool {
        let patch = &self.patches[number as usize];
        let same_feed = timetable.feed_id(timetable.feed_of_route(route)) == patch.feed_id;
        let agency = timetable.agency_of(route);
        let agency_id = timetable.agencies.id.get(agency.index()).map_or("", |&id| timetable.texts.get(id));
        match &patch.agency {
            Some(agency) => agency == agency_id && (patch.feed_id.is_empty() || same_feed),
            None => same_feed,
        }
    }

    /// When the rider gets on or off at the patch's stop, or one of its station; at both ends if it has no stop.
    fn times_concerned(
        &self,
        timetable: &Timetable,
        number: u32,
        ride: &AlertedRide<'_>,
    ) -> impl Iterator<Item = i64> {
        let (anywhere, stop) = (self.patches[number as usize].stop.is_none(), self.stops[number as usize]);
        let is_at =
            move |end: StopIdx| stop.is_some_and(|s| timetable.stops.with_stations(end).any(|at| at == s));
        let times = ride.ends.into_iter().zip(ride.times);
        times.filter(move |&(end, _)| anywhere || is_at(end)).map(|(_, time)| time)
    }

    /// Whether the patch's headsign, direction, route type, service day and run, where it has them, are those of the ride,
    /// and its agency if it names neither a trip nor a route.
    fn is_about_part(&self, timetable: &Timetable, number: u32, ride: &AlertedRide<'_>) -> bool {
        let patch = &self.patches[number as usize];
        let names_agency = patch.agency.is_some() && patch.trip.is_none() && patch.route.is_none();
        let agency = !names_agency || self.is_wide_about(timetable, number, ride.route);
        let headsign = patch.direction.as_deref().is_none_or(|d| ride.headsign == Some(d));
        let route_type = timetable.routes.route_type.get(ride.route.index()).copied();
        let is_of_type = patch.route_type.is_none_or(|wanted| route_type == Some(wanted));
        let same_day = patch.service_date.is_none_or(|date| ride.service_date == date);
        agency
            && headsign
            && is_of_type
            && same_day
            && is_about_run(timetable, patch, ride)
            && (patch.direction_id < 0 || patch.direction_id == ride.direction)
    }
}

/// Whether the patch is about the run of the ride, as far as the start of both is known.
fn is_about_run(timetable: &Timetable, patch: &AlertPatch, ride: &AlertedRide<'_>) -> bool {
    patch.start_of_run(timetable).zip(ride.start_time).is_none_or(|(wanted, start)| wanted == start)
}

/// `time` is when the rider gets on or off, and `from` when the trip starts.
fn is_in_force(patch: &AlertPatch, time: i64, from: i64) -> bool {
    patch.periods.iter().any(|&(start, end)| time >= start && from < end)
}

fn localized(patch: &AlertPatch, locale: &str) -> Alert {
    Alert {
        header: text_for(&patch.header, locale),
        description: text_for(&patch.description, locale),
        url: text_for(&patch.url, locale),
        effective_start: patch.effective_start,
    }
}

/// The text in a language, else in the default one, else in any.
fn text_for(texts: &LocalizedText, locale: &str) -> Option<String> {
    let language = |tag: &str| tag.split(['-', '_']).next().unwrap_or("").to_lowercase();
    let wanted = language(locale);
    let find = |wanted: &str| texts.iter().find(|(tag, _)| language(tag) == wanted);
    find(&wanted).or_else(|| find("")).or_else(|| texts.first()).map(|(_, text)| text.clone())
}
