//! Bike stations: rental stations and bike parks from OSM and from live feeds, joined to the streets.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use trestle_model::geo::LatLon;
use trestle_model::ids::VertexIdx;
use trestle_street::graph::StreetGraph;
use trestle_street::graph::station_kinds::RENTAL;
use trestle_street::link::{LinkEnd, LinkKind, LinkMode, LinkedPlace};
use trestle_street::search::{BikeStation, LinkedBikeStations, StationKind};

/// The number of bikes at a station counts for trips that start within this many seconds.
const AVAILABILITY_HORIZON: u64 = 15 * 3600;
/// Number of bits for networks; further networks share the last bit.
const MAX_NETWORKS: usize = 32;
/// Network of stations that do not name any.
const DEFAULT_NETWORK: &str = "default";
/// Precedes the id of a station that a request names as a place.
const LABEL_PREFIX: &str = "bike rental station ";

/// A bike rental station or bike park, as itineraries show it.
#[derive(Clone, PartialEq, Debug)]
pub struct StationFacts {
    /// What it is for.
    pub kind: StationKind,
    pub id: String,
    /// Name shown.
    pub name: String,
    pub position: LatLon,
}

/// A station as a live feed describes it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LiveStation {
    /// What it is for.
    pub kind: StationKind,
    /// Id; replaces a station from OSM with the same id.
    pub id: String,
    /// Name shown.
    pub name: String,
    pub position: LatLon,
    /// Bikes that can be taken.
    pub bikes: u32,
    /// Bikes that can be returned.
    pub spaces: u32,
    /// Bikes may be returned at all.
    pub allow_dropoff: bool,
    /// Networks whose bikes are taken and returned here.
    pub networks: Vec<String>,
}

/// The bike rental stations and bike parks of a snapshot.
#[derive(Clone, Debug, Default)]
pub struct BikeStations {
    /// With the bikes and spaces that the feeds report.
    now: Arc<LinkedBikeStations>,
    /// The same stations, each assumed to have bikes and spaces.
    later: Arc<LinkedBikeStations>,
    /// Facts of each station of the search, in the same order.
    facts: Vec<StationFacts>,
}

impl BikeStations {
    /// Joins live stations to the streets, in addition to those that the graph was built with. Also returns the ids of
    /// stations that are too far from any street.
    pub fn new(street: &StreetGraph, live: &[LiveStation]) -> (BikeStations, Vec<String>) {
        let mut networks = Networks::default();
        let mut unlinked = Vec::new();
        let (mut stations, mut facts) = stations_of(street, live, &mut networks);
        for station in live {
            // As for stops: on a street without foot traffic nobody could take a bike, or continue without it.
            let place = LinkedPlace::at_coordinate(street, station.position, LinkMode::Walk, LinkEnd::Both);
            let Some(place) = place else {
                unlinked.push(station.id.clone());
                continue;
            };
            stations.push(BikeStation {
                kind: station.kind,
                place: LinkedPlace { link_seconds: 1, link: LinkKind::Station, ..place },
                has_bikes: station.bikes > 0,
                has_spaces: station.spaces > 0,
                allow_dropoff: station.allow_dropoff,
                networks: match station.kind {
                    StationKind::CarRental => 0,
                    _ => networks.bits(station.networks.iter().map(String::as_str)),
                },
            });
            facts.push(StationFacts {
                kind: station.kind,
                id: station.id.clone(),
                name: station.name.clone(),
                position: station.position,
            });
        }
        let any =
            |station: &BikeStation| BikeStation { has_bikes: true, has_spaces: true, ..station.clone() };
        let later = Arc::new(LinkedBikeStations::new(street, stations.iter().map(any).collect()));
        let now = Arc::new(LinkedBikeStations::new(street, stations));
        (BikeStations { now, later, facts }, unlinked)
    }

    /// The stations for a trip at `epoch`.
    pub fn at(&self, epoch: i64, now: i64) -> &Arc<LinkedBikeStations> {
        if epoch.abs_diff(now) < AVAILABILITY_HORIZON { &self.now } else { &self.later }
    }

    /// Facts of a station by its position among those of the search.
    pub fn station(&self, number: u32) -> Option<&StationFacts> {
        self.facts.get(number as usize)
    }

    /// The rental station that a request names as a place: `bike rental station <id>`.
    pub fn by_label(&self, label: &str) -> Option<(&LinkedPlace, &StationFacts)> {
        let id = label.strip_prefix(LABEL_PREFIX)?;
        let number = self.facts.iter().position(|s| s.kind != StationKind::BikePark && s.id == id)?;
        Some((&self.now.stations().get(number)?.place, &self.facts[number]))
    }
}

/// The networks of a station of the map that names none: it may belong to that of any other.
const ANY_NETWORK: u32 = u32::MAX;

/// Stations that the graph was built with, unless a feed has them too. Nothing is known about their bikes, so they are
/// assumed to have both bikes and spaces.
fn stations_of(
    street: &StreetGraph,
    live: &[LiveStation],
    networks: &mut Networks,
) -> (Vec<BikeStation>, Vec<StationFacts>) {
    let rows = &street.stations;
    let known_live = |id: &str| live.iter().any(|s| s.kind == StationKind::Rental && s.id == id);
    (0..rows.vertex.len())
        .filter(|&s| rows.kind[s] == RENTAL && !known_live(street.names.get(rows.id[s])))
        .map(|s| {
            let place = LinkedPlace::at_vertex(street, VertexIdx(rows.vertex[s]));
            let kind = StationKind::Rental;
            let fact = StationFacts {
                kind,
                id: street.names.get(rows.id[s]).to_owned(),
                name: street.names.get(rows.name[s]).to_owned(),
                position: place.position,
            };
            let mut names = street
                .names
                .get(rows.networks[s])
                .split(',')
                .map(str::trim)
                .filter(|n| !n.is_empty())
                .peekable();
            let networks = if names.peek().is_some() { networks.bits(names) } else { ANY_NETWORK };
            (
                BikeStation { kind, place, has_bikes: true, has_spaces: true, allow_dropoff: true, networks },
                fact,
            )
        })
        .unzip()
}

/// Networks as bits.
#[derive(Default)]
struct Networks {
    numbers: FxHashMap<String, usize>,
}

impl Networks {
    fn bits<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> u32 {
        let bits = names.fold(0, |bits, name| bits | self.bit(name));
        if bits == 0 { self.bit(DEFAULT_NETWORK) } else { bits }
    }

    fn bit(&mut self, name: &str) -> u32 {
        let next = self.numbers.len().min(MAX_NETWORKS - 1);
        1 << *self.numbers.entry(name.to_owned()).or_insert(next)
    }
}
