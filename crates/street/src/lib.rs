//! The street layer: OSM in, a street graph of flat columns, and searches over it. Knows no stop schedule.

mod geometry;
pub mod graph;
pub mod link;
pub mod path;
