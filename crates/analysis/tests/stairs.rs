//! Analyses of stops that stairs without a time join with the street: on foot all of them get there, in a wheelchair none,
//! and in the wrong direction of an escalator nobody.

use crate::each_search::seconds_by_each_search;
use crate::support::{GridTown, at, crossing, place};
use trestle_analysis::Scratch;
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::samples::linked_destinations;
use trestle_analysis::surface::UNREACHED;
use trestle_engine::deadline::Deadline;
use trestle_model::geo::LatLon;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};

/// Less than the walk.
const MAX_SECONDS: i32 = 1500;
/// The line goes from tunnels far away from all streets, which stairs join with stops at the streets.
const LINES: &str = "
    stop A 1 1
    stop B 24 1
    stop DeepA 1 300
    stop DeepB 24 300
    line 1 600 7:04 9:30 : DeepA 0, DeepB 6
    line 2 600 7:04 9:30 : DeepB 0, DeepA 6
    stairs A DeepA 0
    stairs B DeepB 0
";

#[test]
fn stairs_without_time_are_not_for_wheelchairs() {
    let town = GridTown::new("stairs", 26, 11, LINES);
    let ends = [crossing(2.0, 2.0), crossing(25.0, 2.0)];
    for (arrive_by, wheelchair) in [(false, false), (false, true), (true, false), (true, true)] {
        let request = RoutingRequest {
            direction: Direction::of_request(arrive_by),
            wheelchair,
            ..RoutingRequest::default()
        };
        let is_reached = reached(&town, ends, &request);
        assert!(is_reached.iter().all(|is| *is != wheelchair), "{arrive_by} {wheelchair}: {is_reached:?}");
    }
}

#[test]
fn escalators_without_time_lead_in_one_direction() {
    let lines =
        LINES.replace("stairs A DeepA", "escalator A DeepA").replace("stairs B DeepB", "escalator DeepB B");
    let town = GridTown::new("escalators", 26, 11, &lines);
    let [a, b] = [crossing(2.0, 2.0), crossing(25.0, 2.0)];
    for arrive_by in [false, true] {
        // Streets on the far side of transit are searched in another way by car than on foot.
        for kiss_and_ride in [false, true] {
            let mut modes = vec![Mode::Bus, Mode::Walk];
            modes.extend(kiss_and_ride.then_some(Mode::Car));
            let modes = ModeSet::of(&modes);
            let request = RoutingRequest {
                direction: Direction::of_request(arrive_by),
                kiss_and_ride,
                modes,
                ..RoutingRequest::default()
            };
            for (ends, leads_there) in [([a, b], true), ([b, a], false)] {
                let is_reached = reached(&town, ends, &request);
                assert!(
                    is_reached.iter().all(|is| *is == leads_there),
                    "{arrive_by} {kiss_and_ride} {ends:?}: {is_reached:?}"
                );
            }
        }
    }
}

/// Whether each analysis gets from one end to the other.
fn reached(town: &GridTown, [start, end]: [LatLon; 2], request: &RoutingRequest) -> Vec<bool> {
    let between = request.direction.pick([start, end], [end, start]);
    let request =
        RoutingRequest { from: place(start), to: place(end), epoch_seconds: at("8:25"), ..request.clone() };
    let mut seconds = seconds_by_each_search(town, &request, between, MAX_SECONDS).to_vec();
    if request.direction == Direction::Forward {
        let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
        let destinations = linked_destinations(&town.snapshot, &[end], &request, &deadline).unwrap();
        let query = MatrixQuery { request, max_seconds: MAX_SECONDS, destinations, origins: 1 };
        let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
        seconds.push(matrix.row(start, &mut scratch).unwrap()[0]);
    }
    seconds.into_iter().map(|seconds| seconds != UNREACHED).collect()
}
