//! The trams of Porto, by timetable and by frequency, under random messages. Skipped where the shared data is missing.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use trestle_engine::build::{BuildOptions, build_directory};
use trestle_model::ServiceDate;
use trestle_model::ids::{ServiceIdx, TripIdx};
use trestle_shared_data::shared;
use trestle_transit::timetable::Timetable;

use super::compare::{Comparison, built};
use super::model::{Call, Model, Moment, Row, Trip, Update};
use super::random::{self, Size};

/// A feed, and the days of it that a model is made from.
type Feed = (&'static str, [&'static str; 3]);

pub(crate) const TRAMS: Feed = ("porto/metro_porto_2024-25.gtfs.zip", ["20241007", "20241008", "20241009"]);
pub(crate) const TRAMS_BY_FREQUENCY: Feed =
    ("porto-metro-frequencies/metro_porto_freq_2025-26.gtfs.zip", ["20251006", "20251007", "20251008"]);
pub(crate) const BUSES: Feed = ("porto/gtfs_stcp.zip", ["20241125", "20241126", "20241127"]);

#[test]
fn trams_by_timetable() {
    check(TRAMS, |_| {});
}

#[test]
fn trams_by_frequency() {
    check(TRAMS_BY_FREQUENCY, |_| {});
}

#[test]
fn buses_at_stops_beside_the_scheduled_ones() {
    // Every call has a time and is made: walks lead to the nearest stop of a pattern even where a vehicle does not call.
    let assign = |update: &mut Update| {
        update.relationship = update.relationship.filter(|kind| [3, 6, 7].contains(kind));
        for (number, call) in (1..).zip(&mut update.calls) {
            (call.sequence, call.assigned) = (Some(number), Some(String::new()));
            call.relationship = call.relationship.filter(|kind| *kind == 2);
            let delay = call.departure.and_then(|moment| moment.delay).unwrap_or(60);
            call.departure = Some(Moment { delay: Some(delay), time: None });
        }
    };
    assert!(check(BUSES, assign).is_none_or(|moved| moved > 200));
}

/// Returns how many calls of applied updates are at other stops than scheduled.
fn check((feed, days): Feed, change: impl Fn(&mut Update)) -> Option<usize> {
    let feed = shared(&format!("data/{feed}"))?;
    let model = model(&feed, days);
    let size =
        Size { trips: model.trips.len(), stops: model.stops.len(), routes: model.routes.len(), calls: 12 };
    let base = built(&model);
    let mut runner = TestRunner::deterministic();
    let mut moved = 0;
    for round in 0..2 {
        let some = vec((random::update(size), any::<usize>()), 400).new_tree(&mut runner).unwrap().current();
        let updates: Vec<_> = some
            .into_iter()
            .map(|(mut update, pick)| {
                change(&mut update);
                random::about(update, Some(pick), &model)
            })
            .collect();
        let comparison = Comparison::new(&model, &base, &updates);
        let applied = comparison.reports_what_is_not_applied(&base, &updates);
        assert!(applied > 50, "{applied} updates of {} are applied", updates.len());
        let answered = |number: &u32| comparison.check(&random::question(round * 1000 + number, &model));
        let answered = (0..60).filter(answered).count();
        assert!(answered > 20, "{answered} questions of 60 have an answer");
        comparison.check_departures(&model);
        moved += comparison.moved_calls();
    }
    Some(moved)
}

/// The services of a feed on three days, as if they were those of the model.
pub(crate) fn model(feed: &Path, days: [&str; 3]) -> Model {
    // Several tests may read one feed at the same time.
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("trestle-live-feed-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::copy(feed, directory.join("feed.zip")).unwrap();
    let options = BuildOptions::default();
    let outcome =
        build_directory(&directory, &directory.join("Graph.obj"), &options, &mut |_, _| {}).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let timetable = &outcome.graph.timetable;
    let stop = |stop: usize| (format!("S{stop}"), timetable.stops.lat[stop], timetable.stops.lon[stop]);
    let dates = days.map(|day| ServiceDate::parse_compact(day).unwrap());
    let mut trips: Vec<Trip> =
        (0..timetable.trips.count()).map(|trip| trip_of(timetable, TripIdx::from(trip), dates)).collect();
    trips.retain(|trip| trip.days.contains(&true));
    for (number, trip) in trips.iter_mut().enumerate() {
        trip.id = format!("T{number}");
    }
    Model {
        stops: (0..timetable.stops.id.len()).map(stop).collect(),
        routes: (0..timetable.routes.id.len()).map(|route| format!("R{route}")).collect(),
        trips,
        changes: Vec::new(),
        ..Model::default()
    }
}

fn trip_of(timetable: &Timetable, trip: TripIdx, dates: [ServiceDate; 3]) -> Trip {
    let pattern = timetable.pattern_of(trip);
    let (stops, times) = (timetable.patterns.stops(pattern), timetable.trip_calls(trip));
    let (pickups, dropoffs) = (timetable.patterns.pickups(pattern), timetable.patterns.dropoffs(pattern));
    let call = |at: usize| Call {
        stop: stops[at] as usize,
        home: stops[at] as usize,
        arrival: times.arrival(at),
        departure: times.departure(at),
        pickup: pickups[at],
        dropoff: dropoffs[at],
        skipped: false,
        is_cut: false,
    };
    let row = |row: &trestle_transit::timetable::Frequency| Row {
        start: row.start,
        end: row.end,
        headway: row.headway,
        exact: row.exact == 1,
    };
    let service = ServiceIdx(timetable.trips.service[trip.index()]);
    Trip {
        id: String::new(),
        route: timetable.route_of(pattern).index(),
        days: dates.map(|date| timetable.services.runs_on(service, date)),
        calls: (0..stops.len()).map(call).collect(),
        rows: timetable.trips.frequencies_of(trip).iter().map(row).collect(),
        wheelchair: timetable.trips.wheelchair[trip.index()],
        bikes: timetable.trips.bikes_allowed[trip.index()],
    }
}
