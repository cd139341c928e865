//! The street layer: OSM in, a street graph of flat columns, and searches over it. Knows no stop schedule.

pub mod graph;
pub mod link;
pub mod path;
