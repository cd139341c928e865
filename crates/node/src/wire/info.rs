//! Facts about a graph and a build.

use napi_derive::napi;

/// What a graph holds and covers.
#[napi(object)]
pub struct GraphInfo {
    /// Convex hull: lon0, lat0, lon1, lat1, ... (closed ring).
    pub polygon: Vec<f64>,
    /// When the graph file was written, epoch seconds.
    pub build_time: f64,
    /// Midnight of the first service date, epoch seconds; absent without transit.
    pub transit_service_starts: Option<i64>,
    /// Midnight after the last service date, epoch seconds; absent without transit.
    pub transit_service_ends: Option<i64>,
    /// Modes of the routes.
    #[napi(ts_type = "Array<TransitMode>")]
    pub transit_modes: Vec<String>,
    pub center_latitude: f64,
    pub center_longitude: f64,
    pub lower_left_latitude: f64,
    pub lower_left_longitude: f64,
    pub upper_right_latitude: f64,
    pub upper_right_longitude: f64,
    pub has_park_ride: bool,
    /// Rental stations from OSM.
    pub has_bike_sharing: bool,
    pub has_bike_park: bool,
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
