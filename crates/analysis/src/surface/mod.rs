//! Travel-time surfaces: one search to everywhere, kept to answer many questions.

pub mod crs;
pub mod geotiff;
pub mod images;
pub mod indicator;
mod kept_times;
mod tile_samples;
mod travel_times;
mod window;
mod written;

pub use travel_times::{Surface, surface, surface_contours};
pub use trestle_transit::raptor::UNREACHED;
pub use window::{DepartureWindow, Statistic, window_surfaces};
