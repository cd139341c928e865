//! Look-ups over the transit layer. Entities are named by their position in the graph; `find` resolves their ids. Each
//! entity takes some microseconds; what could take longer (walks, all clusters) runs on the pool or once per graph.
//!
//! Those that are given ids or positions return at once here, and a promise in the library, which calls them with a few
//! at a time (`src/native/look-ups.ts`).

mod entities;
mod timetables;
