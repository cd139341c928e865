//! Travel-time surfaces: one search to everywhere, kept to be looked at in many ways.

pub mod cache;
pub mod crs;
pub mod geotiff;
pub mod images;
pub mod indicator;
pub mod points;
pub mod sample_grid;
mod travel_times;
pub mod vertex_index;
mod window;

pub use travel_times::{Surface, surface, surface_contours};
pub use trestle_transit::raptor::UNREACHED;
pub use window::{Statistic, Window, window_surfaces};
