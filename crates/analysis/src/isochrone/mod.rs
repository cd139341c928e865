//! Isochrones: travel times sampled along streets into a grid, and its contours.

pub mod circles;
pub mod cleaning;
pub mod contours;
pub mod grid;
pub mod hull;
pub mod isoline;
mod long_streets;
pub mod polygons;
pub mod sampled;
pub mod sampling;
pub mod sampling_rules;
mod start_samples;
pub mod start_street;
pub mod walkshed;

pub use contours::{Contour, SampledArea, contours, time_grid};
pub use grid::Grid;
pub use sampled::Seconds;
