//! Places and pixels, joined to the street nodes that are near them.

mod linked_points;
mod open_nodes;
mod sample_grid;
mod vertex_index;

pub use linked_points::{Destination, LinkedPoints, linked_destinations};
pub use open_nodes::OpenNodes;
pub use sample_grid::{NO_VERTEX, Sample, SampleGrid};
pub use vertex_index::{SAMPLE_RADIUS_M, VertexIndex};
