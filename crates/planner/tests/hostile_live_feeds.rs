//! Any message of a live feed is applied or refused, and later requests are answered without a panic.
//! `PROPTEST_CASES` sets the number of messages.

use std::io::{Cursor, Write};
use std::sync::{Arc, LazyLock};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use prost::Message;
use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::deadline::Deadline;
use trestle_engine::index::stop_times::{StopTimes, Upcoming};
use trestle_engine::realtime::messages::{
    FeedEntity, FeedHeader, FeedMessage, StopTimeEvent, StopTimeProperties, StopTimeUpdate, TripDescriptor,
    TripProperties, TripUpdate,
};
use trestle_engine::realtime::{
    AlertOptions, TripUpdateOptions, apply_trip_updates, decode_alerts, decode_vehicles,
};
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::ids::{StopIdx, TripIdx};
use trestle_model::request::PlaceRequest;
use trestle_model::{Direction, RoutingRequest};
use trestle_planner::Scratch;
use trestle_planner::plan::plan;

/// A street with three stops, and another beside it.
const STREETS: &str = r#"<osm version="0.6">
<node id="1" lat="41.000" lon="-8.600"/><node id="2" lat="41.010" lon="-8.600"/><node id="3" lat="41.020" lon="-8.600"/>
<node id="4" lat="41.010" lon="-8.590"/>
<way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/></way>
<way id="11"><nd ref="2"/><nd ref="4"/><tag k="highway" v="residential"/></way></osm>"#;

const TABLES: [(&str, &str); 7] = [
    (
        "agency.txt",
        "agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a.example,Europe/Lisbon",
    ),
    ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\nA,A,41.0001,-8.6\nB,B,41.01,-8.6\nC,C,41.0199,-8.6"),
    ("routes.txt", "route_id,agency_id,route_short_name,route_type\nR,AG,10,3\nF,AG,20,3"),
    (
        "trips.txt",
        "route_id,service_id,trip_id,direction_id,block_id\nR,WK,T1,0,b\nR,WK,T2,0,\nR,WK,T3,1,b\nF,WK,F1,0,",
    ),
    (
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nWK,1,1,1,1,1,1,1,20240101,20241231",
    ),
    (
        "stop_times.txt",
        "trip_id,stop_sequence,stop_id,arrival_time,departure_time\nT1,1,A,8:00:00,8:00:00\nT1,2,B,8:10:00,8:11:00\n\
         T1,9,C,8:20:00,8:20:00\nT2,1,A,25:00:00,25:00:00\nT2,2,B,25:10:00,25:11:00\nT2,9,C,25:20:00,25:20:00\n\
         T3,1,C,8:25:00,8:25:00\nT3,2,B,8:30:00,8:30:00\nT3,3,A,8:40:00,8:40:00\nF1,1,A,6:00:00,6:00:00\nF1,2,C,6:10:00,6:10:00",
    ),
    ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nF1,6:00:00,20:00:00,600"),
];

/// Tuesday, 8 October 2024, 06:50 UTC: ten minutes before the first trip.
const MORNING: i64 = 1_728_370_200;

static TOWN: LazyLock<Snapshot> = LazyLock::new(|| {
    let directory = std::env::temp_dir().join(format!("trestle-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut feed = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in TABLES {
        feed.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        feed.write_all(text.as_bytes()).unwrap();
    }
    std::fs::write(directory.join("feed.zip"), feed.finish().unwrap().into_inner()).unwrap();
    std::fs::write(directory.join("streets.osm"), STREETS).unwrap();
    let output = directory.join("Graph.obj");
    let outcome = build_directory(&directory, &output, &BuildOptions::default(), &mut |_, _| {}).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    Snapshot::new(Arc::new(outcome.graph), 0)
});

/// Requests everything that live data changes; returns the number of requests whose first itinerary has a ride.
fn exercise(snapshot: &Snapshot) -> usize {
    let timetable = &snapshot.graph.timetable;
    let mut times = StopTimes::new(snapshot);
    for stop in 0..timetable.stops.id.len() {
        let wanted = Upcoming { from: MORNING, range: 86_400, per_pattern: 3, omit_non_pickups: false };
        times.upcoming(StopIdx::from(stop), wanted);
    }
    for trip in 0..timetable.trips.count() {
        times.of_trip(TripIdx::from(trip));
    }
    let (mut scratch, mut rides) = (Scratch::default(), 0);
    for arrive_by in [false, true] {
        let place =
            |lat, lon| PlaceRequest { position: Some(LatLon::new(lat, lon)), ..PlaceRequest::default() };
        let request = RoutingRequest {
            from: place(41.0, -8.6),
            to: place(41.02, -8.6),
            epoch_seconds: MORNING + if arrive_by { 3600 } else { 0 },
            direction: Direction::of_request(arrive_by),
            ..RoutingRequest::default()
        };
        let found = plan(snapshot, &request, &mut scratch, &Deadline::default()).unwrap();
        rides += usize::from(found.itineraries[0].legs.iter().any(|leg| leg.transit.is_some()));
        for itinerary in &found.itineraries {
            assert!(itinerary.end_time >= itinerary.start_time, "{itinerary:?}");
            assert!(
                itinerary.legs.windows(2).all(|pair| pair[1].start_time >= pair[0].end_time),
                "{itinerary:?}"
            );
        }
    }
    rides
}

fn text(known: &'static [&'static str]) -> impl Strategy<Value = Option<String>> {
    option::of(prop_oneof![9 => select(known).prop_map(str::to_owned), 1 => ".{0,12}"])
}

fn event() -> impl Strategy<Value = Option<StopTimeEvent>> {
    let time = option::of(prop_oneof![
        6 => MORNING - 7200..MORNING + 86_400,
        1 => any::<i64>(),
    ]);
    let delay = option::of(prop_oneof![6 => -900..3600i32, 1 => any::<i32>()]);
    let scheduled_time = time.clone();
    option::of((delay, time, scheduled_time).prop_map(|(delay, time, scheduled_time)| StopTimeEvent {
        delay,
        time,
        scheduled_time,
    }))
}

fn call() -> impl Strategy<Value = StopTimeUpdate> {
    let sequence = option::of(prop_oneof![6 => 0..10u32, 1 => any::<u32>()]);
    let stop = || text(&["A", "B", "C", "nowhere", ""]);
    let changes = (stop(), text(&["Downtown", ""]), option::of(-1..5i32), option::of(-1..5i32)).prop_map(
        |(assigned_stop_id, headsign, pickup, dropoff)| StopTimeProperties {
            assigned_stop_id,
            headsign,
            pickup,
            dropoff,
        },
    );
    (sequence, event(), event(), stop(), option::of(-1..4i32), option::weighted(0.3, changes)).prop_map(
        |(stop_sequence, arrival, departure, stop_id, relationship, properties)| StopTimeUpdate {
            stop_sequence,
            arrival,
            departure,
            stop_id,
            relationship,
            properties,
        },
    )
}

const TIMES: [&str; 5] = ["08:00:00", "25:00:00", "06:10:00", "99:99:99", "-1:00:00"];
const DATES: [&str; 5] = ["20241008", "20241007", "20240230", "00000000", "99999999"];

fn properties() -> impl Strategy<Value = TripProperties> {
    (text(&["new", "copy", "T2", ""]), text(&DATES), text(&TIMES), text(&["Downtown", ""])).prop_map(
        |(trip_id, start_date, start_time, headsign)| TripProperties {
            trip_id,
            start_date,
            start_time,
            headsign,
            ..TripProperties::default()
        },
    )
}

fn descriptor() -> impl Strategy<Value = TripDescriptor> {
    (
        text(&["T1", "T2", "T3", "F1", "new", ""]),
        text(&TIMES),
        text(&DATES),
        option::of(-1..9i32),
        text(&["R", "F", "unknown"]),
        option::of(0..3u32),
    )
        .prop_map(|(trip_id, start_time, start_date, relationship, route_id, direction_id)| {
            TripDescriptor {
                trip_id,
                start_time,
                start_date,
                relationship,
                route_id,
                direction_id,
                modified_trip: None,
            }
        })
}

fn message() -> impl Strategy<Value = FeedMessage> {
    let update =
        (option::of(descriptor()), vec(call(), 0..5), option::of(any::<i32>()), option::of(properties()))
            .prop_map(|(trip, calls, delay, properties)| TripUpdate { trip, calls, delay, properties });
    let entity = (text(&["1", "2"]), option::of(any::<bool>()), option::of(update)).prop_map(
        |(id, is_deleted, trip_update)| FeedEntity { id, is_deleted, trip_update, ..FeedEntity::default() },
    );
    let header = (option::of(0..2i32), option::of(any::<u64>())).prop_map(|(incrementality, timestamp)| {
        FeedHeader { version: Some("2.0".to_owned()), incrementality, timestamp }
    });
    (header, vec(entity, 0..6)).prop_map(|(header, entities)| FeedMessage { header: Some(header), entities })
}

fn options(flags: u8) -> TripUpdateOptions {
    TripUpdateOptions {
        fuzzy_trip_matching: flags & 1 > 0,
        purge_expired_data: flags & 2 > 0,
        differential: flags & 4 > 0,
        now: MORNING,
        ..TripUpdateOptions::default()
    }
}

#[test]
fn the_town_has_rides() {
    let message = FeedMessage {
        header: Some(FeedHeader { version: Some("2.0".to_owned()), ..FeedHeader::default() }),
        entities: vec![FeedEntity {
            trip_update: Some(TripUpdate {
                trip: Some(TripDescriptor { trip_id: Some("T1".to_owned()), ..TripDescriptor::default() }),
                delay: Some(300),
                ..TripUpdate::default()
            }),
            ..FeedEntity::default()
        }],
    };
    let (_, report) = apply_trip_updates(&TOWN, &message.encode_to_vec(), &options(0)).unwrap();
    assert_eq!((report.received, report.updated), (1, 1), "{:?}", report.issues.issues());
    let rides = exercise(&TOWN);
    assert_eq!(rides, 2, "one ride each way");
}

proptest! {
    #[test]
    fn any_updates_leave_an_overlay_that_answers(messages in vec(message(), 1..4), flags in any::<u8>()) {
        let mut snapshot = TOWN.clone();
        for message in messages {
            let (overlay, report) = apply_trip_updates(&snapshot, &message.encode_to_vec(), &options(flags)).unwrap();
            prop_assert!(report.rejected <= report.received);
            snapshot = snapshot.with_overlay(Some(Arc::new(overlay)));
        }
        exercise(&snapshot);
    }

    #[test]
    fn damaged_messages_are_refused_or_applied(
        message in message(), cut in 0.0..1.0f64, flips in vec((0.0..1.0f64, any::<u8>()), 0..6)
    ) {
        let mut bytes = message.encode_to_vec();
        for (at, with) in flips {
            let place = (at * bytes.len() as f64) as usize;
            bytes[place] = with;
        }
        bytes.truncate((cut * 2.0 * bytes.len() as f64) as usize);
        let _ = decode_alerts(&bytes, &AlertOptions::default());
        let _ = decode_vehicles(&bytes);
        if let Ok((overlay, _)) = apply_trip_updates(&TOWN, &bytes, &options(0)) {
            exercise(&TOWN.with_overlay(Some(Arc::new(overlay))));
        }
    }
}
