//! Places by name: stops, clusters of stops, and street corners.

mod words;

use rustc_hash::FxHashMap;
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_street::graph::EdgeKind;

use crate::index::{Clusters, is_listed};
use crate::snapshot::Snapshot;
use words::{distance, fold, words};

/// Answers to one query at most.
const MOST_FOUND: usize = 10;
/// Longest query that is looked at, in words.
const MOST_WORDS: usize = 12;

/// Kinds of places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    /// A stop.
    Stop,
    /// A cluster of stops.
    Cluster,
    /// A street corner.
    Corner,
}

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeocodeQuery {
    /// The text.
    pub text: String,
    /// Words are the beginnings of those meant, instead of misspelt.
    pub autocomplete: bool,
    /// Stops wanted.
    pub stops: bool,
    /// Clusters wanted.
    pub clusters: bool,
    /// Corners wanted; nothing wanted means everything.
    pub corners: bool,
}

/// A place that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundPlace {
    /// Kind.
    pub category: Category,
    /// Name.
    pub name: String,
    /// Stop code.
    pub code: Option<String>,
    /// `feed:stop` or cluster id.
    pub id: Option<String>,
    /// Latitude.
    pub lat: f64,
    /// Longitude.
    pub lon: f64,
}

/// A place by what it is in the graph.
#[derive(Clone, Copy)]
enum Entry {
    Stop(StopIdx),
    Cluster(u32),
    Corner { vertex: VertexIdx, main: u32, cross: u32 },
}

/// The words of all names, sorted, with the places that have them.
pub struct Geocoder {
    entries: Vec<Entry>,
    vocabulary: Vec<(String, Vec<char>)>,
    places: Vec<Vec<u32>>,
    codes: FxHashMap<String, Vec<u32>>,
}

impl Geocoder {
    /// The index of a graph's places.
    pub fn new(snapshot: &Snapshot) -> Geocoder {
        let mut builder = Builder::default();
        builder.add_stops(snapshot);
        builder.add_clusters(snapshot.catalog.clusters(&snapshot.graph));
        builder.add_corners(snapshot);
        builder.finish()
    }

    /// Places whose names have words of the query, best first; at most ten.
    pub fn find(&self, snapshot: &Snapshot, query: &GeocodeQuery) -> Vec<FoundPlace> {
        let mut scores: FxHashMap<u32, f32> = FxHashMap::default();
        for term in query.text.split_whitespace().take(MOST_WORDS) {
            for (entry, score) in self.matches(term, query.autocomplete) {
                *scores.entry(entry).or_default() += score;
            }
        }
        let mut best: Vec<(f32, u32)> = (scores.into_iter())
            .filter(|(entry, _)| query.wants(self.entries[*entry as usize]))
            .map(|(entry, score)| (score, entry))
            .collect();
        let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if best.len() > MOST_FOUND {
            best.select_nth_unstable_by(MOST_FOUND, order);
            best.truncate(MOST_FOUND);
        }
        best.sort_unstable_by(order);
        best.into_iter().map(|(_, entry)| describe(snapshot, self.entries[entry as usize])).collect()
    }

    /// Places that one word of a query may mean, each with its best score: rare and exact words count more.
    fn matches(&self, term: &str, autocomplete: bool) -> FxHashMap<u32, f32> {
        let mut found: FxHashMap<u32, f32> = FxHashMap::default();
        let mut add = |places: &[u32], weight: f32| {
            let rarity = (self.entries.len() as f32 / places.len() as f32).ln() + 1.0;
            for &place in places {
                let score = found.entry(place).or_default();
                *score = score.max(rarity * weight);
            }
        };
        if let Some(places) = self.codes.get(term) {
            add(places, 2.0);
        }
        for word in words(term) {
            if autocomplete {
                let first = self.vocabulary.partition_point(|(known, _)| known.as_str() < word.as_str());
                let same = self.vocabulary[first..].iter().take_while(|(known, _)| known.starts_with(&word));
                for (i, (known, _)) in same.enumerate() {
                    add(&self.places[first + i], word.len() as f32 / known.len() as f32);
                }
                continue;
            }
            let letters: Vec<char> = word.chars().collect();
            let most = edits_allowed(letters.len());
            for (i, (_, known)) in self.vocabulary.iter().enumerate() {
                if let Some(edits) = distance(&letters, known, most) {
                    let length = letters.len().min(known.len()) as f32;
                    add(&self.places[i], (1.0 - edits as f32 / length).max(0.05) / (1 + 2 * edits) as f32);
                }
            }
        }
        found
    }
}

impl GeocodeQuery {
    fn wants(&self, entry: Entry) -> bool {
        let everything = !(self.stops || self.clusters || self.corners);
        everything
            || match entry {
                Entry::Stop(_) => self.stops,
                Entry::Cluster(_) => self.clusters,
                Entry::Corner { .. } => self.corners,
            }
    }
}

/// Short words mean others already after one change.
fn edits_allowed(letters: usize) -> usize {
    match letters {
        0..=2 => 0,
        3 => 1,
        _ => 2,
    }
}

fn describe(snapshot: &Snapshot, entry: Entry) -> FoundPlace {
    let (timetable, street) = (&snapshot.graph.timetable, &snapshot.graph.street);
    match entry {
        Entry::Stop(stop) => FoundPlace {
            category: Category::Stop,
            name: timetable.texts.get(timetable.stops.name[stop.index()]).to_owned(),
            code: timetable.texts.opt(timetable.stops.code[stop.index()]).map(str::to_owned),
            id: Some(timetable.stop_id(stop)),
            lat: timetable.stops.lat[stop.index()],
            lon: timetable.stops.lon[stop.index()],
        },
        Entry::Cluster(number) => {
            let cluster = &snapshot.catalog.clusters(&snapshot.graph).all[number as usize];
            FoundPlace {
                category: Category::Cluster,
                name: cluster.name.clone(),
                code: None,
                id: Some(cluster.id.clone()),
                lat: cluster.position.lat,
                lon: cluster.position.lon,
            }
        }
        Entry::Corner { vertex, main, cross } => {
            let position = street.position(vertex);
            FoundPlace {
                category: Category::Corner,
                name: format!("{} & {}", street.names.get(main), street.names.get(cross)),
                code: None,
                id: None,
                lat: position.lat,
                lon: position.lon,
            }
        }
    }
}

#[derive(Default)]
struct Builder {
    entries: Vec<Entry>,
    words: FxHashMap<String, Vec<u32>>,
    codes: FxHashMap<String, Vec<u32>>,
}

impl Builder {
    fn add(&mut self, entry: Entry, names: &[&str]) -> u32 {
        let number = self.entries.len() as u32;
        self.entries.push(entry);
        for word in names.iter().flat_map(|name| words(name)) {
            let places = self.words.entry(word).or_default();
            if places.last() != Some(&number) {
                places.push(number);
            }
        }
        number
    }

    fn add_stops(&mut self, snapshot: &Snapshot) {
        let timetable = &snapshot.graph.timetable;
        for stop in (0..timetable.stops.id.len()).map(StopIdx::from).filter(|&s| is_listed(timetable, s)) {
            let number =
                self.add(Entry::Stop(stop), &[timetable.texts.get(timetable.stops.name[stop.index()])]);
            if let Some(code) = timetable.texts.opt(timetable.stops.code[stop.index()]) {
                self.codes.entry(code.to_owned()).or_default().push(number);
            }
        }
    }

    fn add_clusters(&mut self, clusters: &Clusters) {
        for (number, cluster) in clusters.all.iter().enumerate() {
            self.add(Entry::Cluster(number as u32), &[&fold(&cluster.name)]);
        }
    }

    /// Vertices whose first and last street have different names.
    fn add_corners(&mut self, snapshot: &Snapshot) {
        let street = &snapshot.graph.street;
        for vertex in (0..street.vertex_count()).map(VertexIdx::from) {
            let edges = street.out_edges(vertex).map(|e| &street.edges[e as usize]);
            let mut names = edges.filter(|edge| edge.kind() == EdgeKind::Street).map(|edge| edge.name);
            let (Some(main), Some(cross)) = (names.next(), names.next_back()) else { continue };
            if main != cross {
                let texts = [street.names.get(main), street.names.get(cross)];
                self.add(Entry::Corner { vertex, main, cross }, &texts);
            }
        }
    }

    fn finish(self) -> Geocoder {
        let mut sorted: Vec<(String, Vec<u32>)> = self.words.into_iter().collect();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let (vocabulary, places) = sorted
            .into_iter()
            .map(|(word, places)| {
                let letters = word.chars().collect();
                ((word, letters), places)
            })
            .unzip();
        Geocoder { entries: self.entries, vocabulary, places, codes: self.codes }
    }
}
