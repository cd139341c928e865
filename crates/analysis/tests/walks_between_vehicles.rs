//! Isochrones in which riders walk from vehicle to vehicle farther than the prepared transfers lead.

use crate::support::{GridTown, crossing, place, request_from};
use trestle_analysis::Scratch;
use trestle_analysis::one_to_many::{OneToMany, Origin, one_to_many};
use trestle_engine::deadline::Deadline;
use trestle_model::{Direction, RoutingRequest};

/// Between D and E riders walk a kilometre, which takes 13 minutes. Lines 1 and 2 lead from A to F, 3 and 4 back.
const LINES: &str = "
    stop A 1 1
    stop D 10 1
    stop E 20 1
    stop F 45 1
    line 1 36000 8:05 8:06 : A 0, D 4
    line 2 36000 8:25 8:26 : E 0, F 5
    line 3 36000 8:05 8:06 : F 0, E 4
    line 4 36000 8:25 8:26 : D 0, A 5
";

#[test]
fn riders_walk_to_stops_beyond_the_prepared_transfers() {
    let town = GridTown::new("walks-between", 47, 3, LINES);
    let center = crossing(1.0, 1.0);
    for (arrive_by, time) in [(false, "8:00"), (true, "8:35")] {
        let base = RoutingRequest {
            to: place(center),
            direction: Direction::of_request(arrive_by),
            max_walk_distance: 1500.0,
            ..request_from(center, time)
        };
        let reached = |request: RoutingRequest| {
            let query = OneToMany {
                request: &request,
                origin: Origin::Center(center),
                max_seconds: 35 * 60,
                beyond_walk_limit: false,
            };
            let found =
                one_to_many(&town.snapshot, &query, &mut Scratch::default(), &Deadline::default()).unwrap();
            let at = found.vertices.position(town.vertex_at(crossing(45.0, 1.0)).0)?;
            // Areas leave out what is beyond the walking limit, such as by a walk from A to E.
            let (seconds, metres) = (found.seconds[at], found.walk_distance[at]);
            (f64::from(metres) <= request.max_walk_distance).then_some(seconds)
        };
        let seconds = reached(base.clone()).unwrap();
        // From 8:05 to 8:30, and the links of the stops.
        assert!((1500.0..1540.0).contains(&seconds), "{arrive_by}: {seconds} s");
        let short_walks = RoutingRequest { max_walk_distance: 900.0, ..base.clone() };
        assert_eq!(reached(short_walks), None, "{arrive_by}: a shorter walk");
        let short_transfers = RoutingRequest { max_transfer_walk_distance: 900.0, ..base.clone() };
        assert_eq!(reached(short_transfers), None, "{arrive_by}: a shorter transfer");
        assert_eq!(reached(RoutingRequest { max_transfers: 0, ..base }), None, "{arrive_by}: in one vehicle");
    }
}
