//! Pictures of the graph for people who examine it: streets, stops and links in the colours of a layer.

mod canvas;
mod connections;
mod islands;
mod labels;
mod layers;
mod overview;
mod pieces;
mod projection;
mod tile;

pub(crate) use islands::Islands;
pub use layers::{LAYERS, Layer};
pub use tile::render;
