//! Travel times from many origins to many destinations.

mod egress_table;
mod egress_tables;
mod one_origin;
mod stop_cells;

pub use one_origin::{Matrix, MatrixQuery, MatrixRow};
