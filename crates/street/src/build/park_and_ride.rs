//! Park-and-ride lots and bike parks that are mapped as areas.

use trestle_model::IssueSink;
use trestle_model::geo::LatLon;

use super::area_groups::{AreaGroup, group_areas};
use super::areas::Area;
use super::network::BuildStation;
use super::spatial::BoundingBox;
use super::streets::Streets;
use crate::graph::{EdgeKind, vertex_flags};
use crate::osm::{NodeRef, Permission, is_bike_parking, is_park_and_ride};

/// Kinds of [`crate::graph::Stations`].
pub(super) const BIKE_RENTAL: u32 = 0;
pub(super) const BIKE_PARK: u32 = 1;
pub(super) const PARK_AND_RIDE: u32 = 2;

/// What can reach a lot over its boundary, and what can leave it.
#[derive(Default)]
struct Access {
    /// Boundary vertices with an edge in and an edge out.
    vertices: Vec<u32>,
    inbound: Permission,
    outbound: Permission,
}

impl Streets<'_> {
    /// Makes the park-and-ride lots and bike parks that the options ask for.
    pub(super) fn build_parking_areas(&mut self, areas: &[Area<'_>], issues: &mut IssueSink) {
        if self.options.static_park_and_ride {
            let lots: Vec<&Area<'_>> = areas.iter().filter(|a| is_park_and_ride(a.tags)).collect();
            self.build_lots(&group_areas(&lots), PARK_AND_RIDE, issues);
        }
        if self.options.static_bike_park_and_ride {
            let parks: Vec<&Area<'_>> = areas.iter().filter(|a| is_bike_parking(a.tags)).collect();
            self.build_lots(&group_areas(&parks), BIKE_PARK, issues);
        }
    }

    fn build_lots(&mut self, groups: &[AreaGroup<'_, '_>], kind: u32, issues: &mut IssueSink) {
        let degrees = self.street_degrees();
        for group in groups {
            let Some(last) = group.areas.last() else { continue };
            let access = self.access(group, &degrees);
            let is_drivable = kind != PARK_AND_RIDE || access.inbound.allows_any(Permission::CAR);
            if !is_drivable || !access.outbound.allows_any(Permission::WALK) {
                let message =
                    format!("parking area {}: no street to drive in or to walk out, left out", last.id);
                issues.add("parking-unlinked", "", 0, message);
                continue;
            }
            self.build_lot(group, last.id, kind, &access);
        }
    }

    fn build_lot(&mut self, group: &AreaGroup<'_, '_>, id: i64, kind: u32, access: &Access) {
        let mut bounds = BoundingBox::EMPTY;
        let nodes = group.areas.iter().flat_map(|area| &area.outer).flat_map(|ring| &ring.nodes);
        nodes.filter_map(|node| self.data.position(*node)).for_each(|position| bounds.add(position));
        let center = LatLon::new((bounds.south + bounds.north) / 2.0, (bounds.west + bounds.east) / 2.0);
        let named = group.areas.iter().rev().find(|area| area.tags.has("name")).or(group.areas.first());
        let name = named.and_then(|area| self.name(area.tags)).unwrap_or(0);
        let network = &mut self.network;
        let (flag, id, link) = match kind {
            PARK_AND_RIDE => (vertex_flags::PARK_AND_RIDE, format!("P+R{id}"), EdgeKind::ParkAndRideLink),
            _ => (vertex_flags::BIKE_PARK, id.to_string(), EdgeKind::StationLink),
        };
        let vertex = network.add_vertex(center, 0, flag);
        network.vertices[vertex as usize].name = name;
        if kind == PARK_AND_RIDE {
            network.add_connection(vertex, vertex, EdgeKind::ParkAndRide, 0, name);
        }
        for street in &access.vertices {
            network.add_connection(vertex, *street, link, 0, name);
            network.add_connection(*street, vertex, link, 0, name);
        }
        let id = network.names.intern(&id);
        network.stations.push(BuildStation {
            vertex,
            kind,
            id,
            name,
            networks: 0,
            capacity: u32::MAX,
            needs_link: false,
        });
    }

    /// What street edges at each vertex permit: (into it, out of it).
    fn street_degrees(&self) -> Vec<(Permission, Permission)> {
        let mut degrees = vec![(Permission::NONE, Permission::NONE); self.network.vertices.len()];
        for (_, build) in self.network.live_edges() {
            if build.edge.kind() == EdgeKind::Street {
                let permission = self.network.permission(&build.edge);
                let into = &mut degrees[build.edge.to as usize].0;
                *into = into.with(permission);
                let out = &mut degrees[build.edge.from as usize].1;
                *out = out.with(permission);
            }
        }
        degrees
    }

    fn access(&mut self, group: &AreaGroup<'_, '_>, degrees: &[(Permission, Permission)]) -> Access {
        let mut access = Access::default();
        let mut nodes: Vec<NodeRef> = Vec::new();
        for node in group.areas.iter().flat_map(|area| &area.outer).flat_map(|ring| &ring.nodes) {
            if !nodes.contains(node) {
                nodes.push(*node);
            }
        }
        for node in nodes {
            let Some(vertex) = self.known_vertex(node) else { continue };
            let Some((inbound, outbound)) = degrees.get(vertex as usize) else { continue };
            if inbound.is_none() || outbound.is_none() {
                continue;
            }
            access.vertices.push(vertex);
            access.inbound = access.inbound.with(*inbound);
            access.outbound = access.outbound.with(*outbound);
        }
        access
    }
}
