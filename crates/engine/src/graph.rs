//! A built graph: both layers and facts about the whole.

use trestle_model::geo::{LatLon, fast_distance_m, meters_to_degrees};
use trestle_model::ids::StopIdx;
use trestle_model::rules::{Rule, Wrong, both, broken, each, group, on_earth, single, within};
use trestle_model::{Column, ColumnError, Direction, Strings, columns};
use trestle_street::graph::StreetGraph;
use trestle_street::link::LinkedPlace;
use trestle_transit::timetable::Timetable;

use crate::index::Listing;
use crate::station_edges::StationEdges;

/// Longest time between street and platform, seconds.
pub(crate) const MOST_ACCESS_SECONDS: u32 = 86_400;

/// Greatest distance of a stop from a place without streets, metres.
const STOP_RADIUS_M: f64 = 1000.0;

columns! {
    /// Facts about the whole graph, computed by the build.
    pub struct GraphFacts in Graph {
        /// Convex hull of all vertices and stops: closed ring of (lon, lat). It crosses the 180th meridian if the
        /// envelope does.
        pub hull: Column<[f64; 2]> => |g| each(g.facts.hull.len(), hull_point),
        /// South, west, north, east of all vertices and stops (one entry); west is greater than east where they are on
        /// both sides of the 180th meridian.
        pub envelope: Column<[f64; 4]> => |_| single(envelope),
        /// Centre shown to clients: lat, lon (one entry).
        pub center: Column<[f64; 2]> => |_| single(on_earth),
        /// Seconds between street and platform of each stop (`subwayAccessTime` for subway stops, else 0).
        pub stop_access_seconds: Column<u32> => |g| within(g.timetable.stops.id.len(), 0..=MOST_ACCESS_SECONDS),
        /// Seconds of walking that a direct transfer may take (one entry).
        pub max_transfer_seconds: Column<i32> => |_| single(any_seconds),
        /// 1 if transfers are those of transfers.txt instead of walks, else 0 (one entry).
        pub uses_transfers_txt: Column<u8> => |_| single(flag),
        /// `router:` router-config.json, `build:` build-config.json.
        pub texts: Strings => |g| group(&g.facts.texts),
    }
}

impl GraphFacts {
    /// Seconds between the street and the platform of a stop: one for the link, and the time of access.
    pub(crate) fn stop_link_seconds(&self, stop: StopIdx) -> i32 {
        1 + self.stop_access_seconds.get(stop.index()).copied().unwrap_or(0) as i32
    }
}

/// A longitude within an envelope as a number that is not less than the envelope's west. If the envelope crosses the
/// 180th meridian, longitudes beyond it exceed 180.
pub fn longitude_onward([_, west, _, east]: [f64; 4], lon: f64) -> f64 {
    if west > east && lon < 0.0 { lon + 360.0 } else { lon }
}

/// The longitude from -180 to 180 of one that is at most a turn beyond these.
pub fn longitude_on_earth(lon: f64) -> f64 {
    match lon {
        _ if lon > 180.0 => lon - 360.0,
        _ if lon < -180.0 => lon + 360.0,
        _ => lon,
    }
}

columns! {
    /// An immutable graph.
    pub struct Graph in Graph {
        pub street: StreetGraph => |g| both(group(&g.street), StopsAreKnown(g)),
        pub timetable: Timetable => |g| group(&g.timetable),
        /// Facts about the whole.
        pub facts: GraphFacts => group,
        /// Orders and clusters that look-ups answer with.
        pub listing: Listing => group,
    }
}

impl Graph {
    /// The graph of streets, a timetable and facts about both.
    pub fn of(street: StreetGraph, timetable: Timetable, facts: GraphFacts) -> Graph {
        let graph = Graph { street, timetable, facts, ..Graph::default() };
        Graph { listing: Listing::of(&graph), ..graph }
    }

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

    /// The free edges inside stations, along (backward: against) travel.
    pub fn station_edges(&self, direction: Direction, wheelchair: bool) -> StationEdges<'_> {
        StationEdges { timetable: &self.timetable, direction, wheelchair }
    }

    /// The stops nearest to a place that has no street nearby: all those with scheduled service at the least distance, and
    /// those without it that are no farther away and for which `is_served_live` holds. The latter do not replace the former,
    /// because live data may serve them only once, and on another day.
    pub fn stops_near(&self, position: LatLon, is_served_live: impl Fn(StopIdx) -> bool) -> Vec<StopIdx> {
        let stops = &self.timetable.stops;
        // Most stops are far to the north or south, and need no distance.
        let rows = 1.01 * meters_to_degrees(STOP_RADIUS_M);
        let is_served = |stop: StopIdx| stops.is_served(stop) || is_served_live(stop);
        let near: Vec<(f64, StopIdx)> = (0..stops.id.len())
            .map(StopIdx::from)
            .filter(|&stop| (stops.lat[stop.index()] - position.lat).abs() <= rows && is_served(stop))
            .map(|stop| (fast_distance_m(position, stops.position(stop)), stop))
            .filter(|(d, _)| *d <= STOP_RADIUS_M)
            .collect();
        let least = |is_meant: &dyn Fn(StopIdx) -> bool| {
            let meant = near.iter().filter(|&&(_, stop)| is_meant(stop));
            meant.map(|(d, _)| *d).fold(f64::INFINITY, f64::min) + 1e-3
        };
        let (of_all, of_scheduled) = (least(&|_| true), least(&|stop| stops.is_served(stop)));
        near.into_iter()
            .filter(|&(d, stop)| d <= of_all || (d <= of_scheduled && stops.is_served(stop)))
            .map(|(_, stop)| stop)
            .collect()
    }

    /// Whether a stop is so close to a place that [`Graph::stops_near`] can find it.
    pub fn is_near(&self, stop: StopIdx, position: LatLon) -> bool {
        fast_distance_m(position, self.timetable.stops.position(stop)) <= STOP_RADIUS_M
    }

    /// A place on the street of the first of some stops that has one: its travellers get to and from streets there.
    pub fn linked_at_stops(&self, stops: &[StopIdx], position: LatLon) -> Option<LinkedPlace> {
        let linked = |&stop: &StopIdx| {
            LinkedPlace::at_stop(&self.street, stop.0, position, self.stop_link_seconds(stop))
        };
        stops.iter().find_map(linked)
    }

    /// Seconds between the street and the platform of a stop: one for the link, and the time of access.
    pub fn stop_link_seconds(&self, stop: StopIdx) -> i32 {
        self.facts.stop_link_seconds(stop)
    }
}

fn any_seconds(_: &i32) -> Wrong {
    None
}

fn flag(value: &u8) -> Wrong {
    (*value > 1).then_some("neither 0 nor 1")
}

fn hull_point(_row: usize, &[lon, lat]: &[f64; 2]) -> Wrong {
    on_earth(&[lat, lon])
}

fn envelope(&[south, west, north, east]: &[f64; 4]) -> Wrong {
    let corners = [LatLon::new(south, west), LatLon::new(north, east)];
    let holds = corners.iter().all(|corner| corner.is_on_earth()) && south <= north;
    (!holds).then_some("not a box on Earth")
}

/// The links of stops lead to stops of the timetable.
struct StopsAreKnown<'g>(&'g Graph);

impl Rule<StreetGraph> for StopsAreKnown<'_> {
    fn check(&self, name: &str, street: &StreetGraph) -> Result<(), ColumnError> {
        let stops = self.0.timetable.stops.id.len();
        match street.stop_links.iter().position(|link| link.stop as usize >= stops) {
            Some(row) => Err(broken(&format!("{name}.stop_links"), format!("row {row}: no such stop"))),
            None => Ok(()),
        }
    }
}
