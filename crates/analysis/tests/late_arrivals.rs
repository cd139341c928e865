//! Isochrones where the cheapest path to a stop arrives so late that little time remains to walk on.

use crate::support::{GridTown, at, crossing, place, request_from};
use trestle_analysis::Scratch;
use trestle_analysis::one_to_many::{OneToMany, Origin, one_to_many};
use trestle_engine::deadline::Deadline;
use trestle_model::{Direction, RoutingRequest};

/// Line 1 is the cheaper one from the place to D (a shorter walk and ride, and the first wait costs little); line 2 is
/// there seven minutes earlier. Against travel, line 3 is the cheaper one and line 4 leaves D seven minutes later.
const LINES: &str = "
    stop A 1 1
    stop B 1 4
    stop D 24 1
    line 1 36000 8:16 8:17 : A 0, D 4
    line 2 36000 8:05 8:06 : B 0, D 8
    line 3 36000 8:05 8:06 : D 0, A 4
    line 4 36000 8:12 8:13 : D 0, B 8
";

#[test]
fn who_arrives_too_late_with_the_cheapest_vehicle_takes_an_earlier_one() {
    let town = GridTown::new("late", 26, 13, LINES);
    let center = crossing(1.0, 1.0);
    for (arrive_by, time) in [(false, "8:00"), (true, "8:25")] {
        let base = request_from(center, time);
        let request =
            RoutingRequest { to: place(center), direction: Direction::of_request(arrive_by), ..base };
        assert_eq!(request.epoch_seconds, at(time));
        let query = |max_seconds| OneToMany {
            request: &request,
            origin: Origin::Center(center),
            max_seconds,
            beyond_walk_limit: false,
        };
        let mut scratch = Scratch::default();
        let mut reached = |max_seconds, row| {
            let query = query(max_seconds);
            let found = one_to_many(&town.snapshot, &query, &mut scratch, &Deadline::default()).unwrap();
            let vertex = town.vertex_at(crossing(24.0, row));
            let position = found.vertices.position(vertex.0).unwrap();
            (found.seconds_to(vertex), found.walk_distance[position])
        };
        // Four minutes in the vehicle, and two blocks on foot.
        let [(near, _), (far, walked)] = [3.0, 9.0].map(|row| reached(1500, row));
        assert!((240.0..480.0).contains(&near), "{arrive_by}: {near} s with the cheapest");
        // Three blocks on foot, eight minutes in the vehicle, and eight blocks on foot: the cheapest vehicle leaves five
        // minutes for them.
        assert!((1250.0..1420.0).contains(&far), "{arrive_by}: {far} s with an earlier one");
        assert!((1098.0..1102.0).contains(&walked), "{arrive_by}: {walked} m in all");
        assert!(reached(3600, 9.0).0 < far, "{arrive_by}: with more time, the cheapest one");
    }
}
