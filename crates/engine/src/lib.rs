//! Where streets and transit meet: the graph, its file, its build, and the use cases over it.
//! A use case is a pure function of (snapshot, request, deadline); a graph never changes once built.

pub mod graph;
pub mod snapshot;
pub mod store;
