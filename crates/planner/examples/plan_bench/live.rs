//! Live data for the bench: trips under way that are late, some of which also skip calls or make them at other stops.

use std::sync::Arc;

use prost::Message;
use trestle_engine::realtime::messages::{
    FeedEntity, FeedHeader, FeedMessage, StopTimeEvent, StopTimeProperties, StopTimeUpdate, TripDescriptor,
    TripUpdate,
};
use trestle_engine::realtime::{TripUpdateOptions, apply_trip_updates};
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::distance_m;
use trestle_model::ids::{ServiceIdx, StopIdx, TripIdx};
use trestle_transit::calendar::{date_at, service_day_start};

const TRIPS: usize = 2000;
/// Seconds before and after the time of the requests at which a trip departs to be under way.
const UNDER_WAY: std::ops::RangeInclusive<i64> = -1800..=14_400;
/// Share of the stops that are closed.
const CLOSED: u64 = 4;
/// Metres within which an assigned stop is looked for.
const NEAR_METERS: f64 = 300.0;

/// What late trips do besides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    /// Each skips one of its calls.
    Skips,
    /// Each makes one of its calls at another stop near by.
    Moves,
    /// They skip the same stops.
    SkipsClosed,
}

/// A sequence of pseudo-random numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// The snapshot after a message about trips under way at `epoch`. Prints what the message did.
pub(super) fn with_live_data(
    snapshot: Snapshot,
    epoch: i64,
    change: Change,
) -> Result<Snapshot, Box<dyn std::error::Error>> {
    let mut random = Random(7);
    let mut trips = trips_under_way(&snapshot, epoch);
    let chosen: Vec<TripIdx> =
        (0..TRIPS.min(trips.len())).map(|_| trips.swap_remove(random.below(trips.len()))).collect();
    let date = date_at(epoch, &snapshot.zone).to_string().replace('-', "");
    let entity = |trip: TripIdx| {
        let update = update(&snapshot, trip, &date, change, &mut random);
        FeedEntity { id: Some(trip.0.to_string()), trip_update: Some(update), ..FeedEntity::default() }
    };
    let entities = chosen.into_iter().map(entity).collect();
    let header = Some(FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() });
    let message = FeedMessage { header, entities }.encode_to_vec();
    let options = TripUpdateOptions { now: epoch, purge_expired_data: false, ..TripUpdateOptions::default() };
    let (overlay, report) = apply_trip_updates(&snapshot, &message, &options)?;
    println!("{} updated, {} modified, {} rejected", report.updated, report.modified, report.rejected);
    Ok(snapshot.with_overlay(Some(Arc::new(overlay))))
}

fn trips_under_way(snapshot: &Snapshot, epoch: i64) -> Vec<TripIdx> {
    let timetable = &snapshot.graph.timetable;
    let date = date_at(epoch, &snapshot.zone);
    let start = service_day_start(date, &snapshot.zone);
    let trips = (0..timetable.trips.count()).map(TripIdx::from);
    let is_under_way = |trip: &TripIdx| {
        let service = ServiceIdx(timetable.trips.service[trip.index()]);
        let departure = timetable.trip_calls(*trip).first_departure().unwrap_or(0);
        timetable.services.runs_on(service, date)
            && !timetable.trips.runs_by_frequency(*trip)
            && UNDER_WAY.contains(&(start + i64::from(departure) - epoch))
    };
    trips.filter(is_under_way).collect()
}

fn update(snapshot: &Snapshot, trip: TripIdx, date: &str, change: Change, random: &mut Random) -> TripUpdate {
    let timetable = &snapshot.graph.timetable;
    let stops = timetable.patterns.stops(timetable.pattern_of(trip));
    let sequences = timetable.trip_calls(trip).sequences;
    let event = Some(StopTimeEvent { delay: Some(random.below(600) as i32), ..StopTimeEvent::default() });
    let first = StopTimeUpdate {
        stop_sequence: Some(sequences[0]),
        arrival: event,
        departure: event,
        ..StopTimeUpdate::default()
    };
    let skip = |call: usize| StopTimeUpdate {
        stop_sequence: Some(sequences[call]),
        relationship: Some(1),
        ..StopTimeUpdate::default()
    };
    let one = 1 + random.below(stops.len() - 1);
    let changed = match change {
        Change::Nothing => Vec::new(),
        Change::Skips => vec![skip(one)],
        Change::SkipsClosed => {
            let is_closed = |call: &usize| Random(u64::from(stops[*call])).below(100) < CLOSED as usize;
            (1..stops.len()).filter(is_closed).map(skip).collect()
        }
        Change::Moves => {
            let other = other_stop(snapshot, StopIdx(stops[one]), random);
            let properties = StopTimeProperties { assigned_stop_id: other, ..StopTimeProperties::default() };
            let sequence = Some(sequences[one]);
            vec![StopTimeUpdate {
                stop_sequence: sequence,
                arrival: event,
                departure: event,
                properties: Some(properties),
                ..StopTimeUpdate::default()
            }]
        }
    };
    let id = timetable.texts.get(timetable.trips.id[trip.index()]).to_owned();
    let descriptor =
        TripDescriptor { trip_id: Some(id), start_date: Some(date.to_owned()), ..TripDescriptor::default() };
    let calls = std::iter::once(first).chain(changed).collect();
    TripUpdate { trip: Some(descriptor), calls, ..TripUpdate::default() }
}

/// The id of another stop near a stop.
fn other_stop(snapshot: &Snapshot, stop: StopIdx, random: &mut Random) -> Option<String> {
    let stops = &snapshot.graph.timetable.stops;
    let is_near = |other: &StopIdx| {
        *other != stop
            && stops.is_boardable(*other)
            && !stops.calls_at(*other).is_empty()
            && distance_m(stops.position(stop), stops.position(*other)) <= NEAR_METERS
    };
    let near: Vec<StopIdx> = (0..stops.id.len()).map(StopIdx::from).filter(is_near).collect();
    let other = near.get(random.below(near.len()))?;
    Some(snapshot.graph.timetable.texts.get(stops.id[other.index()]).to_owned())
}
