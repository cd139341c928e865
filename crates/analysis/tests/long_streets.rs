//! Places on a long street in the country, farther from its ends than places are from the nodes that they are joined to.

use crate::single_times::{in_matrix, in_plan};
use crate::support::{GridTown, crossing, request_from};
use trestle_analysis::isochrone::{Contour, Grid, SampledArea, Seconds, contours, time_grid};
use trestle_analysis::surface::{Surface, UNREACHED, surface, surface_contours};
use trestle_analysis::{AnalysisError, Scratch};
use trestle_engine::deadline::Deadline;
use trestle_model::{Direction, Mode, ModeSet, RoutingRequest};
use trestle_street::cost::StreetMode;

/// A road of 3 km, and a line from where it begins.
const LINES: &str = "
    road 7 4 37 4
    stop A 7 3
    stop B 0 0
    line 1 300 7:00 9:30 : A 0, B 2
";

/// On the road, between its ends; the second one is 30 m beside it.
const FARMS: [(f64, f64); 2] = [(17.0, 4.0), (24.0, 4.3)];

fn town(name: &str) -> GridTown {
    GridTown::new(name, 8, 8, LINES)
}

#[test]
fn times_in_matrices_are_those_of_plans() {
    let town = town("long-street");
    let [first, second] = FARMS.map(|(column, row)| crossing(column, row));
    // The last one is on the road, near the corner where it begins.
    let [elsewhere, near_town] = [crossing(2.0, 2.0), crossing(11.0, 4.0)];
    for modes in [Mode::Walk, Mode::Bicycle, Mode::Car].map(|mode| ModeSet::of(&[mode])) {
        for places in [
            [first, elsewhere],
            [elsewhere, first],
            [first, second],
            [second, first],
            [first, near_town],
            [near_town, first],
        ] {
            let request = RoutingRequest { modes, ..request_from(places[0], "8:00") };
            let planned = in_plan(&town, &request, places);
            let seconds = in_matrix(&town, &request, places);
            // Getting to the street takes no time in plans, and other places are joined to corners.
            assert!((seconds - planned).abs() < 60, "{modes:?} {places:?}: {seconds} s, plan {planned} s");
        }
    }
    let by_bus = RoutingRequest { max_walk_distance: 2500.0, ..request_from(first, "8:00") };
    let stop_b = crossing(0.0, 0.0);
    let (planned, seconds) =
        (in_plan(&town, &by_bus, [first, stop_b]), in_matrix(&town, &by_bus, [first, stop_b]));
    assert!(seconds < 2000 && (seconds - planned).abs() < 60, "{seconds} s, plan {planned} s");
    let short = RoutingRequest { max_walk_distance: 900.0, ..by_bus };
    assert_eq!(in_matrix(&town, &short, [first, stop_b]), UNREACHED);
}

/// From corner to corner it would be farther, and to a place itself there and back.
#[test]
fn the_way_along_a_street_between_near_corners_counts() {
    let town = town("one-street");
    let [first, second] = [crossing(2.3, 2.0), crossing(2.7, 2.1)];
    for modes in [Mode::Walk, Mode::Bicycle, Mode::Car].map(|mode| ModeSet::of(&[mode])) {
        let request = RoutingRequest { modes, ..request_from(first, "8:00") };
        for places in [[first, second], [second, first]] {
            let planned = in_plan(&town, &request, places);
            let seconds = in_matrix(&town, &request, places);
            // The second place is 10 m beside the street.
            assert!((0..10).contains(&(seconds - planned)), "{modes:?}: {seconds} s, plan {planned} s");
        }
        for place in [first, second, crossing(FARMS[0].0, FARMS[0].1)] {
            assert_eq!(in_matrix(&town, &request, [place, place]), 0, "{modes:?}");
        }
    }
}

fn area_around(town: &GridTown, request: &RoutingRequest, minutes: i32) -> Result<Contour, AnalysisError> {
    let deadline = Deadline::default();
    let area = SampledArea { max_seconds: 3600, precision_m: 100, off_road_m: 100, anchor: None };
    let grid: Grid<Seconds> = time_grid(&town.snapshot, request, &area, &mut Scratch::default(), &deadline)?;
    Ok(contours(&grid, &[minutes * 60], 6, &deadline)?.remove(0))
}

/// Columns from the first to the last position of a contour.
fn columns(contour: &Contour) -> [f64; 2] {
    let [zero, one] = [0.0, 1.0].map(|column| crossing(column, 0.0).lon);
    let rings = contour.polygons.iter().map(|polygon| &polygon.shell);
    let columns = rings.flatten().map(|at| (at.lon - zero) / (one - zero));
    columns.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)])
}

#[test]
fn isochrones_begin_on_the_street() {
    let town = town("long-street-isochrone");
    let (column, row) = FARMS[0];
    let walking = ModeSet::of(&[Mode::Walk]);
    for direction in [Direction::Forward, Direction::Backward] {
        let start = request_from(crossing(column, row), "8:00");
        let request = RoutingRequest { modes: walking, direction, to: start.from.clone(), ..start };
        // 400 m in 5 minutes, and the end of the road at column 7 in 12.5 minutes.
        let [west, east] = columns(&area_around(&town, &request, 5).unwrap());
        assert!((12.0..14.0).contains(&west) && (20.0..22.0).contains(&east), "{west} to {east}");
        let [west, east] = columns(&area_around(&town, &request, 15).unwrap());
        assert!((4.0..6.5).contains(&west) && (28.0..30.0).contains(&east), "{west} to {east}");
    }
    let far = request_from(crossing(17.0, 16.0), "8:00");
    assert!(matches!(area_around(&town, &far, 5), Err(AnalysisError::PlaceNotFound(_))));
}

/// Who parks before transit, or is to be dropped off before it, does not go along the street to the place or from it: this
/// town has no park, and no vehicle goes to the street.
#[test]
fn nobody_goes_along_the_street_who_changes_before_transit() {
    let town = town("long-street-parks");
    let start = request_from(crossing(FARMS[0].0, FARMS[0].1), "8:00");
    let mut requests = Vec::new();
    for direction in [Direction::Forward, Direction::Backward] {
        let request = RoutingRequest { direction, to: start.from.clone(), ..start.clone() };
        requests.push(RoutingRequest { car_park: true, ..request.clone() });
        requests.push(RoutingRequest { bike_park: true, ..request });
    }
    let to = start.from.clone();
    requests.push(RoutingRequest { kiss_and_ride: true, direction: Direction::Backward, to, ..start });
    for request in requests {
        let (direction, found) = (request.direction, area_around(&town, &request, 15).unwrap());
        assert!(found.polygons.is_empty(), "{direction:?} {:?}", StreetMode::of(&request));
    }
}

#[test]
fn contours_of_surfaces_begin_on_the_street() {
    let town = town("long-street-contours");
    let start = request_from(crossing(FARMS[0].0, FARMS[0].1), "8:00");
    for direction in [Direction::Forward, Direction::Backward] {
        let to = start.from.clone();
        let request = RoutingRequest { modes: ModeSet::of(&[Mode::Walk]), direction, to, ..start.clone() };
        let (mut scratch, deadline) = (Scratch::default(), Deadline::default());
        let found = surface(&town.snapshot, &request, 90, &mut scratch, &deadline).unwrap();
        let received = Surface::from_bytes(&town.snapshot, &request, &found.to_bytes()).unwrap();
        for surface in [&found, &received] {
            // 800 m in 10 minutes, before an end of the road is reached.
            let contours = surface_contours(surface, 10, 1, &deadline).unwrap();
            let [west, east] = columns(&contours[0]);
            assert!((9.0..14.0).contains(&west) && (21.0..25.0).contains(&east), "{west} to {east}");
        }
    }
}

#[test]
fn surfaces_lead_from_the_street() {
    let town = town("long-street-surface");
    let [farm, elsewhere] = [FARMS[0], (2.0, 2.0)].map(|(column, row)| crossing(column, row));
    let request = RoutingRequest { modes: ModeSet::of(&[Mode::Walk]), ..request_from(farm, "8:00") };
    let planned = in_plan(&town, &request, [farm, elsewhere]);
    let found = surface(&town.snapshot, &request, 90, &mut Scratch::default(), &Deadline::default()).unwrap();
    let seconds = found.seconds_to(town.vertex_at(elsewhere).0);
    assert!((seconds - planned).abs() < 30, "{seconds} s, plan {planned} s");
}
