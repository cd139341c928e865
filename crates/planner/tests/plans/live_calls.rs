//! What live data changes of single calls besides their times and stops. Plans are those of a feed with the same in its
//! tables.

use trestle_engine::realtime::messages::{StopTimeProperties, StopTimeUpdate, TripUpdate};

use super::live::under;
use super::live_platforms::{check, late, moved, town};

/// An update of a call without times.
fn changed(number: u32, properties: StopTimeProperties) -> StopTimeUpdate {
    StopTimeUpdate {
        stop_sequence: Some(number),
        relationship: Some(2),
        properties: Some(properties),
        ..StopTimeUpdate::default()
    }
}

fn rules(number: u32, pickup: i32, dropoff: i32) -> StopTimeUpdate {
    changed(
        number,
        StopTimeProperties { pickup: Some(pickup), dropoff: Some(dropoff), ..StopTimeProperties::default() },
    )
}

fn headsign(number: u32, text: &str) -> StopTimeUpdate {
    changed(number, StopTimeProperties { headsign: Some(text.to_owned()), ..StopTimeProperties::default() })
}

const QUESTIONS: [&str; 5] =
    ["n1 -> n4 at 7:50", "n2 -> n4 at 7:50", "n1 -> n2 by 8:20", "n3 -> n4 at 8:10", "n1 -> n4 by 8:35"];

#[test]
fn riders_may_board_and_alight_where_live_data_says() {
    let check = |updates: Vec<StopTimeUpdate>, [text, by]: [&str; 2]| {
        check(vec![moved("T", updates)], [text, by], &QUESTIONS);
    };
    check(
        vec![rules(2, 1, 0)],
        ["B 8:05:00, C 8:15:00-8:16:00", "B 8:05:00 pickup_type=1, C 8:15:00-8:16:00"],
    );
    check(
        vec![rules(2, 2, 1), rules(4, 0, 3)],
        [
            "B 8:05:00, C 8:15:00-8:16:00 stop_headsign=On, D 8:25:00",
            "B 8:05:00 pickup_type=2 drop_off_type=1, C 8:15:00-8:16:00 stop_headsign=On, D 8:25:00 drop_off_type=3",
        ],
    );
}

#[test]
fn a_call_has_the_headsign_of_live_data() {
    let by =
        "A 8:00:00 stop_headsign=Up, B 8:05:00 stop_headsign=Detour, C 8:15:00-8:16:00 stop_headsign=End";
    let text = "A 8:00:00 stop_headsign=Up, B 8:05:00, C 8:15:00-8:16:00 stop_headsign=On";
    check(vec![moved("T", vec![headsign(2, "Detour"), headsign(3, "End")])], [text, by], &QUESTIONS);
}

#[test]
fn what_is_as_scheduled_changes_nothing() {
    let usual = vec![rules(2, 0, 0), headsign(3, "On"), rules(4, 9, -1)];
    let (_, report) = under(town(), vec![moved("T", usual)]);
    assert_eq!((report.updated, report.modified, report.rejected), (1, 0, 0));
    let (_, report) = under(town(), vec![moved("T", vec![headsign(3, "Up")])]);
    assert_eq!((report.updated, report.modified, report.rejected), (0, 1, 0));
}

/// The code of the first issue, if the update is rejected.
fn rejection(update: TripUpdate) -> Option<&'static str> {
    let (_, report) = under(town(), vec![update]);
    (report.rejected > 0).then(|| report.issues.issues()[0].code)
}

#[test]
fn a_call_may_be_named_by_its_assigned_stop_only() {
    let named = |stop: &str| StopTimeUpdate {
        stop_sequence: None,
        stop_id: Some(stop.to_owned()),
        ..late(0, stop, 0)
    };
    let at = |stop: &str| vec![late(1, "A", 0), named(stop)];
    let (text, by) =
        ("C 8:15:00-8:16:00 stop_headsign=On, D 8:25", "C2 8:15:00-8:16:00 stop_headsign=On, D 8:25");
    check(vec![moved("T", at("C2"))], [text, by], &QUESTIONS);
    // The trip has two calls in that station. An update that follows one of the second is about none of them.
    assert_eq!(rejection(moved("LOOP", vec![named("C2")])), None);
    assert_eq!(rejection(moved("LOOP", vec![late(4, "D", 0), named("C2")])), Some("unknown-call"));
    assert_eq!(rejection(moved("T", at("nowhere"))), Some("unknown-call"));
}
