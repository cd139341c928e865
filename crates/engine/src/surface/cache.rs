//! What analyses derive from the streets of a graph once: the index of their nodes, the samples of recently shown tiles.
//! Scenarios share it with their graph, so nothing here may depend on stops, on the timetable or on live data.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use trestle_model::geo::LatLon;
use trestle_model::ids::EdgeIdx;
use trestle_street::graph::{StreetGraph, edge_flags};

use super::points::link_points;
use super::sample_grid::{Sample, SampleGrid};
use super::vertex_index::VertexIndex;
use crate::isochrone::street_points::StreetPoints;
use crate::raster::tile::Tile;

/// Tiles whose samples are kept (about 0.8 MB each).
const KEPT_TILES: usize = 200;

/// Lists of points whose streets are kept.
const KEPT_POINT_LISTS: usize = 4;

/// Sets of points on all streets that are kept, and the most points that such a set may have (16 bytes each).
const KEPT_STREET_POINTS: usize = 2;
const MOST_STREET_POINTS: usize = 1 << 21;

/// Points and how they are joined to the streets.
type LinkedPoints = (Vec<LatLon>, Arc<[Sample]>);

/// Derived data of the streets of one graph.
#[derive(Default)]
pub struct AnalysisCache {
    index: OnceLock<VertexIndex>,
    bounds: OnceLock<[f64; 4]>,
    /// The most recently used last.
    tiles: Mutex<Vec<(Tile, Arc<SampleGrid>)>>,
    /// The most recently made last.
    points: Mutex<Vec<LinkedPoints>>,
    /// The most recently used last.
    street_points: Mutex<Vec<Arc<StreetPoints>>>,
}

impl AnalysisCache {
    /// The index of the nodes.
    pub fn vertex_index(&self, street: &StreetGraph) -> &VertexIndex {
        self.index.get_or_init(|| VertexIndex::build(street))
    }

    /// South, west, north, east of all streets that can be walked along.
    pub fn street_bounds(&self, street: &StreetGraph) -> [f64; 4] {
        *self.bounds.get_or_init(|| {
            let walkable = (0..street.edges.len()).filter(|&e| street.edges[e].has(edge_flags::WALK));
            let points = walkable.flat_map(|e| street.edge_line(EdgeIdx(e as u32)));
            points.fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |b, p| {
                [b[0].min(p.lat), b[1].min(p.lon), b[2].max(p.lat), b[3].max(p.lon)]
            })
        })
    }

    /// The points, at most `step_m` metres apart, at which streets are sampled.
    pub fn street_points(&self, street: &StreetGraph, step_m: f64) -> Arc<StreetPoints> {
        // Whoever wants the same points waits for them.
        let mut kept = self.street_points.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|points| points.step_m() == step_m) {
            let points = kept.remove(at);
            kept.push(points.clone());
            return points;
        }
        let made = Arc::new(StreetPoints::new(street, step_m));
        if made.point_count() <= MOST_STREET_POINTS {
            if kept.len() >= KEPT_STREET_POINTS {
                kept.remove(0);
            }
            kept.push(made.clone());
        }
        made
    }

    /// The samples of a tile, made when they are not kept.
    pub fn tile(&self, tile: Tile, make: impl FnOnce() -> SampleGrid) -> Arc<SampleGrid> {
        if let Some(kept) = self.take_up(tile) {
            return kept;
        }
        let made = Arc::new(make());
        let mut tiles = self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        if tiles.len() >= KEPT_TILES {
            tiles.remove(0);
        }
        tiles.push((tile, made.clone()));
        made
    }

    /// Points joined to the streets.
    pub fn linked_points(&self, street: &StreetGraph, points: &[LatLon]) -> Arc<[Sample]> {
        let index = self.vertex_index(street);
        // Whoever wants the same points waits for them.
        let mut lists = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, kept)) = lists.iter().find(|(list, _)| list == points) {
            return kept.clone();
        }
        let linked: Arc<[Sample]> = link_points(index, points).into();
        if lists.len() >= KEPT_POINT_LISTS {
            lists.remove(0);
        }
        lists.push((points.to_vec(), linked.clone()));
        linked
    }

    fn take_up(&self, tile: Tile) -> Option<Arc<SampleGrid>> {
        let mut tiles = self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        let at = tiles.iter().position(|(kept, _)| *kept == tile)?;
        let entry = tiles.remove(at);
        let samples = entry.1.clone();
        tiles.push(entry);
        Some(samples)
    }
}
