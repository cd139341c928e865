//! Facts about a graph and a build.

use std::sync::Arc;

use napi_derive::napi;
use trestle_engine::build::BuildOutcome;
use trestle_engine::info::describe;
use trestle_engine::snapshot::Snapshot;
use trestle_engine::store;

/// The corners of an area.
#[napi(object)]
pub struct Corners {
    pub lower_left_latitude: f64,
    /// Greater than that of the upper right corner where the area lies on both sides of the 180th meridian.
    pub lower_left_longitude: f64,
    pub upper_right_latitude: f64,
    pub upper_right_longitude: f64,
}

/// What a graph holds and covers.
#[napi(object)]
pub struct GraphInfo {
    /// Convex hull: lon0, lat0, lon1, lat1, ... (closed ring). If it crosses the 180th meridian,
    /// longitudes beyond it exceed 180.
    pub polygon: Vec<f64>,
    /// When the graph file was written, epoch seconds.
    pub build_time: f64,
    /// Midnight of the first service date in the time zone of the graph, epoch seconds; absent without transit.
    pub transit_service_starts: Option<i64>,
    /// Midnight after the last service date in the time zone of the graph, epoch seconds; absent without transit.
    pub transit_service_ends: Option<i64>,
    /// The earliest midnight of a first service date in the time zones of the feeds, epoch seconds; absent without transit.
    /// Plans are found from then on.
    pub earliest_service_start: Option<i64>,
    /// The latest midnight after a last service date in the time zones of the feeds, epoch seconds; absent without
    /// transit. Plans are found until then.
    pub latest_service_end: Option<i64>,
    /// Modes of the routes.
    #[napi(ts_type = "Array<RouteMode>")]
    pub transit_modes: Vec<String>,
    pub center_latitude: f64,
    pub center_longitude: f64,
    pub lower_left_latitude: f64,
    /// Greater than that of the upper right corner where the graph lies on both sides of the 180th meridian.
    pub lower_left_longitude: f64,
    pub upper_right_latitude: f64,
    pub upper_right_longitude: f64,
    /// The area of most stops with trips, or of those near streets if some are; absent without transit.
    pub transit_area: Option<Corners>,
    pub has_park_ride: bool,
    /// Rental stations from OSM.
    pub has_bike_sharing: bool,
    pub has_bike_park: bool,
    /// Streets or features of the base map come from OpenStreetMap, which maps have to name.
    pub has_open_street_map: bool,
    pub vertices: u32,
    pub edges: u32,
    pub stops: u32,
    pub routes: u32,
    pub patterns: u32,
    pub trips: u32,
    /// IANA name.
    pub time_zone: String,
    /// router-config.json embedded at build time.
    pub router_config: Option<String>,
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
#[napi(object)]
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

pub(crate) fn graph_info(snapshot: &Snapshot) -> GraphInfo {
    let (facts, graph) = (describe(snapshot), &snapshot.graph);
    let [south, west, north, east] = facts.envelope;
    GraphInfo {
        polygon: facts.hull.iter().flatten().copied().collect(),
        build_time: snapshot.built_ms as f64 / 1000.0,
        transit_service_starts: facts.service_period.map(|p| p.0),
        transit_service_ends: facts.service_period.map(|p| p.1),
        earliest_service_start: facts.service_period_in_all_zones.map(|p| p.0),
        latest_service_end: facts.service_period_in_all_zones.map(|p| p.1),
        transit_modes: facts.transit_modes.iter().map(|m| m.name().to_owned()).collect(),
        center_latitude: facts.center[0],
        center_longitude: facts.center[1],
        lower_left_latitude: south,
        lower_left_longitude: west,
        upper_right_latitude: north,
        upper_right_longitude: east,
        transit_area: facts.transit_envelope.map(corners),
        has_park_ride: facts.has_park_ride,
        has_bike_sharing: facts.has_bike_sharing,
        has_bike_park: facts.has_bike_park,
        has_open_street_map: graph.street.vertex_count() > 0 || !graph.street.base_map.kind.is_empty(),
        vertices: graph.street.vertex_count() as u32,
        edges: graph.street.edge_count() as u32,
        stops: graph.timetable.stops.id.len() as u32,
        routes: graph.timetable.routes.id.len() as u32,
        patterns: graph.timetable.patterns.code.len() as u32,
        trips: graph.timetable.trips.id.len() as u32,
        time_zone: graph.timetable.time_zone_name().to_owned(),
        router_config: graph.embedded_router_config().map(str::to_owned),
    }
}

fn corners([south, west, north, east]: [f64; 4]) -> Corners {
    Corners {
        lower_left_latitude: south,
        lower_left_longitude: west,
        upper_right_latitude: north,
        upper_right_longitude: east,
    }
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
