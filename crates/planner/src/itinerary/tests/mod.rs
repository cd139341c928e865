//! The narrative on small hand-made graphs.

mod graphs;
mod streets;
mod transit;
