//! One-to-many analysis: isochrones, time grids, surfaces, matrices, profiles.

mod isochrone;
mod matrix;
mod older_isochrones;
mod profile;
mod surface;
