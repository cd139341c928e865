//! Points of interest and destinations, joined to the streets.

use std::sync::{Arc, Mutex, PoisonError};

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_street::graph::StreetGraph;
use trestle_street::nearest_vertices::{SearchEnd, nearest_open_vertices};

use super::sample_grid::{NO_VERTEX, Sample};
use super::vertex_index::{CANDIDATES, Nearest, VertexIndex};

/// Number of lists of points that are kept with their streets.
const KEPT_LISTS: usize = 4;

/// Points, how travellers get there, and the nodes that they are joined to.
type LinkedPoints = (Vec<LatLon>, SearchEnd, Arc<[Sample]>);

/// The most recently made last.
#[derive(Default)]
struct KeptPoints(Mutex<Vec<LinkedPoints>>);

/// Joins points to the streets; the result is the same for all surfaces of a graph.
pub fn link_points(index: &VertexIndex, points: &[LatLon]) -> Vec<Sample> {
    points.iter().map(|&point| index.nearest(point).into()).collect()
}

/// Joins the destinations of a matrix to the streets and keeps the latest lists. A destination to whose nodes no
/// car gets, as on footpaths, is joined to nodes to which one does.
pub fn linked_points(snapshot: &Snapshot, points: &[LatLon], by: SearchEnd) -> Arc<[Sample]> {
    let street = &snapshot.graph.street;
    let index = VertexIndex::of(snapshot);
    // Concurrent requests for the same points wait for the first one.
    let KeptPoints(lists) = snapshot.derived_from_streets.get();
    let mut lists = lists.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((.., kept)) = lists.iter().find(|(list, end, _)| *end == by && list == points) {
        return kept.clone();
    }
    let linked: Arc<[Sample]> = points.iter().map(|&point| open_nodes(street, index, point, by)).collect();
    if lists.len() >= KEPT_LISTS {
        lists.remove(0);
    }
    lists.push((points.to_vec(), by, linked.clone()));
    linked
}

fn open_nodes(street: &StreetGraph, index: &VertexIndex, point: LatLon, by: SearchEnd) -> Sample {
    let nearest: Sample = index.nearest(point).into();
    let joined = nearest.vertices.into_iter().filter(|&vertex| vertex != NO_VERTEX).map(VertexIdx);
    if !by.is_closed_at(street, joined) {
        return nearest;
    }
    let mut open = Nearest::default();
    for (vertex, metres) in nearest_open_vertices(street, point, CANDIDATES, by) {
        open.offer(vertex.0, metres);
    }
    let open = Sample::from(open);
    if open.exists() { open } else { nearest }
}
