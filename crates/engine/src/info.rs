//! A description of a graph for registries and clients.

use trestle_model::Mode;
use trestle_model::ids::StopIdx;
use trestle_street::graph::station_kinds;

use crate::graph::{Graph, longitude_on_earth, longitude_onward};
use crate::snapshot::Snapshot;

/// One in this many stops may be beyond each side of the area of transit.
const STOPS_FOR_ONE_BEYOND: usize = 40;

/// What a graph holds and covers.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphDescription {
    /// Convex hull: closed ring of (lon, lat). If it crosses the 180th meridian, longitudes beyond it exceed 180.
    pub hull: Vec<[f64; 2]>,
    /// South, west, north, east.
    pub envelope: [f64; 4],
    /// The envelope of the stops where trips call, or of those near streets if there are any. It leaves out the
    /// outermost fortieth at each side, so that a few stops far away do not count.
    pub transit_envelope: Option<[f64; 4]>,
    /// The area of the base map in the same order; none without one.
    pub map_envelope: Option<[f64; 4]>,
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

pub fn describe(snapshot: &Snapshot) -> GraphDescription {
    let graph = &*snapshot.graph;
    let envelope = graph.facts.envelope.first().copied().unwrap_or_default();
    let has_station = |kind: u32| graph.street.stations.kind.contains(&kind);
    GraphDescription {
        hull: graph.facts.hull.iter().map(|&[lon, lat]| [longitude_onward(envelope, lon), lat]).collect(),
        envelope,
        transit_envelope: transit_envelope(graph, envelope),
        map_envelope: graph.street.base_map.area().map(|area| [area.south, area.west, area.north, area.east]),
        center: graph.facts.center.first().copied().unwrap_or_default(),
        service_period: snapshot.service_period,
        service_period_in_all_zones: snapshot.service_period_in_all_zones,
        transit_modes: transit_modes(graph),
        has_park_ride: has_station(station_kinds::PARK_AND_RIDE),
        has_bike_sharing: has_station(station_kinds::RENTAL),
        has_bike_park: has_station(station_kinds::BIKE_PARK),
    }
}

fn transit_envelope(graph: &Graph, envelope: [f64; 4]) -> Option<[f64; 4]> {
    let stops = &graph.timetable.stops;
    let mut chosen: Vec<StopIdx> =
        (0..stops.id.len()).map(StopIdx::from).filter(|&stop| stops.is_served(stop)).collect();
    let is_linked = |stop: &StopIdx| !graph.street.links_of(stop.0).is_empty();
    if chosen.iter().any(is_linked) {
        chosen.retain(is_linked);
    }
    let [south, north] = most_of(chosen.iter().map(|stop| stops.lat[stop.index()]))?;
    let [west, east] =
        most_of(chosen.iter().map(|stop| longitude_onward(envelope, stops.lon[stop.index()])))?;
    Some([south, longitude_on_earth(west), north, longitude_on_earth(east)])
}

/// The least and the greatest value without the outermost at each end; none if there are no values.
fn most_of(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let beyond = sorted.len() / STOPS_FOR_ONE_BEYOND;
    Some([*sorted.get(beyond)?, sorted[sorted.len() - 1 - beyond]])
}

fn transit_modes(graph: &Graph) -> Vec<Mode> {
    let mut modes: Vec<Mode> = (graph.timetable.patterns.route.iter())
        .filter_map(|&route| Mode::from_number(graph.timetable.routes.mode[route as usize]))
        .collect();
    modes.sort();
    modes.dedup();
    modes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_are_beyond_both_ends() {
        let of = |values: &[f64]| most_of(values.iter().copied());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[3.0]), Some([3.0, 3.0]));
        let some: Vec<f64> = (1..40).rev().map(f64::from).collect();
        assert_eq!(of(&some), Some([1.0, 39.0]));
        assert_eq!(of(&[&some[..], &[1e3]].concat()), Some([2.0, 39.0]));
    }
}
