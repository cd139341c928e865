//! Cuts ways into edges at intersections.

use trestle_model::IssueSink;
use trestle_model::geo::{LatLon, length_m};
use trestle_model::processors::on_parts;

use super::areas::Area;
use super::geometry;
use super::streets::{Streets, closes_short_pieces, is_stop, name_flags, passable_barrier};
use crate::graph::{Edge, edge_flags};
use crate::osm::{
    NodeRef, OsmData, Permission, Tags, Way, WayName, directed_permissions, is_no_through, is_platform,
    means_no, means_yes,
};

/// Ways that are prepared at a time, on all processors.
const BATCH: usize = 8192;

/// Class bits of an edge; a path is anything but a street, crossing or platform.
const CLASS_PATH: u32 = 0;
const CLASS_STREET: u32 = 1;
const CLASS_CROSSING: u32 = 2;
const CLASS_PLATFORM: u32 = 3;

/// For each node, whether ways are cut there because another way or an area passes it too, or one way passes it
/// repeatedly.
pub(super) fn intersections(data: &OsmData, areas: &[Area<'_>]) -> Vec<bool> {
    let mut seen = vec![false; data.node_count()];
    let mut shared = vec![false; data.node_count()];
    let mut pass = |node: NodeRef| {
        let node = node.0 as usize;
        shared[node] |= seen[node];
        seen[node] = true;
    };
    for way in data.ways.iter().filter(|way| way.is_street) {
        way.nodes.iter().for_each(|node| pass(*node));
    }
    for ring in areas.iter().flat_map(|area| &area.outer) {
        ring.nodes.iter().for_each(|node| pass(*node));
    }
    shared
}

/// A way ready to be cut.
struct Prepared<'w> {
    way: &'w Way,
    /// Each piece of a way without a name gets its own.
    name: Option<WayName<'w>>,
    nodes: Vec<(NodeRef, LatLon)>,
    flags: u32,
    /// Along the way and against it.
    directions: [WayDirection; 2],
    notes: Vec<(&'static str, u32)>,
}

/// A street that is left out because not all of its nodes are in the input.
struct Incomplete<'w> {
    way: &'w Way,
    missing: usize,
}

impl Incomplete<'_> {
    fn report(&self, data: &OsmData, issues: &mut IssueSink) {
        let (id, missing, all) = (self.way.id, self.missing, self.way.nodes.len());
        let message = format!("way {id}: left out, because nodes are missing ({missing} of {all})");
        issues.add("street-incomplete", &data.files[self.way.file], 0, message);
    }
}

/// What one direction of a way has of its own.
#[derive(Clone, Copy)]
struct WayDirection {
    permission: Permission,
    car_speed: f32,
    bicycle_safety: f32,
}

impl<'a> Streets<'a> {
    /// Makes the edges of all ways.
    pub(super) fn build_ways(
        &mut self,
        shared: &[bool],
        issues: &mut IssueSink,
        progress: &mut dyn FnMut(&str, f32),
    ) {
        let data = self.data;
        for (batch, ways) in data.ways.chunks(BATCH).enumerate() {
            progress("street edges", (batch * BATCH) as f32 / data.ways.len() as f32);
            let prepare = |ways: &'a [Way]| ways.iter().filter_map(|way| self.prepare(way)).collect();
            for prepared in on_parts(ways, prepare) {
                let prepared = match prepared {
                    Ok(prepared) => prepared,
                    Err(incomplete) => {
                        incomplete.report(data, issues);
                        continue;
                    }
                };
                let mut parts = 0;
                for part in prepared.nodes.chunk_by(|a, b| !geometry::is_across_meridian(a.1, b.1)) {
                    self.cut_way(&prepared, part, shared);
                    parts += 1;
                }
                if parts > 1 {
                    let message = format!(
                        "way {}: cut at the 180th meridian, so its parts are not connected",
                        prepared.way.id
                    );
                    issues.add(geometry::ACROSS_MERIDIAN, &data.files[prepared.way.file], 0, message);
                }
            }
        }
    }

    /// Permissions and properties of a way; `None` for ways that nobody may use, which are left out even with all their
    /// nodes.
    fn prepare(&self, way: &'a Way) -> Option<Result<Prepared<'a>, Incomplete<'a>>> {
        if !way.is_street {
            return None;
        }
        let properties = self.properties.properties(&way.tags);
        let (forward, back) = directed_permissions(&way.tags, properties.permission, self.options.bans());
        if forward.is_none() && back.is_none() {
            return None;
        }
        let Some(nodes) = self.distinct_nodes(way) else {
            let missing = way.nodes.iter().filter(|node| self.data.position(**node).is_none()).count();
            return Some(Err(Incomplete { way, missing }));
        };
        let name = self.namer.name(&way.tags);
        let flags = way_flags(&way.tags) | name.as_ref().map_or(0, name_flags);
        let direction = |permission, safety: f64, is_back| WayDirection {
            permission,
            car_speed: self.speeds.speed(&way.tags, is_back),
            bicycle_safety: safety as f32,
        };
        Some(Ok(Prepared {
            way,
            name,
            nodes,
            flags,
            directions: [
                direction(forward, properties.safety_forward, false),
                direction(back, properties.safety_back, true),
            ],
            notes: self.note_rules.notes(&way.tags),
        }))
    }

    /// The nodes without immediate repetitions (of the node, or of the place on the same level); `None` if any is missing.
    fn distinct_nodes(&self, way: &Way) -> Option<Vec<(NodeRef, LatLon)>> {
        let mut nodes = Vec::with_capacity(way.nodes.len());
        let mut last: Option<(NodeRef, LatLon, Option<&str>)> = None;
        for node in &way.nodes {
            let position = self.data.position(*node)?;
            let level = self.data.node_tags(*node).and_then(|tags| tags.get("level"));
            let is_new = last.is_none_or(|(last_node, last_position, last_level)| {
                last_node != *node && (last_position != position || last_level != level)
            });
            if is_new {
                nodes.push((*node, position));
            }
            last = Some((*node, position, level));
        }
        Some(nodes)
    }

    /// Makes the edges of a way, or of a part of it.
    fn cut_way(&mut self, way: &Prepared<'_>, nodes: &[(NodeRef, LatLon)], shared: &[bool]) {
        let name = way.name.as_ref().map(|name| self.add_name(&name.text, &way.way.tags));
        let mut line: Vec<LatLon> = Vec::new();
        let mut start: Option<(u32, NodeRef)> = None;
        for i in 0..nodes.len().saturating_sub(1) {
            let (end_node, end_position) = nodes[i + 1];
            if line.is_empty() {
                line.push(nodes[i].1);
            }
            line.push(end_position);
            let is_last = i + 2 == nodes.len();
            if !is_last && !self.is_cut(nodes, i, shared) {
                continue;
            }
            let level = &way.way.level;
            let (from, from_node) = match start {
                Some(start) => start,
                None => (self.vertex(nodes[0].0, nodes[0].1, level), nodes[0].0),
            };
            let to = self.vertex(end_node, end_position, level);
            let name =
                name.unwrap_or_else(|| self.network.names.intern(&format!("way {} from {i}", way.way.id)));
            self.add_way_edges(way, name, (from, from_node), (to, end_node), &line);
            start = Some((to, end_node));
            line.clear();
        }
    }

    /// Whether the way is cut at the node after position `i`.
    fn is_cut(&self, nodes: &[(NodeRef, LatLon)], i: usize, shared: &[bool]) -> bool {
        let end = nodes[i + 1].0;
        let is_marked = || {
            self.data
                .node_tags(end)
                .is_some_and(|tags| tags.has("ele") || is_stop(tags) || passable_barrier(tags).is_some())
        };
        let is_beside_barrier = || {
            let closes =
                |&(node, _): &(NodeRef, _)| self.data.node_tags(node).is_some_and(closes_short_pieces);
            [nodes.get(i), nodes.get(i + 2)].into_iter().flatten().any(closes)
        };
        // Only nodes that are shared anyway can be repeated.
        let is_repeated =
            || shared[nodes[i].0.0 as usize] && nodes[..i].iter().any(|(node, _)| *node == nodes[i].0);
        shared[end.0 as usize] || is_marked() || is_repeated() || is_beside_barrier()
    }

    fn add_way_edges(
        &mut self,
        way: &Prepared<'_>,
        name: u32,
        (from, from_node): (u32, NodeRef),
        (to, to_node): (u32, NodeRef),
        line: &[LatLon],
    ) {
        let mut length = length_m(line);
        if way.flags & edge_flags::STAIRS != 0 {
            length *= 2.0;
        }
        let geometry = self.network.add_geometry(line);
        let template = Edge { length_mm: geometry::millimeters(length), name, geometry, ..Edge::default() };
        let reversed: Vec<LatLon> = line.iter().rev().copied().collect();
        let [forward, back] = way.directions;
        let directions = [(from, to, line, forward, false), (to, from, &reversed[..], back, true)];
        let edges = directions.map(|(from, to, line, direction, is_back)| {
            if direction.permission.is_none() {
                return None;
            }
            let (first_angle, last_angle) = geometry::first_and_last_angle(line);
            let WayDirection { permission, car_speed, bicycle_safety } = direction;
            let order = if is_back { edge_flags::REVERSED_GEOMETRY } else { 0 };
            let flags = way.flags | permission.flags() | order;
            let edge =
                Edge { from, to, flags, car_speed, bicycle_safety, first_angle, last_angle, ..template };
            Some(self.add_street_edge(edge, is_back, &way.notes))
        });
        self.turns.add_way_edges(way.way.id, from_node, to_node, edges);
    }

    /// Adds an edge with its notes and takes its safety into account.
    pub(super) fn add_street_edge(
        &mut self,
        mut edge: Edge,
        is_back: bool,
        notes: &[(&'static str, u32)],
    ) -> u32 {
        self.best_safety = self.best_safety.min(edge.bicycle_safety);
        if !notes.is_empty() {
            edge.flags |= edge_flags::NOTE;
        }
        let index = self.network.add_edge(edge, is_back);
        self.add_notes(index, notes);
        index
    }
}

/// Flags of a way's edges except permissions.
fn way_flags(tags: &Tags) -> u32 {
    let is_steps = tags.is("highway", "steps");
    let wheelchair = tags.get("wheelchair");
    let is_blocked = means_no(wheelchair) || (is_steps && !means_yes(wheelchair));
    let is_link = tags.get("highway").is_some_and(|highway| highway.ends_with("_link"));
    let slope_override = ["bridge", "embankment", "tunnel"].into_iter().any(|key| tags.has(key));
    let flag = |set: bool, flag: u32| if set { flag } else { 0 };
    class(tags) << edge_flags::CLASS_SHIFT
        | flag(is_steps, edge_flags::STAIRS)
        | flag(!is_blocked, edge_flags::WHEELCHAIR)
        | flag(tags.is("junction", "roundabout"), edge_flags::ROUNDABOUT)
        | flag(is_no_through(tags), edge_flags::NO_THROUGH)
        | flag(is_bogus_name(tags), edge_flags::BOGUS_NAME)
        | flag(is_link, edge_flags::LINK_ROAD)
        | flag(slope_override, edge_flags::SLOPE_OVERRIDE)
}

/// Whether a name counts as generated.
pub(super) fn is_bogus_name(tags: &Tags) -> bool {
    !tags.has("name") && !tags.has("ref")
}

/// Class bits of an area or of a way that is neither street nor crossing.
pub(super) fn path_class(tags: &Tags) -> u32 {
    if is_platform(tags) || tags.is("highway", "platform") { CLASS_PLATFORM } else { CLASS_PATH }
}

fn class(tags: &Tags) -> u32 {
    let is_crossing = tags.is("highway", "crossing") || tags.is("footway", "crossing");
    if is_crossing && !tags.is("bicycle", "designated") {
        return CLASS_CROSSING;
    }
    match tags.get("highway") {
        Some(
            "residential" | "tertiary" | "secondary" | "secondary_link" | "primary" | "primary_link"
            | "trunk" | "trunk_link",
        ) => CLASS_STREET,
        _ => path_class(tags),
    }
}
