//! Lines of routes: each stretch between two stops once per route, however many of its patterns use it.

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use trestle_engine::snapshot::Snapshot;
use trestle_model::Mode;
use trestle_model::geo::{BoundingBox, LatLon};
use trestle_model::ids::{PatternIdx, RouteIdx, StopIdx};
use trestle_model::processors::on_parts;
use trestle_street::grid_shapes::{GridBox, GridPoint, clip_line, simplify_line};
use trestle_transit::timetable::Timetable;

use super::frame::{Frame, world_point, world_side};
use super::layers::MAX_ZOOM;
use super::writer::{LayerWriter, Value};

/// The highest zoom of each group of zooms that shares the same lines.
const SCALES: [u32; 4] = [8, 11, 14, MAX_ZOOM];
/// Largest distance of a simplified line from the real one, in grid units of the group's highest zoom.
const TOLERANCE: f64 = 4.0;
/// Most points of a line. Long lines are split, so that a tile does not read parts that it does not show.
const MOST_POINTS: usize = 128;

/// Consecutive stretches of a pattern. Its lines are made when the first tile shows them: those of a whole country would
/// take seconds.
struct Chain {
    route: RouteIdx,
    pattern: PatternIdx,
    /// Positions in the pattern of the stops where its stretches begin.
    stretches: Range<usize>,
    /// Zoom from which it is shown.
    min_zoom: u32,
    /// On the world's grid at the highest zoom.
    bounds: GridBox,
    /// The lines in each of the scales, on the world's grid at the scale's zoom.
    lines: [OnceLock<Box<[Line]>>; SCALES.len()],
}

struct Line {
    bounds: GridBox,
    points: Vec<GridPoint>,
}

/// The chains of all routes, in the order of the routes.
#[derive(Default)]
struct Chains(Vec<Chain>);

impl Chains {
    fn of(snapshot: &Snapshot) -> &[Chain] {
        let kept: &OnceLock<Chains> = snapshot.derived.get();
        &kept.get_or_init(|| Chains::new(&snapshot.graph.timetable)).0
    }

    fn new(timetable: &Timetable) -> Chains {
        let routes: Vec<RouteIdx> = (0..timetable.routes.id.len()).map(RouteIdx::from).collect();
        let of_all = |routes: &[RouteIdx]| {
            routes.iter().flat_map(|&route| chains_of(timetable, route)).collect::<Vec<_>>()
        };
        Chains(on_parts(&routes, of_all))
    }
}

impl Chain {
    fn new(timetable: &Timetable, route: RouteIdx, pattern: PatternIdx, stretches: Range<usize>) -> Chain {
        let degrees = BoundingBox::around(stretches.clone().flat_map(|at| stretch(timetable, pattern, at)));
        let corners = [(degrees.north, degrees.west), (degrees.south, degrees.east)];
        let corners = corners.map(|(lat, lon)| world_point(LatLon::new(lat, lon), MAX_ZOOM));
        let min_zoom = min_zoom(mode_of(timetable, route));
        Chain {
            route,
            pattern,
            stretches,
            min_zoom,
            bounds: GridBox::around(&corners),
            lines: Default::default(),
        }
    }

    fn lines(&self, timetable: &Timetable, scale: usize) -> &[Line] {
        self.lines[scale].get_or_init(|| self.simplified(timetable, SCALES[scale]))
    }

    fn simplified(&self, timetable: &Timetable, zoom: u32) -> Box<[Line]> {
        let points = self.stretches.clone().flat_map(|at| stretch(timetable, self.pattern, at));
        let grid: Vec<GridPoint> = points.map(|at| world_point(at, zoom)).collect();
        let parts = cut_at_meridian(&grid, world_side(zoom));
        parts.iter().flat_map(|part| short_lines(&simplify_line(part, TOLERANCE))).collect()
    }
}

/// A line as lines with few points.
fn short_lines(points: &[GridPoint]) -> Vec<Line> {
    let starts = (0..points.len() - 1).step_by(MOST_POINTS);
    let part = |start: usize| {
        let points = points[start..points.len().min(start + MOST_POINTS + 1)].to_vec();
        Line { bounds: GridBox::around(&points), points }
    };
    starts.map(part).collect()
}

/// The parts of a line on both sides of the 180th meridian, where the world's grid of `side` columns begins and ends. A
/// line leads the shorter way; without the cut, it would lead back around the whole world.
fn cut_at_meridian(points: &[GridPoint], side: i32) -> Vec<Vec<GridPoint>> {
    let (mut parts, mut part) = (Vec::new(), Vec::from_iter(points.first().copied()));
    for pair in points.windows(2) {
        let ([x, y], next) = (pair[0], pair[1]);
        if (next[0] - x).abs() > side / 2 {
            let (end, start) = if next[0] < x { (side, 0) } else { (0, side) };
            let share = f64::from(end - x) / f64::from(next[0] + end - start - x);
            let crossing = y + (f64::from(next[1] - y) * share) as i32;
            part.push([end, crossing]);
            parts.push(std::mem::replace(&mut part, vec![[start, crossing]]));
        }
        part.push(next);
    }
    parts.push(part);
    parts
}

/// The chains of the stretches between two stops that the patterns of a route use, each in one direction only.
fn chains_of(timetable: &Timetable, route: RouteIdx) -> Vec<Chain> {
    let mut passed = FxHashSet::default();
    let patterns = timetable.routes.patterns_of(route).iter().map(|&pattern| PatternIdx(pattern));
    let of_pattern = |pattern| {
        let new = new_stretches(timetable, pattern, &mut passed);
        new.into_iter().map(move |stretches| Chain::new(timetable, route, pattern, stretches))
    };
    patterns.flat_map(of_pattern).collect()
}

/// The stretches of a pattern that no earlier pattern of its route uses in either direction. Consecutive ones are joined.
fn new_stretches(
    timetable: &Timetable,
    pattern: PatternIdx,
    passed: &mut FxHashSet<(u32, u32)>,
) -> Vec<Range<usize>> {
    let mut chains: Vec<Range<usize>> = Vec::new();
    for (position, pair) in timetable.patterns.stops(pattern).windows(2).enumerate() {
        if !passed.insert((pair[0].min(pair[1]), pair[0].max(pair[1]))) {
            continue;
        }
        match chains.last_mut().filter(|chain| chain.end == position) {
            Some(chain) => chain.end = position + 1,
            None => chains.push(position..position + 1),
        }
    }
    chains
}

/// The line from the stop at a position of a pattern to the next one.
fn stretch(timetable: &Timetable, pattern: PatternIdx, position: usize) -> impl Iterator<Item = LatLon> {
    let stops = timetable.patterns.stops(pattern);
    let ends = [position, position + 1].map(|at| timetable.stops.position(StopIdx(stops[at])));
    timetable.hop_line(Some(pattern), position, ends)
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

/// The chains that a tile may show.
fn shown<'c>(chains: &'c [Chain], frame: &Frame) -> Vec<&'c Chain> {
    let (zoom, bounds) = (frame.id.z, frame.world_bounds(MAX_ZOOM));
    chains.iter().filter(|chain| chain.min_zoom <= zoom && bounds.touches(&chain.bounds)).collect()
}

/// Writes the lines of a tile, one feature for each route.
pub(super) fn write(snapshot: &Snapshot, frame: &Frame, layer: &mut LayerWriter) {
    let timetable = &snapshot.graph.timetable;
    let scale = SCALES.iter().position(|zoom| frame.id.z <= *zoom).unwrap_or(SCALES.len() - 1);
    let zoom = SCALES[scale];
    let bounds = frame.world_bounds(zoom);
    for chains in shown(Chains::of(snapshot), frame).chunk_by(|a, b| a.route == b.route) {
        let route = chains[0].route;
        let lines = chains.iter().flat_map(|chain| chain.lines(timetable, scale));
        let mut parts = Vec::new();
        for line in lines.filter(|line| bounds.touches(&line.bounds)) {
            let mut points: Vec<GridPoint> =
                line.points.iter().map(|point| frame.of_world(*point, zoom)).collect();
            points.dedup();
            parts.extend(clip_line(&points, &Frame::BOUNDS));
        }
        if !parts.is_empty() {
            write_route(timetable, route, mode_of(timetable, route), &parts, layer);
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
    use trestle_model::Mode;
    use trestle_model::geo::LatLon;
    use trestle_model::mercator::{TileId, project};
    use trestle_transit::timetable::Timetable;

    use super::{Chains, Frame, cut_at_meridian, shown, web_color};

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

    /// The routes of the chains that the tile around a position may show.
    fn routes_at(chains: &Chains, at: LatLon, z: u32) -> Vec<u32> {
        let [x, y] = project(at).map(|share| (share * f64::from(z).exp2()) as u32);
        shown(&chains.0, &Frame { id: TileId { z, x, y } }).iter().map(|chain| chain.route.0).collect()
    }

    #[test]
    fn lines_are_made_only_for_tiles_that_may_show_them() {
        let chains = Chains::new(&timetable([Mode::Bus, Mode::Rail, Mode::Tram]));
        let near_bus = LatLon::new(47.05, 13.0);
        let routes = [7, 8, 10, 14].map(|zoom| routes_at(&chains, near_bus, zoom));
        assert_eq!(routes, [vec![1], vec![1, 2], vec![0, 1, 2], vec![0]]);
        assert!(routes_at(&chains, LatLon::new(47.05, 13.5), 10).is_empty());
        assert!(chains.0.iter().all(|chain| chain.lines.iter().all(|lines| lines.get().is_none())));
    }

    #[test]
    fn lines_are_cut_where_the_world_ends() {
        let cut = |points: &[[i32; 2]]| cut_at_meridian(points, 1000);
        assert_eq!(cut(&[[10, 5], [510, 5], [999, 5]]), [[[10, 5], [510, 5], [999, 5]]]);
        let eastward = cut(&[[900, 0], [980, 10], [30, 60], [50, 60]]);
        assert_eq!(eastward, [vec![[900, 0], [980, 10], [1000, 30]], vec![[0, 30], [30, 60], [50, 60]]]);
        let westward = cut(&[[30, 60], [980, 10]]);
        assert_eq!(westward, [[[30, 60], [0, 30]], [[1000, 30], [980, 10]]]);
        assert_eq!(cut(&[[1000, 4], [0, 8]]), [[[1000, 4], [1000, 4]], [[0, 4], [0, 8]]]);
    }

    /// A ferry between two islands on both sides of the 180th meridian.
    #[test]
    fn a_line_across_the_meridian_is_not_drawn_around_the_world() {
        let mut timetable = timetable([Mode::Ferry; 3]);
        timetable.stops.lon = vec![179.5, -179.5, -179.4, -179.3].into();
        let chains = Chains::new(&timetable);
        let lines_in = |x: u32| {
            let bounds = Frame { id: TileId { z: 5, x, y: 11 } }.world_bounds(super::SCALES[0]);
            let lines = chains.0.iter().flat_map(|chain| chain.lines(&timetable, 0));
            lines.filter(|line| bounds.touches(&line.bounds)).count()
        };
        assert_eq!([0, 1, 8, 16, 30, 31].map(lines_in), [3, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn only_colors_are_written() {
        let written = ["f40606", "FFFFFF", "", "red", "#f40606", "f4060", "f406061", "ééé"].map(web_color);
        assert_eq!(written, ["#f40606", "#FFFFFF", "", "", "", "", "", ""]);
    }
}
