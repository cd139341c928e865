//! Collects the features of the base map in the same passes that read the streets.

mod coast;
mod positions;
mod tags;

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::IssueSink;
use trestle_model::geo::LatLon;
use trestle_model::mercator::project;
use trestle_model::strings::StringsBuilder;

use super::rings::{join_lines, ring};
use super::{ElementSink, MemberKind, RawMember, RawTags};
use crate::base_map::{Appearance, DETAIL_ZOOM, MAP_KINDS, MapLayer, kind_number};
use crate::grid_shapes::{GridBox, GridPoint};
use positions::Positions;
use tags::{area, flags_of_line, line, name, place, value};

/// A feature of the map in full detail, on the grid of [`DETAIL_ZOOM`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MapShape {
    pub(crate) appearance: Appearance,
    /// A point, the points of a line, or the rings of an area, in any order and direction.
    pub(crate) parts: Vec<Vec<GridPoint>>,
}

/// All features of the map.
#[derive(Default)]
pub(crate) struct MapShapes {
    pub(crate) shapes: Vec<MapShape>,
    pub(crate) texts: StringsBuilder,
}

/// A multipolygon whose rings are not assembled yet.
struct AreaRelation {
    id: i64,
    /// Number of the input file.
    file: usize,
    appearance: Appearance,
    ways: Vec<i64>,
}

/// A coastline, as the range of its nodes among those of all ways.
struct Coastline {
    id: i64,
    /// Number of the input file.
    file: usize,
    nodes: std::ops::Range<usize>,
}

/// A way, as the range of its nodes among those of all ways.
struct WayFeature {
    appearance: Appearance,
    nodes: std::ops::Range<usize>,
    is_area: bool,
}

/// Collects the features of the base map from all files.
#[derive(Default)]
pub(super) struct BaseMapCollector {
    is_wanted: bool,
    /// Number of the file that is read.
    pub(super) file: usize,
    relations: Vec<AreaRelation>,
    /// The kind of the multipolygon of each member way.
    member_of: FxHashMap<i64, u8>,
    /// Nodes of the members.
    members: FxHashMap<i64, std::ops::Range<usize>>,
    ways: Vec<WayFeature>,
    coast: Vec<Coastline>,
    /// Nodes of the ways, one after another.
    nodes: Vec<i64>,
    positions: Positions,
    places: Vec<MapShape>,
    texts: StringsBuilder,
    /// Ways and nodes already read, because files may overlap.
    seen: FxHashSet<(MemberKind, i64)>,
}

impl BaseMapCollector {
    /// A collector; it collects nothing if no map is wanted.
    pub(super) fn new(is_wanted: bool) -> BaseMapCollector {
        BaseMapCollector { is_wanted, ..BaseMapCollector::default() }
    }

    /// All features as shapes. Multipolygons keep only their closed rings. `files` are the names of the input files.
    pub(super) fn finish(mut self, files: &[String], issues: &mut IssueSink) -> MapShapes {
        let mut shapes = std::mem::take(&mut self.places);
        shapes.extend(self.ways.iter().filter_map(|way| self.shape_of_way(way)));
        for relation in &self.relations {
            match self.rings_of(relation) {
                rings if rings.is_empty() => {
                    let message = format!("relation {}: no ring of this area is closed", relation.id);
                    issues.add("map-area-incomplete", &files[relation.file], 0, message);
                }
                parts => shapes.push(MapShape { appearance: relation.appearance, parts }),
            }
        }
        if let Some(kind) = kind_number(MapLayer::Water, "sea") {
            let parts = self.sea(bounds_of_streets(&shapes), files, issues);
            if !parts.is_empty() {
                shapes.push(MapShape { appearance: Appearance { kind, ..Appearance::default() }, parts });
            }
        }
        MapShapes { shapes, texts: self.texts }
    }

    /// Rings around the sea; none if a piece of the coast is missing.
    fn sea(&self, streets: GridBox, files: &[String], issues: &mut IssueSink) -> Vec<Vec<GridPoint>> {
        let lines: Vec<_> = self.coast.iter().map(|coastline| self.located(&coastline.nodes)).collect();
        coast::sea(lines.clone(), streets).unwrap_or_else(|end| {
            let ends_there = |line: &Vec<GridPoint>| line.first() == Some(&end) || line.last() == Some(&end);
            if let Some(Coastline { id, file, .. }) =
                lines.iter().position(ends_there).map(|at| &self.coast[at])
            {
                let message = format!(
                    "way {id}: this coastline ends within the area of the streets, so the map has no sea"
                );
                issues.add("coastline-incomplete", &files[*file], 0, message);
            }
            Vec::new()
        })
    }

    fn shape_of_way(&self, way: &WayFeature) -> Option<MapShape> {
        let line = self.located(&way.nodes);
        let part = if way.is_area { ring(line)? } else { line };
        (part.len() > 1).then(|| MapShape { appearance: way.appearance, parts: vec![part] })
    }

    fn rings_of(&self, relation: &AreaRelation) -> Vec<Vec<GridPoint>> {
        let nodes = relation.ways.iter().filter_map(|way| self.members.get(way));
        let lines = nodes.map(|nodes| self.nodes[nodes.clone()].to_vec()).collect();
        let closed = join_lines(lines, true).into_iter().filter(|line| line.first() == line.last());
        let located = |line: Vec<i64>| line.iter().filter_map(|node| self.positions.get(*node)).collect();
        closed.filter_map(|line| ring(located(line))).collect()
    }

    /// The positions of nodes, without those that are not in the input.
    fn located(&self, nodes: &std::ops::Range<usize>) -> Vec<GridPoint> {
        self.nodes[nodes.clone()].iter().filter_map(|node| self.positions.get(*node)).collect()
    }

    fn appearance(&mut self, kind: u8, flags: u8, tags: &RawTags<'_>) -> Appearance {
        Appearance { kind, flags, name: self.texts.intern(name(tags)) }
    }

    fn keep_nodes(&mut self, nodes: &[i64]) -> std::ops::Range<usize> {
        let start = self.nodes.len();
        self.nodes.extend_from_slice(nodes);
        self.positions.need(nodes);
        start..self.nodes.len()
    }
}

impl ElementSink for BaseMapCollector {
    fn relation(&mut self, id: i64, members: &[RawMember<'_>], tags: &RawTags<'_>) {
        if !self.is_wanted || value(tags, "type") != Some("multipolygon") {
            return;
        }
        let Some(kind) = area(tags).filter(|_| self.seen.insert((MemberKind::Relation, id))) else { return };
        let wanted = members.iter().filter(|m| m.kind == MemberKind::Way);
        let ways: Vec<i64> = wanted.map(|member| member.id).collect();
        self.member_of.extend(ways.iter().map(|way| (*way, kind)));
        let appearance = self.appearance(kind, 0, tags);
        self.relations.push(AreaRelation { id, file: self.file, appearance, ways });
    }

    fn way(&mut self, id: i64, nodes: &[i64], tags: &RawTags<'_>) {
        if !self.is_wanted {
            return;
        }
        let member_of = self.member_of.get(&id).copied();
        let is_closed = nodes.len() > 3 && nodes.first() == nodes.last();
        let line = line(tags, is_closed);
        // The outline of a multipolygon often has the same tags as the relation. That is one area.
        let own = || area(tags).filter(|kind| member_of != Some(*kind));
        let area = if is_closed && line.is_none() { own() } else { None };
        let is_coast = value(tags, "natural") == Some("coastline");
        let is_wanted = member_of.is_some() || line.is_some() || area.is_some() || is_coast;
        if !is_wanted || !self.seen.insert((MemberKind::Way, id)) {
            return;
        }
        let nodes = self.keep_nodes(nodes);
        if member_of.is_some() {
            self.members.insert(id, nodes.clone());
        }
        if is_coast {
            self.coast.push(Coastline { id, file: self.file, nodes: nodes.clone() });
        }
        if let Some(kind) = line.or(area) {
            let flags = if line.is_some() { flags_of_line(tags) } else { 0 };
            let appearance = self.appearance(kind, flags, tags);
            self.ways.push(WayFeature { appearance, nodes, is_area: area.is_some() });
        }
    }

    fn node(&mut self, id: i64, position: LatLon, tags: &RawTags<'_>) {
        if !self.is_wanted || !position.is_on_earth() {
            return;
        }
        let at = || grid_point(position);
        self.positions.set(id, at);
        if tags.is_empty() {
            return;
        }
        if let Some(kind) = place(tags).filter(|_| self.seen.insert((MemberKind::Node, id))) {
            let appearance = self.appearance(kind, 0, tags);
            self.places.push(MapShape { appearance, parts: vec![vec![at()]] });
        }
    }
}

/// The box around streets, without ferries.
fn bounds_of_streets(shapes: &[MapShape]) -> GridBox {
    let is_street = |shape: &&MapShape| {
        let kind = &MAP_KINDS[shape.appearance.kind as usize];
        kind.layer == MapLayer::Streets && kind.class != "ferry"
    };
    GridBox::around(shapes.iter().filter(is_street).flat_map(|shape| &shape.parts).flatten())
}

/// Where a position is on the grid of full detail.
fn grid_point(at: LatLon) -> GridPoint {
    let side = f64::from(DETAIL_ZOOM).exp2() * 4096.0;
    project(at).map(|share| (share * side).round() as i32)
}
