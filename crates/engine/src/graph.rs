//! A built graph: both layers and what is known about the whole.

use trestle_model::{Column, Strings, columns};
use trestle_street::graph::StreetGraph;
use trestle_transit::timetable::Timetable;

columns! {
    /// Facts about the whole graph, computed by the build.
    pub struct GraphFacts {
        /// Build time, epoch milliseconds (one entry).
        pub build_time_ms: Column<i64>,
        /// Convex hull of all vertices and stops: closed ring of (lon, lat).
        pub hull: Column<[f64; 2]>,
        /// South, west, north, east of all vertices and stops (one entry).
        pub envelope: Column<[f64; 4]>,
        /// Centre shown to clients: lat, lon (one entry).
        pub center: Column<[f64; 2]>,
        /// Street vertex at which the stop's own walks start: seconds from street to stop per stop
        /// (`subwayAccessTime` for subway stops, else 0).
        pub stop_access_seconds: Column<u32>,
        /// IANA name of the graph's time zone, then the texts of the embedded configuration:
        /// `[zone, router-config.json, build-config.json]`; empty texts when absent.
        pub texts: Strings,
    }
}

columns! {
    /// An immutable graph.
    pub struct Graph {
        /// Streets.
        pub street: StreetGraph,
        /// Transit.
        pub timetable: Timetable,
        /// The whole.
        pub facts: GraphFacts,
    }
}

impl Graph {
    /// IANA name of the graph's time zone (of the first agency; UTC without transit).
    pub fn zone_name(&self) -> &str {
        self.facts.texts.opt(1).unwrap_or("UTC")
    }

    /// The router-config.json that was embedded at build time.
    pub fn embedded_router_config(&self) -> Option<&str> {
        self.facts.texts.opt(2)
    }
}
