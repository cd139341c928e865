//! The least cost of a step over an edge after any path. Distances with these costs are lower bounds of the real ones.

use std::marker::PhantomData;

use trestle_model::Directed;
use trestle_model::ids::EdgeIdx;

use super::StreetQuery;
use super::label::{Label, LastStreet, Via};
use super::layers::{FIRST_LAYER, Layers};
use super::path_labels::PathLabel;
use super::places::{Ends, part_of};
use super::step::{
    Corner, Use, add_corner, effort_along, is_same_street, is_u_turn, last_street, over_other,
};
use crate::arc::{Arc, arc_bits};
use crate::contraction::{Customization, Metric, NoMetric};
use crate::cost::{Effort, StreetCosts, StreetMode, TraverseMode};
use crate::graph::{Edge, StreetGraph};
use crate::street_record::StreetRecord;

/// Vertices between two checks of the deadline.
const INTERRUPT_EVERY: u32 = 1 << 13;
/// The whole numbers reach to the cost of this many straight lines across the whole graph.
const EXTENTS: f64 = 8.0;
/// The cheapest metre costs at least this as a whole number, so that an edge of a few metres loses less than a
/// hundredth of its cost to rounding down.
const WHOLE_PER_METER: f64 = 16.0;
/// The most whole numbers per unit of cost, so that most arcs cost less than 2¹⁶.
const FINEST_SCALE: f64 = 64.0;

/// The metric for the first layer of a street mode.
pub(super) fn metric<D: Directed>(query: &StreetQuery<'_>) -> Result<Metric, NoMetric> {
    let StreetQuery { graph, costs, interrupted, .. } = *query;
    let mut customization = Customization::new(&graph.contraction, scale(graph, costs));
    LeastSteps::<D>::new(graph, costs).add_to(&mut customization, interrupted)?;
    customization.finish(interrupted)
}

/// The vertices from which a search reaches its goal, and the least cost of that.
pub(super) fn to_goal<'a, D: Directed>(
    query: &'a StreetQuery<'_>,
    ends: &'a Ends,
) -> impl Iterator<Item = (u32, f64)> + 'a {
    let steps = LeastSteps::<D>::new(query.graph, query.costs);
    let mut labels = Vec::new();
    ends.arriving.iter().filter_map(move |joint| {
        if joint.half == u32::MAX {
            return Some((joint.vertex, 0.0));
        }
        let half = &ends.halves[joint.half as usize];
        steps.labels_at(joint.vertex, &mut labels);
        let arc = Arc::of(&half.record, D::DIRECTION);
        Some((joint.vertex, steps.least_by_any_means(&labels, joint.vertex, (half.edge, arc), &half.record)?))
    })
}

/// Whole numbers per unit of cost: as many as short edges need, as far as the longest paths allow.
fn scale(graph: &StreetGraph, costs: &StreetCosts) -> f64 {
    let Some(grid) = graph.spatial.grid() else { return 1.0 };
    let [corner, other] = grid.area().corners();
    let per_meter = costs.least_cost_per_meter(graph);
    let extent = trestle_model::geo::distance_m(corner, other) * per_meter;
    let finest = f64::from(Metric::LARGEST) / (EXTENTS * extent).max(1.0);
    // Multiplying by a power of two does not round.
    let fine_enough = (WHOLE_PER_METER / per_meter).log2().ceil().exp2().min(FINEST_SCALE);
    if finest >= fine_enough { fine_enough } else { finest.max(1e-9).log2().floor().exp2() }
}

/// The least costs of steps in one direction of search, in the first layer of a street mode.
struct LeastSteps<'g, D: Directed> {
    graph: &'g StreetGraph,
    costs: &'g StreetCosts,
    ride: TraverseMode,
    /// Steps on foot count too, without turns.
    walks: bool,
    direction: PhantomData<D>,
}

impl<'g, D: Directed> LeastSteps<'g, D> {
    fn new(graph: &'g StreetGraph, costs: &'g StreetCosts) -> Self {
        let ride = Layers::of(costs.street_mode, None).mode(FIRST_LAYER);
        let walks = costs.street_mode == StreetMode::KissAndRide;
        LeastSteps { graph, costs, ride, walks, direction: PhantomData }
    }

    /// Adds every step that the street mode permits to a metric.
    fn add_to(
        &self,
        customization: &mut Customization<'_>,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<(), NoMetric> {
        let mut labels = Vec::new();
        let (arcs, first) = self.graph.arcs_of(D::DIRECTION);
        for vertex in 0..self.graph.vertex_count() as u32 {
            if vertex.is_multiple_of(INTERRUPT_EVERY) && interrupted() {
                return Err(NoMetric::Interrupted);
            }
            self.labels_at(vertex, &mut labels);
            for i in first[vertex as usize]..first[vertex as usize + 1] {
                let edge = if D::is_backward() { self.graph.in_edges[i as usize] } else { i };
                let record = self.graph.edge(EdgeIdx(edge));
                let arc = arcs[i as usize];
                if let Some(cost) = self.least_by_any_means(&labels, vertex, (edge, arc), &record) {
                    customization.step(vertex, arc.end, cost)?;
                }
            }
        }
        Ok(())
    }

    /// The least cost of an edge or a half of one, in the vehicle or on foot.
    fn least_by_any_means(
        &self,
        labels: &[(u32, PathLabel)],
        vertex: u32,
        (edge, arc): (u32, Arc),
        record: &Edge,
    ) -> Option<f64> {
        let riding = match arc.has(arc_bits::SPECIAL) {
            true => self.over_other(self.ride, record),
            false => self.least(labels, vertex, (edge, arc, StreetRecord::Given(record))),
        };
        let walking = if self.walks { self.walking((edge, arc), record) } else { None };
        riding.into_iter().chain(walking).min_by(f64::total_cmp)
    }

    /// All labels, with their edges, that a search may have at a vertex and that make a difference to the next step.
    fn labels_at(&self, vertex: u32, labels: &mut Vec<(u32, PathLabel)>) {
        labels.clear();
        let (arcs, first) = self.graph.arcs_of(D::DIRECTION.opposite());
        for i in first[vertex as usize]..first[vertex as usize + 1] {
            let edge = if D::is_backward() { i } else { self.graph.in_edges[i as usize] };
            let record = self.graph.edge(EdgeIdx(edge));
            if arcs[i as usize].has(arc_bits::SPECIAL) {
                if self.over_other(self.ride, &record).is_some() {
                    labels.push((edge, PathLabel::START));
                }
                continue;
            }
            // A search that starts on the street begins with a part of it.
            let whole = self.label_over(edge, &record);
            let part = self.label_over(edge, &part_of(&record, record.length_mm));
            let is_other = |part: &PathLabel| whole.is_none_or(|whole| whole.last != part.last);
            labels.extend(whole.into_iter().chain(part.filter(is_other)).map(|label| (edge, label)));
        }
    }

    fn over_other(&self, mode: TraverseMode, record: &Edge) -> Option<f64> {
        over_other(self.costs, mode, LastStreet::NONE, record).map(|(effort, _)| effort.weight)
    }

    /// The cost of an edge on foot without a turn.
    fn walking(&self, (edge, arc): (u32, Arc), record: &Edge) -> Option<f64> {
        if arc.has(arc_bits::SPECIAL) {
            return self.over_other(TraverseMode::Foot, record);
        }
        let of = (edge, arc, StreetRecord::Given(record));
        let step = Use::new(self.graph, self.costs, TraverseMode::Foot, of)?;
        Some(effort_along(self.costs, &step).weight)
    }

    fn label_over(&self, edge: u32, record: &Edge) -> Option<PathLabel> {
        let arc = Arc::of(record, D::DIRECTION);
        let step = Use::new(self.graph, self.costs, self.ride, (edge, arc, StreetRecord::Given(record)))?;
        let far = if D::is_backward() { record.to } else { record.from };
        let last = last_street::<D>(LastStreet::NONE, &step, far, || 0)?;
        Some(PathLabel::START.after(&Effort::default(), last, u32::MAX, Via::edge(edge)))
    }

    /// The least cost of an edge after any of the labels at the vertex where it starts.
    fn least(
        &self,
        labels: &[(u32, PathLabel)],
        vertex: u32,
        of: (u32, Arc, StreetRecord<'_>),
    ) -> Option<f64> {
        let step = Use::new(self.graph, self.costs, self.ride, of)?;
        let along = effort_along(self.costs, &step);
        // From a part of a street, or to one, the step may be onto another street between the same vertices.
        let is_back = |last: u32| self.ride == TraverseMode::Car || is_same_street(self.graph, [last, of.0]);
        let onward = labels.iter().filter(|(last, label)| !(is_u_turn(label, &of.1) && is_back(*last)));
        let costs = onward.map(|(last, label)| {
            // An end of the request at the corner can only make a turn cost more.
            let corner = Corner::new(self.graph, vertex, label, *last, || false);
            let mut effort = along;
            add_corner::<_, D>(&mut effort, self.graph, self.costs, label, &corner, &step);
            effort.weight
        });
        Some(costs.min_by(f64::total_cmp).unwrap_or(along.weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::graph;
    use trestle_model::RoutingRequest;

    #[test]
    fn costs_are_finer_where_a_metre_costs_less() {
        let test = graph("A 0 0\nB 100 0\nA - B wbc");
        let of = |request: &RoutingRequest, street_mode| {
            scale(&test.graph, &StreetCosts::from_request(request, 0).for_mode(street_mode))
        };
        let usual = RoutingRequest::default();
        let scales = [StreetMode::Walk, StreetMode::Bicycle, StreetMode::Car]
            .map(|street_mode| of(&usual, street_mode));
        assert_eq!(scales, [16.0, 64.0, 64.0]);
        let reluctant = RoutingRequest { walk_reluctance: 8.0, stairs_reluctance: 8.0, ..usual };
        assert_eq!(of(&reluctant, StreetMode::Walk), 4.0);
    }
}
