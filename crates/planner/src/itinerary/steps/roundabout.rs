//! Counts the exits of a roundabout.

use trestle_model::Mode;
use trestle_model::ids::EdgeIdx;
use trestle_street::graph::{Edge, EdgeKind, StreetGraph, edge_flags};

use crate::itinerary::segment::Segment;

/// A roundabout that a leg is on.
pub(super) struct Roundabout {
    /// Ordinal of the next exit.
    pub(super) exit: u32,
    /// Name of the street it was entered from, without parentheses.
    pub(super) entered_from: String,
}

impl Roundabout {
    pub(super) fn entered_from(name: &str) -> Roundabout {
        Roundabout { exit: 1, entered_from: name.to_owned() }
    }

    /// Continues on the next edge of the roundabout. An exit was passed if another edge than `last`, the edge before it,
    /// could have been taken after `to_last`.
    pub(super) fn pass(&mut self, street: &StreetGraph, last: &Segment<'_>, to_last: Option<&Edge>) {
        if has_alternative(street, last, to_last) {
            self.exit += 1;
        }
    }
}

/// Whether a street edge other than the traversed one could be taken in the same mode, without a U-turn.
fn has_alternative(street: &StreetGraph, segment: &Segment<'_>, reached_over: Option<&Edge>) -> bool {
    let Some(start) = segment.start_vertex() else { return false };
    let traversal = segment.traversal;
    let permission = match traversal.mode {
        Mode::Walk => edge_flags::WALK,
        Mode::Bicycle => edge_flags::BICYCLE,
        _ => edge_flags::CAR,
    };
    street.out_edges(start).map(EdgeIdx).filter(|&e| e != traversal.edge).any(|e| {
        let edge = street.edge(e);
        let is_u_turn = reached_over.is_some_and(|over| over.from == edge.to && over.to == edge.from);
        edge.kind() == EdgeKind::Street && edge.has(permission) && !is_u_turn
    })
}
