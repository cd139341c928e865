//! Isochrones and time grids of a request.

use rustc_hash::FxHashMap;
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::processors::{Supply, on_processors};
use trestle_street::cost::StreetPace;

use super::cleaning::valid_polygons;
use super::grid::{Grid, GridFrame};
use super::isoline::IsolineTracer;
use super::polygons::{Polygon, without_stray_holes};
use super::sampled::Sampled;
use super::sampling::sample_streets;
use super::sampling_rules::SamplingRules;
use super::start_street::StartStreet;
use crate::error::AnalysisError;
use crate::one_to_many::{OneToMany, Origin, center, one_to_many};
use crate::scratch::Scratch;

/// Smallest cell and off-road distance, metres.
const LEAST_METERS: i32 = 10;

/// Streets are searched this many seconds beyond the longest time for each metre off the road, so that the edge of the
/// area is sampled as densely as its inside.
const OVERSHOOT: i32 = 2;

/// Longest time that may be requested, seconds.
pub const LONGEST_SECONDS: i32 = 86_400;

/// How a place's surroundings are sampled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SampledArea {
    /// Longest time, seconds.
    pub max_seconds: i32,
    /// Cell of the grid, metres.
    pub precision_m: i32,
    /// Farthest from a street, metres.
    pub off_road_m: i32,
    /// A position exactly on a node of the grid; the centre when absent.
    pub anchor: Option<LatLon>,
}

impl SampledArea {
    fn check(&self) -> Result<(), AnalysisError> {
        if self.precision_m < LEAST_METERS {
            return Err(AnalysisError::Invalid(format!("Too small precisionMeters: {}", self.precision_m)));
        }
        if self.off_road_m < LEAST_METERS {
            let text = format!("Too small offRoadDistanceMeters: {}", self.off_road_m);
            return Err(AnalysisError::Invalid(text));
        }
        if self.max_seconds > LONGEST_SECONDS {
            return Err(AnalysisError::TooLarge(format!(
                "cutoffSec and maxTimeSec: {} seconds, but at most {LONGEST_SECONDS} can be searched",
                self.max_seconds
            )));
        }
        Ok(())
    }
}

/// The ground reached within a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// Cutoff, seconds.
    pub seconds: i32,
    /// The ground; empty when nothing is reached.
    pub polygons: Vec<Polygon>,
}

/// Grid of times around (backward: towards) the request's place. A `Grid<Seconds>` has the times alone, which is
/// enough for [`contours`]; a plain [`Grid`] also has boardings and distances.
pub fn time_grid<S: Sampled>(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    area: &SampledArea,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Grid<S>, AnalysisError> {
    area.check()?;
    let center = center(snapshot, request)?;
    let max_seconds = area.max_seconds + OVERSHOOT * area.off_road_m.min(LONGEST_SECONDS);
    // Samples beyond the walking limit are dropped.
    let query = OneToMany { request, origin: Origin::Center(center), max_seconds, beyond_walk_limit: false };
    let values = one_to_many(snapshot, &query, scratch, deadline)?;
    let anchor = area.anchor.unwrap_or(center);
    let frame = GridFrame::new(anchor, f64::from(area.precision_m), f64::from(area.off_road_m));
    let start = StartStreet::of(snapshot, request, center);
    let rules = SamplingRules { start: start.as_ref(), ..sampling_rules(request, area) };
    deadline.check()?;
    sample_streets(&snapshot.graph.street, &values, &rules, frame).map_err(|error| {
        AnalysisError::TooLarge(format!("precisionMeters and offRoadDistanceMeters: {error}"))
    })
}

fn sampling_rules(request: &RoutingRequest, area: &SampledArea) -> SamplingRules<'static> {
    SamplingRules {
        step_m: f64::from(area.precision_m) / 2.0,
        travel: StreetPace::of(request),
        max_seconds: f64::from(area.max_seconds),
        max_walk_distance: if request.uses_transit() { request.max_walk_distance } else { f64::INFINITY },
        start: None,
    }
}

/// Largest product of the nodes and the different cutoffs of a request.
const MAX_TRACED: u64 = 240_000_000;

/// Tracing a grid with fewer nodes than this on several processors gains nothing.
const NODES_WORTH_A_THREAD: u64 = 20_000;

fn node_count<S: Sampled>(grid: &Grid<S>) -> u64 {
    let (_, _, width, height) = grid.rectangle();
    i64::from(width) as u64 * i64::from(height) as u64
}

/// The different cutoffs, the longest first, unless they are too many for the nodes of the grid.
fn different<S: Sampled>(grid: &Grid<S>, cutoffs: &[i32]) -> Result<Vec<i32>, AnalysisError> {
    let mut different = cutoffs.to_vec();
    different.sort_unstable_by(|a, b| b.cmp(a));
    different.dedup();
    let nodes = node_count(grid);
    match nodes.saturating_mul(different.len() as u64) {
        traced if traced <= MAX_TRACED => Ok(different),
        _ => Err(AnalysisError::TooLarge(format!(
            "{} cutoffs are too many for a grid of {nodes} nodes; use larger cells or fewer cutoffs",
            different.len()
        ))),
    }
}

/// One contour per cutoff of a closed grid, in their order; equal cutoffs are traced once, and different ones of a large
/// grid on all processors. Coordinates have `decimals` decimals.
///
/// # Errors
/// [`AnalysisError`]: too many cutoffs for the number of nodes, or stopped.
pub fn contours<S: Sampled>(
    grid: &Grid<S>,
    cutoffs: &[i32],
    decimals: u32,
    deadline: &Deadline,
) -> Result<Vec<Contour>, AnalysisError> {
    let different = different(grid, cutoffs)?;
    let most = if node_count(grid) < NODES_WORTH_A_THREAD { 1 } else { different.len() };
    let left = Supply::of(different);
    let traced = on_processors(most, || {
        let mut tracer = IsolineTracer::new(grid);
        let trace = |seconds| deadline.check().map(|()| contour(&mut tracer, seconds, decimals));
        std::iter::from_fn(|| left.take()).map(trace).collect::<Result<Vec<_>, _>>()
    });
    let traced = traced.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
    let mut by_cutoff: FxHashMap<i32, Contour> = traced.map(|contour| (contour.seconds, contour)).collect();
    // Contours may be large, so only those of equal cutoffs are copied.
    let take = |(number, seconds): (usize, &i32)| match cutoffs[number + 1..].contains(seconds) {
        true => by_cutoff.get(seconds).cloned(),
        false => by_cutoff.remove(seconds),
    };
    Ok(cutoffs.iter().enumerate().filter_map(take).collect())
}

fn contour<S: Sampled>(tracer: &mut IsolineTracer<'_, S>, seconds: i32, decimals: u32) -> Contour {
    let rings = without_stray_holes(tracer.rings(f64::from(seconds)));
    Contour { seconds, polygons: valid_polygons(&rings, decimals) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_cutoffs_over_a_large_grid_are_refused() {
        let frame = GridFrame::new(LatLon::new(0.0, 0.0), 10.0, 10.0);
        let grid: Grid = Grid::covering(frame, frame.node(0, 0), frame.node(1500, 1500)).unwrap();
        let ask = |cutoffs: &[i32]| contours(&grid, cutoffs, 4, &Deadline::default());
        assert!(ask(&[60; 200]).is_ok(), "equal ones are traced once");
        let seconds = |cutoffs: &[i32]| ask(cutoffs).unwrap().iter().map(|c| c.seconds).collect::<Vec<_>>();
        assert_eq!(seconds(&[60, 30, 60, 90, 30]), [60, 30, 60, 90, 30]);
        let many: Vec<i32> = (1..=200).collect();
        assert!(matches!(ask(&many), Err(AnalysisError::TooLarge(_))));
    }

    #[test]
    fn the_longest_time_is_refused_by_its_names() {
        let area =
            SampledArea { max_seconds: LONGEST_SECONDS + 1, precision_m: 200, off_road_m: 150, anchor: None };
        assert!(area.check().unwrap_err().to_string().starts_with("cutoffSec and maxTimeSec: 86401 seconds"));
    }
}
