//! Images of analysis results.

pub mod palette;
pub mod tile;
