//! Every query that a graph can answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::place;
use prost::Message;
use trestle_analysis::isochrone::walkshed::{WalkshedForm, walkshed};
use trestle_analysis::isochrone::{SampledArea, Seconds, contours, time_grid};
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::linked_destinations;
use trestle_analysis::surface::{surface, surface_contours};
use trestle_engine::deadline::Deadline;
use trestle_engine::graph::Graph;
use trestle_engine::index::stop_times::{StopTimes, Upcoming};
use trestle_engine::index::{self, Relation};
use trestle_engine::info::describe;
use trestle_engine::realtime::messages::{
    FeedEntity, FeedHeader, FeedMessage, StopTimeEvent, StopTimeUpdate, TripDescriptor, TripUpdate,
};
use trestle_engine::realtime::{TripUpdateOptions, apply_trip_updates};
use trestle_engine::scenario::Scenario;
use trestle_engine::snapshot::Snapshot;
use trestle_map::geocoder::{GeocodeQuery, Geocoder};
use trestle_map::inspector::{LAYERS, render};
use trestle_map::vector_tiles;
use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, RouteIdx, ServiceIdx, StopIdx, TripIdx};
use trestle_model::mercator::TileId;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest, ServiceDate};
use trestle_planner::plan::plan;
use trestle_planner::profile::{ProfileMode, ProfileRequest, profile};
use trestle_transit::scenario::{
    AddedPattern, AddedTransferRule, FrequencyGroup, HopTimes, Modification, PatternDays, PatternRoute,
    PatternStarts, PatternStop, PatternTimetable, TransferEnd, TripSelection,
};

/// Tuesday, 8 October 2024, 06:50 UTC: ten minutes before the first trip.
const MORNING: i64 = 1_728_370_200;
/// Longer than any answer about a small graph takes, even in a slow build on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);

const ENDS: [LatLon; 2] = [LatLon::new(41.0, -8.6), LatLon::new(41.02, -8.6)];

/// Makes every query of a graph: as it is, with live data and in a scenario. Panics when an answer takes long.
pub(crate) fn ask_everything(graph: Graph) {
    let started = Instant::now();
    let snapshot = Snapshot::new(Arc::new(graph), 0);
    ask(&snapshot);
    let live = with_live_data(&snapshot);
    ask(&live);
    let scenario = Scenario::new(&live, &modifications(&snapshot));
    ask(&scenario.under(&live));
    assert!(started.elapsed() < LONGEST, "the answers took {:?}", started.elapsed());
}

fn ask(snapshot: &Snapshot) {
    let mut scratch = trestle_planner::Scratch::default();
    look_up(snapshot, &mut scratch);
    make_plans(snapshot, &mut scratch);
    let _ = profile(snapshot, &profile_request(), &mut scratch, &Deadline::default());
    make_analyses(snapshot, &mut trestle_analysis::Scratch::default());
    draw_pictures(snapshot);
}

fn request(modes: &[Mode], arrive_by: bool) -> RoutingRequest {
    let modes = modes.iter().fold(ModeSet::TRANSIT, |all, &mode| all.with(mode));
    RoutingRequest {
        from: place(ENDS[0]),
        to: place(ENDS[1]),
        epoch_seconds: MORNING + if arrive_by { 3600 } else { 0 },
        direction: Direction::of_request(arrive_by),
        modes,
        ..RoutingRequest::default()
    }
}

fn make_plans(snapshot: &Snapshot, scratch: &mut trestle_planner::Scratch) {
    for modes in [&[Mode::Walk][..], &[Mode::Walk, Mode::Car], &[Mode::Bicycle]] {
        for arrive_by in [false, true] {
            let mut wanted = request(modes, arrive_by);
            let _ = plan(snapshot, &wanted, scratch, &Deadline::default());
            wanted.wheelchair = true;
            (wanted.from, wanted.to) = (wanted.to, wanted.from);
            let _ = plan(snapshot, &wanted, scratch, &Deadline::default());
        }
    }
    let mut streets = request(&[], false);
    for modes in [&[Mode::Walk][..], &[Mode::Bicycle], &[Mode::Car]] {
        streets.modes = ModeSet::of(modes);
        let _ = plan(snapshot, &streets, scratch, &Deadline::default());
    }
    let mut rented = request(&[Mode::Walk, Mode::Bicycle], false);
    rented.bike_rental = true;
    let _ = plan(snapshot, &rented, scratch, &Deadline::default());
    let mut parked = request(&[Mode::Walk, Mode::Car], false);
    parked.car_park = true;
    let _ = plan(snapshot, &parked, scratch, &Deadline::default());
    let mut parked_bike = request(&[Mode::Walk, Mode::Bicycle], true);
    parked_bike.bike_park = true;
    let _ = plan(snapshot, &parked_bike, scratch, &Deadline::default());
}

fn make_analyses(snapshot: &Snapshot, scratch: &mut trestle_analysis::Scratch) {
    let wanted = request(&[Mode::Walk], false);
    let area = SampledArea { max_seconds: 3600, precision_m: 300, off_road_m: 250, anchor: None };
    let grid = time_grid::<Seconds>(snapshot, &wanted, &area, scratch, &Deadline::default());
    let _ = grid.and_then(|grid| contours(&grid, &[900, 3600], 6, &Deadline::default()));
    let _ = walkshed(snapshot, &wanted, 900.0, WalkshedForm::Edges, scratch, &Deadline::default());
    if let Ok(surface) = surface(snapshot, &wanted, 60, scratch, &Deadline::default()) {
        let _ = surface_contours(&surface, 30, 2, &Deadline::default());
    }
    let Ok(destinations) = linked_destinations(snapshot, &ENDS, &wanted, &Deadline::default()) else {
        return;
    };
    let query = MatrixQuery { request: wanted, max_seconds: 7200, destinations, origins: 1 };
    if let Ok(matrix) = Matrix::new(snapshot, &query, scratch, &Deadline::default()) {
        for origin in ENDS {
            let _ = matrix.row(origin, scratch);
        }
    }
}

fn profile_request() -> ProfileRequest {
    ProfileRequest {
        from: ENDS[0],
        to: ENDS[1],
        from_epoch: MORNING,
        to_epoch: MORNING + 3600,
        direct_modes: vec![ProfileMode::Walk, ProfileMode::Car],
        ..ProfileRequest::default()
    }
}

/// Pictures of the middle of the town, and of all of it.
fn draw_pictures(snapshot: &Snapshot) {
    for (layer, ..) in LAYERS {
        for tile in [TileId { z: 15, x: 15_601, y: 12_285 }, TileId { z: 11, x: 975, y: 767 }] {
            let _ = render(snapshot, layer, tile);
        }
    }
    let layers: Vec<vector_tiles::Layer> = vector_tiles::LAYERS.iter().map(|info| info.layer).collect();
    for (z, x, y) in [(15, 15_601, 12_285), (14, 7800, 6142), (11, 975, 767), (5, 15, 11)] {
        let request = vector_tiles::TileRequest { id: TileId { z, x, y }, layers: &layers, points: &[] };
        let _ = vector_tiles::render(snapshot, &request);
    }
}

fn look_up(snapshot: &Snapshot, scratch: &mut trestle_planner::Scratch) {
    let _ = describe(snapshot);
    let timetable = &snapshot.graph.timetable;
    let count = |column: &[u32]| (0..column.len() as u32).collect::<Vec<_>>();
    let (stops, routes, patterns, trips) = (
        count(&timetable.stops.id),
        count(&timetable.routes.id),
        count(&timetable.patterns.code),
        count(&timetable.trips.id),
    );
    let clusters = snapshot.graph.listing.clusters.listing.to_vec();
    for (relation, entities) in [
        (Relation::AgencyRoutes, &count(&timetable.agencies.id)),
        (Relation::StopPatterns, &stops),
        (Relation::StopRoutes, &stops),
        (Relation::StopCluster, &stops),
        (Relation::StationStops, &stops),
        (Relation::RoutePatterns, &routes),
        (Relation::RouteStops, &routes),
        (Relation::RouteTrips, &routes),
        (Relation::PatternStops, &patterns),
        (Relation::PatternTrips, &patterns),
        (Relation::TripStops, &trips),
        (Relation::ClusterStops, &clusters),
    ] {
        index::related(snapshot, relation, entities);
    }
    look_up_stops(snapshot, &stops, scratch);
    look_up_services(snapshot, &routes, &patterns, &trips);
    for text in ["B", "Main 7", "Main & Cross", "Town"] {
        let query = GeocodeQuery {
            text: text.to_owned(),
            autocomplete: true,
            stops: false,
            clusters: false,
            corners: false,
            places: false,
        };
        Geocoder::of(snapshot).find(snapshot, &query);
    }
    snapshot.graph.street.gazetteer.area_at(ENDS[0], 8);
}

fn look_up_stops(snapshot: &Snapshot, stops: &[u32], scratch: &mut trestle_planner::Scratch) {
    index::stops_in_box(snapshot, LatLon::new(-90.0, -180.0), LatLon::new(90.0, 180.0));
    index::stops_in_circle(snapshot, ENDS[0], 3000.0);
    let near = index::stops_within_walk(snapshot, ENDS[0], 1500.0, &mut scratch.direct, &Deadline::default());
    assert!(near.is_ok(), "nothing interrupts the search");
    let mut times = StopTimes::new(snapshot);
    for &stop in stops {
        let timetable = &snapshot.graph.timetable;
        let wanted = Upcoming { from: MORNING, range: 86_400, per_pattern: 3, omit_non_pickups: false };
        times.upcoming(StopIdx(stop), wanted);
        times.on_date(StopIdx(stop), ServiceDate(20_004), true);
        index::transfers_from(snapshot, stop);
        timetable.stop_by_id(&timetable.stop_id(StopIdx(stop)));
    }
}

fn look_up_services(snapshot: &Snapshot, routes: &[u32], patterns: &[u32], trips: &[u32]) {
    let timetable = &snapshot.graph.timetable;
    let mut times = StopTimes::new(snapshot);
    for &route in routes {
        timetable.route_by_id(&timetable.route_id(RouteIdx(route)));
        index::fuzzy_trip(snapshot, route, 0, ServiceDate(20_004), 29_000);
    }
    for &pattern in patterns {
        timetable.patterns.geometry(PatternIdx(pattern));
        index::pattern_hash(snapshot, PatternIdx(pattern));
        timetable.pattern_by_code(timetable.texts.get(timetable.patterns.code[pattern as usize]));
    }
    for &trip in trips {
        times.of_trip(TripIdx(trip));
        times.of_trip_on(TripIdx(trip), ServiceDate(20_004));
        index::trip_hash(snapshot, TripIdx(trip));
        timetable.trip_by_id(&timetable.trip_id(TripIdx(trip)));
    }
    for service in 0..timetable.services.count() {
        timetable.service_by_id(&timetable.service_id(ServiceIdx::from(service)));
    }
    timetable.agency_by_id("1", "AG");
}

/// A delay, a skipped call and a cancellation.
fn with_live_data(snapshot: &Snapshot) -> Snapshot {
    let entity = |trip: &str, relationship, calls, delay| FeedEntity {
        id: Some(trip.to_owned()),
        trip_update: Some(TripUpdate {
            trip: Some(TripDescriptor {
                trip_id: Some(trip.to_owned()),
                start_date: Some("20241008".to_owned()),
                relationship,
                ..TripDescriptor::default()
            }),
            calls,
            delay,
            ..TripUpdate::default()
        }),
        ..FeedEntity::default()
    };
    let delayed = StopTimeUpdate {
        stop_sequence: Some(2),
        departure: Some(StopTimeEvent { delay: Some(120), ..StopTimeEvent::default() }),
        ..StopTimeUpdate::default()
    };
    let skipped =
        StopTimeUpdate { stop_sequence: Some(2), relationship: Some(1), ..StopTimeUpdate::default() };
    let message = FeedMessage {
        header: Some(FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() }),
        entities: vec![
            entity("T1", None, vec![delayed], Some(60)),
            entity("T4", None, vec![skipped], None),
            entity("T3", Some(3), Vec::new(), None),
        ],
    };
    let options =
        TripUpdateOptions { purge_expired_data: false, now: MORNING, ..TripUpdateOptions::default() };
    match apply_trip_updates(snapshot, &message.encode_to_vec(), &options) {
        Ok((overlay, _)) => snapshot.with_overlay(Some(Arc::new(overlay))),
        Err(_) => snapshot.clone(),
    }
}

/// One modification of each kind.
fn modifications(snapshot: &Snapshot) -> Vec<Modification> {
    let timetable = &snapshot.graph.timetable;
    let trips = |ids: &[&str]| TripSelection {
        trips: ids.iter().map(|id| format!("1:{id}")).collect(),
        ..TripSelection::default()
    };
    let days = match timetable.services.count() {
        0 => PatternDays::Weekdays([true; 7]),
        _ => PatternDays::Service(timetable.service_id(ServiceIdx(0))),
    };
    let new_stop = PatternStop::New { position: LatLon::new(41.005, -8.6), name: "New".to_owned() };
    vec![
        Modification::AdjustHeadway { trips: trips(&["F1", "X1"]), headway: 300, starts: (28_800, 30_000) },
        Modification::AdjustDwellTime { trips: trips(&["T1"]), stops: Vec::new(), dwell: 45 },
        Modification::SkipStop { trips: trips(&["T4", "F1"]), stops: vec!["1:B".to_owned()] },
        Modification::RemoveTrip(trips(&["T3"])),
        Modification::AddTripPattern(AddedPattern {
            route: PatternRoute::New { name: "N".to_owned(), route_type: 3, agency: None },
            direction: 0,
            headsign: None,
            stops: vec![PatternStop::Known("1:A".to_owned()), new_stop, PatternStop::Known("1:C".to_owned())],
            timetables: vec![PatternTimetable {
                starts: PatternStarts::Every { headway: 600, start: 25_200, end: 36_000 },
                hops: HopTimes::Speed(8.0),
                dwells: Vec::new(),
                days,
            }],
        }),
        Modification::MoveStop { stop: "1:C".to_owned(), position: LatLon::new(41.006, -8.61) },
        Modification::ConvertToFrequency {
            trips: TripSelection { routes: vec!["1:R".to_owned()], ..TripSelection::default() },
            group: FrequencyGroup::RouteDirection,
            starts: (0, 100_000),
        },
        Modification::TransferRule(AddedTransferRule {
            from: TransferEnd { stop: "1:B".to_owned(), route: None, trip: None },
            to: TransferEnd { stop: "1:D".to_owned(), route: None, trip: None },
            kind: 2,
            seconds: Some(90),
        }),
    ]
}
