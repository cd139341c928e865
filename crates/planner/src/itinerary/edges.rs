//! The edges of a street path, each with the step that begins on it.

use trestle_engine::graph::Graph;
use trestle_model::Mode;
use trestle_model::itinerary::Step;
use trestle_model::polyline::EncodedPolyline;
use trestle_street::path::{StreetPath, TraversalKind};

use super::geometry::encode;
use super::legs::leg_ranges;
use super::segment::Segment;
use super::steps::steps;

/// A street edge of a path.
#[derive(Clone, PartialEq, Debug)]
pub struct NarratedEdge {
    /// Edge of the street graph; every build numbers edges differently.
    pub edge: u32,
    /// Metres of the used part.
    pub length_m: f64,
    /// Line of the used part.
    pub geometry: EncodedPolyline,
    /// The step that begins here, if one does.
    pub begins: Option<BegunStep>,
    /// Rental station at the edge where a bike is taken: its position among the search's stations.
    pub picked_up_at: Option<u32>,
    /// Rental station at the edge where the bike is returned.
    pub dropped_off_at: Option<u32>,
}

/// A step on the edge that it begins with.
#[derive(Clone, PartialEq, Debug)]
pub struct BegunStep {
    pub step: Step,
    /// Mode from here on, if it differs from the mode before.
    pub mode: Option<Mode>,
}

/// The street edges of a path in travel order.
pub fn narrated_edges(graph: &Graph, path: &StreetPath, locale: &str) -> Vec<NarratedEdge> {
    let mut edges: Vec<NarratedEdge> = Vec::new();
    let mut mode = None;
    let mut angle = None;
    for part in leg_ranges(path) {
        let found = steps(&graph.street, None, path, part.range.clone(), angle, locale);
        angle = found.last_step_angle;
        let mut steps_of_leg = found.begins.into_iter().zip(found.steps).peekable();
        for index in part.range {
            let Some(segment) = Segment::of(&graph.street, path, index, locale) else { continue };
            // An edge that is not a street (an elevator) belongs to the step of the street after it.
            let mut begun = None;
            while let Some((_, step)) = steps_of_leg.next_if(|(begins, _)| *begins <= index) {
                begun = Some(BegunStep { step, mode: (mode != Some(part.mode)).then_some(part.mode) });
            }
            if begun.is_some() {
                mode = Some(part.mode);
            }
            edges.push(NarratedEdge {
                edge: segment.traversal.edge.0,
                length_m: segment.traversal.length_m,
                geometry: encode(&segment.line),
                begins: begun,
                picked_up_at: station_after(path, index, TraversalKind::RentalPickup),
                dropped_off_at: station_after(path, index, TraversalKind::RentalDropoff),
            });
        }
    }
    edges
}

/// The station of an event of a kind between the traversal `index` and the next street.
fn station_after(path: &StreetPath, index: usize, kind: TraversalKind) -> Option<u32> {
    let events = path.traversals[index + 1..].iter().take_while(|t| t.kind != TraversalKind::Street);
    events.filter(|t| t.kind == kind).find_map(|t| t.station)
}
