//! Travel times from many origins to many destinations.

mod one_origin;

pub use one_origin::{MatrixRow, MatrixTimes, matrix_row};
