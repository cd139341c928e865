//! State shared by the build steps that turn OSM elements into vertices and edges.

use std::collections::BTreeMap;

use trestle_model::IssueSink;
use trestle_model::geo::LatLon;

use super::network::Network;
use super::options::StreetBuildOptions;
use super::turn_restrictions::RestrictionRelations;
use crate::elevation::HEIGHTS_ON_EARTH;
use crate::graph::{EdgeKind, StreetNote, edge_flags, vertex_flags};
use crate::osm::{
    CarSpeeds, Level, NodeRef, NoteRules, OsmData, Permission, Tags, WayName, WayNamer, WayPropertyRules,
    entity_permission, translations,
};

/// No vertex yet.
const NONE: u32 = u32::MAX;

/// The elements that were read, the rules, and the network that grows.
pub(super) struct Streets<'a> {
    pub(super) data: &'a OsmData,
    pub(super) options: &'a StreetBuildOptions,
    pub(super) network: Network,
    pub(super) properties: WayPropertyRules,
    pub(super) speeds: CarSpeeds,
    pub(super) namer: WayNamer,
    pub(super) note_rules: NoteRules,
    pub(super) turns: RestrictionRelations,
    /// Vertex of each node, `u32::MAX` for none. Elevator nodes have one per level instead.
    vertex_of_node: Vec<u32>,
    /// Levels of elevator nodes and their vertices, in the order in which they were found.
    pub(super) elevators: BTreeMap<NodeRef, Vec<(Level, u32)>>,
    /// Smallest bicycle safety factor of any edge; all are divided by it in the end.
    pub(super) best_safety: f32,
}

impl<'a> Streets<'a> {
    pub(super) fn new(data: &'a OsmData, options: &'a StreetBuildOptions, issues: &mut IssueSink) -> Self {
        Streets {
            data,
            options,
            network: Network { files: data.files.clone(), ..Network::new() },
            properties: WayPropertyRules::new(options.way_property_set),
            speeds: CarSpeeds::new(options.way_property_set),
            namer: WayNamer::new(),
            note_rules: NoteRules::new(),
            turns: RestrictionRelations::collect(data, issues),
            vertex_of_node: vec![NONE; data.node_count()],
            elevators: BTreeMap::new(),
            best_safety: f32::INFINITY,
        }
    }

    /// The vertex of a node, made on first use; elevators have one for each level of a way.
    pub(super) fn vertex(&mut self, node: NodeRef, position: LatLon, level: &Level) -> u32 {
        let mut levels = self.elevators.get(&node).into_iter().flatten();
        let on_level = levels.find(|(known, _)| known.number == level.number).map(|(_, vertex)| *vertex);
        if let Some(vertex) = on_level.or(self.known_vertex(node)) {
            return vertex;
        }
        let vertex = self.network.add_vertex(position, self.data.node_id(node), vertex_flags::OSM_NODE);
        self.network.vertices[vertex as usize].file = self.data.file_of(node);
        let tags = self.data.node_tags(node);
        if tags.is_some_and(|tags| tags.is("highway", "elevator")) {
            self.elevators.entry(node).or_default().push((level.clone(), vertex));
            return vertex;
        }
        self.vertex_of_node[node.0 as usize] = vertex;
        if let Some(tags) = tags {
            self.describe_vertex(vertex, tags);
        }
        vertex
    }

    /// The vertex of a node that has one already and is not an elevator.
    pub(super) fn known_vertex(&self, node: NodeRef) -> Option<u32> {
        Some(self.vertex_of_node[node.0 as usize]).filter(|vertex| *vertex != NONE)
    }

    /// Describes a vertex by the first that applies of barrier, stop with a code, exit and traffic light.
    fn describe_vertex(&mut self, vertex: u32, tags: &Tags) {
        let reference = tags.get("ref");
        let names = &mut self.network.names;
        let built = &mut self.network.vertices[vertex as usize];
        built.elevation = tags.get("ele").and_then(parse_elevation);
        if let Some(passable) = passable_barrier(tags) {
            built.flags |= vertex_flags::BARRIER;
            built.passable = passable;
        } else if let (true, Some(code)) = (is_stop(tags), reference) {
            self.network.stop_nodes.push((vertex, code.to_owned()));
        } else if let (true, Some(exit)) = (tags.is("highway", "motorway_junction"), reference) {
            built.flags |= vertex_flags::EXIT;
            built.name = names.intern(exit);
        } else if tags.is("highway", "traffic_signals") {
            built.flags |= vertex_flags::TRAFFIC_LIGHT;
        }
    }

    /// Index of the name of a way or area, and the flags that it gives to edges; `None` when it has no name and none can be
    /// made from its tags.
    pub(super) fn name(&mut self, tags: &Tags) -> Option<(u32, u32)> {
        let name = self.namer.name(tags)?;
        Some((self.add_name(&name.text, tags), name_flags(&name)))
    }

    /// Index of a name. A new one is added, with the translations in the tags that it comes from.
    pub(super) fn add_name(&mut self, name: &str, tags: &Tags) -> u32 {
        let index = self.network.names.intern(name);
        if tags.has("name") {
            for (language, text) in translations(tags) {
                let language = self.network.names.intern(language);
                let text = self.network.names.intern(text);
                self.network.translations.entry((index, language)).or_insert(text);
            }
        }
        index
    }

    /// Adds the notes of a way to an edge.
    pub(super) fn add_notes(&mut self, edge: u32, notes: &[(&'static str, u32)]) {
        for (text, modes) in notes {
            let text = self.network.names.intern(text);
            self.network.notes.push(StreetNote { edge, text, modes: *modes });
        }
    }

    /// Divides all safety factors by the smallest one.
    pub(super) fn normalize_safety(&mut self) {
        if !self.best_safety.is_finite() {
            return;
        }
        let streets = self.network.edges.iter_mut().filter(|b| b.edge.kind() == EdgeKind::Street);
        for build in streets {
            build.edge.bicycle_safety /= self.best_safety;
        }
    }
}

/// Flags of the edges that have a name.
pub(super) fn name_flags(name: &WayName<'_>) -> u32 {
    if name.is_generated { edge_flags::GENERATED_NAME } else { 0 }
}

/// Values of `barrier` that stop cars unless access tags say otherwise.
const STOPS_CARS: [&str; 9] = [
    BOLLARD,
    "block",
    "cycle_barrier",
    "jersey_barrier",
    "kissing_gate",
    "log",
    "planter",
    "stile",
    "turnstile",
];
const BOLLARD: &str = "bollard";

/// The modes that a barrier lets through; `None` for nodes that everyone can pass.
pub(super) fn passable_barrier(tags: &Tags) -> Option<Permission> {
    let barrier = tags.get("barrier")?;
    let default = if STOPS_CARS.contains(&barrier) { Permission::WALK_BICYCLE } else { Permission::ALL };
    let passable = entity_permission(tags, default);
    // Ways are cut at all bollards, as in the reference.
    (passable != Permission::ALL || barrier == BOLLARD).then_some(passable)
}

/// Whether ways are cut at the nodes beside a barrier, too. It closes the pieces of street that touch it, and those should
/// be short. The reference, which knows only bollards, does not.
pub(super) fn closes_short_pieces(tags: &Tags) -> bool {
    passable_barrier(tags).is_some() && !tags.is("barrier", BOLLARD)
}

/// A transit stop.
pub(super) fn is_stop(tags: &Tags) -> bool {
    tags.is("highway", "bus_stop")
        || matches!(tags.get("railway"), Some("tram_stop" | "station" | "halt"))
        || tags.is("amenity", "bus_station")
}

/// Parses an `ele` value: a number, optionally followed by `m`. Other heights than there are on Earth are mistakes.
fn parse_elevation(text: &str) -> Option<f64> {
    let number = text.trim().trim_end_matches('m').trim_end();
    number.parse::<f64>().ok().filter(|height| HEIGHTS_ON_EARTH.contains(height))
}
