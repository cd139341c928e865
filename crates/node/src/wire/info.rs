//! Facts about a graph and a build.

use std::sync::Arc;

use napi_derive::napi;
use trestle_engine::build::BuildOutcome;
use trestle_engine::graph::Graph;
use trestle_engine::info::{GraphDescription, describe};
use trestle_engine::snapshot::Snapshot;
use trestle_engine::store;

use super::made::made;

made! {
    /// The corners of an area.
    pub struct Corners from (edges: [f64; 4]) {
        pub lower_left_latitude: f64 = edges[0],
        /// Greater than that of the upper right corner where the area lies on both sides of the 180th meridian.
        pub lower_left_longitude: f64 = edges[1],
        pub upper_right_latitude: f64 = edges[2],
        pub upper_right_longitude: f64 = edges[3],
    }
}

made! {
    /// What a graph holds and covers.
    pub struct GraphInfo from (snapshot: &Snapshot, graph: &Graph, facts: &GraphDescription) {
        /// Convex hull: lon0, lat0, lon1, lat1, ... (closed ring). If it crosses the 180th meridian,
        /// longitudes beyond it exceed 180.
        pub polygon: Vec<f64> = facts.hull.iter().flatten().copied().collect(),
        /// When the graph file was written, epoch seconds.
        pub build_time: f64 = snapshot.built_ms as f64 / 1000.0,
        /// Midnight of the first service date in the time zone of the graph, epoch seconds; absent without transit.
        pub transit_service_starts: Option<i64> = facts.service_period.map(|p| p.0),
        /// Midnight after the last service date in the time zone of the graph, epoch seconds; absent without transit.
        pub transit_service_ends: Option<i64> = facts.service_period.map(|p| p.1),
        /// The earliest midnight of a first service date in the time zones of the feeds, epoch seconds; absent without transit.
        /// Plans are found from then on.
        pub earliest_service_start: Option<i64> = facts.service_period_in_all_zones.map(|p| p.0),
        /// The latest midnight after a last service date in the time zones of the feeds, epoch seconds; absent without
        /// transit. Plans are found until then.
        pub latest_service_end: Option<i64> = facts.service_period_in_all_zones.map(|p| p.1),
        /// Modes of the routes.
        #[napi(ts_type = "Array<RouteMode>")]
        pub transit_modes: Vec<String> = facts.transit_modes.iter().map(|m| m.name().to_owned()).collect(),
        pub center_latitude: f64 = facts.center[0],
        pub center_longitude: f64 = facts.center[1],
        // The envelope is south, west, north, east.
        pub lower_left_latitude: f64 = facts.envelope[0],
        /// Greater than that of the upper right corner where the graph lies on both sides of the 180th meridian.
        pub lower_left_longitude: f64 = facts.envelope[1],
        pub upper_right_latitude: f64 = facts.envelope[2],
        pub upper_right_longitude: f64 = facts.envelope[3],
        /// The area of most stops with trips, or of those near streets if some are; absent without transit.
        pub transit_area: Option<Corners> = facts.transit_envelope.map(Corners::from),
        /// The area of the base map, in which lakes and woods may lie beyond the streets; absent without one.
        pub map_area: Option<Corners> = facts.map_envelope.map(Corners::from),
        pub has_park_ride: bool = facts.has_park_ride,
        /// Rental stations from OSM.
        pub has_bike_sharing: bool = facts.has_bike_sharing,
        pub has_bike_park: bool = facts.has_bike_park,
        /// Streets or features of the base map come from OpenStreetMap, which maps have to name.
        pub has_open_street_map: bool = has_map(graph),
        pub vertices: u32 = graph.street.vertex_count() as u32,
        pub edges: u32 = graph.street.edge_count() as u32,
        pub stops: u32 = graph.timetable.stops.id.len() as u32,
        pub routes: u32 = graph.timetable.routes.id.len() as u32,
        pub patterns: u32 = graph.timetable.patterns.code.len() as u32,
        pub trips: u32 = graph.timetable.trips.id.len() as u32,
        /// IANA name.
        pub time_zone: String = graph.timetable.time_zone_name().to_owned(),
        /// router-config.json embedded at build time.
        pub router_config: Option<String> = graph.embedded_router_config().map(str::to_owned),
    }
}

/// The days on which trips run.
#[napi(object)]
pub struct ServiceDays {
    /// The first of them, `20261123`.
    pub first: String,
    /// Trips of each day from the first to the last; one with frequencies counts once.
    pub trips: Vec<u32>,
}

/// One dropped or repaired input row.
#[napi(object)]
pub struct BuildIssue {
    pub code: String,
    pub file: String,
    pub line: i64,
    pub message: String,
}

/// How many issues of one code there were.
#[napi(object)]
pub struct IssueCount {
    pub code: String,
    pub count: i64,
}

/// Time of one build step.
#[napi(object)]
pub struct StepTime {
    pub step: String,
    /// Seconds it took.
    pub seconds: f64,
}

/// What a build did.
#[napi(object, object_from_js = false)]
pub struct BuildReport {
    /// Graph file written.
    pub path: String,
    pub bytes: i64,
    pub info: GraphInfo,
    pub steps: Vec<StepTime>,
    /// Kept issues (at most 1000 of each code; all are counted).
    pub issues: Vec<BuildIssue>,
    pub issue_counts: Vec<IssueCount>,
}

/// How far opening or building a graph is.
#[napi(object)]
pub struct WorkProgress {
    /// What is being done.
    pub step: String,
    /// How much of it is done, 0 to 1.
    pub fraction: f64,
}

fn has_map(graph: &Graph) -> bool {
    graph.street.vertex_count() > 0 || !graph.street.base_map.kind.is_empty()
}

pub(crate) fn graph_info(snapshot: &Snapshot) -> GraphInfo {
    GraphInfo::of(snapshot, &snapshot.graph, &describe(snapshot))
}

pub(crate) fn build_report(outcome: BuildOutcome) -> BuildReport {
    let built_ms = store::written_ms(&outcome.path);
    let snapshot = Snapshot::new(Arc::new(outcome.graph), built_ms);
    BuildReport {
        path: outcome.path.display().to_string(),
        bytes: outcome.bytes as i64,
        info: graph_info(&snapshot),
        steps: (outcome.steps.into_iter())
            .map(|(step, elapsed)| StepTime { step, seconds: elapsed.as_secs_f64() })
            .collect(),
        issues: (outcome.issues.issues().iter())
            .map(|i| BuildIssue {
                code: i.code.to_owned(),
                file: i.file.clone(),
                line: i.line as i64,
                message: i.message.clone(),
            })
            .collect(),
        issue_counts: (outcome.issues.counts())
            .map(|(code, count)| IssueCount { code: code.to_owned(), count: count as i64 })
            .collect(),
    }
}
