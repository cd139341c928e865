//! Compares both ways to bring updates into a graph.

use std::collections::BTreeSet;
use std::io::{Cursor, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use prost::Message;
use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::index::stop_times::{StopTimes, Upcoming};
use trestle_engine::realtime::messages::{
    FeedEntity, FeedHeader, FeedMessage, StopTimeEvent, StopTimeProperties, StopTimeUpdate, TripDescriptor,
    TripProperties, TripUpdate,
};
use trestle_engine::realtime::{TripUpdateOptions, apply_trip_updates};
use trestle_engine::snapshot::Snapshot;
use trestle_model::request::BannedTrip;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};
use trestle_transit::raptor::{
    Departures, Endpoint, LabelSettingScratch, NoStreets, OneToAllQuery, RangeScratch, TransitQuery,
    TransitScratch, label_setting, plan, range,
};

use super::calendar::Calendar;
use super::copied::id_of_copy;
use super::model::{Model, Moment, Update};

/// A graph of a feed alone.
pub(crate) fn built(model: &Model) -> Snapshot {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("trestle-live-oracle-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut feed = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in model.tables() {
        feed.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        feed.write_all(text.as_bytes()).unwrap();
    }
    std::fs::write(directory.join("feed.zip"), feed.finish().unwrap().into_inner()).unwrap();
    let output = directory.join("Graph.obj");
    let outcome = build_directory(&directory, &output, &BuildOptions::default(), &mut |_, _| {}).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    Snapshot::new(Arc::new(outcome.graph), 0)
}

/// A question for both. Each end is near some stops, most to the first one.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) from: Vec<usize>,
    pub(crate) to: Vec<usize>,
    /// Epoch seconds.
    pub(crate) time: i64,
    pub(crate) direction: Direction,
    pub(crate) wheelchair: bool,
    pub(crate) bike: bool,
    /// Id of a trip that must not be used.
    pub(crate) banned: Option<String>,
}

pub(crate) struct Comparison {
    live: Snapshot,
    edited: Snapshot,
    edited_model: Model,
    rejected: usize,
    message: String,
}

impl Comparison {
    /// Live data laid over `base`, the graph of `model`, and a build of the edited feed.
    pub(crate) fn new(model: &Model, base: &Snapshot, updates: &[Update]) -> Comparison {
        let (edited_model, rejected) = model.edited(updates);
        let (overlay, _) =
            apply_trip_updates(base, &message(&model.calendar, updates), &options(&model.calendar)).unwrap();
        Comparison {
            live: base.with_overlay(Some(Arc::new(overlay))),
            edited: built(&edited_model),
            edited_model,
            rejected,
            message: format!("{updates:#?}"),
        }
    }

    /// The report counts every update that changes nothing as rejected, with a reason. Returns how many are applied.
    pub(crate) fn reports_what_is_not_applied(&self, base: &Snapshot, updates: &[Update]) -> usize {
        let calendar = &self.edited_model.calendar;
        let (_, report) = apply_trip_updates(base, &message(calendar, updates), &options(calendar)).unwrap();
        let applied = report.updated + report.canceled + report.added + report.modified;
        assert_eq!(
            report.rejected as usize,
            self.rejected,
            "{:?} of {}",
            report.issues.issues(),
            self.message
        );
        assert_eq!(applied + report.rejected, report.received, "{}", self.message);
        let reasons = report.issues.issues().iter().filter(|issue| issue.code != "empty-event");
        assert_eq!(reasons.count(), self.rejected);
        applied as usize
    }

    /// How many calls are at other stops than those of the schedule or of the update.
    pub(crate) fn moved_calls(&self) -> usize {
        self.live.overlay.iter().flat_map(|overlay| &overlay.added).map(|trip| trip.moved.len()).sum()
    }

    /// The least cost and the soonest arrivals everywhere are the same. Returns whether there is a way at all.
    pub(crate) fn check(&self, question: &Question) -> bool {
        let live = least_cost(&self.live, question, &question.banned.iter().cloned().collect::<Vec<_>>());
        let copies = self.edited_model.trips.iter().map(|trip| trip.id.clone());
        let banned: Vec<String> = match &question.banned {
            Some(id) => copies.filter(|copy| copy.split('~').next() == Some(&id[..])).collect(),
            None => Vec::new(),
        };
        let edited = least_cost(&self.edited, question, &banned);
        assert_eq!(live, edited, "live data and the edited feed: {question:?} with {}", self.message);
        let soonest_live = soonest(&self.live, question, question.banned.as_slice());
        let soonest_edited = soonest(&self.edited, question, &banned);
        assert_eq!(soonest_live, soonest_edited, "soonest arrivals: {question:?} with {}", self.message);
        live.is_some()
    }

    /// The same vehicles leave every stop on every day, even where nobody may board them. Frequency trips have no
    /// departures of their own here.
    pub(crate) fn check_departures(&self, model: &Model) {
        let by_frequency: BTreeSet<&str> =
            model.trips.iter().filter(|trip| !trip.rows.is_empty()).map(|trip| &trip.id[..]).collect();
        let skipped = self.edited_model.skipped();
        for (stop, _, _) in &model.stops {
            let [live, edited] = [&self.live, &self.edited]
                .map(|snapshot| departures(snapshot, (&model.calendar, stop), &by_frequency, &skipped));
            assert_eq!(live, edited, "departures from {stop} with {}", self.message);
        }
    }
}

pub(crate) fn options(calendar: &Calendar) -> TripUpdateOptions {
    let now = calendar.start(1) + 43_200;
    TripUpdateOptions { purge_expired_data: false, now, ..TripUpdateOptions::default() }
}

fn request(question: &Question, banned: &[String]) -> RoutingRequest {
    let ban = |id: &String| BannedTrip { trip: format!("1:{id}"), stop_positions: vec![] };
    RoutingRequest {
        epoch_seconds: question.time,
        direction: question.direction,
        wheelchair: question.wheelchair,
        modes: ModeSet::TRANSIT.with(if question.bike { Mode::Bicycle } else { Mode::Walk }),
        banned_trips: banned.iter().map(ban).collect(),
        num_itineraries: 1,
        wait_reluctance: 1.0,
        wait_at_beginning_factor: 1.0,
        ..RoutingRequest::default()
    }
}

/// Walks between a place and stops, each a little longer than the one before.
fn ends(snapshot: &Snapshot, stops: &[usize], seconds: i32) -> Vec<Endpoint> {
    let end = |(number, stop): (i32, &usize)| {
        let stop = snapshot.graph.timetable.stop_by_id(&format!("1:S{stop}")).unwrap();
        let seconds = seconds + 15 * number;
        Endpoint { stop, seconds, cost: f64::from(seconds) * 2.0 }
    };
    (0..).zip(stops).map(end).collect()
}

/// Cost of the best path, in hundredths; `None` when there is none.
fn least_cost(snapshot: &Snapshot, question: &Question, banned: &[String]) -> Option<i64> {
    let request = request(question, banned);
    let timetable = &snapshot.graph.timetable;
    let service = snapshot.active_service(request.epoch_seconds, false);
    let query = TransitQuery {
        request: &request,
        access: &ends(snapshot, &question.from, 60),
        egress: &ends(snapshot, &question.to, 90),
        on_streets: None,
        on_board: None,
        interrupted: &|_| false,
    };
    let answer = plan(timetable, &service, &query, &mut TransitScratch::default());
    answer.paths.iter().map(|path| (path.weight * 100.0).round() as i64).min()
}

/// Seconds to all stops: by a range search for a few departures (backward: arrivals), and by label setting for the
/// last of them.
fn soonest(snapshot: &Snapshot, question: &Question, banned: &[String]) -> Vec<Vec<i32>> {
    let request = RoutingRequest { max_transfers: 12, ..request(question, banned) };
    let timetable = &snapshot.graph.timetable;
    let service = snapshot.active_service(request.epoch_seconds, false);
    let near = ends(snapshot, question.direction.pick(&question.from, &question.to), 60);
    let query =
        OneToAllQuery { request: &request, near: &near, max_seconds: 6 * 3600, interrupted: &|| false };
    let (step, count) = (300, 4);
    let (departures, mut scratch) = (Departures { step, count }, RangeScratch::default());
    let mut found = vec![Vec::new(); count];
    range(timetable, &service, &query, departures, &mut scratch, &mut |departure| {
        found[departure.index] = departure.seconds.to_vec();
    });
    let last = request.epoch_seconds + i64::from(step) * (count as i64 - 1);
    let query =
        OneToAllQuery { request: &RoutingRequest { epoch_seconds: last, ..request.clone() }, ..query };
    let mut scratch = LabelSettingScratch::default();
    let by_labels = label_setting(timetable, &service, &query, 0, &mut NoStreets, &mut scratch).unwrap();
    let by_labels: Vec<i32> = by_labels.iter().map(|arrival| arrival.seconds).collect();
    assert_eq!(found.last(), Some(&by_labels), "label setting and a range search: {question:?}");
    found
}

/// Trip (without the suffix that distinguishes copies) and epoch second of all departures of three days, without those of
/// some trips and without skipped calls.
fn departures(
    snapshot: &Snapshot,
    (calendar, stop): (&Calendar, &str),
    left_out: &BTreeSet<&str>,
    skipped: &BTreeSet<(&str, usize)>,
) -> BTreeSet<(String, i64)> {
    let stop = snapshot.graph.timetable.stop_by_id(&format!("1:{stop}")).unwrap();
    let mut found = BTreeSet::new();
    for day in 0..3 {
        let from = calendar.start(day);
        let wanted = Upcoming { from, range: 200_000, per_pattern: 10_000, omit_non_pickups: false };
        for call in StopTimes::new(snapshot).upcoming(stop, wanted).into_iter().flat_map(|calls| calls.calls)
        {
            let id = match snapshot.live_schedule().trip(call.trip) {
                Some(added) => added.id.clone(),
                None => snapshot.graph.timetable.trip_id(call.trip)[2..].to_owned(),
            };
            let is_last = call.position + 1 == call.calls;
            let is_skipped = skipped.contains(&(&id[..], call.position as usize));
            let id = id.split('~').next().unwrap().to_owned();
            if !is_last && !is_skipped && !left_out.contains(&id[..]) {
                found.insert((id, call.service_day + i64::from(call.realtime_departure)));
            }
        }
    }
    found
}

pub(crate) fn message(calendar: &Calendar, updates: &[Update]) -> Vec<u8> {
    let header = FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() };
    let entities = updates.iter().map(|update| entity(calendar, update)).collect();
    FeedMessage { header: Some(header), entities }.encode_to_vec()
}

fn entity(calendar: &Calendar, update: &Update) -> FeedEntity {
    let day_start = calendar.start(update.day);
    let event = |moment: Moment| StopTimeEvent {
        delay: moment.delay,
        time: moment.time.map(|time| time.saturating_add(day_start)),
        ..StopTimeEvent::default()
    };
    let call = |call: &super::model::CallUpdate| StopTimeUpdate {
        stop_sequence: call.sequence,
        stop_id: call.stop.clone(),
        arrival: call.arrival.map(event),
        departure: call.departure.map(event),
        relationship: call.relationship,
        properties: call
            .assigned
            .clone()
            .map(|stop| StopTimeProperties { assigned_stop_id: Some(stop), ..StopTimeProperties::default() }),
    };
    let trip = TripDescriptor {
        trip_id: Some(update.trip.clone()),
        start_date: Some(calendar.date(update.day)),
        start_time: update.start_time.clone(),
        route_id: Some(update.route.clone()),
        relationship: update.relationship,
        ..TripDescriptor::default()
    };
    let copy = || TripProperties {
        trip_id: Some(id_of_copy(&update.trip)),
        start_date: Some(calendar.date(update.day)),
        start_time: update.start_time.clone(),
        ..TripProperties::default()
    };
    let trip_update = TripUpdate {
        trip: Some(trip),
        calls: update.calls.iter().map(call).collect(),
        delay: update.delay,
        properties: (update.relationship == Some(6)).then(copy),
    };
    FeedEntity { trip_update: Some(trip_update), ..FeedEntity::default() }
}
