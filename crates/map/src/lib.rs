//! Views of a graph: the pictures of the inspector, vector tiles, and the geocoder.

pub mod geocoder;
pub mod inspector;
mod stop_modes;
pub mod vector_tiles;
