//! Rides, transfers, access and egress.

use std::sync::Arc;

use trestle_engine::graph::Graph;
use trestle_model::ids::{StopIdx, TripIdx};
use trestle_model::strings::StringsBuilder;
use trestle_model::{Mode, RoutingRequest, ServiceDate};
use trestle_street::path::StreetPath;
use trestle_transit::overlay::{LiveTimes, Overlay, TripState};
use trestle_transit::path::{Ride, TransferWalk, TransitPath};
use trestle_transit::timetable::Timetable;

use super::graphs::{Scene, TestStreets, at, describe, stop_link, summed};
use crate::itinerary::{SectionContext, SectionEnd, SectionPaths, join_sections, transit_section};

/// Stops s0…s4, 1 km apart; trip 0 of line `1` calls at s0 s1 s2, trip 1 of line `2` at s3 s4. Calls are a minute
/// apart, the first of trip 0 at 1200 s, of trip 1 at 1500 s.
fn timetable() -> Timetable {
    let mut texts = StringsBuilder::default();
    let feed = texts.intern("F");
    let mut t = Timetable::default();
    t.feeds.id = vec![feed].into();
    let ids: Vec<u32> = (0..5).map(|i| texts.intern(&format!("s{i}"))).collect();
    t.stops.feed = vec![0; 5].into();
    t.stops.id = ids.clone().into();
    t.stops.name = ids.into();
    for column in [&mut t.stops.code, &mut t.stops.zone, &mut t.stops.platform] {
        *column = vec![0; 5].into();
    }
    t.stops.lat = (0..5).map(|i| at(0.0, f64::from(i) * 1000.0).lat).collect();
    t.stops.lon = vec![0.0; 5].into();
    t.routes.feed = vec![0, 0].into();
    t.routes.short_name = vec![texts.intern("1"), texts.intern("2")].into();
    t.routes.mode = vec![Mode::Bus as u8, Mode::Tram as u8].into();
    t.patterns.route = vec![0, 1].into();
    t.patterns.call_offsets = vec![0, 3, 5].into();
    t.patterns.call_stop = vec![0, 1, 2, 3, 4].into();
    t.patterns.call_pickup = vec![0, 0, 0, 2, 0].into();
    t.patterns.call_dropoff = vec![0; 5].into();
    t.patterns.hop_offsets = vec![0; 6].into();
    t.trips.id = vec![texts.intern("t0"), texts.intern("t1")].into();
    t.trips.pattern = vec![0, 1].into();
    t.trips.headsign = vec![texts.intern("North"), 0].into();
    t.trips.headsign_offset = vec![u32::MAX; 2].into();
    t.trips.call_offset = vec![0, 3].into();
    t.trips.start = vec![1200, 1500].into();
    t.trips.profile_offset = vec![0, 3].into();
    t.trips.profile_arrival = vec![0, 60, 120, 0, 60].into();
    t.trips.profile_departure = vec![0, 65, 120, 0, 60].into();
    t.trips.sequence_offset = vec![0, 3].into();
    t.trips.sequences = vec![10, 20, 30, 1, 2].into();
    t.texts = texts.finish();
    t
}

fn ride(trip: u32, positions: (u32, u32), times: (i64, i64)) -> Ride {
    Ride {
        trip: TripIdx(trip),
        service_date: ServiceDate::from_ymd(1970, 1, 1),
        service_day_start: 0,
        board_position: positions.0,
        alight_position: positions.1,
        board_time: times.0,
        alight_time: times.1,
        interlined: false,
        frequency_shift: 0,
        headway: None,
    }
}

/// Walk 100 s, bus 1 from s0 to s2, walk to s3, tram 2 to s4, walk 100 s.
fn journey() -> (Scene, TransitPath, StreetPath, StreetPath) {
    let streets = TestStreets::new("A 0 0\n B 100 0\n A - B Rua_A");
    let walk = streets.path(Mode::Walk, "A B");
    let mut access = walk.clone();
    access.traversals.push(stop_link(1));
    let mut egress = walk;
    egress.traversals.insert(0, stop_link(121));
    let transfer = TransferWalk {
        from_stop: StopIdx(2),
        to_stop: StopIdx(3),
        meters: 50.0,
        seconds: 40,
        pathway: false,
        straight: false,
    };
    let transit = TransitPath {
        access: Some(0),
        egress: 0,
        rides: vec![ride(0, (0, 2), (1200, 1320)), ride(1, (0, 1), (1500, 1560))],
        transfers: vec![Some(transfer)],
        departure: 1099,
        arrival: 1781,
        weight: 0.0,
    };
    let graph = Graph { street: streets.graph, timetable: timetable(), ..Graph::default() };
    (Scene::new(graph), transit, summed(access.traversals), summed(egress.traversals))
}

fn paths<'a>(
    transit: &'a TransitPath,
    access: Option<&'a StreetPath>,
    egress: &'a StreetPath,
    transfers: &'a [Option<StreetPath>],
) -> SectionPaths<'a> {
    SectionPaths { transit, access, egress, straight: [None; 2], transfers }
}

#[test]
fn a_trip_with_a_transfer() {
    let (scene, transit, access, egress) = journey();
    let it = transit_section(&scene.context(), &paths(&transit, Some(&access), &egress, &[None])).itinerary;
    assert_eq!(
        describe(&it),
        [
            "WALK 1099-1199 Origin > s0: Depart Rua A 100",
            "BUS 1 1200-1320 s0 > s2: ",
            "WALK 1320-1360 s2 > s3: Depart s2 => s3 50",
            "TRAM 2 1500-1560 s3 > s4: ",
            "WALK 1681-1781 s4 > Destination: Depart Rua A 100",
        ]
    );
    assert_eq!((it.walk_time, it.transit_time, it.waiting_time, it.transfers), (240, 180, 262, 1));
    assert_eq!(it.walk_distance, 250.0);
    assert!((it.legs[1].distance - 2000.0).abs() < 1e-6);
    for pair in it.legs.windows(2) {
        assert_eq!(pair[0].to.departure, Some(pair[1].start_time));
        assert_eq!(pair[1].from.arrival, Some(pair[0].end_time));
        assert_eq!(pair[0].to.stop_id, pair[1].from.stop_id);
    }
    let boarding = it.legs[3].transit.as_ref().unwrap();
    assert_eq!((boarding.board_rule, boarding.alight_rule), (Some("mustPhone"), None));
    assert_eq!((it.legs[0].to.stop_index, it.legs[0].to.stop_sequence), (Some(0), Some(10)));
}

#[test]
fn intermediate_stops_are_listed_on_request() {
    let (mut scene, transit, access, egress) = journey();
    scene.request.show_intermediate_stops = true;
    let it = transit_section(&scene.context(), &paths(&transit, Some(&access), &egress, &[None])).itinerary;
    let passed = it.legs[1].intermediate_stops.as_ref().unwrap();
    let facts: Vec<_> =
        passed.iter().map(|p| (p.name.as_str(), p.arrival, p.departure, p.stop_index)).collect();
    assert_eq!(facts, [("s1", Some(1_260_000), Some(1_265_000), Some(1))]);
    assert_eq!(it.legs[0].intermediate_stops, Some(Vec::new()));
}

#[test]
fn the_walk_to_the_next_vehicle_starts_after_alighting() {
    let (mut scene, transit, access, egress) = journey();
    scene.request.alight_times = [20; Mode::COUNT];
    let it = transit_section(&scene.context(), &paths(&transit, Some(&access), &egress, &[None])).itinerary;
    assert_eq!((it.legs[2].start_time, it.legs[2].end_time), (1_340_000, 1_380_000));
    assert_eq!(it.walk_time + it.transit_time + it.waiting_time, 1781 - 1099);
}

#[test]
fn a_later_section_waits_at_its_first_stop() {
    let (scene, transit, access, egress) = journey();
    let first = transit_section(&scene.context(), &paths(&transit, Some(&access), &egress, &[None]));
    let mut second = transit.clone();
    for ride in &mut second.rides {
        ride.board_time += 1000;
        ride.alight_time += 1000;
    }
    (second.departure, second.arrival) = (2099, 2781);
    let request = RoutingRequest { epoch_seconds: 1781, ..scene.request.clone() };
    let context = SectionContext {
        request: &request,
        from: SectionEnd::Resumed,
        previous: Some(&first),
        ..scene.context()
    };
    let later = transit_section(&context, &paths(&second, Some(&access), &egress, &[None]));
    let whole = join_sections(&scene.context(), vec![first.clone(), later]).unwrap();
    assert_eq!(describe(&whole)[5], "WALK 1781-1881 Rua A > s0: Continue Rua A 100");
    assert_eq!((whole.transfers, whole.waiting_time), (3, 2781 - 1099 - 2 * (240 + 180)));
}

#[test]
fn staying_seated_is_not_a_transfer() {
    let (scene, mut transit, access, egress) = journey();
    transit.rides[1].interlined = true;
    transit.transfers = vec![None];
    let it = transit_section(&scene.context(), &paths(&transit, Some(&access), &egress, &[])).itinerary;
    assert_eq!(it.transfers, 0);
    let second = it.legs[2].transit.as_ref().unwrap();
    assert!(second.interline_with_previous && second.board_rule.is_none());
}

#[test]
fn a_trip_that_starts_on_board() {
    let (scene, mut transit, _, egress) = journey();
    transit.access = None;
    transit.rides.truncate(1);
    transit.transfers.clear();
    transit.departure = 1220;
    transit.arrival = 1541;
    let from = SectionEnd::Requested {
        name: "Origin".to_owned(),
        position: at(0.0, 400.0),
        orig: String::new(),
        station: None,
    };
    let context = SectionContext { from, ..scene.context() };
    let it = transit_section(&context, &paths(&transit, None, &egress, &[])).itinerary;
    assert!((it.legs[0].distance - 1600.0).abs() < 1e-6);
    assert_eq!((it.start_time, it.legs[0].start_time, it.transit_time), (1_220_000, 1_220_000, 100));
    let from = &it.legs[0].from;
    assert_eq!((from.name.as_str(), from.stop_id.clone()), ("on_board_depart", None));
    assert_eq!((from.orig.as_deref(), it.transfers), (Some(""), 0));
}

/// Trip 0 with all calls a minute late.
fn minute_late() -> Overlay {
    let late = LiveTimes { arrivals: vec![1260, 1320, 1380], departures: vec![1260, 1325, 1380] };
    let of_trip = ((TripIdx(0), ServiceDate::from_ymd(1970, 1, 1)), TripState::Updated(late));
    Overlay { scheduled: [of_trip].into_iter().collect(), ..Overlay::default() }
}

#[test]
fn live_times_show_as_delays() {
    let (mut scene, mut transit, access, egress) = journey();
    for ride in &mut transit.rides {
        ride.board_time += 60;
        ride.alight_time += 60;
    }
    transit.arrival += 60;
    scene.request.show_intermediate_stops = true;
    scene.snapshot = scene.snapshot.with_overlay(Some(Arc::new(minute_late())));
    let it = transit_section(&scene.context(), &paths(&transit, Some(&access), &egress, &[None])).itinerary;
    let leg = &it.legs[1];
    assert_eq!((leg.real_time, leg.departure_delay, leg.arrival_delay), (true, 60, 60));
    assert_eq!(leg.intermediate_stops.as_ref().unwrap()[0].arrival, Some(1_320_000));
}
