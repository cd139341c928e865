//! A description of a graph for registries and clients.

use trestle_model::Mode;
use trestle_street::graph::station_kinds;

use crate::graph::{Graph, longitude_onward};
use crate::snapshot::Snapshot;

/// What a graph holds and covers.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphDescription {
    /// Convex hull: closed ring of (lon, lat). If it crosses the 180th meridian, longitudes beyond it exceed 180.
    pub hull: Vec<[f64; 2]>,
    /// South, west, north, east.
    pub envelope: [f64; 4],
    /// Latitude, longitude.
    pub center: [f64; 2],
    /// [`Snapshot::service_period`].
    pub service_period: Option<(i64, i64)>,
    /// [`Snapshot::service_period_in_all_zones`].
    pub service_period_in_all_zones: Option<(i64, i64)>,
    /// Modes of routes that have a pattern, in mode order.
    pub transit_modes: Vec<Mode>,
    /// P+R lots from OSM.
    pub has_park_ride: bool,
    /// Rental stations from OSM.
    pub has_bike_sharing: bool,
    /// Bike parks from OSM.
    pub has_bike_park: bool,
}

/// Describes the graph of a snapshot.
pub fn describe(snapshot: &Snapshot) -> GraphDescription {
    let graph = &*snapshot.graph;
    let envelope = graph.facts.envelope.first().copied().unwrap_or_default();
    let has_station = |kind: u32| graph.street.stations.kind.contains(&kind);
    GraphDescription {
        hull: graph.facts.hull.iter().map(|&[lon, lat]| [longitude_onward(envelope, lon), lat]).collect(),
        envelope,
        center: graph.facts.center.first().copied().unwrap_or_default(),
        service_period: snapshot.service_period,
        service_period_in_all_zones: snapshot.service_period_in_all_zones,
        transit_modes: transit_modes(graph),
        has_park_ride: has_station(station_kinds::PARK_AND_RIDE),
        has_bike_sharing: has_station(station_kinds::RENTAL),
        has_bike_park: has_station(station_kinds::BIKE_PARK),
    }
}

fn transit_modes(graph: &Graph) -> Vec<Mode> {
    let mut modes: Vec<Mode> = (graph.timetable.patterns.route.iter())
        .filter_map(|&route| Mode::from_number(graph.timetable.routes.mode[route as usize]))
        .collect();
    modes.sort();
    modes.dedup();
    modes
}
