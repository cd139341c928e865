//! A build of any bytes ends with a timetable or an error, never with a panic, and equal bytes give equal timetables.
//! `PROPTEST_CASES` sets the number of cases.

use std::io::{Cursor, Write};

use crate::support::feed::tables;
use bytemuck::Pod;
use proptest::prelude::*;
use trestle_model::column::{ColumnSink, Columnar};
use trestle_model::ids::{PatternIdx, StopIdx, TripIdx};
use trestle_model::{IssueSink, ServiceDate};
use trestle_transit::build::{GtfsInput, TransitBuildOptions, build_timetable, build_timetable_from_tables};
use trestle_transit::error::TransitError;
use trestle_transit::fares::{FareRide, FareService, PaidParts};
use trestle_transit::gtfs::FeedFiles;
use trestle_transit::timetable::Timetable;
use trestle_transit::transfers::{fixed_transfers, store_direct};
use trestle_transit::{calendar, listing_order, semantic_hash};

const TOWN: &str = "
    stop A 41.000 -8.600 zone_id=Z1
    stop B 41.010 -8.600
    stop C 41.020 -8.600 parent_station=B
    route R 3 route_short_name=10
    service WK 20240101 20241231 1111100
    shape S : 41.0 -8.6, 41.01 -8.601, 41.02 -8.6
    trip T1 R WK block_id=b shape_id=S : A 8:00:00, B 8:05:00, C 8:10:00
    trip T2 R WK block_id=b shape_id=S : C 8:10:00, B -, A 8:30:00
    table transfers.txt
    from_stop_id,to_stop_id,transfer_type
    A,B,1";

fn zipped(tables: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in tables {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(&content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn zipped_town() -> Vec<u8> {
    zipped(tables(TOWN).into_iter().map(|(name, text)| (name, text.into_bytes())))
}

fn build(feeds: &[(&str, &[u8])]) -> Result<Timetable, TransitError> {
    let inputs: Vec<_> = feeds.iter().map(|(name, bytes)| GtfsInput { name, bytes }).collect();
    let (options, mut issues) = (TransitBuildOptions::default(), IssueSink::default());
    build_timetable(&inputs, &options, &mut issues, &mut |_, _| {}).map(|built| built.timetable)
}

/// Runs everything that reads a timetable.
fn exercise(timetable: &mut Timetable) {
    let service = FareService::new(timetable);
    for p in 0..timetable.patterns.count() {
        let pattern = PatternIdx::from(p);
        assert!(timetable.patterns.calls(pattern).len() >= 2);
        semantic_hash::pattern(timetable, pattern);
        timetable.patterns.geometry(pattern);
        let last = timetable.patterns.stops(pattern).len() - 1;
        let ride = FareRide::along(timetable, pattern, (0, last), (0, 100)).unwrap();
        let parts = PaidParts { rides: vec![Some(ride.clone()), Some(ride)], rental_seconds: vec![60] };
        service.prices(timetable, &parts);
    }
    for t in 0..timetable.trips.count() {
        let trip = TripIdx::from(t);
        let calls = timetable.trip_calls(trip);
        let times: Vec<i32> =
            (0..calls.count()).flat_map(|call| [calls.arrival(call), calls.departure(call)]).collect();
        assert!(times.is_sorted(), "{times:?}");
        assert_eq!(timetable.trip_by_id(&timetable.trip_id(trip)), Some(trip));
        semantic_hash::trip(timetable, trip);
    }
    for s in 0..timetable.stops.id.len() {
        assert_eq!(timetable.stop_by_id(&timetable.stop_id(StopIdx::from(s))), Some(StopIdx::from(s)));
    }
    listing_order::patterns(timetable);
    listing_order::routes(timetable);
    listing_order::stops(timetable);
    calendar::service_day_start(ServiceDate(20_000), &timetable.time_zone());
    timetable.services.date_range();
    let options =
        TransitBuildOptions { use_transfers_txt: true, station_transfers: true, ..Default::default() };
    let edges = fixed_transfers(timetable, &options);
    store_direct(timetable, &edges);
}

/// Every column as stored.
#[derive(Default, PartialEq)]
struct Stored(Vec<(String, Vec<u8>)>);

impl ColumnSink for Stored {
    fn column<T: Pod>(&mut self, name: &str, values: &[T]) {
        self.0.push((name.to_owned(), bytemuck::cast_slice(values).to_vec()));
    }
}

fn stored(timetable: &Timetable) -> Stored {
    let mut sink = Stored::default();
    timetable.write("transit", &mut sink);
    sink
}

#[test]
fn equal_inputs_give_equal_columns_in_any_order() {
    let town = zipped_town();
    let other = zipped(
        tables("stop A 1 1\nroute R 0\nservice WK 20240101 20240131 1111111")
            .into_iter()
            .map(|(name, text)| (name, text.into_bytes())),
    );
    let first = build(&[("a.zip", &town), ("b.zip", &other)]).unwrap();
    let second = build(&[("b.zip", &other), ("a.zip", &town)]).unwrap();
    assert!(stored(&first) == stored(&second));
    assert_eq!(first.feed_id(trestle_model::ids::FeedIdx(1)), "2");
    assert!(first.stop_by_id("1:A").is_some() && first.stop_by_id("2:A").is_some());
}

#[test]
fn no_inputs_give_an_empty_timetable() {
    let mut timetable = build(&[]).unwrap();
    assert_eq!(timetable.services.date_range(), None);
    assert_eq!(timetable.time_zone_name(), "UTC");
    exercise(&mut timetable);
}

/// The code of an error, and the file with which its text begins.
fn code_and_file(error: &TransitError) -> (&'static str, String) {
    (error.code(), error.to_string().split(':').next().unwrap().to_owned())
}

#[test]
fn unusable_feeds_are_errors_with_code_and_file() {
    let failure = |bytes: &[u8]| build(&[("f.zip", bytes)]).map(|_| ()).unwrap_err();
    let error = failure(b"no zip");
    assert_eq!(code_and_file(&error), ("GTFS_UNREADABLE", "f.zip".to_owned()));
    let without = |table: &str| {
        let rest = tables(TOWN).into_iter().filter(|(name, _)| name != table);
        failure(&zipped(rest.map(|(name, text)| (name, text.into_bytes()))))
    };
    for table in ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt"] {
        let error = without(table);
        assert_eq!(code_and_file(&error), ("GTFS_MISSING_TABLE", "f.zip".to_owned()), "{table}");
        assert!(error.to_string().contains(table), "{error}");
    }
    let mut files = tables(TOWN);
    files.insert("stops.txt".to_owned(), "stop_id,stop_lat\nA,1".to_owned());
    let error = failure(&zipped(files.into_iter().map(|(name, text)| (name, text.into_bytes()))));
    assert_eq!(
        error.to_string(),
        "f.zip/stops.txt:1: the column stop_lon is missing; the line is “stop_id,stop_lat”"
    );
}

#[test]
fn a_feed_without_agency_rows_gets_one() {
    let mut files = tables(TOWN);
    files.insert("agency.txt".to_owned(), "agency_timezone\n".to_owned());
    let bytes = zipped(files.into_iter().map(|(name, text)| (name, text.into_bytes())));
    let mut timetable = build(&[("f.zip", &bytes)]).unwrap();
    assert_eq!(timetable.agencies.id.len(), 1);
    assert!(timetable.agency_by_id("1", "1").is_some());
    exercise(&mut timetable);
}

#[test]
fn zip_bombs_are_refused() {
    let columns = "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n";
    let rows = columns.bytes().chain(std::iter::repeat_n(b'\n', 80 << 20)).collect();
    for (table, content) in [
        ("stop_times.txt", vec![b'0'; 80 << 20]),
        ("stop_times.txt", rows),
        ("shapes.txt", vec![b'0'; 80 << 20]),
    ] {
        let mut files = tables(TOWN);
        files.remove(table);
        let files = files.into_iter().map(|(name, text)| (name, text.into_bytes()));
        let bomb = zipped(files.chain([(table.to_owned(), content)]));
        assert!(bomb.len() < 200_000);
        let error = build(&[("bomb.zip", &bomb)]).map(|_| ()).unwrap_err();
        assert_eq!(code_and_file(&error), ("GTFS_TOO_LARGE", format!("bomb.zip/{table}")));
    }
}

#[test]
fn a_table_that_is_damaged_in_its_archive_is_refused() {
    for table in ["stops.txt", "stop_times.txt"] {
        let mut bytes = zipped_town();
        // The entry of the table in the directory of the archive: 46 bytes, of which four are the checksum, and the name.
        let name = bytes.windows(table.len()).rposition(|window| window == table.as_bytes()).unwrap();
        bytes[name - 30] ^= 1;
        let error = build(&[("f.zip", &bytes)]).map(|_| ()).unwrap_err();
        assert_eq!(code_and_file(&error), ("GTFS_UNREADABLE", "f.zip".to_owned()), "{table}: {error}");
    }
}

/// Cells that are sometimes valid.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec![
            "A", "B", "C", "S", "R", "WK", "T1", "T2", "", "0", "1", "2", "3", "-1", "8:00:00", "7:59:00",
            "25:00:00", "0:00:30", "23:59:00", "9999:00:00", "20240101", "20241231", "19000101", "21991231",
            "20240230", "41.0", "41.01", "-8.6", "1e308", "nan", "inf", "4294967295", "99999999999",
        ]).prop_map(str::to_owned),
        1 => "[ -~]{0,6}",
        1 => any::<String>(),
    ]
}

const TABLES: [(&str, &str); 13] = [
    ("agency.txt", "agency_id,agency_timezone"),
    ("stops.txt", "stop_id,stop_lat,stop_lon,location_type,parent_station"),
    ("routes.txt", "route_id,route_type,agency_id,route_short_name"),
    ("trips.txt", "trip_id,route_id,service_id,direction_id,block_id,shape_id"),
    (
        "stop_times.txt",
        "trip_id,stop_id,stop_sequence,arrival_time,departure_time,pickup_type,shape_dist_traveled,timepoint",
    ),
    ("calendar.txt", "service_id,start_date,end_date,monday,sunday"),
    ("calendar_dates.txt", "service_id,date,exception_type"),
    ("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times"),
    ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled"),
    ("transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_route_id"),
    (
        "pathways.txt",
        "from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count",
    ),
    ("fare_attributes.txt", "fare_id,price,currency_type,transfers,transfer_duration"),
    ("fare_rules.txt", "fare_id,route_id,origin_id,destination_id,contains_id"),
];

/// The town's rows followed by random ones, in every table.
fn random_feed() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let table = |(name, header): (&'static str, &'static str)| {
        let columns = header.split(',').count();
        prop::collection::vec(prop::collection::vec(cell(), 0..=columns + 1), 0..12).prop_map(move |rows| {
            let mut text = format!("{header}\n{}", good_rows(name));
            rows.iter().for_each(|row| text += &format!("{}\n", row.join(",")));
            (name.to_owned(), text.into_bytes())
        })
    };
    TABLES.into_iter().map(table).collect::<Vec<_>>()
}

fn good_rows(table: &str) -> &'static str {
    match table {
        "agency.txt" => "AG,Europe/Lisbon\n",
        "stops.txt" => "A,41.0,-8.6,,\nB,41.01,-8.6,0,S\nS,41.02,-8.6,1,\nC,41.02,-8.6,,S\n",
        "routes.txt" => "R,3,,10\n",
        "trips.txt" => "T1,R,WK,0,b,S\nT2,R,WK,1,b,\n",
        "stop_times.txt" => {
            "T1,A,1,8:00:00,8:00:00,,,\nT1,B,5,8:10:00,,,,\nT2,B,0,23:50:00,,,0,\nT2,C,9,0:10:00,,,5,1\n"
        }
        "calendar.txt" => "WK,20240101,20241231,1,0\n",
        "shapes.txt" => "S,41.0,-8.6,1,0\nS,41.01,-8.6,3,5\n",
        "fare_attributes.txt" => "A,1.5,EUR,,\n",
        _ => "",
    }
}

proptest! {
    #[test]
    fn random_rows_never_panic(files in random_feed()) {
        let feed = FeedFiles::from_tables("f", files);
        let options = TransitBuildOptions::default();
        let mut issues = IssueSink::default();
        let built = build_timetable_from_tables(vec![feed.clone()], &options, &mut issues, &mut |_, _| {});
        let mut timetable = built.expect("the required tables are there");
        exercise(&mut timetable);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), table in 0..TABLES.len()) {
        prop_assert!(build(&[("f.zip", &bytes)]).is_err());
        let mut files: Vec<(String, Vec<u8>)> =
            tables(TOWN).into_iter().map(|(name, text)| (name, text.into_bytes())).collect();
        files.push((TABLES[table].0.to_owned(), bytes));
        let feed = FeedFiles::from_tables("f", files);
        let options = TransitBuildOptions::default();
        let built = build_timetable_from_tables(vec![feed], &options, &mut IssueSink::default(), &mut |_, _| {});
        if let Ok(mut timetable) = built {
            exercise(&mut timetable);
        }
    }

    #[test]
    fn damaged_archives_never_panic(cut in 0.0..1.0f64, flips in prop::collection::vec((0.0..1.0f64, 1..=255u8), 0..6)) {
        let mut bytes = zipped_town();
        for (at, mask) in flips {
            let position = (at * bytes.len() as f64) as usize;
            bytes[position] ^= mask;
        }
        let whole = build(&[("f.zip", &bytes)]);
        if let Ok(mut timetable) = whole {
            exercise(&mut timetable);
        }
        let kept = (cut * bytes.len() as f64) as usize;
        if let Ok(mut timetable) = build(&[("f.zip", &bytes[..kept])]) {
            exercise(&mut timetable);
        }
    }
}
