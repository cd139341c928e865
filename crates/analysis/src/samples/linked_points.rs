//! Points of interest and destinations, joined to the streets.

use std::sync::{Arc, Mutex, PoisonError};

use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_street::link::{LinkEnd, LinkMode};
use trestle_street::nearest_vertices::SearchEnd;

use super::drivers::NodesOfDrivers;
use super::sample_grid::Sample;
use super::vertex_index::VertexIndex;

/// Number of lists of points that are kept with their streets.
const KEPT_LISTS: usize = 4;

/// Points, how travellers get there, and the nodes that they are joined to.
type LinkedPoints = (Vec<LatLon>, SearchEnd, Arc<[Sample]>);

/// The most recently made last.
#[derive(Default)]
struct KeptPoints(Mutex<Vec<LinkedPoints>>);

/// Points that are joined to the streets, for all surfaces of a graph.
#[derive(Clone, PartialEq, Debug)]
pub struct SurfacePoints {
    /// For all who do not drive.
    samples: Vec<Sample>,
    /// Those of drivers that differ, with the number of their point: where they set out, and where they arrive.
    driven: [Vec<(usize, Sample)>; 2],
}

impl SurfacePoints {
    /// Joins points to the streets of a graph.
    pub fn new(snapshot: &Snapshot, points: &[LatLon]) -> SurfacePoints {
        let index = VertexIndex::of(snapshot);
        let samples: Vec<Sample> = points.iter().map(|&point| index.nearest(point).into()).collect();
        let driven = [LinkEnd::Start, LinkEnd::Destination].map(|end| {
            let nodes = NodesOfDrivers::at(snapshot, SearchEnd { mode: LinkMode::Car, end });
            let of_drivers = |sample: Sample, at: LatLon| match &nodes {
                Some(nodes) => nodes.instead_of(sample, at),
                None => sample,
            };
            let both = samples.iter().zip(points).map(|(&sample, &at)| (sample, of_drivers(sample, at)));
            let differ = both.enumerate().filter(|(_, (sample, open))| sample != open);
            differ.map(|(number, (_, open))| (number, open)).collect()
        });
        SurfacePoints { samples, driven }
    }

    /// The samples for all who do not drive, and those that take their place for a search's end elsewhere.
    pub fn samples(&self, by: SearchEnd) -> (&[Sample], &[(usize, Sample)]) {
        let [set_out, arrive] = &self.driven;
        let others = match by {
            SearchEnd { mode: LinkMode::Car, end: LinkEnd::Destination } => arrive.as_slice(),
            SearchEnd { mode: LinkMode::Car, .. } => set_out,
            _ => &[],
        };
        (&self.samples, others)
    }
}

/// Joins the destinations of a matrix to the streets and keeps the latest lists. A destination to whose nodes no
/// car gets, as on footpaths, is joined to nodes to which one does.
pub fn linked_points(snapshot: &Snapshot, points: &[LatLon], by: SearchEnd) -> Arc<[Sample]> {
    let index = VertexIndex::of(snapshot);
    // Concurrent requests for the same points wait for the first one.
    let KeptPoints(lists) = snapshot.derived_from_streets.get();
    let mut lists = lists.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((.., kept)) = lists.iter().find(|(list, end, _)| *end == by && list == points) {
        return kept.clone();
    }
    let nodes = NodesOfDrivers::at(snapshot, by);
    let join = |&point: &LatLon| {
        let nearest = index.nearest(point).into();
        nodes.as_ref().map_or(nearest, |nodes| nodes.instead_of(nearest, point))
    };
    let linked: Arc<[Sample]> = points.iter().map(join).collect();
    if lists.len() >= KEPT_LISTS {
        lists.remove(0);
    }
    lists.push((points.to_vec(), by, linked.clone()));
    linked
}
