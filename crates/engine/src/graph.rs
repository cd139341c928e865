//! A built graph: both layers and what is known about the whole.

use trestle_model::ids::StopIdx;
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

    /// Stops of the same station that the build joined to a stop by free edges.
    pub fn station_mates(&self, stop: StopIdx) -> impl Iterator<Item = StopIdx> + '_ {
        let transfers = &self.timetable.transfers;
        let offset = |i: usize| transfers.direct_offsets.get(i).map_or(0, |&offset| offset as usize);
        let range = offset(stop.index())..offset(stop.index() + 1);
        let direct = transfers.direct.get(range).unwrap_or_default();
        direct.iter().filter(|t| t.seconds == 0 && t.meters == 0.0).map(|t| StopIdx(t.to_stop))
    }

    /// Pairs of stops that free edges of a station join, sorted: who is at the second is at the first as well.
    pub fn joined_stops(&self) -> Vec<(StopIdx, StopIdx)> {
        let stops = (0..self.timetable.stops.id.len()).map(StopIdx::from);
        stops.flat_map(|stop| self.station_mates(stop).map(move |mate| (stop, mate))).collect()
    }

    /// Seconds between the street and the platform of a stop: one for the link, and the time of access.
    pub fn stop_link_seconds(&self, stop: StopIdx) -> i32 {
        1 + self.facts.stop_access_seconds.get(stop.index()).copied().unwrap_or(0) as i32
    }

    /// Whether any transit was built in.
    pub fn has_transit(&self) -> bool {
        !self.timetable.patterns.code.is_empty()
    }
}
