//! Look-ups over the transit layer, answered from its columns.

pub mod stop_times;
