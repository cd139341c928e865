//! Isochrones: from travel times on streets to polygons.

pub mod grid;
pub mod isoline;
pub mod polygons;
pub mod sampling;
