//! Several feeds in one timetable.

use trestle_model::IssueSink;
use trestle_model::ids::FeedIdx;
use trestle_transit::build::{TransitBuildOptions, build_timetable_from_tables};
use trestle_transit::gtfs::FeedFiles;
use trestle_transit::timetable::Timetable;

use crate::support::feed::tables;

/// The timetable of feeds `a`, `b`, … with these ids (none when empty), and its issues.
fn feeds(ids: &[&str]) -> (Timetable, Vec<String>) {
    let feed = |(name, id): (char, &&str)| {
        let mut files = tables(&format!("stop S 41 -8\nstop {name} 41 -8"));
        if !id.is_empty() {
            files.insert("feed_info.txt".to_owned(), format!("feed_id\n{id}"));
        }
        FeedFiles::from_tables(&name.to_string(), files)
    };
    let feeds = ('a'..).zip(ids).map(feed).collect();
    let (options, mut issues) = (TransitBuildOptions::default(), IssueSink::default());
    let timetable = build_timetable_from_tables(feeds, &options, &mut issues, &mut |_, _| {}).unwrap();
    (timetable, issues.issues().iter().map(|issue| format!("{} {}", issue.file, issue.code)).collect())
}

#[test]
fn a_feed_id_that_another_feed_has_is_reported() {
    let (timetable, issues) = feeds(&["2", "", "x_:", "x", "y"]);
    assert_eq!(issues, ["b repeated-feed-id", "d repeated-feed-id"]);
    let ids: Vec<_> = (0..5).map(|feed| timetable.feed_id(FeedIdx(feed))).collect();
    assert_eq!(ids, ["2", "2", "x", "x", "y"]);
    let feed_of = |stop: &str| timetable.stop_by_id(stop).map(|stop| timetable.stops.feed[stop.index()]);
    assert_eq!(["2:S", "2:b", "x:S", "x:d", "y:a"].map(feed_of), [Some(0), Some(1), Some(2), Some(3), None]);
}

#[test]
fn a_feed_that_never_runs_has_no_days_apart_from_others() {
    let feed = |name: &str, days: &str| {
        let text = format!("stop S 41 -8\nservice WK 20240101 20240131 {days}");
        FeedFiles::from_tables(name, tables(&text))
    };
    let feeds = vec![feed("a", "1111111"), feed("b", "0000000")];
    let (options, mut issues) = (TransitBuildOptions::default(), IssueSink::default());
    build_timetable_from_tables(feeds, &options, &mut issues, &mut |_, _| {}).unwrap();
    let codes: Vec<_> = issues.issues().iter().map(|issue| (issue.file.as_str(), issue.code)).collect();
    assert_eq!(codes, [("b/calendar.txt", "service-without-days")]);
}
