//! Steps of a street leg: the edges of each step, and the turn into it.

mod roundabout;
mod turns;
mod zigzag;

use std::ops::Range;

use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_model::itinerary::{RelativeDirection, Step};
use trestle_street::graph::{Edge, EdgeKind, StreetGraph};
use trestle_street::path::{StreetPath, TraversalKind};

use super::elevation::profile;
use super::geometry::{difference, first_angle, octant};
use super::live_facts::LiveFacts;
use super::names::{edge_name, without_parentheses};
use super::notes::add_notes;
use super::segment::Segment;
use roundabout::Roundabout;
use turns::circle;
pub(super) use turns::turn;

/// A turn of more radians than this is a step if there is any other street.
const CLEAR_TURN: f64 = std::f64::consts::FRAC_PI_4;
/// Another street can be mistaken for the one to take if its turn is at most this many radians larger.
const COMPETING: f64 = std::f64::consts::PI / 16.0;

pub(super) struct DraftStep {
    pub(super) step: Step,
    /// Azimuth of the start of its first edge.
    first_angle: f64,
    /// Traversal it begins with.
    begins: usize,
}

/// The steps of a leg, and the azimuth at the start of the last one, to which the next leg's first turn is relative.
pub(super) struct LegSteps {
    pub(super) steps: Vec<Step>,
    /// Index of the traversal that each step begins with.
    pub(super) begins: Vec<usize>,
    /// Azimuth at the start of the first one.
    pub(super) first_step_angle: Option<f64>,
    pub(super) last_step_angle: Option<f64>,
}

/// Renders the part `range` of a path as steps. `previous` is the azimuth at the start of the last step of the leg
/// before; without it the first step departs.
pub(super) fn steps(
    street: &StreetGraph,
    live: Option<&LiveFacts<'_>>,
    path: &StreetPath,
    range: Range<usize>,
    previous: Option<f64>,
    locale: &str,
) -> LegSteps {
    let mut renderer = StepRenderer {
        street,
        live,
        path,
        locale,
        previous_leg: previous,
        steps: Vec::new(),
        roundabout: None,
        last_angle: 0.0,
        covered: 0.0,
        before: None,
        before_that: None,
        index: range.start,
    };
    for index in range {
        renderer.render(index);
    }
    let [first_step_angle, last_step_angle] =
        [renderer.steps.first(), renderer.steps.last()].map(|step| step.map(|draft| draft.first_angle));
    let begins = renderer.steps.iter().map(|draft| draft.begins).collect();
    let steps = renderer.steps.into_iter().map(|draft| draft.step).collect();
    LegSteps { steps, begins, first_step_angle, last_step_angle }
}

struct StepRenderer<'a> {
    street: &'a StreetGraph,
    live: Option<&'a LiveFacts<'a>>,
    path: &'a StreetPath,
    locale: &'a str,
    previous_leg: Option<f64>,
    steps: Vec<DraftStep>,
    roundabout: Option<Roundabout>,
    /// Azimuth at the end of the edge before.
    last_angle: f64,
    /// Metres of the current step so far; offset of the next elevation profile.
    covered: f64,
    /// The street edge before.
    before: Option<Segment<'a>>,
    /// The street edge before that.
    before_that: Option<Edge>,
    /// The current traversal.
    index: usize,
}

impl<'a> StepRenderer<'a> {
    /// Renders one traversal; only street edges and elevators make steps.
    fn render(&mut self, index: usize) {
        self.index = index;
        let traversal = &self.path.traversals[index];
        if traversal.kind == TraversalKind::Elevator {
            self.leave_elevator(traversal.edge);
        } else if let Some(segment) = Segment::of(self.street, self.path, index, self.locale) {
            self.render_street(segment);
        }
    }

    fn render_street(&mut self, segment: Segment<'a>) {
        let is_new = self.begin_step(&segment);
        if let (Some(exit), Some(draft)) = (segment.exit_name(self.street), self.steps.last_mut()) {
            draft.step.exit = Some(exit.to_owned());
        }
        let length = segment.traversal.length_m;
        if is_new {
            self.covered = zigzag::merge(&mut self.steps) + length;
        } else {
            self.append_profile(&segment);
            self.covered += length;
        }
        if let Some(draft) = self.steps.last_mut() {
            draft.step.distance += length;
            add_notes(self.street, self.live, segment.traversal, self.locale, &mut draft.step.alerts);
        }
        self.last_angle = segment.last_angle;
        self.before_that = self.before.replace(segment).map(|before| before.edge);
    }

    /// Adds a step for the segment unless it continues the current one. Returns whether it did.
    fn begin_step(&mut self, segment: &Segment<'a>) -> bool {
        let Some(current) = self.steps.last() else {
            let relative =
                self.previous_leg.map_or(RelativeDirection::Depart, |a| turn(a, segment.first_angle));
            self.push(segment, relative);
            return true;
        };
        if self.leaves_street(&current.step, segment) {
            self.leave_roundabout(segment);
            let relative = if segment.roundabout() {
                let entered_from = self.before.as_ref().map_or("", |before| before.name.as_ref());
                self.roundabout = Some(Roundabout::entered_from(without_parentheses(entered_from)));
                circle(self.last_angle, segment.first_angle)
            } else {
                turn(self.last_angle, segment.first_angle)
            };
            self.push(segment, relative);
            return true;
        }
        if segment.roundabout() {
            if let (Some(roundabout), Some(before)) = (&mut self.roundabout, &self.before) {
                roundabout.pass(self.street, before, self.before_that.as_ref());
            }
            return false;
        }
        let relative = turn(self.last_angle, segment.first_angle);
        if relative == RelativeDirection::Continue || !self.has_competing_street(segment) {
            return false;
        }
        self.push(segment, relative);
        if let Some(draft) = self.steps.last_mut() {
            draft.step.stay_on = true;
        }
        true
    }

    /// Whether the segment is on a different street from the step (two generated names are the same street), enters or leaves
    /// a roundabout, or enters a link road.
    fn leaves_street(&self, step: &Step, segment: &Segment<'_>) -> bool {
        let other_name = without_parentheses(&step.street_name) != without_parentheses(&segment.name);
        let from_link = self.before.as_ref().is_some_and(Segment::link_road);
        (other_name && !(step.bogus_name && segment.bogus_name()))
            || segment.roundabout() != self.roundabout.is_some()
            || (segment.link_road() && !from_link)
    }

    /// Sets the exit in the step of the roundabout.
    fn leave_roundabout(&mut self, segment: &Segment<'_>) {
        let (Some(roundabout), Some(draft)) = (self.roundabout.take(), self.steps.last_mut()) else { return };
        draft.step.exit = Some(roundabout.exit.to_string());
        if without_parentheses(&segment.name) == roundabout.entered_from {
            draft.step.stay_on = true;
        }
    }

    /// Whether another street that could be mistaken for the segment starts where it does.
    fn has_competing_street(&self, segment: &Segment<'_>) -> bool {
        let own = difference(segment.first_angle, self.last_angle);
        let Some(vertex) = segment.start_vertex() else { return false };
        self.street.out_edges(vertex).map(EdgeIdx).any(|e| {
            let edge = self.street.edge(e);
            if edge.kind() != EdgeKind::Street || edge_name(self.street, &edge, self.locale) == segment.name {
                return false;
            }
            let line: Vec<_> = self.street.edge_line(e).collect();
            let other = difference(first_angle(&line), self.last_angle);
            own > CLEAR_TURN || other - own < COMPETING
        })
    }

    fn push(&mut self, segment: &Segment<'_>, relative: RelativeDirection) {
        let start = segment.start();
        let step = Step {
            relative,
            street_name: segment.name.to_string(),
            absolute: Some(octant(segment.first_angle)),
            area: segment.area(),
            bogus_name: segment.bogus_name(),
            lon: start.lon,
            lat: start.lat,
            elevation: profile(self.street, segment.traversal).collect(),
            ..Step::default()
        };
        self.steps.push(DraftStep { step, first_angle: segment.first_angle, begins: self.index });
    }

    fn append_profile(&mut self, segment: &Segment<'_>) {
        let covered = self.covered;
        if let Some(draft) = self.steps.last_mut() {
            let points = profile(self.street, segment.traversal);
            draft.step.elevation.extend(points.map(|(x, height)| (x + covered, height)));
        }
    }

    /// Adds a step for leaving an elevator, named like the level. Boarding and riding it are not steps.
    fn leave_elevator(&mut self, edge: EdgeIdx) {
        let Some(edge) = edge.some().map(|e| self.street.edge(e)) else { return };
        if edge.kind() != EdgeKind::ElevatorAlight {
            return;
        }
        let level = [edge.from, edge.to].map(|v| self.street.vertex_name[v as usize]);
        let name = [edge.name, level[0], level[1]].into_iter().find(|&name| name != 0).unwrap_or(0);
        let position = self.street.position(VertexIdx(edge.from));
        let step = Step {
            relative: RelativeDirection::Elevator,
            street_name: self.street.names.get(name).to_owned(),
            lon: position.lon,
            lat: position.lat,
            ..Step::default()
        };
        self.steps.push(DraftStep { step, first_angle: self.last_angle, begins: self.index });
        self.covered = 0.0;
    }
}
