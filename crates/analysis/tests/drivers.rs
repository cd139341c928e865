//! Analyses by car and bike: dropping off at a stop, places that are closed to cars, and limits of rides.

use crate::each_search::seconds_by_each_search;
use crate::support::{GridTown, at, crossing, place, request_from};
use trestle_analysis::Scratch;
use trestle_analysis::matrix::{Matrix, MatrixQuery};
use trestle_analysis::one_to_many::window::{NOT_REACHED, WindowQuery, window_times};
use trestle_analysis::one_to_many::{EarliestSearch, OneToMany, Origin, one_to_many};
use trestle_analysis::samples::{LinkedPoints, linked_destinations};
use trestle_analysis::surface::crs::Crs;
use trestle_analysis::surface::images::{RasterSize, raster};
use trestle_analysis::surface::{UNREACHED, surface};
use trestle_engine::deadline::Deadline;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};
use trestle_planner::plan::plan;
use trestle_street::cost::StreetCosts;
use trestle_street::search::{Objective, StreetQuery, StreetSearch, TreeStart};

/// Passengers of a car are dropped off before the first vehicle, even when the search begins at the other end.
#[test]
fn passengers_are_dropped_off_before_the_first_vehicle_in_both_directions() {
    let lines = "
        stop A 1 1
        stop C 24 1
        line 1 600 7:04 9:30 : A 0, C 6
    ";
    let town = GridTown::new("dropped", 26, 11, lines);
    let [start, end] = [crossing(3.0, 10.0), crossing(25.0, 3.0)];
    for (arrive_by, center, other) in [(false, start, end), (true, end, start)] {
        let request = RoutingRequest {
            from: place(start),
            to: place(end),
            modes: ModeSet::of(&[Mode::Car, Mode::Walk, Mode::Bus]),
            kiss_and_ride: true,
            epoch_seconds: at("8:25"),
            direction: Direction::of_request(arrive_by),
            clamp_initial_wait: 0,
            ..RoutingRequest::default()
        };
        let memory = &mut trestle_planner::Scratch::default();
        let plan = plan(&town.snapshot, &request, memory, &Deadline::default()).unwrap();
        let took = plan.itineraries.iter().map(|i| match arrive_by {
            true => request.epoch_seconds - i.start_time / 1000,
            false => i.end_time / 1000 - request.epoch_seconds,
        });
        let took = took.min().unwrap() as i32;
        for seconds in seconds_by_each_search(&town, &request, [center, other], 5400) {
            assert!((seconds - took).abs() <= 16, "{arrive_by}: {seconds} s, plan {took} s");
        }
    }
}

/// Without any vehicle too, passengers get out at a footpath and walk on, even when the search begins at the other end.
#[test]
fn passengers_walk_on_from_a_footpath_in_both_directions() {
    let lines = "
        path 9 3 9.4 3.4
        stop A 0 0
        stop B 9 0
        line 1 600 7:00 8:00 : A 0, B 5
    ";
    let town = GridTown::new("walked-on", 12, 6, lines);
    let [start, end] = [crossing(1.0, 1.0), crossing(9.4, 3.4)];
    let found = [(Direction::Forward, [start, end]), (Direction::Backward, [end, start])].map(
        |(direction, between)| {
            let request = RoutingRequest {
                from: place(start),
                to: place(end),
                modes: ModeSet::of(&[Mode::Car, Mode::Walk, Mode::Bus]),
                kiss_and_ride: true,
                epoch_seconds: at("9:25"),
                direction,
                clamp_initial_wait: 0,
                ..RoutingRequest::default()
            };
            seconds_by_each_search(&town, &request, between, 5400)
        },
    );
    let [along, against] = found;
    assert!(along[0] > 60 && along[0] < 400, "{found:?}");
    // The search by cost may begin a block farther on, because the walk there costs nothing.
    for ((along, against), most) in along.into_iter().zip(against).zip([3, 75, 3]) {
        assert!((along - against).abs() <= most, "{found:?}");
    }
}

/// The three nodes that are nearest to the place are ends of footpaths.
#[test]
fn cars_start_at_the_next_street_that_is_open_to_them() {
    let lines = "
        path 5 3 5.4 3.4
        path 5 3 5.5 3.4
        path 5 3 5.4 3.5
        stop A 0 0
        stop B 9 0
        line 1 600 7:00 8:00 : A 0, B 5
    ";
    let town = GridTown::new("footpath", 12, 6, lines);
    let center = crossing(5.4, 3.4);
    for (arrive_by, mode) in [(false, Mode::Car), (true, Mode::Car), (false, Mode::Walk)] {
        let modes = ModeSet::of(&[mode]);
        let request = RoutingRequest {
            modes,
            to: place(center),
            direction: Direction::of_request(arrive_by),
            ..request_from(center, "8:00")
        };
        let deadline = Deadline::default();
        let search = EarliestSearch::new(&town.snapshot, &request, 5400, &deadline).unwrap();
        let mut scratch = Scratch::default();
        let found = search.everywhere(center, 0, &mut scratch).unwrap();
        let seconds = found.active_times(0).seconds_to(town.vertex_at(crossing(11.0, 3.0)));
        let least = if mode == Mode::Car { 60..200 } else { 400..700 };
        assert!(least.contains(&seconds), "{mode:?} {arrive_by}: {seconds} s");
    }
    let base = request_from(crossing(11.0, 3.0), "8:00");
    let request = RoutingRequest { modes: ModeSet::of(&[Mode::Car]), ..base };
    let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
    let destinations = linked_destinations(&town.snapshot, &[center], &request, &deadline).unwrap();
    let query = MatrixQuery { request, max_seconds: 3600, destinations, origins: 1 };
    let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
    let row = matrix.row(crossing(11.0, 3.0), &mut scratch).unwrap();
    assert!((60..200).contains(&row[0]), "to the footpath: {row:?}");
    let by_car = surface(&town.snapshot, &query.request, 60, &mut scratch, &deadline).unwrap();
    let to_point = by_car.times_to(&LinkedPoints::new(&town.snapshot, vec![center]), None).unwrap();
    assert!((row[0] - 1..=row[0] + 1).contains(&to_point[0]), "{row:?} {to_point:?}");
    let image = raster(&by_car, Crs::Wgs84, RasterSize::Pixels(60, 30), &deadline).unwrap();
    let [west, north] = image.corner;
    let column = ((center.lon - west) / image.pixel[0]) as usize;
    let row = ((north - center.lat) / image.pixel[1]) as usize;
    let minutes = i32::from(image.minutes[row * image.width + column]);
    assert!((minutes - to_point[0] / 60).abs() <= 1, "{minutes} min, {to_point:?} s");
}

/// The place is 13 blocks from the stop, 1300 m: a bike ride that takes as long as a walk of 350 m.
#[test]
fn bikes_go_as_far_as_the_walking_limit() {
    let town = GridTown::new("bikes", 26, 11, "stop A 1 1\nstop C 24 1\nline 1 600 7:04 9:30 : A 0, C 6");
    for (max_walk_distance, is_reached) in [(800.0, false), (1500.0, true)] {
        let modes = ModeSet::of(&[Mode::Bicycle, Mode::Bus]);
        let base = request_from(crossing(6.0, 9.0), "8:00");
        let request = RoutingRequest { modes, max_walk_distance, ..base };
        let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
        let end = crossing(24.0, 2.0);
        let destinations = linked_destinations(&town.snapshot, &[end], &request, &deadline).unwrap();
        let query = MatrixQuery { request, max_seconds: 3600, destinations, origins: 1 };
        let matrix = Matrix::new(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
        let row = matrix.row(crossing(6.0, 9.0), &mut scratch).unwrap();
        assert_eq!(row[0] < 3600, is_reached, "{max_walk_distance} m: {row:?}");
    }
}

/// The times of all vertices of a town are those of a plain search: from each vertex alone to all stops, and on from there.
/// The longest drive limits plans only.
#[test]
fn passengers_are_dropped_off_at_any_stop_however_long_the_drive() {
    let line = "stop A 1 1\nstop B 8 4\nstop C 15 1\nstop D 22 4\nstop E 29 1
        line 1 600 7:00 9:30 : A 0, B 4, C 8, D 12, E 16
        line 2 900 7:03 9:30 : E 0, C 5, A 10
        path 12 3 12.4 3.5";
    let town = GridTown::new("longest-drive", 31, 6, line);
    let (mut scratch, deadline, max_seconds) = (Scratch::default(), Deadline::default(), 5400);
    let mut reached = 0;
    for (end, longest) in [(1.0, 20), (1.0, 60), (28.0, 40), (28.0, 90), (14.0, 30), (28.0, 1800)] {
        let center = crossing(end, 2.0);
        let request = RoutingRequest {
            modes: ModeSet::of(&[Mode::Car, Mode::Walk, Mode::Bus]),
            kiss_and_ride: true,
            max_pre_transit_time: longest,
            to: place(center),
            direction: Direction::Backward,
            ..request_from(center, "8:40")
        };
        let search = EarliestSearch::new(&town.snapshot, &request, max_seconds, &deadline).unwrap();
        let found = search.everywhere(center, 0, &mut scratch).unwrap();
        let (by_time, from_stops) = (found.active_times(0), found.active_seconds_at_stops(0));
        let window = WindowQuery {
            request: &request,
            center,
            step: 60,
            count: 1,
            max_seconds,
            max_stop_seconds: max_seconds,
        };
        let mut others = Scratch::default();
        let in_window = window_times(&town.snapshot, &window, &mut others, &deadline).unwrap();
        let query = OneToMany {
            request: &request,
            origin: Origin::Center(center),
            max_seconds,
            beyond_walk_limit: true,
        };
        let by_cost = one_to_many(&town.snapshot, &query, &mut scratch, &deadline).unwrap();
        for vertex in town.vertices() {
            let least = plain_seconds(&town, &request, vertex, &from_stops);
            let least = if least > max_seconds { UNREACHED } else { least };
            assert_eq!(by_time.seconds_to(vertex), least, "{vertex:?}, at most {longest} s");
            let seconds = in_window.seconds(0, vertex);
            assert_eq!(
                if seconds == NOT_REACHED { UNREACHED } else { seconds.into() },
                least,
                "{vertex:?}, window"
            );
            assert_eq!(by_cost.seconds_to(vertex).is_finite(), least != UNREACHED, "{vertex:?}, by cost");
            reached += usize::from(least != UNREACHED);
        }
    }
    assert!(reached > 900, "{reached}");
}

/// The least seconds of passengers who are driven from a vertex to any stop, given the seconds from there on, or to a
/// footpath, from which they walk to the place.
fn plain_seconds(town: &GridTown, request: &RoutingRequest, vertex: VertexIdx, from_stops: &[i32]) -> i32 {
    let street = &town.snapshot.graph.street;
    let [_, costs] = StreetCosts::from_request(request, 0).around_transit(Direction::Backward);
    let query = StreetQuery { objective: Objective::Time, ..StreetQuery::new(street, &costs) };
    let start = TreeStart { vertex, seconds: 0, weight: 0.0, walk_distance: 0.0 };
    let mut memory = StreetSearch::new();
    let alone = StreetCosts::from_request(request, 0);
    let on_streets = StreetQuery { objective: Objective::Time, ..StreetQuery::new(street, &alone) };
    let walked = memory.tree(&on_streets, &[start], Direction::Forward).unwrap();
    let walked = walked.get(town.vertex_at(request.to.position.unwrap())).map(|walked| walked.seconds);
    let tree = memory.tree(&query, &[start], Direction::Forward).unwrap();
    let by_link = street.stop_links.iter().filter_map(|link| {
        let driven = tree.get_at_stop(VertexIdx(link.vertex))?.seconds;
        let on = *from_stops.get(link.stop as usize).filter(|&&seconds| seconds != UNREACHED)?;
        Some(driven + town.snapshot.graph.stop_link_seconds(StopIdx(link.stop)) + on)
    });
    by_link.chain(walked).min().unwrap_or(UNREACHED)
}
