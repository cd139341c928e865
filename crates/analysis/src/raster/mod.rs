//! Images of analysis results.

pub mod encode;
pub mod palette;
pub mod tile;
pub mod time_grid_image;
