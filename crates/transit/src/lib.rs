//! The transit layer: GTFS in, a timetable of flat columns, and round-based searches over it. Knows no street.

pub mod path;
pub mod timetable;
