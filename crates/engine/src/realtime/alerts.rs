//! Alerts about transit: what they are about, when they are shown, and in which language.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::ServiceDate;
use trestle_model::ids::{RouteIdx, StopIdx, TripIdx};
use trestle_model::itinerary::Alert;
use trestle_transit::timetable::Timetable;

use super::messages::{
    Alert as AlertMessage, EntitySelector, FeedEntity, TimeRange, TranslatedString, TripDescriptor,
    read_feed, seconds_of_day,
};
use crate::error::EngineError;

/// A text in one or more languages; an empty language is the default. Shared, because an alert about many entities
/// becomes as many patches.
pub type LocalizedText = Arc<[(String, String)]>;

/// One alert for one selection of transit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AlertPatch {
    /// Id; the same id replaces.
    pub id: String,
    /// Header.
    pub header: LocalizedText,
    /// Description.
    pub description: LocalizedText,
    /// Link.
    pub url: LocalizedText,
    /// Feed that the ids belong to.
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
    /// Service day.
    pub service_date: ServiceDate,
    /// First departure of the run by the schedule, seconds of the service day. Unknown for trips that are not in the
    /// schedule, and for vehicles of which only the headway is known.
    pub start_time: Option<i32>,
    /// Route.
    pub route: RouteIdx,
    /// direction_id, −1 when unknown.
    pub direction: i32,
    /// Headsign.
    pub headsign: Option<&'a str>,
    /// Stops where the rider gets on and off.
    pub ends: [StopIdx; 2],
    /// When, epoch seconds.
    pub times: [i64; 2],
}

impl AlertPatch {
    /// First departure of the run that the patch is about, as far as runs can be told apart. The id of a trip that runs
    /// once a day says enough: feeds write its start in many ways.
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
        let ends: Vec<StopIdx> =
            ride.ends.iter().flat_map(|&end| timetable.stops.with_stations(end)).collect();
        ends.iter().for_each(|stop| numbers.extend(listed(self.by_stop.get(stop))));
        numbers.extend(self.wide.iter().filter(|n| self.is_wide_about(timetable, **n, ride.route)));
        numbers.sort_unstable();
        numbers.dedup();
        let shown = numbers.into_iter().filter(|&n| {
            self.is_about_part(timetable, n, ride, &ends)
                && (unfiltered || is_in_force(&self.patches[n as usize], ride, from))
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

    /// Whether the patch's stop, headsign, direction, route type, service day and run, where it has them, are those of the
    /// ride. `ends` are the stops of its ends and their stations.
    fn is_about_part(
        &self,
        timetable: &Timetable,
        number: u32,
        ride: &AlertedRide<'_>,
        ends: &[StopIdx],
    ) -> bool {
        let patch = &self.patches[number as usize];
        let stop = patch.stop.is_none() || self.stops[number as usize].is_some_and(|s| ends.contains(&s));
        let headsign = patch.direction.as_deref().is_none_or(|d| ride.headsign == Some(d));
        let route_type = timetable.routes.route_type.get(ride.route.index()).copied();
        let is_of_type = patch.route_type.is_none_or(|wanted| route_type == Some(wanted));
        let same_day = patch.service_date.is_none_or(|date| ride.service_date == date);
        stop && headsign
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

fn is_in_force(patch: &AlertPatch, ride: &AlertedRide<'_>, from: i64) -> bool {
    patch.periods.iter().any(|(start, end)| ride.times.iter().any(|time| time >= start) && from < *end)
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

/// How to read the alerts of a feed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AlertOptions {
    /// Feed that the ids belong to.
    pub feed_id: String,
    /// Alerts are shown this long before their start, seconds.
    pub early_start: i64,
}

/// The alerts of a GTFS-Realtime message, one patch per alert and informed entity.
///
/// # Errors
/// `REALTIME_INVALID` for bytes that are not such a message.
pub fn decode_alerts(bytes: &[u8], options: &AlertOptions) -> Result<Vec<AlertPatch>, EngineError> {
    let message = read_feed(bytes)?;
    Ok(message.entities.iter().flat_map(|entity| patches_of(entity, options)).collect())
}

/// Latest time, epoch seconds; its milliseconds are still an `i64`.
const NEVER: i64 = i64::MAX / 1000;

fn patches_of(entity: &FeedEntity, options: &AlertOptions) -> Vec<AlertPatch> {
    let Some(alert) = entity.alert.as_ref().filter(|_| entity.is_deleted != Some(true)) else {
        return Vec::new();
    };
    let (id, common) = (entity.id.as_deref().unwrap_or(""), common_part(alert, options));
    let named = alert.informed_entities.iter().filter(|selector| names_something(selector));
    let mut patches: Vec<AlertPatch> = named.map(|selector| patch_of(id, selector, &common)).collect();
    // An entity that is named twice is informed once.
    let mut ids = FxHashSet::default();
    patches.retain(|patch| ids.insert(patch.id.clone()));
    patches
}

/// What all patches of an alert have in common: its texts and periods.
fn common_part(alert: &AlertMessage, options: &AlertOptions) -> AlertPatch {
    // Feeds write the largest number of some type for an end that is not known.
    let seconds = |time: u64| i64::try_from(time).map_or(NEVER, |time| time.min(NEVER));
    let end = |range: &TimeRange| range.end.filter(|end| *end > 0).map_or(NEVER, seconds);
    let period = |range: &TimeRange| {
        (range.start.map_or(0, |start| seconds(start).saturating_sub(options.early_start)), end(range))
    };
    let periods: Arc<[(i64, i64)]> = match &alert.active_periods[..] {
        [] => Arc::new([(0, NEVER)]),
        periods => periods.iter().map(period).collect(),
    };
    let starts = alert.active_periods.iter().filter_map(|range| range.start.filter(|start| *start > 0));
    let latest = alert.active_periods.iter().map(end).max();
    AlertPatch {
        header: texts(&alert.header),
        description: texts(&alert.description),
        url: texts(&alert.url),
        feed_id: options.feed_id.clone(),
        periods,
        effective_start: starts.map(seconds).min().map(|start| start * 1000),
        effective_end: latest.filter(|end| *end < NEVER).map(|end| end * 1000),
        ..AlertPatch::default()
    }
}

/// The patch of one informed entity.
fn patch_of(id: &str, selector: &EntitySelector, common: &AlertPatch) -> AlertPatch {
    let outer = |id: &Option<String>| id.as_ref().map(|id| format!("{}:{id}", common.feed_id));
    let trip = selector.trip.as_ref();
    let direction_id = selector.direction_id.or(trip.and_then(|trip| trip.direction_id));
    AlertPatch {
        id: patch_id(id, selector),
        agency: selector.agency_id.clone(),
        route: outer(&selector.route_id).or_else(|| trip.and_then(|trip| outer(&trip.route_id))),
        trip: trip.and_then(|trip| outer(&trip.trip_id)),
        stop: outer(&selector.stop_id),
        direction_id: direction_id.map_or(-1, |d| d as i32),
        route_type: selector.route_type,
        service_date: trip.and_then(|trip| ServiceDate::parse_compact(trip.start_date.as_deref()?)),
        start_time: trip.and_then(|trip| seconds_of_day(trip.start_time.as_deref()?)),
        ..common.clone()
    }
}

/// Whether a selector names anything. One with only a trip that is described by its start does not mean all trips.
fn names_something(selector: &EntitySelector) -> bool {
    let has_id = |trip: &TripDescriptor| trip.trip_id.is_some() || trip.route_id.is_some();
    let EntitySelector { agency_id, route_id, route_type, stop_id, trip, .. } = selector;
    let names_others = agency_id.is_some() || route_id.is_some() || route_type.is_some() || stop_id.is_some();
    names_others || trip.as_ref().is_none_or(has_id)
}

fn texts(translated: &Option<TranslatedString>) -> LocalizedText {
    let all = translated.iter().flat_map(|t| &t.translations);
    all.map(|t| (t.language.clone().unwrap_or_default(), t.text.clone().unwrap_or_default())).collect()
}

/// The entity id and the parts of the selector; a missing part is the text ` null `. The parts of a trip that tell its days
/// and runs apart, or that say which it is without an id, follow where it has them.
fn patch_id(entity: &str, selector: &EntitySelector) -> String {
    let or_null = |part: Option<String>| part.unwrap_or_else(|| " null ".to_owned());
    let parts = [
        entity.to_owned(),
        or_null(selector.agency_id.clone()),
        or_null(selector.route_id.clone()),
        or_null(selector.direction_id.map(|d| d.to_string())),
        or_null(selector.route_type.map(|t| t.to_string())),
        or_null(selector.stop_id.clone()),
        or_null(selector.trip.as_ref().and_then(|trip| trip.trip_id.clone())),
    ];
    let trip = selector.trip.as_ref();
    let described = trip.filter(|trip| trip.trip_id.is_none());
    let more = [
        described.and_then(|trip| Some(format!("route {}", trip.route_id.as_ref()?))),
        described.and_then(|trip| Some(format!("direction {}", trip.direction_id?))),
        trip.and_then(|trip| trip.start_date.clone()),
        trip.and_then(|trip| trip.start_time.clone()),
    ];
    parts.into_iter().chain(more.into_iter().flatten()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::super::messages::{FeedHeader, FeedMessage, Translation};
    use super::*;

    #[test]
    fn an_alert_is_one_patch_for_each_entity_and_begins_early() {
        let header = Translation { text: Some("Late".to_owned()), language: None };
        let route = |id: &str| EntitySelector { route_id: Some(id.to_owned()), ..EntitySelector::default() };
        let alert = AlertMessage {
            active_periods: vec![TimeRange { start: Some(1000), end: Some(2000) }],
            informed_entities: vec![route("R"), route("S")],
            header: Some(TranslatedString { translations: vec![header] }),
            ..AlertMessage::default()
        };
        let message = FeedMessage {
            header: Some(FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() }),
            entities: vec![FeedEntity { alert: Some(alert), ..FeedEntity::default() }],
        };
        let options = AlertOptions { feed_id: "1".to_owned(), early_start: 60 };
        let found = decode_alerts(&message.encode_to_vec(), &options).unwrap();
        let routes: Vec<_> = found.iter().map(|patch| patch.route.as_deref()).collect();
        assert_eq!(routes, [Some("1:R"), Some("1:S")]);
        assert!(found.iter().all(|patch| patch.direction_id == -1 && *patch.periods == [(940, 2000)]));
        assert_eq!(*found[1].header, [(String::new(), "Late".to_owned())]);
    }

    #[test]
    fn selectors_by_route_type_and_by_trips_without_an_id() {
        let trip = |route: Option<&str>| TripDescriptor {
            route_id: route.map(str::to_owned),
            direction_id: Some(1),
            start_date: route.map(|_| "20261126".to_owned()),
            start_time: Some("08:00:00".to_owned()),
            ..TripDescriptor::default()
        };
        let by_trip = |route| EntitySelector { trip: Some(trip(route)), ..EntitySelector::default() };
        let by_type = EntitySelector { route_type: Some(1), ..EntitySelector::default() };
        let alert = AlertMessage {
            informed_entities: vec![by_type, by_trip(Some("R")), by_trip(None)],
            ..AlertMessage::default()
        };
        let header = FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() };
        let entities = vec![FeedEntity { alert: Some(alert), ..FeedEntity::default() }];
        let message = FeedMessage { header: Some(header), entities };
        let options = AlertOptions { feed_id: "1".to_owned(), early_start: 0 };
        let found = decode_alerts(&message.encode_to_vec(), &options).unwrap();
        let parts: Vec<_> =
            found.iter().map(|p| (p.route_type, p.route.as_deref(), p.direction_id)).collect();
        assert_eq!(parts, [(Some(1), None, -1), (None, Some("1:R"), 1)]);
        let starts: Vec<_> = found.iter().map(|p| (p.service_date, p.start_time)).collect();
        assert_eq!(starts, [(None, None), (ServiceDate::parse_compact("20261126"), Some(8 * 3600))]);
    }

    #[test]
    fn a_time_beyond_all_clocks_is_the_latest_one() {
        let period = |start, end| TimeRange { start: Some(start), end: Some(end) };
        let alert = AlertMessage {
            active_periods: vec![period(1000, u64::MAX), period(1000, 1 << 63), period(u64::MAX, u64::MAX)],
            informed_entities: vec![EntitySelector::default()],
            ..AlertMessage::default()
        };
        let header = FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() };
        let entities = vec![FeedEntity { alert: Some(alert), ..FeedEntity::default() }];
        let message = FeedMessage { header: Some(header), entities };
        let found = decode_alerts(&message.encode_to_vec(), &AlertOptions::default()).unwrap();
        assert_eq!(*found[0].periods, [(1000, NEVER), (1000, NEVER), (NEVER, NEVER)]);
        assert_eq!((found[0].effective_start, found[0].effective_end), (Some(1_000_000), None));
    }

    /// The patches of one alert, which is shown a minute early.
    fn patches(active_periods: Vec<TimeRange>, informed_entities: Vec<EntitySelector>) -> Vec<AlertPatch> {
        let alert = AlertMessage { active_periods, informed_entities, ..AlertMessage::default() };
        let header = FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() };
        let entity = FeedEntity { id: Some("a".to_owned()), alert: Some(alert), ..FeedEntity::default() };
        let message = FeedMessage { header: Some(header), entities: vec![entity] };
        let options = AlertOptions { feed_id: "1".to_owned(), early_start: 60 };
        decode_alerts(&message.encode_to_vec(), &options).unwrap()
    }

    #[test]
    fn an_alert_takes_effect_when_it_begins_and_not_when_it_is_first_shown() {
        let period = |start, end| TimeRange { start, end };
        let effect = |periods| {
            let patch = &patches(periods, vec![EntitySelector::default()])[0];
            let seconds = |time: Option<i64>| time.map(|time| time / 1000);
            [seconds(localized(patch, "en").effective_start), seconds(patch.effective_end)]
        };
        assert_eq!(effect(vec![]), [None, None]);
        assert_eq!(effect(vec![period(None, Some(2000))]), [None, Some(2000)]);
        let two = vec![period(Some(3000), Some(4000)), period(Some(1000), Some(2000))];
        assert_eq!(effect(two), [Some(1000), Some(4000)]);
        let endless = vec![period(Some(1000), Some(2000)), period(Some(3000), None)];
        assert_eq!(effect(endless), [Some(1000), None]);
    }

    #[test]
    fn each_entity_of_an_alert_has_an_id_of_its_own() {
        let trip = |trip_id: Option<&str>, route_id: Option<&str>, date: Option<&str>, time: Option<&str>| {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            let trip = TripDescriptor {
                trip_id: owned(trip_id),
                route_id: owned(route_id),
                start_date: owned(date),
                start_time: owned(time),
                ..TripDescriptor::default()
            };
            EntitySelector { trip: Some(trip), ..EntitySelector::default() }
        };
        let entities = vec![
            trip(Some("T"), None, None, None),
            trip(Some("T"), None, Some("20261126"), None),
            trip(Some("T"), None, Some("20261127"), None),
            trip(Some("T"), None, Some("20261127"), Some("08:00:00")),
            trip(None, Some("R"), None, Some("08:00:00")),
            trip(None, Some("S"), None, Some("08:00:00")),
            trip(Some("T"), None, Some("20261127"), None),
        ];
        let ids: Vec<String> = patches(vec![], entities).into_iter().map(|patch| patch.id).collect();
        let missing = "a  null   null   null   null   null ";
        assert_eq!(ids[0], format!("{missing} T"), "the id of the interface");
        assert_eq!(ids[2], format!("{missing} T 20261127"));
        assert_eq!(ids.len(), 6, "the last one is there already");
        assert_eq!(ids.iter().collect::<FxHashSet<_>>().len(), ids.len(), "{ids:?}");
    }
}
