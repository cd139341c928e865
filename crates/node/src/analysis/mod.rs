//! One-to-many analysis: isochrones, time grids, surfaces, matrices.

mod isochrone;
mod matrix;
mod run;
mod surface;
