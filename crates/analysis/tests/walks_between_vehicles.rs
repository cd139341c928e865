//! Isochrones in which riders walk from vehicle to vehicle farther than the prepared transfers lead.

use crate::support::{GridTown, crossing, place, request_from};
use trestle_analysis::Scratch;
use trestle_analysis::one_to_many::{OneToMany, Origin, one_to_many};
use trestle_engine::deadline::Deadline;
use trestle_model::RoutingRequest;

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
        let seconds = |max_walk_distance, max_transfers| {
            let base = request_from(center, time);
            let request =
                RoutingRequest { to: place(center), arrive_by, max_walk_distance, max_transfers, ..base };
            let query = OneToMany {
                request: &request,
                origin: Origin::Center(center),
                max_seconds: 35 * 60,
                beyond_walk_limit: false,
            };
            let found =
                one_to_many(&town.snapshot, &query, &mut Scratch::default(), &Deadline::default()).unwrap();
            found.seconds_to(town.vertex_at(crossing(45.0, 1.0)))
        };
        // From 8:05 to 8:30, and the links of the stops.
        let found = seconds(1500.0, 2);
        assert!((1500.0..1540.0).contains(&found), "{arrive_by}: {found}");
        assert_eq!(seconds(1500.0, 0), f32::INFINITY, "{arrive_by}: in one vehicle");
    }
}
