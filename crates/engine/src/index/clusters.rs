//! Stop clusters: stops at one place with one name, so that clients can show them as one.

use rustc_hash::FxHashMap;
use trestle_model::geo::{LatLon, fast_distance_m};
use trestle_model::ids::StopIdx;
use trestle_transit::listing_order;
use trestle_transit::timetable::Timetable;

/// Stops with the seed's name that are at most this many metres from it belong to its cluster.
const REACH_M: f64 = 400.0;

/// How clusters are formed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClusterMode {
    /// By name and distance.
    #[default]
    Proximity,
    /// By `parent_station`.
    ParentStation,
}

impl ClusterMode {
    /// The mode that `stopClusterMode` of a build-config.json selects.
    pub fn of(build_config: Option<&str>) -> ClusterMode {
        let config: Option<serde_json::Value> = build_config.and_then(|text| serde_json::from_str(text).ok());
        match config.as_ref().and_then(|config| config.get("stopClusterMode")?.as_str()) {
            Some("parentStation") => ClusterMode::ParentStation,
            _ => ClusterMode::Proximity,
        }
    }
}

/// One cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Cluster {
    /// `C000`, or the parent station's id.
    pub id: String,
    /// Normalized name of the first stop, or that stop's name.
    pub name: String,
    /// Mean of the stops, or the station.
    pub position: LatLon,
    /// Stops, in listing order.
    pub stops: Vec<StopIdx>,
}

/// All clusters of a graph.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Clusters {
    /// In the order of their first stops.
    pub all: Vec<Cluster>,
    /// Positions in `all`, in the order in which the interface lists them.
    pub listing: Vec<u32>,
    by_id: FxHashMap<String, u32>,
    by_stop: FxHashMap<StopIdx, u32>,
}

impl Clusters {
    /// Clusters of the listed stops.
    pub fn new(timetable: &Timetable, listed: &[u32], mode: ClusterMode) -> Clusters {
        let all = match mode {
            ClusterMode::Proximity => by_proximity(timetable, listed),
            ClusterMode::ParentStation => by_station(timetable, listed),
        };
        let ids: Vec<String> = all.iter().map(|cluster| cluster.id.clone()).collect();
        let members =
            (0u32..).zip(&all).flat_map(|(i, cluster)| cluster.stops.iter().map(move |&stop| (stop, i)));
        Clusters {
            by_stop: members.collect(),
            listing: listing_order::clusters(&ids),
            by_id: ids.into_iter().zip(0..).collect(),
            all,
        }
    }

    /// Position of a cluster in [`Self::all`].
    pub fn find(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// The cluster of a stop: the last one that claimed it.
    pub fn of_stop(&self, stop: StopIdx) -> Option<u32> {
        self.by_stop.get(&stop).copied()
    }
}

fn position(timetable: &Timetable, stop: u32) -> LatLon {
    LatLon::new(timetable.stops.lat[stop as usize], timetable.stops.lon[stop as usize])
}

/// Every unclaimed stop starts a cluster and claims all nearby stops of its name, including claimed ones.
fn by_proximity(timetable: &Timetable, listed: &[u32]) -> Vec<Cluster> {
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
        let center = position(timetable, seed);
        let near = namesakes[name.as_str()].iter().copied();
        let stops: Vec<u32> =
            near.filter(|&stop| fast_distance_m(center, position(timetable, stop)) < REACH_M).collect();
        for &stop in &stops {
            claimed[stop as usize] = true;
        }
        clusters.push(Cluster {
            id: format!("C{:03}", clusters.len()),
            name: name.clone(),
            position: mean(timetable, &stops),
            stops: stops.into_iter().map(StopIdx).collect(),
        });
    }
    clusters
}

fn mean(timetable: &Timetable, stops: &[u32]) -> LatLon {
    let sum = stops.iter().fold(LatLon::default(), |sum, &stop| {
        let at = position(timetable, stop);
        LatLon::new(sum.lat + at.lat, sum.lon + at.lon)
    });
    let count = stops.len().max(1) as f64;
    LatLon::new(sum.lat / count, sum.lon / count)
}

fn by_station(timetable: &Timetable, listed: &[u32]) -> Vec<Cluster> {
    let columns = &timetable.stops;
    let mut position_of: FxHashMap<u32, usize> = FxHashMap::default();
    let mut clusters: Vec<Cluster> = Vec::new();
    for &stop in listed {
        let station = columns.parent[stop as usize];
        if station == u32::MAX {
            continue;
        }
        let at = *position_of.entry(station).or_insert_with(|| {
            clusters.push(Cluster {
                id: timetable.texts.get(columns.id[station as usize]).to_owned(),
                name: timetable.texts.get(columns.name[stop as usize]).to_owned(),
                position: position(timetable, station),
                stops: Vec::new(),
            });
            clusters.len() - 1
        });
        clusters[at].stops.push(StopIdx(stop));
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
    use super::*;

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
