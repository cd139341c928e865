//! The older isochrones of one time: the reached vertices, streets or outline.

use rustc_hash::FxHashSet;
use trestle_engine::deadline::Deadline;
use trestle_engine::graph::Graph;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{LatLon, distance_m, length_m};
use trestle_model::ids::{EdgeIdx, StopIdx, VertexIdx};
use trestle_model::named;
use trestle_model::{Direction, Mode, RoutingRequest};
use trestle_street::cost::StreetPace;
use trestle_street::graph::EdgeKind;
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};

use super::contours::LONGEST_SECONDS;
use super::hull::concave_hull;
use super::isoline::Ring;
use crate::error::AnalysisError;
use crate::one_to_many::{OneToMany, Origin, VertexValues, links_within, one_to_many};
use crate::scratch::Scratch;

/// Longest side of outlines, metres (0.005 degrees of latitude).
const LONGEST_SIDE_M: f64 = 556.0;
/// Decimals of outlines: as many as clients get.
const OUTLINE_DECIMALS: i32 = 4;
/// Decimals of the smallest outlines.
const FINEST_DECIMALS: i32 = 7;
/// Positions of the circle that other servers draw around a place; the first is repeated at the end.
const CIRCLE_POSITIONS: usize = 33;
/// Above this many seconds outlines are drawn around vertices instead of streets.
const DETAILED_SECONDS: f64 = 1200.0;
/// The same for bicycles and cars.
const DETAILED_SECONDS_RIDING: f64 = 600.0;

named! {
    /// Which picture of the reached ground to return.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum WalkshedForm {
        /// All vertices, and the stops at them.
        Points = "POINTS",
        /// The outline.
        Shed = "SHED",
        /// All streets, cut where the time ends.
        Edges = "EDGES",
    }
}

/// The reached ground.
#[derive(Clone, PartialEq, Debug)]
pub enum Walkshed {
    /// Positions of vertices and stops.
    Points(Vec<LatLon>),
    /// A closed ring; empty when the reached ground has no area.
    Shed(Ring),
    /// Lines of streets, and the one from the place to its street.
    Edges(Vec<Vec<LatLon>>),
}

/// The ground reached from the request's start within `budget` seconds, including the wait for the first vehicle. As in
/// plans, getting from the start to its street takes no time.
///
/// # Errors
/// [`AnalysisError`]: no coordinate, no street near it, a time that is not a number or more than a day.
pub fn walkshed(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    budget: f64,
    form: WalkshedForm,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Walkshed, AnalysisError> {
    check_budget(budget)?;
    let street = &snapshot.graph.street;
    let center =
        request.from.position.ok_or_else(|| AnalysisError::Invalid("fromPlace: no coordinate".to_owned()))?;
    let place = LinkedPlace::at_coordinate(street, center, LinkMode::of(request), LinkEnd::Start)
        .or_else(|| LinkedPlace::at_coordinate(street, center, LinkMode::Walk, LinkEnd::Start))
        .ok_or(AnalysisError::PlaceNotFound("from"))?;
    if budget <= 0.0 {
        return Ok(at_the_place(center, budget, form));
    }
    // All time counts, including the first wait.
    let request = RoutingRequest { direction: Direction::Forward, clamp_initial_wait: 0, ..request.clone() };
    let origin = Origin::Place(&place);
    let query = OneToMany { request: &request, origin, max_seconds: budget as i32, beyond_walk_limit: true };
    let values = one_to_many(snapshot, &query, scratch, deadline)?;
    let ground = Ground {
        graph: &snapshot.graph,
        values: &values,
        budget,
        travel: StreetPace::of(&request),
        request: &request,
    };
    Ok(match form {
        WalkshedForm::Points => Walkshed::Points(ground.points()),
        WalkshedForm::Edges => Walkshed::Edges(ground.lines(&place)),
        WalkshedForm::Shed => {
            let limit =
                if request.start_mode() == Mode::Walk { DETAILED_SECONDS } else { DETAILED_SECONDS_RIDING };
            let points = if budget > limit { ground.points() } else { ground.lines(&place).concat() };
            Walkshed::Shed(outline(&points))
        }
    })
}

/// The outline of what is reached; finer, if all of it is so close together that it would be a line.
fn outline(points: &[LatLon]) -> Ring {
    let of = |decimals: i32| concave_hull(points, LONGEST_SIDE_M, decimals);
    of(OUTLINE_DECIMALS).or_else(|| of(FINEST_DECIMALS)).unwrap_or_default()
}

fn check_budget(budget: f64) -> Result<(), AnalysisError> {
    if !budget.is_finite() {
        return Err(AnalysisError::Invalid("walkTime: is not a number".to_owned()));
    }
    if budget > f64::from(LONGEST_SECONDS) {
        return Err(AnalysisError::TooLarge(format!("walkTime: more than {} minutes", LONGEST_SECONDS / 60)));
    }
    Ok(())
}

/// What is reached within 0 seconds: the place itself, repeated as often as the reference repeats it.
/// Within less, nothing is reached.
fn at_the_place(center: LatLon, seconds: f64, form: WalkshedForm) -> Walkshed {
    let positions = if seconds < 0.0 { 0 } else { CIRCLE_POSITIONS };
    match form {
        WalkshedForm::Edges => Walkshed::Edges(Vec::new()),
        WalkshedForm::Points => Walkshed::Points(vec![center; positions]),
        WalkshedForm::Shed => Walkshed::Shed(vec![center; positions]),
    }
}

/// The streets that are reached within a time.
struct Ground<'a> {
    graph: &'a Graph,
    values: &'a VertexValues,
    /// Seconds.
    budget: f64,
    travel: StreetPace,
    request: &'a RoutingRequest,
}

impl Ground<'_> {
    fn seconds_to(&self, vertex: u32) -> f64 {
        f64::from(self.values.seconds_to(VertexIdx(vertex)))
    }

    fn reached(&self, vertex: u32) -> bool {
        self.seconds_to(vertex) <= self.budget
    }

    /// The vertices that are reached, with their seconds.
    fn all_reached(&self) -> impl Iterator<Item = (VertexIdx, f64)> + '_ {
        let seconds = self.values.seconds.iter().map(|&seconds| f64::from(seconds));
        let all = self.values.vertices.iter().map(VertexIdx).zip(seconds);
        all.filter(|(_, seconds)| *seconds <= self.budget)
    }

    /// The positions of the vertices and stops that are reached.
    fn points(&self) -> Vec<LatLon> {
        let vertices = self.all_reached().map(|(vertex, _)| self.graph.street.position(vertex));
        let stops = &self.graph.timetable.stops;
        vertices.chain(self.stops().into_iter().map(|stop| stops.position(stop))).collect()
    }

    /// The stops that are reached, in their order. Cars do not reach stops.
    fn stops(&self) -> Vec<StopIdx> {
        if self.request.start_mode() == Mode::Car {
            return Vec::new();
        }
        let seconds_to = |stop: StopIdx, vertex: u32| {
            self.seconds_to(vertex) + f64::from(self.graph.stop_link_seconds(stop))
        };
        let is_barred = |stop| self.request.wheelchair && self.graph.timetable.stops.bars_wheelchairs(stop);
        let mut reached: Vec<StopIdx> =
            links_within(&self.graph.street, self.all_reached().map(|(vertex, _)| vertex))
                .map(|link| (StopIdx(link.stop), link.vertex))
                .filter(|&(stop, vertex)| seconds_to(stop, vertex) <= self.budget && !is_barred(stop))
                .map(|(stop, _)| stop)
                .collect();
        reached.dedup();
        reached
    }

    /// The lines of all reached streets, each once, cut where the time ends, and the line to the place.
    fn lines(&self, place: &LinkedPlace) -> Vec<Vec<LatLon>> {
        let mut lines = vec![vec![place.position, place.snapped]];
        lines.extend(self.lines_at(place));
        let mut whole = FxHashSet::default();
        for (vertex, seconds) in self.all_reached() {
            for e in self.graph.street.out_edges(vertex) {
                let edge = self.graph.street.edge(EdgeIdx(e));
                if edge.kind() != EdgeKind::Street || !edge.has(self.travel.permission) {
                    continue;
                }
                let ends = (edge.from.min(edge.to), edge.from.max(edge.to), edge.length_mm);
                let left = self.budget - seconds;
                let metres = left * self.travel.speed_on(&edge);
                let is_whole = self.reached(edge.to) || metres >= edge.length_m();
                if !is_whole {
                    let share = metres / edge.length_m();
                    lines.push(cut(self.graph.street.edge_line(EdgeIdx(e)), share));
                } else if whole.insert(ends) {
                    lines.push(self.graph.street.edge_line(EdgeIdx(e)).collect());
                }
            }
        }
        lines.retain(|line| line.len() > 1);
        lines
    }

    /// The streets at the place itself, as far as the time allows if their ends are not reached.
    fn lines_at<'s>(&'s self, place: &'s LinkedPlace) -> impl Iterator<Item = Vec<LatLon>> + 's {
        place.splits.iter().filter_map(|split| {
            let edge = self.graph.street.edge(split.edge);
            let metres = self.budget * self.travel.speed_on(&edge);
            let after = f64::from(split.after_mm) / 1000.0;
            if !edge.has(self.travel.permission) || self.reached(edge.to) || after <= 0.0 {
                return None;
            }
            let line: Vec<LatLon> = self.graph.street.edge_line(split.edge).collect();
            let rest = cut(line.into_iter().rev(), 1.0 - split.fraction);
            Some(cut(rest.into_iter().rev(), metres / after))
        })
    }
}

/// The first `share` (0 to 1) of a line.
fn cut(line: impl Iterator<Item = LatLon>, share: f64) -> Vec<LatLon> {
    let line: Vec<LatLon> = line.collect();
    let total = length_m(&line);
    let mut left = total * share.clamp(0.0, 1.0);
    let mut kept: Vec<LatLon> = line.first().copied().into_iter().collect();
    for pair in line.windows(2) {
        let piece = distance_m(pair[0], pair[1]);
        if piece >= left {
            let k = if piece > 0.0 { left / piece } else { 0.0 };
            let (a, b) = (pair[0], pair[1]);
            kept.push(LatLon::new(a.lat + (b.lat - a.lat) * k, a.lon + (b.lon - a.lon) * k));
            return kept;
        }
        left -= piece;
        kept.push(pair[1]);
    }
    kept
}

#[cfg(test)]
mod tests {
    use trestle_model::geo::meters_to_degrees;

    use super::*;

    #[test]
    fn lines_are_cut_at_their_share() {
        let metre = meters_to_degrees(1.0);
        let line = [0.0, 100.0, 400.0].map(|m| LatLon::new(m * metre, 0.0));
        let ends = |share: f64| {
            cut(line.into_iter(), share).iter().map(|p| (p.lat / metre).round()).collect::<Vec<_>>()
        };
        assert_eq!(ends(0.5), [0.0, 100.0, 200.0]);
        assert_eq!(ends(0.125), [0.0, 50.0]);
        assert_eq!(ends(7.0), [0.0, 100.0, 400.0]);
    }

    #[test]
    fn in_no_time_there_is_the_place_and_in_less_nothing() {
        let center = LatLon::new(1.0, 2.0);
        assert_eq!(at_the_place(center, 0.0, WalkshedForm::Points), Walkshed::Points(vec![center; 33]));
        assert_eq!(at_the_place(center, -1.0, WalkshedForm::Shed), Walkshed::Shed(Vec::new()));
        assert_eq!(at_the_place(center, 0.0, WalkshedForm::Edges), Walkshed::Edges(Vec::new()));
    }
}
