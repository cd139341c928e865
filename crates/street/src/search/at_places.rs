//! The steps of searches between streets and places, and at stations.

use trestle_model::Directed;

use super::dijkstra::{Dijkstra, Node, Origin};
use super::label::{Event, Label, Labels, Via, label_flags};
use super::layers::{FIRST_LAYER, event_effort};
use super::places::{BikeStation, END, FIRST_STATION, Joint, Piece, StationKind};
use super::step::Corner;
use crate::arc::Arc;
use crate::cost::{Effort, StreetMode};
use crate::graph::vertex_flags;
use crate::link::LinkKind;
use crate::street_record::StreetRecord;

impl<'g, L: Labels, D: Directed> Dijkstra<'_, 'g, L, D> {
    /// From a vertex to places, and into another layer where a bike can be parked at the vertex itself.
    #[inline(always)]
    pub(super) fn leave_streets(&mut self, origin: &Origin<L::Label>) {
        let vertex = origin.vertex;
        for i in 0..self.setting.ends.arriving.len() {
            let joint = self.setting.ends.arriving[i];
            if joint.vertex == vertex {
                self.use_joint(origin, joint, Node::Place(joint.place));
            }
        }
        let street_mode = self.setting.layers.street_mode;
        let Some(wanted) = StationKind::used_by(street_mode) else { return };
        if let Some(stations) = self.setting.stations {
            // One link never follows another, but a station at the vertex itself has no link.
            let linked = origin.label.has(label_flags::STATION_LINK);
            for &joint in stations.joints_at(vertex, D::DIRECTION) {
                let reached = !linked || self.setting.link_of(joint.place).1 != LinkKind::Station;
                if reached && stations.at(joint.place).kind == wanted {
                    self.use_joint(origin, joint, Node::Place(joint.place));
                }
            }
        }
        if street_mode == StreetMode::ParkBicycle
            && self.setting.graph.vertex_flags[vertex as usize] & vertex_flags::BIKE_PARK != 0
            && let Some(other) = self.setting.layers.after_parking(origin.layer, D::DIRECTION)
        {
            self.change_layer(origin, other, Node::Vertex(vertex), Event::BikePark);
        }
    }

    /// From a place onto the streets; at a station also taking, returning or parking a bike.
    pub(super) fn expand_place(&mut self, id: u32, label: &L::Label, layer: u32, place: u32) {
        if place == END {
            return;
        }
        let previous = if self.setting.traces { id } else { label.previous() };
        let corner = Corner { free: true, light: false, edge: u32::MAX };
        let origin = Origin { previous, label: *label, layer, corner, vertex: u32::MAX };
        if place >= FIRST_STATION {
            self.use_station(&origin, place);
        }
        // A station must not serve as a short cut: leaving it requires taking, returning or parking a bike there.
        let done = [Event::RentalPickup, Event::RentalDropoff, Event::BikePark].map(Via::event);
        if place >= FIRST_STATION && !done.contains(&label.via()) {
            return;
        }
        let joints: &'g [Joint] = match self.setting.stations {
            Some(stations) if place >= FIRST_STATION => stations.joints_of(place, D::DIRECTION),
            _ => &self.setting.ends.leaving,
        };
        for &joint in joints {
            self.use_joint(&origin, joint, Node::Vertex(joint.vertex));
        }
        let pieces: &'g [Piece] = &self.setting.ends.pieces;
        let rides: &'g [Piece] = match self.setting.stations {
            Some(stations) if place >= FIRST_STATION => stations.rides_within_edge(place, D::DIRECTION),
            _ => &[],
        };
        for piece in pieces.iter().filter(|piece| piece.from == place).chain(rides) {
            if piece.half == u32::MAX {
                let via = Via::event(Event::Link);
                let new = label.after(&link_effort(0), label.last().after_other(0), previous, via);
                self.offer(layer, Node::Place(piece.to), via, new, true);
                continue;
            }
            let [leaving, arriving] = [piece.from, piece.to].map(|place| self.setting.link_of(place).0);
            self.use_half(&origin, piece.half, link_effort(leaving + arriving), Node::Place(piece.to));
        }
    }

    /// Between a vertex and a place, in the direction of the search.
    fn use_joint(&mut self, origin: &Origin<L::Label>, joint: Joint, end: Node) {
        let (seconds, kind) = self.setting.link_of(joint.place);
        let link = link_effort(seconds);
        if joint.half == u32::MAX {
            let label = &origin.label;
            let station = if kind == LinkKind::Station { label_flags::STATION_LINK } else { 0 };
            let via = Via::event(Event::Link);
            let new = label.after(&link, label.last().after_other(station), origin.previous, via);
            return self.offer(origin.layer, end, via, new, true);
        }
        self.use_half(origin, joint.half, link, end);
    }

    /// Over half of an edge, or a part of it, with the links of the places at its ends.
    fn use_half(&mut self, origin: &Origin<L::Label>, number: u32, link: Effort, end: Node) {
        let (half, label) = (self.setting.half(number), &origin.label);
        // A U-turn is recognized by the ends of the whole edge.
        let vertex = if D::is_backward() { half.record.to } else { half.record.from };
        let label = label.after(&link, label.last(), origin.previous, label.via());
        let origin = Origin { label, vertex, ..*origin };
        let arc = Arc::of(&half.record, D::DIRECTION);
        self.use_street(&origin, arc, end, |_| {
            (half.edge, Via::half(number), StreetRecord::Given(&half.record))
        });
    }

    fn use_station(&mut self, origin: &Origin<L::Label>, place: u32) {
        let Some(stations) = self.setting.stations else { return };
        let station = stations.at(place);
        match station.kind {
            StationKind::Rental => self.rent_or_return(origin, place, station),
            StationKind::BikePark if !station.has_spaces => {}
            StationKind::CarRental => {}
            StationKind::BikePark => {
                if let Some(other) = self.setting.layers.after_parking(origin.layer, D::DIRECTION) {
                    self.change_layer(origin, other, Node::Place(place), Event::BikePark);
                }
            }
        }
    }

    fn rent_or_return(&mut self, origin: &Origin<L::Label>, place: u32, station: &BikeStation) {
        let Some(stations) = self.setting.stations else { return };
        let takes = |networks: u32| station.has_bikes && station.networks == networks;
        for (i, &networks) in stations.network_sets().iter().enumerate() {
            let riding = i as u32 + 1;
            let (mounts, leaves) = (origin.layer == FIRST_LAYER, origin.layer == riding);
            // A backward search returns the bike first, where its ride ends, and picks it up where the ride begins.
            if (if D::is_backward() { leaves } else { mounts }) && takes(networks) {
                let to = if D::is_backward() { FIRST_LAYER } else { riding };
                self.change_layer(origin, to, Node::Place(place), Event::RentalPickup);
            }
            if (if D::is_backward() { mounts } else { leaves }) && station.takes_back(networks) {
                let to = if D::is_backward() { riding } else { FIRST_LAYER };
                self.change_layer(origin, to, Node::Place(place), Event::RentalDropoff);
            }
        }
    }

    fn change_layer(&mut self, origin: &Origin<L::Label>, layer: u32, node: Node, event: Event) {
        let &Origin { previous, label, .. } = origin;
        let via = Via::event(event);
        let effort = event_effort(self.setting.costs, event);
        self.offer(layer, node, via, label.after(&effort, label.last().after_other(0), previous, via), true);
    }
}

/// Time and cost of a link.
fn link_effort(seconds: i32) -> Effort {
    Effort { seconds, weight: f64::from(seconds), walk: 0.0 }
}
