//! A built graph: both layers and what is known about the whole.

use trestle_model::{Column, Strings, columns};
use trestle_street::graph::StreetGraph;
use trestle_transit::timetable::Timetable;

columns! {
    /// Facts about the whole graph, computed by the build.
    pub struct GraphFacts {
        /// Convex hull of all vertices and stops: closed ring of (lon, lat).
        pub hull: Column<[f64; 2]>,
        /// South, west, north, east of all vertices and stops (one entry).
        pub envelope: Column<[f64; 4]>,
        /// Centre shown to clients: lat, lon (one entry).
        pub center: Column<[f64; 2]>,
        /// Seconds between street and platform of each stop (`subwayAccessTime` for subway stops, else 0).
        pub stop_access_seconds: Column<u32>,
        /// `router:` router-config.json, `build:` build-config.json.
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
    fn text(&self, index: u32, prefix: &str) -> Option<&str> {
        self.facts.texts.get(index).strip_prefix(prefix).filter(|text| !text.is_empty())
    }

    /// The router-config.json that was embedded at build time.
    pub fn embedded_router_config(&self) -> Option<&str> {
        self.text(1, "router:")
    }

    /// The build-config.json that was embedded at build time.
    pub fn embedded_build_config(&self) -> Option<&str> {
        self.text(2, "build:")
    }

    /// Whether any transit was built in.
    pub fn has_transit(&self) -> bool {
        !self.timetable.patterns.code.is_empty()
    }
}
