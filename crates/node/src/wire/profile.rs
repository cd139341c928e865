//! Profiles: a request in, options out.

use napi_derive::napi;
use trestle_engine::realtime::StationFacts;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::ids::RouteIdx;
use trestle_planner::profile as engine;
use trestle_transit::timetable::Timetable;

use super::given::given;
use super::itinerary::{Polyline, Step};
use super::made::each;
use super::request::mode_set;
use super::text::text_object;
use crate::error::{Coded, CodedError, constant};

/// A position, degrees.
#[napi(object)]
#[derive(Clone, Copy, Default)]
pub struct Coordinate {
    pub lat: f64,
    pub lon: f64,
}

given! {
    /// A request for options over a window of departures. Seconds, metres per second.
    pub struct ProfileRequest for engine::ProfileRequest {
        needed {
            pub from: Coordinate = LatLon::new(from.lat, from.lon),
            pub to: Coordinate = LatLon::new(to.lat, to.lon),
            /// First departure, seconds since 1970.
            pub from_epoch: i64,
            /// Last departure, seconds since 1970; at most a day later.
            pub to_epoch: i64,
        }
        /// Default 1.4.
        pub walk_speed: Option<f64>,
        /// Default 4.1.
        pub bike_speed: Option<f64>,
        /// Default 20.
        pub car_speed: Option<f64>,
        /// Longest option without transit; default 5400.
        pub street_seconds: Option<i32>,
        /// Longest walk to or from a stop; default 900.
        pub walk_seconds: Option<i32>,
        /// Longest bike ride to or from a stop; default 1200.
        pub bike_seconds: Option<i32>,
        /// Longest drive to or from a stop; default 1800.
        pub car_seconds: Option<i32>,
        /// Shortest drive to a stop; default 60.
        pub min_car_seconds: Option<i32>,
        /// Which time of an option counts; default `AVG`.
        #[napi(ts_type = "'MIN' | 'AVG' | 'MAX'")]
        pub order_by: Option<String> = constant("orderBy", &order_by, engine::OrderBy::named())?,
        /// Most options per access mode, 0 for all; default 15.
        pub limit: Option<u32> = limit as usize,
        /// Options are dropped whose best time is more than this many seconds above the worst time of another option; default 300.
        pub suboptimal_seconds: Option<i32>,
        /// Weights of safety, slope and time for cyclists; default 1, 1, 1.
        pub bike_triangle: Option<Vec<f64>> = triangle(bike_triangle)?,
        /// `WALK`, `BICYCLE`, `BICYCLE_RENT`, `BICYCLE_PARK`, `CAR` or `CAR_PARK`; default `WALK`, `BICYCLE`.
        #[napi(ts_type = "Array<ProfileMode>")]
        pub access_modes: Option<Vec<String>> = profile_modes("accessModes", &access_modes)?,
        /// `WALK`, `BICYCLE`, `BICYCLE_RENT` or `CAR`; default `WALK`.
        #[napi(ts_type = "Array<ProfileMode>")]
        pub egress_modes: Option<Vec<String>> = profile_modes("egressModes", &egress_modes)?,
        /// As `accessModes`; default `WALK`, `BICYCLE`.
        #[napi(ts_type = "Array<ProfileMode>")]
        pub direct_modes: Option<Vec<String>> = profile_modes("directModes", &direct_modes)?,
        /// `TRANSIT` or modes such as `BUS`; default `TRANSIT`.
        #[napi(ts_type = "Array<Mode | 'TRANSIT'>")]
        pub transit_modes: Option<Vec<String>> = mode_set("transitModes", &transit_modes)?,
    }
}

text_object! {
    /// Least, average and greatest seconds.
    pub struct ProfileStats from (stats: engine::Stats) {
        pub min: i32,
        pub avg: i32,
        pub max: i32,
        /// Number of values; 1 for a sum.
        pub num: i32,
    }
}

text_object! {
    /// An option for travelling within a window of departures.
    pub struct ProfileOption from (snapshot: &Snapshot, option: engine::ProfileOption) {
        /// Rides in travel order; none: the option without transit.
        pub transit: Vec<ProfileSegment> = segments(snapshot, option.transit),
        /// Paths to the first stop, one per mode; without rides, the paths to the destination.
        pub access: Vec<ProfileStreetSegment> = each(option.access),
        /// Paths from the last stop, one per mode.
        pub egress: Vec<ProfileStreetSegment> = each(option.egress),
        /// Of the option as a whole.
        pub stats: ProfileStats = option.stats.into(),
        /// Price of each ride; null where it is not known.
        #[napi(ts_type = "Array<ProfileFare | null>")]
        pub fares: Vec<Option<ProfileFare>> = fares(option.fares),
    }
}

text_object! {
    /// A ride between two stop clusters on whichever vehicle comes first.
    pub struct ProfileSegment from (snapshot: &Snapshot, segment: engine::Segment) {
        /// Stop cluster.
        pub from: String = segment.from,
        /// Stop cluster.
        pub to: String = segment.to,
        pub from_name: String = segment.from_name,
        pub to_name: String = segment.to_name,
        /// Walking from where the last vehicle was left.
        pub walk_seconds: i32 = segment.walk_seconds,
        pub walk_meters: f64 = segment.walk_meters,
        /// From being at the stop to departing, the minute before boarding included.
        pub wait: ProfileStats = segment.wait.into(),
        pub ride: ProfileStats = segment.ride.into(),
        pub mode: String = segment.mode.name().to_owned(),
        pub routes: Vec<ProfileRoute> = routes(snapshot, segment.routes),
        /// The pattern with the most trips first.
        pub patterns: Vec<ProfilePattern> = patterns(&snapshot.graph.timetable, segment.patterns),
    }
}

text_object! {
    /// A route of a ride.
    pub struct ProfileRoute {
        /// `feed:route`.
        pub id: String,
        pub short_name: Option<String>,
        pub long_name: Option<String>,
        pub mode: String,
        pub color: Option<String>,
        pub agency_name: Option<String>,
    }
}

text_object! {
    /// A pattern that a ride may use.
    pub struct ProfilePattern from (timetable: &Timetable, pattern: engine::SegmentPattern) {
        /// Code.
        pub pattern_id: String =
            timetable.texts.get(timetable.patterns.code[pattern.pattern.index()]).to_owned(),
        pub from_index: u32 = pattern.board,
        pub to_index: u32 = pattern.alight,
        /// Trips that travellers of the window take.
        pub trips: u32 = pattern.trips,
    }
}

text_object! {
    /// What a ride adds to the price of the trip, in the currency's unit.
    pub struct ProfileFare from (fare: engine::SegmentFare) {
        /// Regular price.
        pub price: f64,
        /// Price for seniors; the regular price where seniors have no price of their own.
        pub senior: f64,
        /// The price is reduced because of the rides before.
        pub transfer_reduction: bool,
    }
}

text_object! {
    /// A street path.
    pub struct ProfileStreetSegment from (segment: engine::StreetSegment) {
        pub mode: String = segment.mode.name().to_owned(),
        pub seconds: i32,
        pub edges: Vec<ProfileStreetEdge> = segment.edges.into_iter().map(street_edge).collect(),
    }
}

text_object! {
    /// An edge of a street path.
    pub struct ProfileStreetEdge {
        /// Number of the edge in this build of the graph.
        pub edge_id: u32,
        pub meters: f64,
        pub geometry: Polyline,
        /// The instruction that begins here.
        pub step: Option<Step>,
        /// Mode from here on, when it changes here.
        pub mode: Option<String>,
        /// Where a bike is taken at the edge.
        pub picked_up_at: Option<ProfileStation>,
        /// Where it is returned.
        pub dropped_off_at: Option<ProfileStation>,
    }
}

text_object! {
    /// A bike rental station.
    pub struct ProfileStation from (station: StationFacts) {
        pub id: String,
        pub name: String,
        pub lat: f64 = station.position.lat,
        pub lon: f64 = station.position.lon,
    }
}

fn triangle(weights: Vec<f64>) -> Coded<[f64; 3]> {
    let known = <[f64; 3]>::try_from(weights).ok();
    known
        .filter(|weights| weights.iter().all(|w| w.is_finite() && *w >= 0.0))
        .ok_or_else(|| CodedError::invalid("bikeTriangle: must be three numbers of at least 0"))
}

fn profile_modes(member: &str, names: &[String]) -> Coded<Vec<engine::ProfileMode>> {
    let mut modes = Vec::new();
    for name in names {
        let mode = engine::ProfileMode::from_name(name)
            .ok_or_else(|| CodedError::invalid(format!("{member}: {name:?} is not a street mode")))?;
        if !modes.contains(&mode) {
            modes.push(mode);
        }
    }
    Ok(modes)
}

fn segments(snapshot: &Snapshot, segments: Vec<engine::Segment>) -> Vec<ProfileSegment> {
    segments.into_iter().map(|segment| ProfileSegment::of(snapshot, segment)).collect()
}

fn fares(fares: Vec<Option<engine::SegmentFare>>) -> Vec<Option<ProfileFare>> {
    fares.into_iter().map(|fare| fare.map(ProfileFare::from)).collect()
}

fn routes(snapshot: &Snapshot, routes: Vec<RouteIdx>) -> Vec<ProfileRoute> {
    routes.into_iter().map(|route| route_of(snapshot, route)).collect()
}

fn patterns(timetable: &Timetable, patterns: Vec<engine::SegmentPattern>) -> Vec<ProfilePattern> {
    patterns.into_iter().map(|pattern| ProfilePattern::of(timetable, pattern)).collect()
}

fn route_of(snapshot: &Snapshot, route: RouteIdx) -> ProfileRoute {
    let timetable = &snapshot.graph.timetable;
    let (routes, i) = (&timetable.routes, route.index());
    let text = |text: u32| timetable.texts.opt(text).map(str::to_owned);
    let mode = trestle_model::Mode::from_number(routes.mode[i]).map_or("", trestle_model::Mode::name);
    let agency = timetable.agencies.name.get(routes.agency[i] as usize);
    ProfileRoute {
        id: timetable.route_id(route),
        short_name: text(routes.short_name[i]),
        long_name: text(routes.long_name[i]),
        mode: mode.to_owned(),
        color: text(routes.color[i]),
        agency_name: agency.and_then(|name| text(*name)),
    }
}

fn street_edge(edge: engine::StreetEdge) -> ProfileStreetEdge {
    let engine::StreetEdge { edge, picked_up_at, dropped_off_at } = edge;
    let mode = edge.begins.as_ref().and_then(|begun| begun.mode);
    ProfileStreetEdge {
        edge_id: edge.edge,
        meters: edge.length_m,
        geometry: edge.geometry.into(),
        step: edge.begins.map(|begun| begun.step.into()),
        mode: mode.map(|mode| mode.name().to_owned()),
        picked_up_at: picked_up_at.map(ProfileStation::from),
        dropped_off_at: dropped_off_at.map(ProfileStation::from),
    }
}
