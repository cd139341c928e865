//! Bike rental stations and bike parks that are mapped as nodes.

use super::network::BuildStation;
use super::streets::Streets;
use crate::graph::station_kinds::{BIKE_PARK, RENTAL};
use crate::graph::vertex_flags;
use crate::osm::{NodeRef, Tags, is_bike_parking};

impl Streets<'_> {
    /// Makes the stations and parks that the options enable. They are linked to streets together with stops.
    pub(super) fn build_bike_stations(&mut self) {
        let data = self.data;
        for node in &data.stations {
            let Some(tags) = data.node_tags(*node) else { continue };
            if self.options.static_bike_rental && tags.is("amenity", "bicycle_rental") {
                self.build_bike_station(*node, tags, RENTAL);
            } else if self.options.static_bike_park_and_ride && is_bike_parking(tags) {
                self.build_bike_station(*node, tags, BIKE_PARK);
            }
        }
    }

    fn build_bike_station(&mut self, node: NodeRef, tags: &Tags, kind: u32) {
        let Some(position) = self.data.position(node) else { return };
        let (flag, name) = match (kind, tags.get("name")) {
            (RENTAL, Some(name)) => (vertex_flags::BIKE_RENTAL, format!("Bicycle rental {name}")),
            (RENTAL, None) => (vertex_flags::BIKE_RENTAL, "Bicycle rental station".to_owned()),
            (_, Some(name)) => (vertex_flags::BIKE_PARK, format!("Bicycle parking {name}")),
            (_, None) => (vertex_flags::BIKE_PARK, "Bicycle parking".to_owned()),
        };
        let networks = tags.get("network").unwrap_or_default().split([';', ',']).map(str::trim);
        let networks: Vec<&str> = networks.filter(|network| !network.is_empty()).collect();
        let network = &mut self.network;
        let name = network.names.intern(&name);
        let vertex = network.add_vertex(position, 0, flag);
        network.vertices[vertex as usize].name = name;
        network.vertices[vertex as usize].file = self.data.file_of(node);
        let station = BuildStation {
            vertex,
            kind,
            id: network.names.intern(&self.data.node_id(node).to_string()),
            name,
            networks: network.names.intern(&networks.join(",")),
            capacity: tags.get("capacity").and_then(|c| c.parse().ok()).unwrap_or(u32::MAX),
            needs_link: true,
        };
        network.stations.push(station);
    }
}
