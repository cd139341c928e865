//! The street layer: OSM in, a street graph of flat columns, and searches over it. It knows nothing of timetables.

mod added_stops;
mod arc;
pub mod base_map;
pub mod build;
pub mod contraction;
pub mod cost;
pub mod disjoint_sets;
mod edge;
mod edge_index;
pub mod elevation;
pub mod elevation_profiles;
mod elevation_slope;
pub mod error;
pub mod gazetteer;
mod geometry;
pub mod graph;
pub mod grid_shapes;
pub mod link;
pub mod nearest_vertices;
mod numbering;
pub mod osm;
pub mod path;
mod rules;
pub mod search;
mod street_record;

#[cfg(test)]
mod testing;
