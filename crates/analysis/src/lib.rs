//! Searches from one place to everywhere, and what is made of them: isochrones, surfaces, their images, and matrices.
//! Each is a function of a snapshot, a request, the scratch memory of a search thread and a deadline.

mod error;
pub mod isochrone;
pub mod matrix;
pub mod one_to_many;
pub mod raster;
pub mod samples;
mod scratch;
pub mod surface;
pub mod vertex_set;

pub use error::AnalysisError;
pub use scratch::Scratch;
