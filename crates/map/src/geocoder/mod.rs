//! Finds places by name: stops, clusters of stops and street corners; and places named on the map, including houses.

mod houses;
mod index;
mod terms;
mod words;

use std::cmp::Reverse;
use std::sync::OnceLock;

use trestle_engine::index::Clusters;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::ids::{EdgeIdx, StopIdx, VertexIdx};
use trestle_model::named;
use trestle_street::gazetteer::{Gazetteer, position};
use trestle_street::graph::{EdgeKind, StreetGraph, edge_flags};
use trestle_transit::timetable::Timetable;

use houses::best_house;
use index::{IndexBuilder, WordIndex};
use terms::{Term, has_phrase, terms, words_in};
use words::words;

use crate::stop_modes::{min_zoom, modes_of_stops};

/// Most answers to one query.
const MOST_FOUND: usize = 10;
/// Number of streets, best first, whose houses are searched for a number.
const MOST_STREETS: usize = 64;
/// What a matching house number adds to the score of its street: as much as a rare word.
const NUMBER_SCORE: f32 = 8.0;
/// What the score of a corner with a street without a name is multiplied by.
const UNNAMED_CORNER: f32 = 0.5;

named! {
    /// Kinds of places.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Category {
        /// A stop.
        Stop = "stop",
        /// A cluster of stops.
        Cluster = "cluster",
        /// A street corner.
        Corner = "corner",
        /// A settlement, or any other named place of the map.
        Place = "place",
        /// A house.
        Address = "address",
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GeocodeQuery {
    pub text: String,
    /// The words are beginnings of words, rather than possibly misspelt words.
    pub autocomplete: bool,
    /// Search stops.
    pub stops: bool,
    /// Search clusters.
    pub clusters: bool,
    /// Search corners.
    pub corners: bool,
    /// Search places and addresses of the map. If nothing is selected, everything is searched.
    pub places: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FoundPlace {
    pub category: Category,
    pub name: String,
    /// Stop code, kind of place, or city of an address.
    pub code: Option<String>,
    /// `feed:stop` or cluster id.
    pub id: Option<String>,
    pub lat: f64,
    pub lon: f64,
}

impl FoundPlace {
    fn new(category: Category, name: impl Into<String>, LatLon { lat, lon }: LatLon) -> FoundPlace {
        FoundPlace { category, name: name.into(), code: None, id: None, lat, lon }
    }
}

/// A place, by what it is in the graph.
#[derive(Clone, Copy)]
enum Entry {
    Stop(StopRank),
    /// A cluster, with the number of words of its name.
    Cluster {
        cluster: u32,
        words: u8,
    },
    /// A corner of two streets, with the number of words of both names.
    Corner {
        vertex: VertexIdx,
        main: u32,
        cross: u32,
        words: u8,
        /// Whether both streets have names of their own, not words for their kind, such as `path`.
        is_named: bool,
    },
    /// An entry of the gazetteer, with the number of words of its name.
    Place {
        place: u32,
        words: u8,
    },
    /// A street whose houses are known.
    Street {
        street: u32,
        words: u8,
    },
}

/// The words of all names, with the places that have them.
pub struct Geocoder {
    entries: Vec<Entry>,
    index: WordIndex,
}

/// An entry that matches a query; for a street, the house.
#[derive(Clone, Copy)]
struct Candidate {
    score: f32,
    entry: u32,
    house: Option<u32>,
}

/// A stop, and what its place among stops that match a query equally well depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct StopRank {
    /// Number of words of its name: the fewer, the more of it is in the query.
    words: u8,
    /// The zoom from which maps show it, which is lower for a railway station than for a bus stop.
    min_zoom: u8,
    /// Patterns that call there; more come first.
    patterns: Reverse<u32>,
    stop: StopIdx,
}

impl Geocoder {
    /// The names of a graph; the index is made at the first look-up.
    pub fn of(snapshot: &Snapshot) -> &Geocoder {
        let kept: &OnceLock<Geocoder> = snapshot.derived.get();
        kept.get_or_init(|| Geocoder::new(snapshot))
    }

    /// The index of a graph's places.
    pub fn new(snapshot: &Snapshot) -> Geocoder {
        let mut builder = Builder { snapshot, entries: Vec::new(), index: IndexBuilder::default() };
        builder.add_stops();
        builder.add_clusters();
        builder.add_corners();
        let scheduled = builder.entries.len();
        builder.add_places();
        builder.add_streets();
        Geocoder { index: builder.index.finish(scheduled, builder.entries.len()), entries: builder.entries }
    }

    /// Places whose names contain words of the query, best first; at most ten.
    pub fn find(&self, snapshot: &Snapshot, query: &GeocodeQuery) -> Vec<FoundPlace> {
        let terms = terms(&query.text, query.autocomplete);
        let words = words_in(&terms);
        let has = |entry: u32, phrase: &[String]| {
            names(snapshot, self.entries[entry as usize]).iter().any(|name| has_phrase(name, phrase))
        };
        let (mut streets, mut best): (Vec<Candidate>, Vec<Candidate>) = (self.index)
            .scores(&terms, query.wants_gazetteer(), &has)
            .map(|(entry, score)| (entry, self.entries[entry as usize], score))
            .filter(|(_, place, _)| query.wants(*place))
            .map(|(entry, place, score)| Candidate {
                score: score * prominence(snapshot, place, words),
                entry,
                house: None,
            })
            .partition(|found| matches!(self.entries[found.entry as usize], Entry::Street { .. }));
        self.keep_best(&mut streets, MOST_STREETS);
        best.extend(streets.into_iter().filter_map(|found| self.house_of(snapshot, found, &terms)));
        self.keep_best(&mut best, MOST_FOUND);
        best.into_iter()
            .map(|found| describe(snapshot, self.entries[found.entry as usize], found.house))
            .collect()
    }

    /// The house of a street whose number is in the query; streets without one are found by their corners.
    fn house_of(&self, snapshot: &Snapshot, found: Candidate, terms: &[Term<'_>]) -> Option<Candidate> {
        let Entry::Street { street, .. } = self.entries[found.entry as usize] else { return None };
        let house = best_house(&snapshot.graph.street.gazetteer, street as usize, terms)?;
        Some(Candidate { score: found.score + NUMBER_SCORE, house: Some(house), ..found })
    }

    /// The best matches in order: by score. Of equal ones, stops come first, by their rank, and then the others as in the
    /// graph.
    fn keep_best(&self, found: &mut Vec<Candidate>, most: usize) {
        let as_listed = |a: u32, b: u32| match (self.entries[a as usize], self.entries[b as usize]) {
            (Entry::Stop(one), Entry::Stop(other)) => one.cmp(&other),
            _ => a.cmp(&b),
        };
        let order = |a: &Candidate, b: &Candidate| {
            b.score.total_cmp(&a.score).then_with(|| as_listed(a.entry, b.entry))
        };
        if found.len() > most {
            found.select_nth_unstable_by(most, order);
            found.truncate(most);
        }
        found.sort_unstable_by(order);
    }
}

/// Entries rank higher the more of their name is in the query: a corner, which has the names of two streets, would otherwise
/// hide the stop that is meant. Few people mean the corner with a street that has no name, which would otherwise rank
/// higher, as the word for its kind is short. Places of the map also rank higher the more people look for them.
fn prominence(snapshot: &Snapshot, entry: Entry, query_words: usize) -> f32 {
    let (words, importance) = match entry {
        Entry::Place { place, words } => {
            (words, snapshot.graph.street.gazetteer.places.importance[place as usize])
        }
        Entry::Corner { words, is_named: false, .. } => return UNNAMED_CORNER * share_of(words, query_words),
        Entry::Stop(StopRank { words, .. })
        | Entry::Cluster { words, .. }
        | Entry::Corner { words, .. }
        | Entry::Street { words, .. } => (words, 0),
    };
    share_of(words, query_words) * (1.0 + f32::from(importance) / 10.0)
}

/// At least a half; one if the query has as many words as the name.
fn share_of(words: u8, query_words: usize) -> f32 {
    0.5 + (query_words as f32 / f32::from(words.max(1))).min(1.0) / 2.0
}

impl GeocodeQuery {
    fn wants_everything(&self) -> bool {
        !(self.stops || self.clusters || self.corners || self.places)
    }

    fn wants_gazetteer(&self) -> bool {
        self.places || self.wants_everything()
    }

    fn wants(&self, entry: Entry) -> bool {
        self.wants_everything()
            || match entry {
                Entry::Stop(_) => self.stops,
                Entry::Cluster { .. } => self.clusters,
                Entry::Corner { .. } => self.corners,
                Entry::Place { .. } | Entry::Street { .. } => self.places,
            }
    }
}

/// What clients see of an entry, or of a house in a street.
fn describe(snapshot: &Snapshot, entry: Entry, house: Option<u32>) -> FoundPlace {
    let graph = &snapshot.graph;
    match entry {
        Entry::Stop(StopRank { stop, .. }) => found_stop(&graph.timetable, stop),
        Entry::Cluster { cluster, .. } => found_cluster(&graph.listing.clusters, cluster as usize),
        Entry::Corner { vertex, main, cross, .. } => found_corner(&graph.street, vertex, [main, cross]),
        Entry::Place { place, .. } => found_place(&graph.street.gazetteer, place as usize),
        Entry::Street { street, .. } => {
            found_address(&graph.street.gazetteer, street as usize, house.unwrap_or_default() as usize)
        }
    }
}

fn found_stop(timetable: &Timetable, stop: StopIdx) -> FoundPlace {
    let (texts, stops) = (&timetable.texts, &timetable.stops);
    let name = texts.get(stops.name[stop.index()]);
    FoundPlace {
        code: texts.opt(stops.code[stop.index()]).map(str::to_owned),
        id: Some(timetable.stop_id(stop)),
        ..FoundPlace::new(Category::Stop, name, stops.position(stop))
    }
}

fn found_cluster(clusters: &Clusters, number: usize) -> FoundPlace {
    let [lat, lon] = clusters.position[number];
    let name = clusters.texts.get(clusters.name[number]);
    FoundPlace {
        id: Some(clusters.texts.get(clusters.id[number]).to_owned()),
        ..FoundPlace::new(Category::Cluster, name, LatLon { lat, lon })
    }
}

/// The corner of two streets, given by their names.
fn found_corner(street: &StreetGraph, vertex: VertexIdx, names: [u32; 2]) -> FoundPlace {
    let [main, cross] = names.map(|name| street.names.get(name));
    FoundPlace::new(Category::Corner, format!("{main} & {cross}"), street.position(vertex))
}

fn found_place(gazetteer: &Gazetteer, place: usize) -> FoundPlace {
    let (places, texts) = (&gazetteer.places, &gazetteer.texts);
    let name = texts.get(places.name[place]);
    FoundPlace {
        code: texts.opt(places.kind[place]).map(|kind| kind.replace('_', " ")),
        ..FoundPlace::new(Category::Place, name, position(places.position[place]))
    }
}

fn found_address(gazetteer: &Gazetteer, street: usize, house: usize) -> FoundPlace {
    let (addresses, texts) = (&gazetteer.addresses, &gazetteer.texts);
    let (name, number) = (texts.get(addresses.street[street]), texts.get(addresses.number[house]));
    FoundPlace {
        code: texts.opt(addresses.city[street]).map(str::to_owned),
        ..FoundPlace::new(Category::Address, format!("{name} {number}"), position(addresses.position[house]))
    }
}

/// The names by which an entry is found.
fn names(snapshot: &Snapshot, entry: Entry) -> [&str; 2] {
    let graph = &snapshot.graph;
    let (street, gazetteer) = (&graph.street, &graph.street.gazetteer);
    match entry {
        Entry::Stop(StopRank { stop, .. }) => {
            [graph.timetable.texts.get(graph.timetable.stops.name[stop.index()]), ""]
        }
        Entry::Cluster { cluster, .. } => {
            let clusters = &graph.listing.clusters;
            [clusters.texts.get(clusters.name[cluster as usize]), ""]
        }
        Entry::Corner { main, cross, .. } => [street.names.get(main), street.names.get(cross)],
        Entry::Place { place, .. } => {
            let places = &gazetteer.places;
            [places.name[place as usize], places.other_names[place as usize]]
                .map(|name| gazetteer.texts.get(name))
        }
        Entry::Street { street, .. } => {
            let addresses = &gazetteer.addresses;
            [addresses.street[street as usize], addresses.city[street as usize]]
                .map(|name| gazetteer.texts.get(name))
        }
    }
}

struct Builder<'a> {
    snapshot: &'a Snapshot,
    entries: Vec<Entry>,
    index: IndexBuilder,
}

impl Builder<'_> {
    fn add(&mut self, entry: Entry) -> u32 {
        let number = self.entries.len() as u32;
        self.entries.push(entry);
        self.index.add(number, &names(self.snapshot, entry));
        number
    }

    fn add_stops(&mut self) {
        let timetable = &self.snapshot.graph.timetable;
        let stops = &timetable.stops;
        let modes = modes_of_stops(timetable);
        for stop in (0..stops.id.len()).map(StopIdx::from).filter(|&s| stops.is_boardable(s)) {
            let rank = StopRank {
                words: count_words(timetable.texts.get(stops.name[stop.index()])),
                min_zoom: min_zoom(modes[stop.index()]),
                patterns: Reverse(stops.calls_at(stop).len() as u32),
                stop,
            };
            let number = self.add(Entry::Stop(rank));
            if let Some(code) = timetable.texts.opt(stops.code[stop.index()]) {
                self.index.add_code(number, code);
            }
        }
    }

    fn add_clusters(&mut self) {
        let clusters = &self.snapshot.graph.listing.clusters;
        for (cluster, &name) in (0..).zip(clusters.name.iter()) {
            self.add(Entry::Cluster { cluster, words: count_words(clusters.texts.get(name)) });
        }
    }

    /// Vertices whose first and last street have different names.
    fn add_corners(&mut self) {
        let street = &self.snapshot.graph.street;
        for vertex in (0..street.vertex_count()).map(VertexIdx::from) {
            let edges = street.out_edges(vertex).map(|e| street.edge(EdgeIdx(e)));
            let mut streets = edges.filter(|edge| edge.kind() == EdgeKind::Street);
            let (Some(first), Some(last)) = (streets.next(), streets.next_back()) else { continue };
            let (main, cross) = (first.name, last.name);
            if main != cross {
                let texts = [street.names.get(main), street.names.get(cross)];
                let words = texts.iter().fold(0u8, |sum, name| sum.saturating_add(count_words(name)));
                let is_named = ![first, last].iter().any(|edge| edge.has(edge_flags::BOGUS_NAME));
                self.add(Entry::Corner { vertex, main, cross, words, is_named });
            }
        }
    }

    fn add_places(&mut self) {
        let Gazetteer { places, texts, .. } = &self.snapshot.graph.street.gazetteer;
        for (place, name) in (0u32..).zip(places.name.iter()) {
            self.add(Entry::Place { place, words: count_words(texts.get(*name)) });
        }
    }

    fn add_streets(&mut self) {
        let Gazetteer { addresses, texts, .. } = &self.snapshot.graph.street.gazetteer;
        for (street, name) in (0u32..).zip(addresses.street.iter()) {
            self.add(Entry::Street { street, words: count_words(texts.get(*name)) });
        }
    }
}

fn count_words(name: &str) -> u8 {
    words(name).count().min(255) as u8
}
