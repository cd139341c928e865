//! Points of interest and destinations, joined to the streets.

use std::sync::{Arc, Mutex, PoisonError};

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;

use super::sample_grid::Sample;
use super::vertex_index::VertexIndex;

/// Number of lists of points that are kept with their streets.
const KEPT_LISTS: usize = 4;

/// Points and how they are joined to the streets.
type LinkedPoints = (Vec<LatLon>, Arc<[Sample]>);

/// The most recently made last.
#[derive(Default)]
struct KeptPoints(Mutex<Vec<LinkedPoints>>);

/// Joins points to the streets; the result is the same for all surfaces of a graph.
pub fn link_points(index: &VertexIndex, points: &[LatLon]) -> Vec<Sample> {
    points.iter().map(|&point| index.nearest(point).into()).collect()
}

/// Joins points to the streets and keeps the latest lists, such as the destinations of recent matrices.
pub fn linked_points(snapshot: &Snapshot, points: &[LatLon]) -> Arc<[Sample]> {
    let index = VertexIndex::of(snapshot);
    // Concurrent requests for the same points wait for the first one.
    let KeptPoints(lists) = snapshot.derived_from_streets.get();
    let mut lists = lists.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, kept)) = lists.iter().find(|(list, _)| list == points) {
        return kept.clone();
    }
    let linked: Arc<[Sample]> = link_points(index, points).into();
    if lists.len() >= KEPT_LISTS {
        lists.remove(0);
    }
    lists.push((points.to_vec(), linked.clone()));
    linked
}
