//! Lines of routes: each stretch between two stops once per route, however many of its patterns use it.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use trestle_engine::snapshot::Snapshot;
use trestle_model::Mode;
use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, RouteIdx, StopIdx};
use trestle_street::grid_shapes::{GridBox, GridPoint, clip_line, simplify_line};
use trestle_transit::timetable::Timetable;

use super::frame::{Frame, world_point};
use super::layers::MAX_ZOOM;
use super::writer::{LayerWriter, Value};

/// The highest zoom of each group of zooms that shares the same lines.
const SCALES: [u32; 4] = [8, 11, 14, MAX_ZOOM];
/// Largest distance of a simplified line from the real one, in grid units of the group's highest zoom.
const TOLERANCE: f64 = 4.0;
/// Most points of a line. Long lines are split, so that a tile does not read parts that it does not show.
const MOST_POINTS: usize = 128;

struct RouteLine {
    route: u32,
    bounds: GridBox,
    points: Vec<GridPoint>,
}

/// The lines of the routes that are shown in each of the scales, on the world's grid at the scale's zoom.
#[derive(Default)]
struct RouteLines([OnceLock<Vec<RouteLine>>; SCALES.len()]);

impl RouteLines {
    fn of(snapshot: &Snapshot, scale: usize) -> &[RouteLine] {
        let kept: &RouteLines = snapshot.derived.get();
        kept.0[scale].get_or_init(|| lines_of_routes(&snapshot.graph.timetable, SCALES[scale]))
    }
}

/// Lines of the routes that are shown at the zoom. Far from the ground these are few: the buses of a country, whose lines
/// are most of what there is to read, come later.
fn lines_of_routes(timetable: &Timetable, zoom: u32) -> Vec<RouteLine> {
    let mut lines = Vec::new();
    let routes = (0..timetable.routes.id.len()).map(RouteIdx::from);
    for route in routes.filter(|&route| min_zoom(mode_of(timetable, route)) <= zoom) {
        let mut passed = FxHashSet::default();
        for &pattern in timetable.routes.patterns_of(route) {
            for chain in new_stretches(timetable, PatternIdx(pattern), &mut passed) {
                let grid: Vec<GridPoint> = chain.into_iter().map(|at| world_point(at, zoom)).collect();
                let simple = simplify_line(&grid, TOLERANCE);
                for start in (0..simple.len() - 1).step_by(MOST_POINTS) {
                    let points = simple[start..simple.len().min(start + MOST_POINTS + 1)].to_vec();
                    lines.push(RouteLine { route: route.0, bounds: GridBox::around(&points), points });
                }
            }
        }
    }
    lines
}

/// The stretches of a pattern that no earlier pattern of its route uses in either direction. Consecutive ones are joined
/// to one line.
fn new_stretches(
    timetable: &Timetable,
    pattern: PatternIdx,
    passed: &mut FxHashSet<(u32, u32)>,
) -> Vec<Vec<LatLon>> {
    let patterns = &timetable.patterns;
    let mut chains: Vec<Vec<LatLon>> = Vec::new();
    let mut goes_on = false;
    for (position, pair) in patterns.stops(pattern).windows(2).enumerate() {
        if !passed.insert((pair[0].min(pair[1]), pair[0].max(pair[1]))) {
            goes_on = false;
            continue;
        }
        let hop = patterns.hop(pattern, position);
        let points: Vec<LatLon> = if hop.len() > 1 {
            hop.iter().map(|[lat, lon]| LatLon::new(*lat, *lon)).collect()
        } else {
            pair.iter().map(|&stop| timetable.stops.position(StopIdx(stop))).collect()
        };
        match chains.last_mut().filter(|_| goes_on) {
            Some(chain) => chain.extend(points),
            None => chains.push(points),
        }
        goes_on = true;
    }
    chains
}

fn mode_of(timetable: &Timetable, route: RouteIdx) -> Mode {
    Mode::from_number(timetable.routes.mode[route.index()]).unwrap_or(Mode::Bus)
}

/// The zoom from which the lines of a mode are shown.
fn min_zoom(mode: Mode) -> u32 {
    match mode {
        Mode::Rail | Mode::Ferry => 5,
        Mode::Subway | Mode::Funicular | Mode::Gondola | Mode::CableCar | Mode::Tram => 8,
        _ => 10,
    }
}

/// Writes the lines of a tile, one feature for each route.
pub(super) fn write(snapshot: &Snapshot, frame: &Frame, layer: &mut LayerWriter) {
    let timetable = &snapshot.graph.timetable;
    let scale = SCALES.iter().position(|zoom| frame.id.z <= *zoom).unwrap_or(SCALES.len() - 1);
    let zoom = SCALES[scale];
    let bounds = frame.world_bounds(zoom);
    let seen = RouteLines::of(snapshot, scale).iter().filter(|line| bounds.touches(&line.bounds));
    let seen: Vec<&RouteLine> = seen.collect();
    for lines in seen.chunk_by(|a, b| a.route == b.route) {
        let route = RouteIdx(lines[0].route);
        let mode = mode_of(timetable, route);
        if frame.id.z < min_zoom(mode) {
            continue;
        }
        let mut parts = Vec::new();
        for line in lines {
            let mut points: Vec<GridPoint> =
                line.points.iter().map(|point| frame.of_world(*point, zoom)).collect();
            points.dedup();
            parts.extend(clip_line(&points, &Frame::BOUNDS));
        }
        if !parts.is_empty() {
            write_route(timetable, route, mode, &parts, layer);
        }
    }
}

/// A colour of GTFS as maps write it; empty where the feed has another text, which would be an error in a map's style.
fn web_color(digits: &str) -> String {
    let is_color = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_color { format!("#{digits}") } else { String::new() }
}

fn write_route(
    timetable: &Timetable,
    route: RouteIdx,
    mode: Mode,
    parts: &[Vec<GridPoint>],
    layer: &mut LayerWriter,
) {
    let (routes, agencies) = (&timetable.routes, &timetable.agencies);
    let text = |index: u32| timetable.texts.get(index);
    let color = |column: &[u32]| web_color(text(column[route.index()]));
    let agency = routes.agency[route.index()] as usize;
    layer.lines(
        parts,
        &[
            ("route", Value::Text(&timetable.route_id(route))),
            ("shortName", Value::Text(text(routes.short_name[route.index()]))),
            ("longName", Value::Text(text(routes.long_name[route.index()]))),
            ("mode", Value::Text(mode.name())),
            ("color", Value::Text(&color(&routes.color))),
            ("textColor", Value::Text(&color(&routes.text_color))),
            ("agency", Value::Text(&timetable.outer_id(agencies.feed[agency], agencies.id[agency]))),
        ],
    );
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use trestle_model::Mode;
    use trestle_transit::timetable::Timetable;

    use super::{MAX_ZOOM, lines_of_routes, web_color};

    /// Four stops a tenth of a degree apart, and between each and the next one a route of one of the modes.
    fn timetable(modes: [Mode; 3]) -> Timetable {
        let mut t = Timetable::default();
        t.stops.id = vec![0; 4].into();
        t.stops.lat = vec![47.0, 47.1, 47.2, 47.3].into();
        t.stops.lon = vec![13.0; 4].into();
        t.routes.id = vec![0; 3].into();
        t.routes.mode = modes.map(|mode| mode as u8).to_vec().into();
        t.routes.pattern_offsets = vec![0, 1, 2, 3].into();
        t.routes.patterns = vec![0, 1, 2].into();
        t.patterns.route = vec![0, 1, 2].into();
        t.patterns.call_offsets = vec![0, 2, 4, 6].into();
        t.patterns.call_stop = vec![0, 1, 1, 2, 2, 3].into();
        t.patterns.hop_offsets = vec![0; 7].into();
        t
    }

    #[test]
    fn lines_that_a_scale_does_not_show_are_not_read_for_it() {
        let timetable = timetable([Mode::Bus, Mode::Rail, Mode::Tram]);
        let routes =
            |zoom| lines_of_routes(&timetable, zoom).iter().map(|line| line.route).collect::<BTreeSet<_>>();
        assert_eq!(
            [8, 11, MAX_ZOOM].map(routes),
            [vec![1, 2], vec![0, 1, 2], vec![0, 1, 2]].map(BTreeSet::from_iter)
        );
    }

    #[test]
    fn only_colors_are_written() {
        let written = ["f40606", "FFFFFF", "", "red", "#f40606", "f4060", "f406061", "ééé"].map(web_color);
        assert_eq!(written, ["#f40606", "#FFFFFF", "", "", "", "", "", ""]);
    }
}
