//! Service days: runs of earlier days that are still under way, and agencies whose days begin at other times.

use super::town::{Town, day, one};

/// The only itinerary and its service day, as days after the day of the question.
fn ride(town: &Town, question: &str) -> Option<(String, i32)> {
    let paths = town.ask(question, one);
    paths.first().map(|path| (town.describe(path), path.rides[0].service_date.0 - day().0))
}

#[test]
fn arriving_by_a_time_at_night_uses_the_last_bus_of_the_day_before() {
    let town = Town::new("1/FIRST : A 8:00, B 8:30\n 1/LAST : A 17:00, B 17:30");
    for time in ["0:05", "0:30", "5:00", "8:29"] {
        let (_, day) = ride(&town, &format!("A -> B by {time}")).unwrap();
        assert_eq!(day, -1, "by {time}");
    }
    assert_eq!(ride(&town, "A -> B by 8:30"), Some(("8:00 A -[FIRST]-> B 8:30".to_owned(), 0)));
}

#[test]
fn headway_services_run_on_the_same_days_as_other_trips() {
    let town = |days: &str| {
        Town::new(&format!(
            "days {days}\n1/T1 : A 8:00, B 8:10\n2/H1 : C 0:00, D 0:10\n\n\
             table frequencies.txt\ntrip_id,start_time,end_time,headway_secs\nH1,8:00:00,20:00:00,600\n\n"
        ))
    };
    let two_days_before = town("20240608 20240608");
    assert_eq!(ride(&two_days_before, "A -> B by 0:20"), None);
    assert_eq!(ride(&two_days_before, "C -> D by 0:20"), None);
    let day_before = town("20240609 20240609");
    assert!(matches!(ride(&day_before, "A -> B by 0:20"), Some((_, -1))));
    assert!(matches!(ride(&day_before, "C -> D by 0:20"), Some((_, -1))));
}

#[test]
fn a_trip_can_be_boarded_on_its_third_day() {
    let town = Town::new("1/LONG : A 8:00, B 30:00, C 50:00, D 52:00");
    assert_eq!(ride(&town, "B -> C at 5:00"), Some(("6:00 B -[LONG]-> C 26:00".to_owned(), -1)));
    assert_eq!(ride(&town, "C -> D at 1:00"), Some(("2:00 C -[LONG]-> D 4:00".to_owned(), -2)));
    assert_eq!(ride(&town, "C -> D by 5:00"), Some(("2:00 C -[LONG]-> D 4:00".to_owned(), -2)));
}

#[test]
fn service_days_begin_in_the_zone_of_the_agency() {
    let zones = "
        1/WEST : A 16:45, B 17:15
        2/EAST : C 7:00, D 7:30

table agency.txt
agency_id,agency_name,agency_url,agency_timezone
AG,Here,http://a.example,Europe/Lisbon
W,West,http://b.example,America/Los_Angeles
E,East,http://c.example,Asia/Tokyo

table routes.txt
route_id,agency_id,route_short_name,route_type
1,W,1,3
2,E,2,3

";
    let town = Town::new(zones);
    // 16:45 of yesterday in Los Angeles, 7:00 of tomorrow and of the day after in Tokyo.
    assert_eq!(ride(&town, "A -> B at 0:30"), Some(("0:45 A -[WEST]-> B 1:15".to_owned(), -1)));
    assert_eq!(ride(&town, "C -> D at 22:00"), Some(("23:00 C -[EAST]-> D 23:30".to_owned(), 1)));
    assert_eq!(ride(&town, "C -> D at 23:30"), Some(("47:00 C -[EAST]-> D 47:30".to_owned(), 2)));
}
