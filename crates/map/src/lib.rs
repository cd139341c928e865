//! Looking at a graph and finding places in it: the pictures of the inspector, vector tiles, and the geocoder.

pub mod geocoder;
pub mod inspector;
pub mod vector_tiles;
