//! The elements that matter for streets, read in three passes over all files: relations, ways, nodes.

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::IssueSink;
use trestle_model::geo::{LatLon, distance_m};

use super::base_map::{BaseMapCollector, MapShapes};
use super::gazetteer::GazetteerCollector;
use super::levels::{Level, parse_level_map};
use super::tags::{TagInterner, Tags};
use super::{ElementSink, MemberKind, OpenFile, OsmInput, Pass, RawMember, RawTags};
use super::{is_bike_parking, is_park_and_ride, is_routable_entity, is_routable_way};
use crate::error::StreetError;
use crate::gazetteer::Gazetteer;

/// Position of a node in [`OsmData`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NodeRef(pub(crate) u32);

/// A member of a kept relation.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) kind: MemberKind,
    pub(crate) id: i64,
    pub(crate) role: String,
}

/// A kept way.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) id: i64,
    pub(crate) nodes: Vec<NodeRef>,
    pub(crate) tags: Tags,
    pub(crate) level: Level,
    /// A street: cut into edges.
    pub(crate) is_street: bool,
    /// A closed way that is an area itself, not a ring of a relation.
    pub(crate) is_area: bool,
    /// File it came from, index into [`OsmData::files`].
    pub(crate) file: usize,
}

/// A kept relation.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) id: i64,
    pub(crate) members: Vec<Member>,
    pub(crate) tags: Tags,
    /// File it came from, index into [`OsmData::files`].
    pub(crate) file: usize,
}

impl Relation {
    /// A multipolygon that is a plaza, a platform, a park-and-ride lot or a bike park.
    pub(crate) fn is_area(&self) -> bool {
        is_area_relation(&self.tags)
    }

    pub(crate) fn ways(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.kind == MemberKind::Way)
    }
}

fn is_area_relation(tags: &Tags) -> bool {
    tags.is("type", "multipolygon")
        && (is_routable_entity(tags) || is_park_and_ride(tags) || is_bike_parking(tags))
}

/// A node to be added where pieces of ways cross without one.
#[derive(Clone, Debug)]
pub(crate) struct JoiningNode {
    pub(crate) position: LatLon,
    /// Ends of the pieces that cross.
    pub(crate) pieces: [(NodeRef, NodeRef); 2],
}

/// Streets and what belongs to them, from all input files.
#[derive(Default)]
pub(crate) struct OsmData {
    /// Names of the input files.
    pub(crate) files: Vec<String>,
    /// Ways in file order.
    pub(crate) ways: Vec<Way>,
    /// Relations in file order.
    pub(crate) relations: Vec<Relation>,
    /// Bike rental and bike parking nodes.
    pub(crate) stations: Vec<NodeRef>,
    /// Names, addresses and boundaries, of the streets and of everything else.
    pub(crate) gazetteer: Gazetteer,
    /// What a base map shows.
    pub(crate) map: MapShapes,
    way_by_id: FxHashMap<i64, u32>,
    node_by_id: FxHashMap<i64, NodeRef>,
    node_ids: Vec<i64>,
    positions: Vec<Option<LatLon>>,
    /// The file that each node's position came from, index into `files`.
    node_files: Vec<u16>,
    node_tags: FxHashMap<NodeRef, Tags>,
}

impl OsmData {
    /// Reads all files; with `base_map`, also everything that a base map shows. `progress` is called with a step name
    /// and its fraction.
    ///
    /// # Errors
    /// [`StreetError::Osm`] for the first file that is cut or damaged.
    pub(crate) fn read(
        inputs: &[OsmInput<'_>],
        base_map: bool,
        issues: &mut IssueSink,
        progress: &mut dyn FnMut(&str, f32),
    ) -> Result<OsmData, StreetError> {
        let files = inputs.iter().map(OpenFile::open).collect::<Result<Vec<_>, _>>()?;
        let mut data =
            OsmData { files: inputs.iter().map(|i| i.name.to_owned()).collect(), ..Default::default() };
        let mut collector = Collector::default();
        let mut gazetteer = GazetteerCollector::default();
        let mut map = BaseMapCollector::new(base_map);
        let passes =
            [(Pass::Relations, "osm relations"), (Pass::Ways, "osm ways"), (Pass::Nodes, "osm nodes")];
        for (pass, step) in passes {
            for (file, open) in files.iter().enumerate() {
                progress(step, file as f32 / files.len() as f32);
                (gazetteer.file, map.file) = (file, file);
                let mut streets = Collection { data: &mut data, collector: &mut collector, issues, file };
                open.read(pass, &mut Both(&mut streets, &mut Both(&mut gazetteer, &mut map)))?;
            }
            progress(step, 1.0);
        }
        data.gazetteer = gazetteer.finish(&data.files, issues);
        data.map = map.finish(&data.files, issues);
        data.apply_relations(issues);
        Ok(data)
    }

    pub(crate) fn way(&self, id: i64) -> Option<&Way> {
        self.way_by_id.get(&id).and_then(|i| self.ways.get(*i as usize))
    }

    fn street_mut(&mut self, id: i64) -> Option<&mut Way> {
        let way = self.ways.get_mut(*self.way_by_id.get(&id)? as usize)?;
        way.is_street.then_some(way)
    }

    pub(crate) fn node(&self, id: i64) -> Option<NodeRef> {
        self.node_by_id.get(&id).copied()
    }

    pub(crate) fn node_count(&self) -> usize {
        self.node_ids.len()
    }

    pub(crate) fn node_id(&self, node: NodeRef) -> i64 {
        self.node_ids[node.0 as usize]
    }

    /// Position of a node; `None` when the input lacks the node.
    pub(crate) fn position(&self, node: NodeRef) -> Option<LatLon> {
        self.positions[node.0 as usize]
    }

    /// The file that the position of a node came from, index into `files`.
    pub(crate) fn file_of(&self, node: NodeRef) -> u16 {
        self.node_files[node.0 as usize]
    }

    /// Tags of a node that has any of interest.
    pub(crate) fn node_tags(&self, node: NodeRef) -> Option<&Tags> {
        self.node_tags.get(&node)
    }

    /// Adds new nodes (with negative ids) to all ways that have the pieces they join.
    pub(crate) fn join(&mut self, joins: Vec<JoiningNode>) {
        let mut inserts: FxHashMap<(NodeRef, NodeRef), Vec<NodeRef>> = FxHashMap::default();
        for join in joins {
            let node = NodeRef(self.node_ids.len() as u32);
            self.node_ids.push(-1 - i64::from(node.0));
            self.positions.push(Some(join.position));
            self.node_files.push(self.node_files.get(join.pieces[0].0.0 as usize).copied().unwrap_or(0));
            for (from, to) in join.pieces {
                inserts.entry((from.min(to), from.max(to))).or_default().push(node);
            }
        }
        if inserts.is_empty() {
            return;
        }
        for way in &mut self.ways {
            let touched = |pair: &[NodeRef]| inserts.get(&(pair[0].min(pair[1]), pair[0].max(pair[1])));
            if !way.nodes.windows(2).any(|pair| touched(pair).is_some()) {
                continue;
            }
            let mut nodes = vec![way.nodes[0]];
            for pair in way.nodes.windows(2) {
                if let (Some(new), Some(start)) = (touched(pair), self.positions[pair[0].0 as usize]) {
                    let mut new = new.clone();
                    let away = |node: &NodeRef| {
                        self.positions[node.0 as usize].map_or(0.0, |position| distance_m(start, position))
                    };
                    new.sort_by(|a, b| away(a).total_cmp(&away(b)));
                    nodes.extend(new);
                }
                nodes.push(pair[1]);
            }
            way.nodes = nodes;
        }
    }

    /// Streets that are rings of a mapped area take over tags that only the relation has.
    fn apply_area_relation(&mut self, relation: &Relation) {
        for member in relation.ways() {
            let Some(way) = self.street_mut(member.id) else { continue };
            for key in ["highway", "name", "ref", "railway", "public_transport"] {
                let Some(value) = relation.tags.get(key) else { continue };
                let is_taken = value == "platform" || !matches!(key, "railway" | "public_transport");
                if is_taken && !way.tags.has(key) {
                    way.tags.set(key, value);
                }
            }
        }
    }

    /// Whether all members of an area relation, and all their nodes, are in the input.
    pub(crate) fn has_complete_rings(&self, relation: &Relation) -> bool {
        relation.ways().all(|member| {
            self.way(member.id).is_some_and(|way| way.nodes.iter().all(|node| self.position(*node).is_some()))
        })
    }

    /// Gives the members of relations what only the relation says about them. Areas come first.
    fn apply_relations(&mut self, issues: &mut IssueSink) {
        let relations = std::mem::take(&mut self.relations);
        for area in relations.iter().filter(|relation| relation.is_area()) {
            if self.has_complete_rings(area) {
                self.apply_area_relation(area);
            }
        }
        for relation in &relations {
            if relation.tags.is("type", "route") && relation.tags.is("route", "road") {
                self.apply_road_route(relation);
            } else if relation.tags.is("type", "level_map") {
                self.apply_level_map(relation, issues);
            }
        }
        self.relations = relations;
    }

    fn apply_road_route(&mut self, relation: &Relation) {
        let combined = [("name", "otp:route_name"), ("ref", "otp:route_ref")];
        for member in relation.ways() {
            let Some(way) = self.street_mut(member.id) else { continue };
            for (key, combined) in combined {
                let Some(text) = relation.tags.get(key) else { continue };
                let texts = match way.tags.get(combined) {
                    Some(texts) if texts.split(", ").any(|t| t == text) => continue,
                    Some(texts) => format!("{texts}, {text}"),
                    None => text.to_owned(),
                };
                way.tags.set(combined, &texts);
            }
        }
    }

    fn apply_level_map(&mut self, relation: &Relation, issues: &mut IssueSink) {
        let levels = parse_level_map(relation.tags.get("levels").unwrap_or_default());
        for member in relation.ways() {
            let Some(way) = self.street_mut(member.id) else { continue };
            match levels.iter().find(|(role, _)| *role == member.role) {
                Some((_, level)) => way.level = level.clone(),
                None => issues.add(
                    "osm-level-unknown",
                    &self.files[relation.file],
                    0,
                    format!(
                        "relation {}: way {} has a role that is not a level: {}",
                        relation.id, member.id, member.role
                    ),
                ),
            }
        }
    }
}

/// Passes each element to two sinks, so that a file is unpacked only once.
struct Both<'a>(&'a mut dyn ElementSink, &'a mut dyn ElementSink);

impl ElementSink for Both<'_> {
    fn relation(&mut self, id: i64, members: &[RawMember<'_>], tags: &RawTags<'_>) {
        self.0.relation(id, members, tags);
        self.1.relation(id, members, tags);
    }

    fn way(&mut self, id: i64, nodes: &[i64], tags: &RawTags<'_>) {
        self.0.way(id, nodes, tags);
        self.1.way(id, nodes, tags);
    }

    fn node(&mut self, id: i64, position: LatLon, tags: &RawTags<'_>) {
        self.0.node(id, position, tags);
        self.1.node(id, position, tags);
    }
}

/// State of the passes.
#[derive(Default)]
struct Collector {
    interner: TagInterner,
    relation_ids: FxHashSet<i64>,
    area_member_ids: FxHashSet<i64>,
}

/// One pass over one file.
struct Collection<'a> {
    data: &'a mut OsmData,
    collector: &'a mut Collector,
    issues: &'a mut IssueSink,
    file: usize,
}

/// Keys that make the tags of a node worth keeping.
const NODE_KEYS: [&str; 6] = ["highway", "barrier", "ele", "railway", "amenity", "level"];

impl Collection<'_> {
    fn node_ref(&mut self, id: i64) -> NodeRef {
        let data = &mut *self.data;
        *data.node_by_id.entry(id).or_insert_with(|| {
            data.node_ids.push(id);
            data.positions.push(None);
            data.node_files.push(0);
            NodeRef(data.node_ids.len() as u32 - 1)
        })
    }

    fn level(&mut self, id: i64, tags: &Tags) -> Level {
        Level::of_tags(tags).unwrap_or_else(|text| {
            let message = format!("way {id}: level {text} is not a floor, so the default level is used");
            self.issues.add("osm-level-unknown", &self.data.files[self.file], 0, message);
            Level::default()
        })
    }
}

impl ElementSink for Collection<'_> {
    fn relation(&mut self, id: i64, members: &[RawMember<'_>], raw: &RawTags<'_>) {
        let kinds = ["multipolygon", "restriction", "route", "level_map"];
        if !raw.iter().any(|(key, value)| *key == "type" && kinds.contains(value)) {
            return;
        }
        let tags = self.collector.interner.tags(raw);
        let is_area = is_area_relation(&tags);
        let is_wanted = is_area
            || tags.is("type", "restriction")
            || (tags.is("type", "route") && tags.is("route", "road"))
            || tags.is("type", "level_map");
        if !is_wanted || !self.collector.relation_ids.insert(id) {
            return;
        }
        if is_area {
            let ways = members.iter().filter(|m| m.kind == MemberKind::Way).map(|m| m.id);
            self.collector.area_member_ids.extend(ways);
        }
        let members =
            members.iter().map(|m| Member { kind: m.kind, id: m.id, role: m.role.to_owned() }).collect();
        self.data.relations.push(Relation { id, members, tags, file: self.file });
    }

    fn way(&mut self, id: i64, nodes: &[i64], raw: &RawTags<'_>) {
        let is_member = self.collector.area_member_ids.contains(&id);
        let keys = ["highway", "public_transport", "railway", "amenity"];
        if !is_member && !raw.iter().any(|(key, _)| keys.iter().any(|k| key.eq_ignore_ascii_case(k))) {
            return;
        }
        let tags = self.collector.interner.tags(raw);
        let is_street = is_routable_way(&tags);
        let is_relevant = is_street || is_park_and_ride(&tags) || is_bike_parking(&tags);
        if !(is_relevant || is_member) || self.data.way_by_id.contains_key(&id) {
            return;
        }
        let is_closed_area = is_relevant
            && nodes.len() > 2
            && (tags.is("area", "yes")
                || tags.is("amenity", "parking")
                || tags.is("amenity", "bicycle_parking"));
        let level = self.level(id, &tags);
        let nodes = nodes.iter().map(|node| self.node_ref(*node)).collect();
        self.data.way_by_id.insert(id, self.data.ways.len() as u32);
        self.data.ways.push(Way {
            id,
            nodes,
            tags,
            level,
            is_street: is_street && !is_closed_area,
            is_area: is_closed_area && !is_member,
            file: self.file,
        });
    }

    fn node(&mut self, id: i64, position: LatLon, raw: &RawTags<'_>) {
        let is_station = raw
            .iter()
            .any(|(key, value)| *key == "amenity" && matches!(*value, "bicycle_rental" | "bicycle_parking"));
        let node = match self.data.node_by_id.get(&id) {
            Some(node) => *node,
            None if is_station => self.node_ref(id),
            None => return,
        };
        if self.data.positions[node.0 as usize].is_some() {
            return;
        }
        if !position.is_on_earth() {
            let message = format!("node {id} has no position on Earth and was left out");
            self.issues.add("osm-node-without-position", &self.data.files[self.file], 0, message);
            return;
        }
        self.data.positions[node.0 as usize] = Some(position);
        self.data.node_files[node.0 as usize] = u16::try_from(self.file).unwrap_or(u16::MAX);
        if is_station {
            self.data.stations.push(node);
        }
        if raw.iter().any(|(key, _)| NODE_KEYS.iter().any(|k| key.eq_ignore_ascii_case(k))) {
            let tags = self.collector.interner.tags(raw);
            self.data.node_tags.insert(node, tags);
        }
    }
}
