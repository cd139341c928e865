//! Stop clusters: stops at one place with one name, so that clients can show them as one.

use rustc_hash::FxHashMap;
use trestle_model::geo::{LatLon, fast_distance_m};
use trestle_model::ids::StopIdx;
use trestle_model::lists;
use trestle_model::rules::{each, group, index, index_or_none, offsets, on_earth, text};
use trestle_model::strings::{Strings, StringsBuilder};
use trestle_model::{Column, columns};
use trestle_transit::listing_order;
use trestle_transit::timetable::Timetable;

use crate::graph::Graph;

/// Stops with the seed's name that are at most this many metres from it belong to its cluster.
const REACH_M: f64 = 400.0;

/// How clusters are formed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ClusterMode {
    /// By name and distance.
    #[default]
    Proximity,
    /// By `parent_station`; a station that vehicles call at is in its own cluster.
    ParentStation,
}

impl ClusterMode {
    /// The mode that `stopClusterMode` of a build-config.json selects.
    pub(super) fn of(build_config: Option<&str>) -> ClusterMode {
        let config: Option<serde_json::Value> = build_config.and_then(|text| serde_json::from_str(text).ok());
        match config.as_ref().and_then(|config| config.get("stopClusterMode")?.as_str()) {
            Some("parentStation") => ClusterMode::ParentStation,
            _ => ClusterMode::Proximity,
        }
    }
}

columns! {
    /// All clusters of a graph, in the order of their first stops.
    pub struct Clusters in Graph {
        /// `C000`, or the parent station's id: a number of `texts`.
        pub id: Column<u32> => |g| text(g.listing.clusters.id.len(), &g.listing.clusters.texts),
        /// Normalized name of the first stop, or that stop's name: a number of `texts`.
        pub name: Column<u32> => |g| text(g.listing.clusters.id.len(), &g.listing.clusters.texts),
        /// Latitude and longitude of the middle of the stops, or of the station.
        pub position: Column<[f64; 2]> => |g| each(g.listing.clusters.id.len(), |_, at| on_earth(at)),
        /// First entry of each cluster in `stops`; one more entry than clusters.
        pub first_stop: Column<u32> => |g| offsets(g.listing.clusters.id.len(), g.listing.clusters.stops.len()),
        /// Stops of each cluster, in listing order.
        pub stops: Column<u32> => |g| index(g.listing.clusters.stops.len(), g.timetable.stops.id.len()),
        /// The cluster of each stop, the last one that claimed it; `u32::MAX` for none.
        pub of_stop: Column<u32> => |g| index_or_none(g.timetable.stops.id.len(), g.listing.clusters.id.len()),
        /// Clusters in the order in which the interface lists them.
        pub listing: Column<u32> => |g| index(g.listing.clusters.id.len(), g.listing.clusters.id.len()),
        /// Clusters sorted by their ids.
        pub by_id: Column<u32> => |g| index(g.listing.clusters.id.len(), g.listing.clusters.id.len()),
        /// Ids and names.
        pub texts: Strings => |g| group(&g.listing.clusters.texts),
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cluster<'a> {
    /// `C000`, or the parent station's id.
    pub id: &'a str,
    /// Normalized name of the first stop, or that stop's name.
    pub name: &'a str,
    /// Mean of the stops, or the station.
    pub position: LatLon,
    /// Stops, in listing order.
    pub stops: &'a [u32],
}

impl Clusters {
    /// Clusters of the listed stops.
    pub(super) fn new(timetable: &Timetable, listed: &[u32], mode: ClusterMode) -> Clusters {
        let all = match mode {
            ClusterMode::Proximity => by_proximity(timetable, listed),
            ClusterMode::ParentStation => by_station(timetable, listed),
        };
        let ids: Vec<String> = all.iter().map(|cluster| cluster.id.clone()).collect();
        let mut by_id: Vec<u32> = (0..ids.len() as u32).collect();
        by_id.sort_by_key(|&cluster| &ids[cluster as usize]);
        let mut of_stop = vec![u32::MAX; timetable.stops.id.len()];
        for (cluster, made) in (0..).zip(&all) {
            made.stops.iter().for_each(|&stop| of_stop[stop as usize] = cluster);
        }
        let mut texts = StringsBuilder::default();
        Clusters {
            id: all.iter().map(|cluster| texts.intern(&cluster.id)).collect(),
            name: all.iter().map(|cluster| texts.intern(&cluster.name)).collect(),
            position: all.iter().map(|cluster| [cluster.position.lat, cluster.position.lon]).collect(),
            first_stop: lists::offsets_of_lengths(all.iter().map(|cluster| cluster.stops.len())).collect(),
            stops: all.iter().flat_map(|cluster| cluster.stops.iter().copied()).collect(),
            of_stop: of_stop.into(),
            listing: listing_order::clusters(&ids).into(),
            by_id: by_id.into(),
            texts: texts.finish(),
        }
    }

    /// Number of clusters.
    pub fn count(&self) -> usize {
        self.id.len()
    }

    pub fn get(&self, cluster: u32) -> Option<Cluster<'_>> {
        let at = cluster as usize;
        let [lat, lon] = *self.position.get(at)?;
        Some(Cluster {
            id: self.texts.get(*self.id.get(at)?),
            name: self.texts.get(*self.name.get(at)?),
            position: LatLon::new(lat, lon),
            stops: lists::list(&self.first_stop, &self.stops, at),
        })
    }

    /// The number of the cluster with an id, the last one if there are several.
    pub fn find(&self, id: &str) -> Option<u32> {
        let id_of = |cluster: u32| self.texts.get(self.id[cluster as usize]);
        let end = self.by_id.partition_point(|&cluster| id_of(cluster) <= id);
        let last = *self.by_id.get(end.checked_sub(1)?)?;
        (id_of(last) == id).then_some(last)
    }

    /// The cluster of a stop: the last one that claimed it.
    pub fn of_stop(&self, stop: StopIdx) -> Option<u32> {
        self.of_stop.get(stop.index()).copied().filter(|&cluster| cluster != u32::MAX)
    }
}

/// A cluster that is being made.
struct MadeCluster {
    id: String,
    name: String,
    position: LatLon,
    stops: Vec<u32>,
}

/// Every unclaimed stop starts a cluster and claims all nearby stops of its name, including claimed ones.
fn by_proximity(timetable: &Timetable, listed: &[u32]) -> Vec<MadeCluster> {
    let name = |stop: u32| normalized(timetable.texts.get(timetable.stops.name[stop as usize]));
    let names: Vec<String> = listed.iter().map(|&stop| name(stop)).collect();
    let mut namesakes: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (name, &stop) in names.iter().zip(listed) {
        namesakes.entry(name).or_default().push(stop);
    }
    let mut claimed = vec![false; timetable.stops.id.len()];
    let mut clusters = Vec::new();
    for (name, &seed) in names.iter().zip(listed) {
        if claimed[seed as usize] {
            continue;
        }
        let center = timetable.stops.position(StopIdx(seed));
        let near = namesakes[name.as_str()].iter().copied();
        let stops: Vec<u32> = near
            .filter(|&stop| fast_distance_m(center, timetable.stops.position(StopIdx(stop))) < REACH_M)
            .collect();
        for &stop in &stops {
            claimed[stop as usize] = true;
        }
        clusters.push(MadeCluster {
            id: format!("C{:03}", clusters.len()),
            name: name.clone(),
            position: mean(timetable, &stops),
            stops,
        });
    }
    clusters
}

fn mean(timetable: &Timetable, stops: &[u32]) -> LatLon {
    let sum = stops.iter().fold(LatLon::default(), |sum, &stop| {
        let at = timetable.stops.position(StopIdx(stop));
        LatLon::new(sum.lat + at.lat, sum.lon + at.lon)
    });
    let count = stops.len().max(1) as f64;
    LatLon::new(sum.lat / count, sum.lon / count)
}

fn by_station(timetable: &Timetable, listed: &[u32]) -> Vec<MadeCluster> {
    let columns = &timetable.stops;
    let mut position_of: FxHashMap<u32, usize> = FxHashMap::default();
    let mut clusters: Vec<MadeCluster> = Vec::new();
    for &stop in listed {
        let Some(StopIdx(station)) = columns.own_station(StopIdx(stop)) else { continue };
        let at = *position_of.entry(station).or_insert_with(|| {
            clusters.push(MadeCluster {
                id: timetable.texts.get(columns.id[station as usize]).to_owned(),
                name: timetable.texts.get(columns.name[stop as usize]).to_owned(),
                position: timetable.stops.position(StopIdx(station)),
                stops: Vec::new(),
            });
            clusters.len() - 1
        });
        clusters[at].stops.push(stop);
    }
    clusters
}

/// A canonical word and its other spellings.
type Words = &'static [(&'static str, &'static [&'static str])];

const QUADRANTS: Words = &[
    ("NW", &["NORTHWEST"]),
    ("NE", &["NORTHEAST"]),
    ("SW", &["SOUTHWEST"]),
    ("SE", &["SOUTHEAST"]),
    ("N", &["NORTH"]),
    ("S", &["SOUTH"]),
    ("E", &["EAST"]),
    ("W", &["WEST"]),
];
const STREET_TYPES: Words = &[
    ("DR", &["DRIVE"]),
    ("RD", &["ROAD"]),
    ("ST", &["STREET", "S"]),
    ("AV", &["AVE", "AVENUE"]),
    ("BV", &["BLVD", "BOULEVARD"]),
    ("CL", &["CI", "CIR", "CIRCLE"]),
    ("CT", &["COURT"]),
    ("WY", &["WAY"]),
    ("TE", &["TERRACE"]),
    ("PL", &["PLACE"]),
    ("LN", &["LA", "LANE"]),
    ("PK", &["PI", "PIKE"]),
    ("PW", &["PKWY", "PARKWAY"]),
    ("RN", &["RUN"]),
    ("HW", &["HWY", "HIGHWAY"]),
];
const QUALIFIERS: &[&str] = &[
    "NB",
    "N/B",
    "NORTHBOUND",
    "SB",
    "S/B",
    "SOUTHBOUND",
    "EB",
    "E/B",
    "EASTBOUND",
    "WB",
    "W/B",
    "WESTBOUND",
    "NS",
    "N/S",
    "NEARSIDE",
    "FS",
    "F/S",
    "FARSIDE",
    "OPP",
    "OPPOSITE",
];

/// A stop name in a form that is the same for all stops of a crossing: words in a fixed order and spelling, the
/// crossing's streets sorted.
fn normalized(name: &str) -> String {
    let upper = name.to_uppercase();
    let mut streets: Vec<String> = upper.splitn(2, ['&', '@']).map(normalized_street).collect();
    streets.sort();
    streets.join(" & ")
}

fn normalized_street(street: &str) -> String {
    let mut words: Vec<&str> = street.split([' ', ',', '.']).collect();
    let quadrant = take_first(&mut words, QUADRANTS);
    let street_type = take_first(&mut words, STREET_TYPES);
    words.retain(|word| !QUALIFIERS.contains(&word.trim()));
    while let Some(bay) = words.iter().position(|word| word.trim() == "BAY") {
        words.drain(bay..(bay + 2).min(words.len()));
    }
    while words.last().is_some_and(|word| word.is_empty()) {
        words.pop();
    }
    words.extend(street_type);
    words.extend(quadrant);
    words.join(" ").trim().to_owned()
}

/// Removes the first word that is one of `known` and gives its canonical form.
fn take_first(words: &mut Vec<&str>, known: Words) -> Option<&'static str> {
    let canonical = |word: &str| {
        let word = word.trim();
        known.iter().find(|(name, variants)| *name == word || variants.contains(&word)).map(|(name, _)| *name)
    };
    let (at, found) = words.iter().enumerate().find_map(|(at, word)| Some((at, canonical(word)?)))?;
    words.remove(at);
    Some(found)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use trestle_model::IssueSink;
    use trestle_transit::build::{TransitBuildOptions, build_timetable_from_tables};
    use trestle_transit::gtfs::FeedFiles;

    #[test]
    fn names_of_one_crossing_are_equal() {
        for (name, expected) in [
            ("W Burnside & 6", "6 & BURNSIDE W"),
            ("NW 23rd & Marshall", "23RD NW & MARSHALL"),
            ("Loop South", "LOOP S"),
            ("DR PEREIRA NETO", "PEREIRA NETO DR"),
            ("BELEM VELHO DR VERGARA", "BELEM VELHO VERGARA DR"),
            ("Main Street NB @ Bay 4 Oak", "MAIN ST & OAK"),
            ("", ""),
        ] {
            assert_eq!(normalized(name), expected, "{name}");
        }
    }

    /// Vehicles call at the station S besides its stop P; B is in no station.
    #[test]
    fn a_station_that_vehicles_call_at_is_in_its_cluster() {
        let tables = [
            (
                "agency.txt",
                "agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a,Europe/Lisbon",
            ),
            (
                "stops.txt",
                "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n\
                 S,Station,41.0,-8.6,1,\nP,Platform,41.0,-8.6,0,S\nB,B,41.1,-8.6,0,",
            ),
            ("routes.txt", "route_id,agency_id,route_short_name,route_type\nR,AG,10,3"),
            ("trips.txt", "route_id,service_id,trip_id\nR,WK,T"),
            ("calendar_dates.txt", "service_id,date,exception_type\nWK,20240101,1"),
            (
                "stop_times.txt",
                "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n\
                 T,1,S,8:00:00,8:00:00\nT,2,B,8:10:00,8:10:00",
            ),
        ];
        let tables: BTreeMap<&str, &str> = tables.into_iter().collect();
        let feeds = vec![FeedFiles::from_tables("f", tables)];
        let options = TransitBuildOptions::default();
        let timetable =
            build_timetable_from_tables(feeds, &options, &mut IssueSink::default(), &mut |_, _| {}).unwrap();
        let clusters =
            Clusters::new(&timetable, &listing_order::stops(&timetable), ClusterMode::ParentStation);
        let stop = |id: &str| timetable.stop_by_id(&format!("1:{id}")).unwrap();
        let cluster = clusters.of_stop(stop("S")).unwrap();
        assert_eq!((clusters.count(), clusters.get(cluster).unwrap().id), (1, "S"));
        assert_eq!([clusters.of_stop(stop("P")), clusters.of_stop(stop("B"))], [Some(cluster), None]);
    }

    #[test]
    fn the_build_configuration_chooses_the_mode() {
        assert_eq!(ClusterMode::of(None), ClusterMode::Proximity);
        assert_eq!(ClusterMode::of(Some("nonsense")), ClusterMode::Proximity);
        assert_eq!(
            ClusterMode::of(Some(r#"{"stopClusterMode":"parentStation"}"#)),
            ClusterMode::ParentStation
        );
    }
}
