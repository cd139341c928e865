//! Travel times from many origins to many destinations.

mod egress_table;
mod one_origin;
mod stop_cells;

pub use egress_table::EgressTable;
pub use one_origin::{Matrix, MatrixQuery, MatrixRow};
