//! Alerts in GTFS-Realtime messages.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use trestle_model::ServiceDate;

use super::alerts::{AlertPatch, LocalizedText};
use super::messages::{
    Alert as AlertMessage, EntitySelector, FeedEntity, TimeRange, TranslatedString, TripDescriptor,
    read_feed, seconds_of_day,
};
use crate::error::EngineError;

/// How to read the alerts of a feed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AlertOptions {
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
    let mut patches: Vec<AlertPatch> = Vec::with_capacity(alert.informed_entities.len());
    for selector in &alert.informed_entities {
        let named = without_blank_ids(selector);
        let has_only_blanks = named == EntitySelector::default() && *selector != named;
        if names_something(&named) && !has_only_blanks {
            patches.push(patch_of(id, &named, &common));
        }
    }
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
        agency: selector.agency_id.as_ref().map(|id| agency_id(id, common)),
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

/// The id that the graph has for an agency: one without an agency_id has that of its feed.
fn agency_id(id: &str, common: &AlertPatch) -> String {
    if id.is_empty() { common.feed_id.clone() } else { id.to_owned() }
}

/// A selector without the blank ids of routes, stops and trips, which some feeds write where they mean none.
fn without_blank_ids(selector: &EntitySelector) -> EntitySelector {
    let given = |id: &Option<String>| id.clone().filter(|id| !id.is_empty());
    let trip = selector.trip.as_ref().map(|trip| TripDescriptor {
        trip_id: given(&trip.trip_id),
        route_id: given(&trip.route_id),
        ..trip.clone()
    });
    EntitySelector {
        route_id: given(&selector.route_id),
        stop_id: given(&selector.stop_id),
        trip,
        ..selector.clone()
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

    /// The patches of an alert of feed 1 with the id `a`.
    fn patches(alert: AlertMessage, early_start: i64) -> Vec<AlertPatch> {
        let header = FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() };
        let entity = FeedEntity { id: Some("a".to_owned()), alert: Some(alert), ..FeedEntity::default() };
        let message = FeedMessage { header: Some(header), entities: vec![entity] };
        let options = AlertOptions { feed_id: "1".to_owned(), early_start };
        decode_alerts(&message.encode_to_vec(), &options).unwrap()
    }

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
        let found = patches(alert, 60);
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
        let informed_entities = vec![by_type, by_trip(Some("R")), by_trip(None)];
        let found = patches(AlertMessage { informed_entities, ..AlertMessage::default() }, 0);
        let parts: Vec<_> =
            found.iter().map(|p| (p.route_type, p.route.as_deref(), p.direction_id)).collect();
        assert_eq!(parts, [(Some(1), None, -1), (None, Some("1:R"), 1)]);
        let starts: Vec<_> = found.iter().map(|p| (p.service_date, p.start_time)).collect();
        assert_eq!(starts, [(None, None), (ServiceDate::parse_compact("20261126"), Some(8 * 3600))]);
    }

    #[test]
    fn blank_ids_name_nothing_but_the_agency_without_an_id() {
        let blank = || Some(String::new());
        let trip =
            |route_id| Some(TripDescriptor { trip_id: blank(), route_id, ..TripDescriptor::default() });
        let (none, route) = (EntitySelector::default(), Some("R".to_owned()));
        let informed_entities = vec![
            EntitySelector { agency_id: blank(), ..none.clone() },
            EntitySelector { route_id: blank(), stop_id: Some("S".to_owned()), ..none.clone() },
            EntitySelector { route_id: blank(), ..none.clone() },
            EntitySelector { trip: trip(route), ..none.clone() },
            EntitySelector { trip: trip(None), ..none },
        ];
        let found = patches(AlertMessage { informed_entities, ..AlertMessage::default() }, 0);
        let named: Vec<_> =
            found.iter().map(|p| [&p.agency, &p.route, &p.trip, &p.stop].map(Option::as_deref)).collect();
        let wanted =
            [[Some("1"), None, None, None], [None, None, None, Some("1:S")], [None, Some("1:R"), None, None]];
        assert_eq!(named, wanted);
    }

    /// The patch of an alert about everything with these periods.
    fn in_periods(active_periods: Vec<TimeRange>, early_start: i64) -> AlertPatch {
        let informed_entities = vec![EntitySelector::default()];
        let alert = AlertMessage { active_periods, informed_entities, ..AlertMessage::default() };
        patches(alert, early_start).remove(0)
    }

    #[test]
    fn a_time_beyond_all_clocks_is_the_latest_one() {
        let period = |start, end| TimeRange { start: Some(start), end: Some(end) };
        let periods = vec![period(1000, u64::MAX), period(1000, 1 << 63), period(u64::MAX, u64::MAX)];
        let patch = in_periods(periods, 0);
        assert_eq!(*patch.periods, [(1000, NEVER), (1000, NEVER), (NEVER, NEVER)]);
        assert_eq!((patch.effective_start, patch.effective_end), (Some(1_000_000), None));
    }

    #[test]
    fn an_alert_takes_effect_when_it_begins_and_not_when_it_is_first_shown() {
        let period = |start, end| TimeRange { start, end };
        let effect = |periods| {
            let patch = in_periods(periods, 60);
            [patch.effective_start, patch.effective_end].map(|time| time.map(|time| time / 1000))
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
        let informed_entities = vec![
            trip(Some("T"), None, None, None),
            trip(Some("T"), None, Some("20261126"), None),
            trip(Some("T"), None, Some("20261127"), None),
            trip(Some("T"), None, Some("20261127"), Some("08:00:00")),
            trip(None, Some("R"), None, Some("08:00:00")),
            trip(None, Some("S"), None, Some("08:00:00")),
            trip(Some("T"), None, Some("20261127"), None),
        ];
        let alert = AlertMessage { informed_entities, ..AlertMessage::default() };
        let ids: Vec<String> = patches(alert, 0).into_iter().map(|patch| patch.id).collect();
        let missing = "a  null   null   null   null   null ";
        assert_eq!(ids[0], format!("{missing} T"), "the id of the interface");
        assert_eq!(ids[2], format!("{missing} T 20261127"));
        assert_eq!(ids.len(), 6, "the last one is there already");
        assert_eq!(ids.iter().collect::<FxHashSet<_>>().len(), ids.len(), "{ids:?}");
    }
}
