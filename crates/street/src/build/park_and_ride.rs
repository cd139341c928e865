//! Park-and-ride lots and bike parks that are mapped as areas.

use trestle_model::geo::{BoundingBox, LatLon};

use super::area_groups::{AreaGroup, group_areas};
use super::areas::Area;
use super::network::BuildStation;
use super::streets::Streets;
use crate::graph::station_kinds::{BIKE_PARK, PARK_AND_RIDE};
use crate::graph::{EdgeKind, vertex_flags};
use crate::osm::{NodeRef, is_bike_parking, is_park_and_ride};

impl Streets<'_> {
    /// Makes the park-and-ride lots and bike parks that the options enable.
    pub(super) fn build_parking_areas(&mut self, areas: &[Area<'_>]) {
        if self.options.static_park_and_ride {
            let lots: Vec<&Area<'_>> = areas.iter().filter(|a| is_park_and_ride(a.tags)).collect();
            self.build_lots(&group_areas(&lots), PARK_AND_RIDE);
        }
        if self.options.static_bike_park_and_ride {
            let parks: Vec<&Area<'_>> = areas.iter().filter(|a| is_bike_parking(a.tags)).collect();
            self.build_lots(&group_areas(&parks), BIKE_PARK);
        }
    }

    fn build_lots(&mut self, groups: &[AreaGroup<'_, '_>], kind: u32) {
        let passable = self.passable_vertices();
        for group in groups {
            let Some(last) = group.areas.last() else { continue };
            let gates = self.gates(group, &passable);
            self.build_lot(group, last.id, kind, &gates);
        }
    }

    /// Makes a lot that is joined to the streets at the given vertices.
    fn build_lot(&mut self, group: &AreaGroup<'_, '_>, id: i64, kind: u32, gates: &[u32]) {
        let file = group.outer_nodes().next().map_or(0, |node| self.data.file_of(node));
        let positions = group.outer_nodes().filter_map(|node| self.data.position(node));
        let BoundingBox { south, west, north, east } = BoundingBox::around(positions);
        let center = LatLon::new((south + north) / 2.0, (west + east) / 2.0);
        let named = group.areas.iter().rev().find(|area| area.tags.has("name")).or(group.areas.first());
        let name = named.and_then(|area| self.name(area.tags)).map_or(0, |(name, _)| name);
        let network = &mut self.network;
        let (flag, id, link) = match kind {
            PARK_AND_RIDE => (vertex_flags::PARK_AND_RIDE, format!("P+R{id}"), EdgeKind::ParkAndRideLink),
            _ => (vertex_flags::BIKE_PARK, id.to_string(), EdgeKind::StationLink),
        };
        let vertex = network.add_vertex(center, 0, flag);
        network.vertices[vertex as usize].name = name;
        network.vertices[vertex as usize].file = file;
        if kind == PARK_AND_RIDE {
            network.add_connection(vertex, vertex, EdgeKind::ParkAndRide, 0, name);
        }
        for gate in gates {
            network.add_lot_link(vertex, *gate, link, name);
            network.add_lot_link(*gate, vertex, link, name);
        }
        let id = network.names.intern(&id);
        network.stations.push(BuildStation {
            vertex,
            kind,
            id,
            name,
            networks: 0,
            capacity: u32::MAX,
            needs_link: kind == PARK_AND_RIDE || gates.is_empty(),
        });
    }

    /// Whether each vertex has both a street that leads to it and one that leads away.
    fn passable_vertices(&self) -> Vec<bool> {
        let mut ways = vec![(false, false); self.network.vertices.len()];
        let streets = self.network.live_edges().map(|(_, build)| &build.edge);
        for edge in streets.filter(|edge| edge.kind() == EdgeKind::Street) {
            let is_open = !self.network.permission(edge).is_none();
            ways[edge.to as usize].0 |= is_open;
            ways[edge.from as usize].1 |= is_open;
        }
        ways.into_iter().map(|(inbound, outbound)| inbound && outbound).collect()
    }

    /// The passable vertices on the outlines of areas.
    fn gates(&self, group: &AreaGroup<'_, '_>, passable: &[bool]) -> Vec<u32> {
        let mut nodes: Vec<NodeRef> = Vec::new();
        for node in group.outer_nodes() {
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        let vertices = nodes.into_iter().filter_map(|node| self.known_vertex(node));
        vertices.filter(|vertex| passable.get(*vertex as usize) == Some(&true)).collect()
    }
}
