//! Timed transfers of transfers.txt: the departing vehicle waits for the arriving one.

use trestle_engine::index::transfers_from;
use trestle_engine::scenario::{AddedTransferRule, Modification, Scenario, TransferEnd};

use super::town::Town;

/// To B, and on from C, 100 metres away, at the moment of arrival and ten minutes later.
const CHANGE_OF_PLATFORM: &str = "
    stop A 41.0 -8.00
    stop B 41.1 -8.00
    stop C 41.1009 -8.00
    stop D 41.2 -8.00
    route R 3 route_short_name=R
    route S 3 route_short_name=S
    service WK 20240101 20241231 1111111
    trip T R WK : A 8:00:00, B 8:10:00
    trip U S WK : C 8:10:00, D 8:20:00
    trip V S WK : C 8:20:00, D 8:30:00
";

const WALKED: &str = "8:00 bus T A 8:00 - B 8:10, walk 100 m, bus V C 8:20 - D 8:30, 8:30";
const CAUGHT: &str = "8:00 bus T A 8:00 - B 8:10, walk 100 m, bus U C 8:10 - D 8:20, 8:20";

/// A town with rows of transfers.txt: from stop, to stop, from trip, type.
fn town(rows: &str) -> Town {
    let columns = "from_stop_id,to_stop_id,from_trip_id,transfer_type";
    Town::new("", &format!("{CHANGE_OF_PLATFORM}table transfers.txt\n {columns}\n {rows}\n"))
}

#[test]
fn riders_catch_a_vehicle_that_waits_for_theirs() {
    let ask = |rows: &str, question: &str| town(rows).plan(question, |_| {});
    for question in ["A -> D at 7:55", "A -> D by 8:30"] {
        assert_eq!(ask("B,C,,0", question), WALKED);
        assert_eq!(ask("C,B,,1", question), WALKED, "only in one direction");
        assert_eq!(ask("B,C,T,1", question), WALKED, "only rows for all trips save the walk");
    }
    assert_eq!(ask("B,C,,1", "A -> D at 7:55"), CAUGHT);
    assert_eq!(ask("B,C,,1", "A -> D by 8:25"), CAUGHT);
}

#[test]
fn the_index_lists_the_walk_of_a_timed_transfer() {
    let transfers = |rows: &str| {
        let Town { snapshot, .. } = town(rows);
        let from = snapshot.graph.timetable.stop_by_id("1:B").unwrap();
        transfers_from(&snapshot, from.0)
    };
    assert_eq!(transfers("B,C,,1").len(), 1);
    assert_eq!(transfers("B,C,,1"), transfers("B,C,,0"));
}

#[test]
fn scenarios_can_add_timed_transfers() {
    let end = |stop: &str| TransferEnd { stop: format!("1:{stop}"), route: None, trip: None };
    let town = town("C,B,,0");
    let plan = |kind| {
        let rule = AddedTransferRule { from: end("B"), to: end("C"), kind, seconds: None };
        let scenario = Scenario::new(&town.snapshot, &[Modification::TransferRule(rule)]);
        town.with(scenario.under(&town.snapshot)).plan("A -> D at 7:55", |_| {})
    };
    assert_eq!(plan(0), WALKED);
    assert_eq!(plan(1), CAUGHT);
}
