//! Days of service: after midnight, clock changes, several time zones, frequencies.

use trestle_engine::info::describe;

use super::town::{Town, options};

const LINE: &str = "
    stop A 41.0 -8.00
    stop B 41.1 -8.00
    route R 3
    service WK 20240101 20241231 1111111
";

fn line(trips: &str) -> Town {
    Town::new("", &format!("{LINE}{trips}"))
}

#[test]
fn trips_after_midnight_belong_to_the_day_before() {
    let town = line("trip T R WK : A 25:10:00, B 25:20:00");
    assert_eq!(town.ask("A -> B at 2024-01-04T1:00"), "1:10 bus T A 1:10 - B 1:20, 1:20");
    assert_eq!(town.ask("A -> B by 2024-01-04T1:30"), "1:10 bus T A 1:10 - B 1:20, 1:20");
    let dates = town.itineraries("A -> B at 2024-01-04T1:00", |_| {}).unwrap();
    assert_eq!(dates[0].legs[0].transit.as_ref().unwrap().service_date, "20240103");
}

#[test]
fn times_count_from_noon_minus_twelve_hours_when_clocks_change() {
    let town = line("trip E R WK : A 0:30:00, B 0:40:00 \n trip M R WK : A 8:00:00, B 8:10:00");
    // Clocks go forward at 1:00 on 31 March: half an hour after "midnight" is half past eleven the evening before.
    assert_eq!(town.ask("A -> B at 2024-03-30T23:00"), "23:30 bus E A 23:30 - B 23:40, 23:40");
    assert_eq!(town.ask("A -> B at 2024-03-31T3:00"), "8:00 bus M A 8:00 - B 8:10, 8:10");
    // Clocks go back at 2:00 on 27 October.
    assert_eq!(town.ask("A -> B at 2024-10-27T1:05"), "1:30 bus E A 1:30 - B 1:40, 1:40");
    assert_eq!(town.ask("A -> B at 2024-10-27T3:00"), "8:00 bus M A 8:00 - B 8:10, 8:10");
    assert_eq!(town.ask("A -> B by 2024-10-27T12:00"), "8:00 bus M A 8:00 - B 8:10, 8:10");
}

#[test]
fn every_agency_keeps_its_own_time() {
    let spain = "
        table agency.txt
        agency_id,agency_name,agency_timezone
        ES,Spain,Europe/Madrid

        stop C 41.1001 -8.00
        stop D 41.2 -8.00
        route S 2
        service WK 20240101 20241231 1111111
        trip X S WK : C 9:30:00, D 9:50:00
        trip Y S WK : C 8:30:00, D 8:50:00
    ";
    let portugal = format!("{LINE} trip T R WK : A 8:00:00, B 8:10:00");
    let town = Town::built("", &[&portugal, spain], &options());
    // 9:30 in Madrid is 8:30 in Lisbon, whose time the whole graph shows.
    let answer = town.plan("A -> 41.2,-8.0 at 7:55", |_| {});
    assert_eq!(answer, "8:00 bus T A 8:00 - B 8:10, walk 11 m, rail X C 8:30 - D 8:50, 8:50");
    let plans = town.itineraries("A -> 41.2,-8.0 at 7:55", |_| {}).unwrap();
    let hours = plans[0].legs.iter().map(|leg| leg.agency_time_zone_offset_ms / 3_600_000);
    assert_eq!(hours.collect::<Vec<_>>(), [0, 0, 1], "in Lisbon, on foot, in Madrid");
}

#[test]
fn frequencies_with_exact_times_and_with_a_headway_only() {
    let trips = "
        trip T R WK : A 0:00:00, B 0:10:00
        table frequencies.txt
        trip_id,start_time,end_time,headway_secs,exact_times
        T,8:00:00,9:00:00,900,";
    let exact = line(&format!("{trips}1\n"));
    assert_eq!(exact.ask("A -> B at 8:05"), "8:15 bus T A 8:15 - B 8:25, 8:25");
    assert_eq!(exact.ask("A -> B by 8:39"), "8:15 bus T A 8:15 - B 8:25, 8:25");
    // Without exact times the rider waits for a whole headway.
    let loose = line(&format!("{trips}0\n"));
    assert_eq!(loose.ask("A -> B at 8:05"), "8:20 bus T A 8:20 - B 8:30, 8:30");
    let plans = loose.itineraries("A -> B at 8:05", |_| {}).unwrap();
    assert_eq!(plans[0].legs[0].transit.as_ref().unwrap().headway, Some(900));
}

#[test]
fn dates_outside_of_the_service_have_no_times() {
    let town = line("trip T R WK : A 8:00:00, B 8:10:00");
    assert_eq!(town.ask("A -> B at 2025-02-01T8:00"), "NoTransitTimes");
    assert_eq!(town.ask("A -> B at 2023-12-31T8:00"), "NoTransitTimes");
}

#[test]
fn plans_begin_on_the_service_days_of_all_time_zones() {
    let feed = |zone: &str, lat: u32, times: [&str; 2]| {
        let [departure, arrival] = times;
        format!(
            "table agency.txt
            agency_id,agency_name,agency_timezone
            X,X,{zone}

            stop C {lat}.0 -8.00
            stop D {lat}.1 -8.00
            route S 3
            service WK 20240101 20241231 1111111
            trip X S WK : C {departure}, D {arrival}
            "
        )
    };
    let portugal = format!("{LINE} trip T R WK : A 8:00:00, B 8:10:00");
    let new_zealand = feed("Pacific/Auckland", 42, ["8:00:00", "8:10:00"]);
    let california = feed("America/Los_Angeles", 43, ["20:00:00", "20:10:00"]);
    let town = Town::built("", &[&portugal, &new_zealand, &california], &options());
    // The first morning in New Zealand is the evening before in Portugal, and the last evening in California is the
    // morning after.
    assert_eq!(
        town.ask("42.0,-8.0 -> 42.1,-8.0 at 2023-12-31T18:00"),
        "19:00 bus X C 19:00 - D 19:10, 19:10"
    );
    assert_eq!(town.ask("43.0,-8.0 -> 43.1,-8.0 by 2025-01-01T5:00"), "4:00 bus X C 4:00 - D 4:10, 4:10");
    assert_eq!(town.ask("42.0,-8.0 -> 42.1,-8.0 at 2023-12-31T10:59"), "NoTransitTimes");
    assert_eq!(town.ask("43.0,-8.0 -> 43.1,-8.0 at 2025-01-01T8:00"), "NoTransitTimes");
    // Clients turn the ends of the period into dates in the zone of the graph.
    let midnights = ["2024-01-01T00:00Z", "2025-01-01T00:00Z"];
    let [starts, ends] = midnights.map(|at| at.parse::<jiff::Timestamp>().unwrap().as_second());
    assert_eq!(describe(&town.snapshot).service_period, Some((starts, ends)));
}
