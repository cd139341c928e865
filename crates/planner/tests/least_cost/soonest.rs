//! The searches by time alone reach every stop as soon as a plain search does.

use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_transit::raptor::{
    Departures, LabelSettingScratch, NoStreets, OneToAllQuery, RangeScratch, UNREACHED, label_setting, range,
};

use super::Question;
use super::plain_search::PlainSearch;
use super::timetable::Runs;

/// One of this many questions is asked, because the plain search takes a second without a bound on its cost.
pub(crate) const ONE_OF: usize = 100;

/// Longest time of interest: a night and the morning after it.
const MAX_SECONDS: i32 = 16 * 3600;

/// So many that the limit never matters; analyses have no limit on transfers.
const MAX_TRANSFERS: i32 = 12;

/// Departures of the range search and the seconds between them. The first one is compared.
const DEPARTURES: (usize, i32) = (4, 420);

/// Compares the searches from (backward: to) the stops near the place; returns what differs.
pub(crate) fn compare(snapshot: &Snapshot, runs: &Runs, question: &Question) -> Vec<String> {
    let timetable = &snapshot.graph.timetable;
    let request = RoutingRequest { max_transfers: MAX_TRANSFERS, ..question.request.clone() };
    let near = request.direction.pick(&question.access, &question.egress);
    let search = PlainSearch::new(timetable, runs, &request, None);
    let soonest = search.soonest(near).into_iter();
    let expected: Vec<i32> = soonest
        .map(|seconds| if seconds <= i64::from(MAX_SECONDS) { seconds as i32 } else { UNREACHED })
        .collect();
    let differs = |name: &str, found: &[i32]| {
        let stop = (0..expected.len()).find(|&stop| found[stop] != expected[stop])?;
        let id = timetable.stop_id(stop.into());
        Some(format!("{name}: {} s to {id}, not {}", found[stop], expected[stop]))
    };
    let ranged = |count: usize| by_range(snapshot, &request, question, count);
    let found = [
        ("one departure", ranged(1)),
        ("several departures", ranged(DEPARTURES.0)),
        ("label setting", by_labels(snapshot, &request, question)),
    ];
    found.iter().filter_map(|(name, found)| differs(name, found)).collect()
}

fn query<'a>(request: &'a RoutingRequest, question: &'a Question) -> OneToAllQuery<'a> {
    let near = request.direction.pick(&question.access, &question.egress);
    OneToAllQuery { request, near, max_seconds: MAX_SECONDS, interrupted: &|| false }
}

/// Seconds to every stop by the first departure of a range search.
fn by_range(snapshot: &Snapshot, request: &RoutingRequest, question: &Question, count: usize) -> Vec<i32> {
    let query = query(request, question);
    let (departures, mut scratch) = (Departures { step: DEPARTURES.1, count }, RangeScratch::default());
    let service = snapshot.active_service(request.epoch_seconds, false);
    let mut first = Vec::new();
    range(&snapshot.graph.timetable, &service, &query, departures, &mut scratch, &mut |departure| {
        if departure.index == 0 {
            first = departure.seconds.to_vec();
        }
    });
    first
}

/// Seconds to every stop by label setting.
fn by_labels(snapshot: &Snapshot, request: &RoutingRequest, question: &Question) -> Vec<i32> {
    let query = query(request, question);
    let service = snapshot.active_service(request.epoch_seconds, false);
    let mut scratch = LabelSettingScratch::default();
    let found =
        label_setting(&snapshot.graph.timetable, &service, &query, 0, &mut NoStreets, &mut scratch).unwrap();
    found.iter().map(|arrival| arrival.seconds).collect()
}
