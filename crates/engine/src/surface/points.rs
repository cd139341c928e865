//! Points of interest with magnitudes.

use trestle_model::geo::LatLon;

use super::sample_grid::Sample;
use super::travel_times::Surface;
use super::vertex_index::VertexIndex;

/// Joins points to the streets; the same for all surfaces of a graph.
pub fn link_points(index: &VertexIndex, points: &[LatLon]) -> Vec<Sample> {
    points.iter().map(|&point| index.nearest(point).into()).collect()
}

/// Seconds from a surface to linked points, or [`super::UNREACHED`].
pub fn times_to(surface: &Surface, points: &[Sample], walk_speed: f64) -> Vec<i32> {
    points.iter().map(surface.times_at(walk_speed)).collect()
}
