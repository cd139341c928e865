//! Edges along the boundary of areas, and across them with the option `area_visibility`.

use rustc_hash::FxHashSet;
use trestle_model::geo::distance_m;

use super::area_groups::{AreaGroup, group_areas};
use super::area_visibility;
use super::areas::{Area, AreaShape, Ring, length_deg};
use super::geometry;
use super::streets::Streets;
use super::ways::{is_bogus_name, path_class};
use crate::graph::{Edge, edge_flags};
use crate::osm::{NodeRef, Tags, area_permission, is_no_through, is_routable_entity, means_no};

/// Pieces of a boundary up to this length get no edge, degrees.
const POINT_DEG: f64 = 1e-6;

/// What the edges of one area have in common.
struct AreaTemplate {
    edge: Edge,
    safety: (f32, f32),
    name: Option<u32>,
    notes: Vec<(&'static str, u32)>,
}

impl Streets<'_> {
    /// Makes the edges of all walkable areas.
    pub(super) fn build_areas(&mut self, areas: &[Area<'_>], shared: &[bool]) {
        let walkable: Vec<&Area<'_>> = areas.iter().filter(|area| self.is_usable(area.tags)).collect();
        for group in group_areas(&walkable) {
            self.build_area_group(&group, shared);
        }
    }

    /// Whether walkers or cyclists may use an area.
    fn is_usable(&self, tags: &Tags) -> bool {
        is_routable_entity(tags) && !area_permission(tags, self.options.bans()).is_none()
    }

    fn build_area_group(&mut self, group: &AreaGroup<'_, '_>, shared: &[bool]) {
        let mut done: FxHashSet<(NodeRef, NodeRef)> = FxHashSet::default();
        for area in &group.areas {
            let template = self.area_template(area);
            for ring in area.rings() {
                self.build_ring(area, ring, &template, &mut done);
            }
        }
        if !self.options.area_visibility {
            return;
        }
        let shapes: Vec<AreaShape> = group.areas.iter().map(|area| area.shape(self.data)).collect();
        for (from, to, owner) in area_visibility::crossings(self.data, group, &shapes, shared) {
            let area = group.areas[owner];
            if done.insert((from, to)) {
                let template = self.area_template(area);
                self.add_area_edges(area, from, to, &template);
            }
        }
    }

    fn build_ring(
        &mut self,
        area: &Area<'_>,
        ring: &Ring,
        template: &AreaTemplate,
        done: &mut FxHashSet<(NodeRef, NodeRef)>,
    ) {
        for (from, to) in ring.pieces() {
            let (Some(start), Some(end)) = (self.data.position(from), self.data.position(to)) else {
                continue;
            };
            if length_deg(start, end) > POINT_DEG && done.insert((from, to)) {
                self.add_area_edges(area, from, to, template);
            }
        }
    }

    /// Adds the edges between two nodes, one in each direction.
    fn add_area_edges(&mut self, area: &Area<'_>, from: NodeRef, to: NodeRef, template: &AreaTemplate) {
        let (Some(start), Some(end)) = (self.data.position(from), self.data.position(to)) else { return };
        let (from, to) = (self.vertex(from, start, &area.level), self.vertex(to, end, &area.level));
        let directions =
            [(from, to, [start, end], template.safety.0), (to, from, [end, start], template.safety.1)];
        for (i, (from, to, line, bicycle_safety)) in directions.into_iter().enumerate() {
            let name = match template.name {
                Some(name) => name,
                None => self.network.names.intern(&format!("way (area) {}", area.id)),
            };
            let (first_angle, last_angle) = geometry::first_and_last_angle(&line);
            let length_mm = geometry::millimeters(distance_m(start, end));
            let edge =
                Edge { from, to, length_mm, name, first_angle, last_angle, bicycle_safety, ..template.edge };
            self.add_street_edge(edge, i == 1, &template.notes);
        }
    }

    fn area_template(&mut self, area: &Area<'_>) -> AreaTemplate {
        let tags = area.tags;
        let properties = self.properties.properties(tags);
        let name = self.name(tags);
        let flag = |set: bool, flag: u32| if set { flag } else { 0 };
        let flags = area_permission(tags, self.options.bans()).flags()
            | edge_flags::AREA
            | path_class(tags) << edge_flags::CLASS_SHIFT
            | flag(!means_no(tags.get("wheelchair")), edge_flags::WHEELCHAIR)
            | flag(is_no_through(tags), edge_flags::NO_THROUGH)
            | flag(is_bogus_name(tags), edge_flags::BOGUS_NAME)
            | name.map_or(0, |(_, flags)| flags);
        let edge = Edge {
            flags,
            car_speed: self.speeds.speed(tags, false),
            geometry: super::network::STRAIGHT,
            ..Edge::default()
        };
        AreaTemplate {
            edge,
            safety: (properties.safety_forward as f32, properties.safety_back as f32),
            name: name.map(|(name, _)| name),
            notes: self.note_rules.notes(tags),
        }
    }
}
