//! Feeds with the mistakes that real feeds have: each mistake is reported with its file and line.

use std::io::{Cursor, Write};

use crate::support::feed::tables;
use trestle_model::IssueSink;
use trestle_transit::build::{GtfsInput, TransitBuildOptions, build_timetable};
use trestle_transit::error::TransitError;
use trestle_transit::timetable::Timetable;

const TOWN: &str = "
    stop A 41.000 -8.600
    stop B 41.010 -8.600
    route R 3
    service WK 20240101 20241231 1111100
    trip T1 R WK : A 8:00:00, B 8:05:00";

type Files = Vec<(String, Vec<u8>)>;

fn files(town: &str) -> Files {
    tables(town).into_iter().map(|(name, text)| (name, text.into_bytes())).collect()
}

/// The files of [`TOWN`] with another content of one table.
fn with(table: &str, content: impl Into<Vec<u8>>) -> Files {
    let mut files = files(TOWN);
    files.retain(|(name, _)| name != table);
    files.push((table.to_owned(), content.into()));
    files
}

fn zipped(files: Files) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(&content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn build(feeds: &[(&str, Vec<u8>)]) -> (Result<Timetable, TransitError>, Vec<String>) {
    let inputs: Vec<_> = feeds.iter().map(|(name, bytes)| GtfsInput { name, bytes }).collect();
    let mut issues = IssueSink::default();
    let options = TransitBuildOptions::default();
    let built = build_timetable(&inputs, &options, &mut issues, &mut |_, _| {});
    (built.map(|built| built.timetable), issues.issues().iter().map(ToString::to_string).collect())
}

/// The issues of a feed that can be used.
fn issues(files: Files) -> Vec<String> {
    let (built, issues) = build(&[("f.zip", zipped(files))]);
    built.unwrap();
    issues
}

/// The error of a feed that cannot be used.
fn error(files: Files) -> String {
    build(&[("f.zip", zipped(files))]).0.unwrap_err().to_string()
}

/// The files of the town with other names.
fn renamed(rename: impl Fn(&str) -> String) -> Files {
    files(TOWN).into_iter().map(|(name, content)| (rename(&name), content)).collect()
}

#[test]
fn tables_in_a_folder_of_the_archive_are_an_error_that_names_it() {
    for folder in ["feed/", "feed\\", "./feed/"] {
        assert_eq!(
            error(renamed(|name| format!("{folder}{name}"))),
            "f.zip: the tables are in the folder feed/ of the archive and have to be at its root"
        );
    }
    let twice = ["b/", "a/", "c/"].into_iter().flat_map(|folder| renamed(|name| format!("{folder}{name}")));
    assert_eq!(
        error(twice.collect()),
        "f.zip: the tables are in the folder b/ of the archive and have to be at its root",
        "the first one"
    );
    assert_eq!(issues(renamed(|name| format!("./{name}"))), issues(files(TOWN)), "this is the root");
}

#[test]
fn tables_in_capitals_are_an_error() {
    assert_eq!(
        error(renamed(str::to_uppercase)),
        "f.zip: the tables have to be named in lower case: stop_times.txt instead of STOP_TIMES.TXT"
    );
}

#[test]
fn a_download_that_failed_is_shown() {
    let failure = |bytes: &[u8]| build(&[("f.zip", bytes.to_vec())]).0.unwrap_err().to_string();
    assert_eq!(failure(b""), "f.zip: not a readable zip archive: the file is empty");
    assert_eq!(
        failure(b"<html>404 not found</html>"),
        "f.zip: not a readable zip archive: it begins with “<html>404 not found</html>”"
    );
    let whole = zipped(files(TOWN));
    assert!(failure(&whole[..whole.len() / 2]).ends_with("; is it complete?"));
}

#[test]
fn an_archive_of_something_else_is_skipped() {
    let other = zipped(vec![("borders.shp".to_owned(), vec![1]), ("doc/borders.txt".to_owned(), vec![])]);
    let (built, issues) = build(&[("a.zip", other), ("f.zip", zipped(files(TOWN)))]);
    assert!(built.unwrap().stop_by_id("1:A").is_some(), "feeds are counted without it");
    assert_eq!(issues, ["a.zip: zip-without-feed: it has no GTFS table at its root; skipped"]);
}

#[test]
fn a_transfer_of_a_dropped_trip_is_named_with_its_line() {
    let transfers = "table transfers.txt
        from_stop_id,to_stop_id,transfer_type,from_trip_id
        A,B,1,T1
        A,B,1,T2";
    let issues = issues(files(&format!("{TOWN}\n trip T2 R WK : A 9:00:00\n {transfers}\n")));
    let line = "f.zip/transfers.txt:3: transfer-of-dropped-trip: its trip was dropped; row dropped";
    assert!(issues.iter().any(|issue| issue == line), "{issues:?}");
}

#[test]
fn a_wrong_header_is_shown() {
    let error = error(with("stops.txt", "stop_id;stop_lat;stop_lon\nA;41;-8\n"));
    assert_eq!(
        error,
        "f.zip/stops.txt:1: the column stop_id is missing; the line is “stop_id;stop_lat;stop_lon”"
    );
}

#[test]
fn other_encodings_are_reported_once_a_table() {
    let stops = b"stop_id,stop_name,stop_lat,stop_lon\nA,Alto,41,-8.6\nB,S\xe3o Jo\xe3o,41.01,-8.6\n";
    assert_eq!(
        issues(with("stops.txt", &stops[..])),
        [
            "f.zip/stops.txt:3: not-utf8: the table is not in UTF-8; characters in another encoding are read as “\u{fffd}”"
        ]
    );
}

#[test]
fn tables_in_utf16_are_named_as_such() {
    let with_mark = |text: &str| [b"\xff\xfe".to_vec(), utf16(text)].concat();
    let stops = "stop_id,stop_name,stop_lat,stop_lon\nA,Alto,41,-8.6\nB,Baixa,41.01,-8.6\n";
    for content in [with_mark(stops), utf16(stops)] {
        let found = error(with("stops.txt", content));
        assert_eq!(found, "f.zip/stops.txt: the table is in UTF-16 and has to be in UTF-8");
    }
    let found = issues(with("transfers.txt", with_mark("from_stop_id,to_stop_id\nA,B\n")));
    let line = "f.zip/transfers.txt:1: not-utf8: the table is in UTF-16; table left out";
    assert!(found.iter().any(|issue| issue == line), "{found:?}");
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn weekdays_that_are_missing_or_unknown_are_reported() {
    let calendar = "service_id,monday,tuesday,wednesday,friday,saturday,sunday,start_date,end_date
WK,1,1,yes,1,,0,20240101,20241231
";
    assert_eq!(
        issues(with("calendar.txt", calendar)),
        [
            "f.zip/calendar.txt:1: missing-column: the column thursday is missing; no service runs on that day",
            "f.zip/calendar.txt:2: bad-value: wednesday is “yes”; read as blank",
        ]
    );
}

#[test]
fn rows_and_columns_that_contradict_each_other_are_reported() {
    let dates = "service_id,date,exception_type,date\nWK,20241009,1,20250101\nWK,20241009,1,20250101
WK,20241010,1,20250101\nWK,20241009,2,20250101\n";
    assert_eq!(
        issues(with("calendar_dates.txt", dates)),
        [
            "f.zip/calendar_dates.txt:1: repeated-column: the column date comes again; the first one counts",
            "f.zip/calendar_dates.txt:5: contradictory-exception: an earlier row says the opposite of the same day; \
             the last row counts",
        ]
    );
    let transfers =
        "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,2,60\nB,A,2,60\nA,B,2,60\nA,B,2,90\n";
    assert_eq!(
        issues(with("transfers.txt", transfers)),
        [
            "f.zip/transfers.txt:5: contradictory-transfer: an earlier row says something else of the same transfer; \
             the last row counts",
        ]
    );
}

#[test]
fn a_missing_quotation_mark_is_reported_where_its_row_begins() {
    let stops = "stop_id,stop_name,stop_lat,stop_lon\nA,Alto,41,-8.6\nB,Baixa,41.01,-8.6\nC,\"Castelo,41,-8\nD,Dom,41,-8\nE,\"Este, leste\",41,-8\n";
    let found = issues(with("stops.txt", stops));
    assert_eq!(found[0], "f.zip/stops.txt:4: open-quote: 3 lines are one row; is a quotation mark missing?");
    // As many fields as columns.
    let stops = stops.replace("Este, leste", "Este").replace("C,\"", "\"C,");
    assert!(issues(with("stops.txt", stops))[0].starts_with("f.zip/stops.txt:4: open-quote: 3 lines"));
}

#[test]
fn an_endless_row_does_not_fill_the_memory() {
    let mut rest = vec![b'x'; 20 << 20];
    rest.push(b'"');
    let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
        T1,8:00:00,8:00:00,A,1\nT1,8:05:00,8:05:00,B,2\nT1,8:06:00,8:06:00,B,\"";
    let found = issues(with("stop_times.txt", [times.as_bytes(), &rest].concat()));
    let expected = "f.zip/stop_times.txt:4: open-quote: a row of more than 16 MiB; is a quotation mark missing? \
        Rest of the table dropped";
    assert_eq!(found, [expected]);
    let routes = [b"\"route_id,route_type\n", rest.as_slice()].concat();
    assert_eq!(
        error(with("routes.txt", routes)),
        "f.zip/routes.txt:1: the column route_id is missing; the line is “”"
    );
}

#[test]
fn a_text_of_several_lines_is_no_mistake() {
    let stops = "stop_id,stop_desc,stop_lat,stop_lon\nA,\"first\nsecond\",41,-8.6\nB,,41.01,-8.6\n";
    assert_eq!(issues(with("stops.txt", stops)), [""; 0]);
}

#[test]
fn swapped_coordinates_are_recognized() {
    let stops = "stop_id,stop_lat,stop_lon\nA,41,-8.6\nB,41.01,-8.6\nC,151.2,-33.9\nD,95,200\n";
    assert_eq!(
        issues(with("stops.txt", stops)),
        [
            "f.zip/stops.txt:4: stop-without-position: latitude 151.2 and longitude -33.9 are not on Earth (are they swapped?); row dropped",
            "f.zip/stops.txt:5: stop-without-position: latitude 95 and longitude 200 are not on Earth; row dropped",
        ]
    );
}

#[test]
fn services_that_never_run_are_reported() {
    let calendar = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
        WK,1,1,1,1,1,0,0,20240101,20241231\nOFF,0,0,0,0,0,0,0,20240101,20241231\nDATES,0,0,0,0,0,0,0,20240101,20241231\n";
    let mut files = with("calendar.txt", calendar);
    let dates = "service_id,date,exception_type\nDATES,20240105,1\nGONE,20240101,2\n";
    files.push(("calendar_dates.txt".to_owned(), dates.into()));
    assert_eq!(
        issues(files),
        [
            "f.zip/calendar.txt:3: service-without-days: service “OFF” runs on no day",
            "f.zip/calendar_dates.txt:3: service-without-days: service “GONE” runs on no day",
        ]
    );
}

#[test]
fn dates_that_do_not_exist_are_reported() {
    let calendar = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
        WK,1,1,1,1,1,0,0,20240100,20240931\n";
    let mut files = with("calendar.txt", calendar);
    files.push(("calendar_dates.txt".to_owned(), "service_id,date,exception_type\nWK,20240230,1\n".into()));
    assert_eq!(
        issues(files),
        [
            "f.zip/calendar.txt:2: no-such-date: start_date is 20240100; read as 20231231",
            "f.zip/calendar.txt:2: no-such-date: end_date is 20240931; read as 20241001",
            "f.zip/calendar_dates.txt:2: no-such-date: date is 20240230; read as 20240301",
        ]
    );
}

#[test]
fn tables_that_are_not_read_are_reported() {
    let mut files = files(TOWN);
    let others =
        ["fare_products.txt", "x/transfers.txt", "Frequencies.TXT", "__MACOSX/._stops.txt", "read-me.txt"];
    files.extend(others.map(|name| (name.to_owned(), b"a\n".to_vec())));
    assert_eq!(
        issues(files),
        [
            "f.zip/fare_products.txt: table-left-out: plans do not use this table",
            "f.zip/x/transfers.txt: table-left-out: a table has to be at the root, with a name in lower case",
            "f.zip/Frequencies.TXT: table-left-out: a table has to be at the root, with a name in lower case",
        ]
    );
}

#[test]
fn feeds_that_never_run_on_the_same_day_are_reported() {
    let ended = TOWN.replace("20240101 20241231", "20220101 20221231");
    let (built, issues) = build(&[("a.zip", zipped(files(&ended))), ("b.zip", zipped(files(TOWN)))]);
    built.unwrap();
    assert_eq!(
        issues,
        [
            "a.zip: feeds-without-common-day: it runs from 2022-01-03 to 2022-12-30, and b.zip from 2024-01-01 to 2024-12-31: there is no day on which both run",
            "b.zip: feeds-without-common-day: it runs from 2024-01-01 to 2024-12-31, and a.zip from 2022-01-03 to 2022-12-30: there is no day on which both run",
        ]
    );
}

#[test]
fn numbers_that_stand_for_nothing_are_reported() {
    let town = TOWN
        .replace("stop A 41.000 -8.600", "stop A 41.000 -8.600 location_type=5 wheelchair_boarding=3")
        .replace("trip T1 R WK :", "trip T1 R WK bikes_allowed=-1 wheelchair_accessible=yes :")
        .replace("A 8:00:00,", "A 8:00:00 pickup_type=4 drop_off_type=3,");
    let found = issues(files(&town));
    let expected = [
        "f.zip/stops.txt:2: bad-value: location_type is “5”; read as blank",
        "f.zip/stops.txt:2: bad-value: wheelchair_boarding is “3”; read as blank",
        "f.zip/trips.txt:2: bad-value: wheelchair_accessible is “yes”; read as blank",
        "f.zip/trips.txt:2: bad-value: bikes_allowed is “-1”; read as blank",
        "f.zip/stop_times.txt:2: bad-value: pickup_type is “4”; read as blank",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_route_without_an_agency_among_several_is_reported() {
    let agencies = "agency_id,agency_timezone\nA,Europe/Lisbon\nB,Europe/Lisbon\n";
    let found = issues(with("agency.txt", agencies));
    let expected = "f.zip/routes.txt:2: blank-agency: no agency_id in a feed of several agencies; the first agency is used";
    assert_eq!(found, [expected]);
    assert_eq!(issues(with("agency.txt", "agency_id,agency_timezone\nA,Europe/Lisbon\n")), [""; 0]);
}

#[test]
fn values_that_stand_for_nothing_are_reported_in_every_table() {
    let tables = "
        table frequencies.txt
        trip_id,start_time,end_time,headway_secs,exact_times
        T1,6:00:00,7:00:00,600,2

        table transfers.txt
        from_stop_id,to_stop_id,transfer_type,min_transfer_time
        A,B,2,-60
        A,B,7,

        table pathways.txt
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time
        P,A,B,9,2,-5

        table fare_attributes.txt
        fare_id,price,currency_type,transfers,transfer_duration,youth_price
        F,1,EUR,-1,-2,-3
";
    let town = TOWN
        .replace("route R 3", "route R 3 continuous_pickup=4")
        .replace("trip T1 R WK :", "trip T1 R WK direction_id=2 :")
        .replace("A 8:00:00,", "A 8:00:00 timepoint=3 continuous_drop_off=-1,");
    let found = issues(files(&format!("{town}\n{tables}")));
    let expected = [
        "f.zip/routes.txt:2: bad-value: continuous_pickup is “4”; read as blank",
        "f.zip/trips.txt:2: bad-value: direction_id is “2”; kept, but only 0 and 1 are directions",
        "f.zip/stop_times.txt:2: bad-value: continuous_drop_off is “-1”; read as blank",
        "f.zip/stop_times.txt:2: bad-value: timepoint is “3”; read as blank",
        "f.zip/fare_attributes.txt:2: bad-value: youth_price is “-3”; read as blank",
        "f.zip/fare_attributes.txt:2: bad-value: transfers is “-1”; read as blank",
        "f.zip/fare_attributes.txt:2: bad-value: transfer_duration is “-2”; read as blank",
        "f.zip/frequencies.txt:2: bad-value: exact_times is “2”; read as blank",
        "f.zip/transfers.txt:2: bad-value: min_transfer_time is “-60”; read as blank",
        "f.zip/transfers.txt:3: unused-transfer-type: transfer_type 7; row dropped",
        "f.zip/pathways.txt:2: bad-value: traversal_time is “-5”; read as blank",
        "f.zip/pathways.txt:2: bad-value: pathway_mode is “9”; read as blank",
        "f.zip/pathways.txt:2: bad-value: is_bidirectional is “2”; read as blank",
    ];
    assert_eq!(found, expected);
}

#[test]
fn calls_with_the_same_stop_sequence_are_reported() {
    let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
        T1,8:05:00,8:05:00,B,2\nT1,8:00:00,8:00:00,A,1\nT1,8:10:00,8:10:00,A,2\n";
    let expected = "f.zip/stop_times.txt:4: repeated-sequence: stop_sequence 2 as on line 2, which is read as the earlier call";
    assert_eq!(issues(with("stop_times.txt", times)), [expected]);
}

#[test]
fn points_of_a_shape_with_the_same_sequence_are_reported() {
    let shapes = "
        table shapes.txt
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
        S,41.000,-8.600,1
        S,41.010,-8.600,2
        S,41.005,-8.601,1
        X,41.005,-8.601,1
";
    let town = TOWN.replace("trip T1 R WK :", "trip T1 R WK shape_id=S :");
    let expected =
        "f.zip/shapes.txt:4: repeated-sequence: shape_pt_sequence 1 of the shape again; row dropped";
    assert_eq!(issues(files(&format!("{town}\n{shapes}"))), [expected]);
}

#[test]
fn calls_at_places_that_are_no_stops_are_reported() {
    let town = TOWN
        .replace("stop A 41.000 -8.600", "stop A 41.000 -8.600 location_type=2 parent_station=C")
        .replace("route R 3", "stop C 41.000 -8.600 location_type=1\n route R 3");
    let expected = "f.zip/stops.txt:2: call-not-at-stop: vehicles call here, although location_type is 2; read as a stop";
    assert_eq!(issues(files(&town)), [expected]);
}

#[test]
fn overlapping_frequencies_are_reported() {
    let frequencies = "
        table frequencies.txt
        trip_id,start_time,end_time,headway_secs,exact_times
        T1,7:00:00,9:00:00,600,0
        T1,6:00:00,7:00:00,600,0
        T1,9:00:00,10:00:00,600,0
        T1,8:59:59,9:30:00,600,1
        T1,11:00:00,12:00:00,600,1
        T1,11:05:00,12:00:00,600,1
";
    assert_eq!(
        issues(files(&format!("{TOWN}\n{frequencies}"))),
        [
            "f.zip/frequencies.txt:5: overlapping-frequencies: its hours overlap those of line 2; vehicles of both rows run",
            "f.zip/frequencies.txt:4: overlapping-frequencies: its hours overlap those of line 5; vehicles of both rows run",
        ]
    );
}

#[test]
fn an_unknown_time_zone_is_that_of_the_other_agencies() {
    let zone = |agencies: &str| {
        let routes = "route_id,route_type,agency_id\nR,3,A\n";
        let mut files = with("agency.txt", format!("agency_id,agency_timezone\n{agencies}"));
        files.retain(|(name, _)| name != "routes.txt");
        files.push(("routes.txt".to_owned(), routes.into()));
        let (built, issues) = build(&[("f.zip", zipped(files))]);
        (built.unwrap().time_zone_name().to_owned(), issues)
    };
    let (name, issues) = zone("A,Lisbon\nB,\nC,Europe/Lisbon\nD,Europe/Madrid\n");
    assert_eq!(name, "Europe/Lisbon");
    assert_eq!(
        issues,
        [
            "f.zip/agency.txt:2: unknown-time-zone: “Lisbon”; times read as Europe/Lisbon, like those of another agency",
            "f.zip/agency.txt:3: unknown-time-zone: “”; times read as Europe/Lisbon, like those of another agency",
        ]
    );
    let (name, issues) = zone("A,Lisbon\n");
    assert_eq!(name, "UTC");
    assert_eq!(issues, ["f.zip/agency.txt:2: unknown-time-zone: “Lisbon”; times read as UTC"]);
}
