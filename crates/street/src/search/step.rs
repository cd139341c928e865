//! One step of a search: whether an edge may be used after a label, and its time and cost.

use trestle_model::Directed;

use super::label::{Label, LastStreet, label_flags};
use crate::arc::{Arc, arc_bits};
use crate::cost::{
    Effort, FREE_CAR_SPEED, Means, Moving, StreetCosts, StreetMode, TraverseMode, whole_seconds,
};
use crate::graph::{Edge, EdgeKind, StreetGraph, vertex_flags};
use crate::street_record::StreetRecord;

/// The corner at which a step starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Turns cost nothing: no street edge before, or a vertex without a choice.
    pub(super) free: bool,
    pub(super) light: bool,
    /// The street edge before (backward: after); `u32::MAX` for none.
    pub(super) edge: u32,
}

impl Corner {
    /// The corner at `vertex` after a label that came over `edge`.
    #[inline(always)]
    pub(super) fn new<L: Label>(
        graph: &StreetGraph,
        vertex: u32,
        label: &L,
        edge: u32,
        touched: impl FnOnce() -> bool,
    ) -> Corner {
        use vertex_flags::{ELEVATOR, FREE_FLOWING, SPLIT, TRAFFIC_LIGHT};
        let flags = graph.vertex_flags[vertex as usize];
        let free = !label.has(label_flags::STREET)
            || flags & (SPLIT | ELEVATOR) != 0
            || (flags & FREE_FLOWING != 0 && !touched());
        Corner { free, light: flags & TRAFFIC_LIGHT != 0, edge }
    }
}

/// A street edge (or half of one) about to be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use<'g> {
    pub(super) edge: u32,
    pub(super) arc: Arc,
    /// Largest slope.
    pub(super) slope: f32,
    /// The edge of the arc, read only where the arc is not enough.
    pub(super) record: StreetRecord<'g>,
    pub(super) means: Means,
    pub(super) moving: &'g Moving,
}

impl<'g> Use<'g> {
    /// `None` when the mode may not use the edge.
    #[inline(always)]
    pub(super) fn new(
        graph: &'g StreetGraph,
        costs: &'g StreetCosts,
        mode: TraverseMode,
        (edge, arc, record): (u32, Arc, StreetRecord<'g>),
    ) -> Option<Use<'g>> {
        let slope = if costs.asks_for_slopes(mode) { graph.slope(edge, &arc) } else { 0.0 };
        let means = costs.means(mode, &arc, slope)?;
        Some(Use { edge, arc, slope, record, means, moving: costs.moving(means) })
    }
}

/// Whether the step would be a U-turn onto the street that the label came over.
#[inline(always)]
pub(super) fn is_u_turn<L: Label>(label: &L, arc: &Arc) -> bool {
    label.has(label_flags::STREET) && label.last().far == arc.end
}

/// Whether two edges between the same two vertices are of the same street.
pub(super) fn is_same_street(graph: &StreetGraph, edges: [u32; 2]) -> bool {
    let [length, other_length] = edges.map(|edge| graph.arcs.get(edge as usize).map(|arc| arc.length_mm));
    length == other_length
}

/// Whether the turn restrictions permit the step.
#[inline(always)]
pub(super) fn may_turn<L: Label, D: Directed>(
    graph: &StreetGraph,
    costs: &StreetCosts,
    label: &L,
    corner: &Corner,
    step: &Use,
) -> bool {
    if !label.has(label_flags::STREET) {
        return true;
    }
    let seconds = i64::from(label.seconds());
    let means = if D::is_backward() { means_of(label) } else { step.means };
    if matches!(means, Means::Foot | Means::WalkedBicycle) {
        return true;
    }
    if D::is_backward() {
        !step.arc.has(arc_bits::RESTRICTED) || costs.may_turn(graph, step.edge, corner.edge, means, -seconds)
    } else {
        !label.has(label_flags::RESTRICTED) || costs.may_turn(graph, corner.edge, step.edge, means, seconds)
    }
}

/// How the label's last edge was used.
#[inline(always)]
fn means_of<L: Label>(label: &L) -> Means {
    if L::ON_FOOT {
        return Means::Foot;
    }
    match label.last().flags & label_flags::MEANS {
        label_flags::WALKED_BICYCLE => Means::WalkedBicycle,
        label_flags::BICYCLE => Means::Bicycle,
        label_flags::CAR => Means::Car,
        _ => Means::Foot,
    }
}

/// Time, cost and distance of the edge and of the turn between it and the label's edge.
#[inline(always)]
pub(super) fn effort<L: Label, D: Directed>(
    graph: &StreetGraph,
    costs: &StreetCosts,
    label: &L,
    corner: &Corner,
    step: &Use,
) -> Effort {
    let mut effort = effort_along(costs, step);
    add_corner::<_, D>(&mut effort, graph, costs, label, corner, step);
    effort
}

/// Time, cost and distance of the edge alone.
#[inline(always)]
pub(super) fn effort_along(costs: &StreetCosts, step: &Use) -> Effort {
    let (time, weight) = costs.edge(step.means, &step.arc, step.slope, step.record);
    let walk = if step.means == Means::Car { 0.0 } else { step.arc.length_m() };
    Effort { seconds: whole_seconds(time), weight, walk }
}

/// Adds the turn between the edge and the label's edge, and the change between riding and walking a bike.
#[inline(always)]
pub(super) fn add_corner<L: Label, D: Directed>(
    effort: &mut Effort,
    graph: &StreetGraph,
    costs: &StreetCosts,
    label: &L,
    corner: &Corner,
    step: &Use,
) {
    if !corner.free {
        let turn = turn_seconds::<L, D>(graph, costs, label, corner, step);
        effort.add_turn(turn, costs.turn_reluctance, step.means == Means::Car);
    }
    if !L::ON_FOOT
        && costs.bike_switch != (0, 0.0)
        && costs.street_mode != StreetMode::RentedBicycle
        && label.last().flags & label_flags::MEANS == other_bicycle_means(step.means)
    {
        effort.seconds += costs.bike_switch.0;
        effort.weight += costs.bike_switch.1;
    }
}

/// The label flag of riding a bike if `means` is walking one, and vice versa; no flag for other means.
fn other_bicycle_means(means: Means) -> u16 {
    match means {
        Means::Bicycle => label_flags::WALKED_BICYCLE,
        Means::WalkedBicycle => label_flags::BICYCLE,
        _ => u16::MAX,
    }
}

/// Seconds of the turn; it belongs to the second of the two edges in travel direction.
#[inline(always)]
fn turn_seconds<L: Label, D: Directed>(
    graph: &StreetGraph,
    costs: &StreetCosts,
    label: &L,
    corner: &Corner,
    step: &Use,
) -> f64 {
    let last = label.last().angle;
    if D::is_backward() {
        return match means_of(label) {
            Means::Car if is_fast(corner, label, step) => 0.0,
            Means::Car => costs.car_turn(step.arc.last_angle, last, corner.light),
            means => costs.soft_turn(costs.moving(means), step.arc.first_angle, last),
        };
    }
    match step.means {
        Means::Car if is_fast(corner, label, step) => 0.0,
        Means::Car => costs.car_turn(last, step.arc.first_angle, corner.light),
        _ => {
            // After getting out of a car, the label holds the angle that a turn by car needs.
            let got_out = !L::VERTICES_ONLY && label.has(label_flags::CAR);
            let first = if got_out { graph.arcs[corner.edge as usize].first_angle } else { last };
            costs.soft_turn(step.moving, first, step.arc.last_angle)
        }
    }
}

fn is_fast<L: Label>(corner: &Corner, label: &L, step: &Use) -> bool {
    !corner.light && label.has(label_flags::FAST) && step.arc.car_speed > FREE_CAR_SPEED
}

/// The last street of the label after a step; `None` when the rule against through traffic forbids the step. `far` is the
/// vertex where the step starts; `end_flags` are those of the vertex where it ends, 0 for a place.
#[inline(always)]
pub(super) fn last_street<D: Directed>(
    before: LastStreet,
    step: &Use,
    far: u32,
    end_flags: impl FnOnce() -> u16,
) -> Option<LastStreet> {
    use label_flags::*;
    let arc = &step.arc;
    let car = step.means == Means::Car;
    let mut flags = through_flags(before.flags, arc, end_flags)?;
    flags |= match step.means {
        Means::Foot => 0,
        Means::WalkedBicycle => WALKED_BICYCLE,
        Means::Bicycle => BICYCLE,
        Means::Car => CAR,
    };
    flags |= if car && arc.car_speed > FREE_CAR_SPEED { FAST } else { 0 };
    flags |= if arc.has(arc_bits::RESTRICTED) { RESTRICTED } else { 0 };
    // As in the reference, a turn on foot or by bike takes the angles at the far ends of both edges.
    let angle = if D::is_backward() == car { arc.first_angle } else { arc.last_angle };
    Some(LastStreet { flags, far, angle })
}

/// The flags of a label after a street for the rule against through traffic, from its flags before: a path may enter
/// streets that are closed to through traffic, but not leave them again at a vertex with an open street. `None` where the
/// rule forbids the step; `end_flags` are those of the vertex where it ends.
#[inline(always)]
fn through_flags(before: u16, arc: &Arc, end_flags: impl FnOnce() -> u16) -> Option<u16> {
    use label_flags::{ENTERED_NO_THROUGH, NO_THROUGH, STREET};
    let mut flags = STREET | (before & ENTERED_NO_THROUGH);
    if arc.has(arc_bits::NO_THROUGH) {
        flags |= NO_THROUGH;
        if before & (STREET | NO_THROUGH) == STREET {
            flags |= ENTERED_NO_THROUGH;
        }
        if flags & ENTERED_NO_THROUGH != 0 && end_flags() & vertex_flags::THROUGH != 0 {
            return None;
        }
    }
    Some(flags)
}

/// The effort of an edge that is not a street and the last street after it; `None` where the mode may not use it.
pub(super) fn over_other(
    costs: &StreetCosts,
    mode: TraverseMode,
    last: LastStreet,
    record: &Edge,
) -> Option<(Effort, LastStreet)> {
    let link = record.kind() == EdgeKind::StationLink;
    // A station must not serve as a short cut between the streets it is linked to.
    if link && last.flags & label_flags::STATION_LINK != 0 {
        return None;
    }
    let effort = costs.other_edge(mode, record)?;
    Some((effort, last.after_other(if link { label_flags::STATION_LINK } else { 0 })))
}
