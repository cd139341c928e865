//! Places at the ends of street legs.

use trestle_engine::realtime::StationFacts;
use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_model::itinerary::{Place, VertexType};
use trestle_street::graph::{StreetGraph, vertex_flags};
use trestle_street::path::{StreetPath, TraversalKind};
use trestle_street::search::StationKind;

use super::context::{SectionContext, SectionEnd};
use super::corner::{corner_name, name_of_streets};

/// A place without times.
pub(super) fn named(name: String, position: LatLon) -> Place {
    Place { name, lon: position.lon, lat: position.lat, ..Place::default() }
}

pub(super) fn section_start(path: &StreetPath, context: &SectionContext<'_>) -> Place {
    match &context.from {
        SectionEnd::Requested { name, position, station, .. } => requested(name, *position, station),
        SectionEnd::Via { name, position } => named(name.clone(), *position),
        SectionEnd::Resumed => resumed(&context.snapshot.graph.street, path, &context.request.locale),
    }
}

pub(super) fn section_end(path: &StreetPath, context: &SectionContext<'_>) -> Place {
    match &context.to {
        SectionEnd::Requested { name, position, station, .. } => requested(name, *position, station),
        SectionEnd::Via { name, position } => named(name.clone(), *position),
        SectionEnd::Resumed => named(String::new(), street_end(&context.snapshot.graph.street, path)),
    }
}

/// The start or destination of a trip, which may be a rental station.
fn requested(name: &str, position: LatLon, station: &Option<String>) -> Place {
    let place = named(name.to_owned(), position);
    match station {
        Some(_) => Place { vertex_type: VertexType::BikeShare, bike_share_id: station.clone(), ..place },
        None => place,
    }
}

/// The point on the street where the trip continues after an intermediate place, named by the streets there.
fn resumed(street: &StreetGraph, path: &StreetPath, locale: &str) -> Place {
    let Some(first) = path.traversals.iter().find(|t| t.kind == TraversalKind::Street) else {
        return named(String::new(), path.start.unwrap_or_default());
    };
    let vertex = VertexIdx(street.edge(first.edge).from);
    if first.from_fraction <= 0.0 {
        return named(corner_name(street, vertex, locale), street.position(vertex));
    }
    let name = name_of_streets(street, std::iter::once(first.edge), locale);
    named(name, path.start.unwrap_or_else(|| street.position(vertex)))
}

fn street_end(street: &StreetGraph, path: &StreetPath) -> LatLon {
    let last = path.traversals.last().and_then(|t| t.end_vertex.some());
    path.end.or_else(|| last.map(|v| street.position(v))).unwrap_or_default()
}

/// A rental station or bike park.
pub(super) fn at_station(station: StationFacts) -> Place {
    let place = named(station.name, station.position);
    match station.kind {
        StationKind::Rental | StationKind::CarRental => {
            Place { vertex_type: VertexType::BikeShare, bike_share_id: Some(station.id), ..place }
        }
        StationKind::BikePark => Place { vertex_type: VertexType::BikePark, ..place },
    }
}

/// A vertex where the mode changes: a rental station, a bike park or a lot by its name, a lift by that of the level, else
/// the street corner.
pub(super) fn at_vertex(street: &StreetGraph, vertex: VertexIdx, locale: &str) -> Place {
    let position = street.position(vertex);
    let flags = street.vertex_flags[vertex.index()];
    let name = street.names.get(street.vertex_name[vertex.index()]).to_owned();
    if flags & vertex_flags::BIKE_RENTAL != 0 {
        at_station(StationFacts { kind: StationKind::Rental, id: station_id(street, vertex), name, position })
    } else if flags & vertex_flags::BIKE_PARK != 0 {
        Place { vertex_type: VertexType::BikePark, ..named(name, position) }
    } else if flags & (vertex_flags::PARK_AND_RIDE | vertex_flags::ELEVATOR) != 0 {
        named(name, position)
    } else {
        named(corner_name(street, vertex, locale), position)
    }
}

fn station_id(street: &StreetGraph, vertex: VertexIdx) -> String {
    let stations = &street.stations;
    let row = stations.vertex.iter().position(|&v| v == vertex.0);
    row.map_or(String::new(), |row| street.names.get(stations.id[row]).to_owned())
}
