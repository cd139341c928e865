//! Samples of a street within which a search starts. The search goes along it to its ends, so that times from there are
//! those of going there and back.

use trestle_street::graph::StreetGraph;

use super::long_streets::{LongStreet, LongStreets};
use super::sampled::{PointSamples, Sample, Sampled, Samples};
use super::sampling_rules::SamplingRules;
use super::start_street::StartStreet;

impl StartStreet {
    /// The samples between the ends of the street, given what the search found at a vertex, if it is reached.
    pub(super) fn samples<S: Sampled>(
        &self,
        graph: &StreetGraph,
        rules: &SamplingRules<'_>,
        found_at: impl Fn(u32) -> Option<Sample>,
    ) -> Vec<PointSamples<S>> {
        let mut long = LongStreets::new(graph, rules.step_m, rules.travel);
        let mut between = Vec::new();
        for split in &self.place.splits {
            let edge = graph.edge(split.edge);
            let ends = [edge.from, edge.to];
            let Some(street) = long.street(ends, split.edge.0, [true; 2]) else { continue };
            let ways = Ways { street: &street, ends: ends.map(&found_at), start: split.fraction, of: self };
            let step = street.drawn_m / (street.inner.len() + 1) as f64;
            for (i, &point) in street.inner.iter().enumerate() {
                let mut samples = Samples::NONE;
                let permitted = street.paces.into_iter().flatten();
                let found = permitted.filter_map(|pace| ways.quickest((i + 1) as f64 * step, pace, rules));
                found.for_each(|sample| samples.add(sample.into()));
                if samples.count > 0.0 {
                    between.push(PointSamples { point, samples });
                }
            }
        }
        between
    }
}

/// How points of the street are reached.
struct Ways<'a> {
    street: &'a LongStreet<'a>,
    /// What the search found at both ends.
    ends: [Option<Sample>; 2],
    /// The start as a fraction of the street.
    start: f64,
    of: &'a StartStreet,
}

impl Ways<'_> {
    /// The quickest way to (backward: from) the point that is `along` metres from the beginning of the street, if it counts:
    /// directly, where that direction is permitted, or from an end.
    fn quickest(&self, along: f64, pace: f64, rules: &SamplingRules<'_>) -> Option<Sample> {
        let length = self.street.drawn_m;
        let start = self.start * length;
        let is_onward = (along >= start) != self.of.direction.is_backward();
        let directly = self.street.paces[usize::from(!is_onward)]
            .map(|pace| rules.along(self.of.walk, (along - start).abs(), pace));
        let [a, b] = self.ends;
        let from_ends =
            [a.map(|end| rules.along(end, along, pace)), b.map(|end| rules.along(end, length - along, pace))];
        let quickest = directly
            .into_iter()
            .chain(from_ends.into_iter().flatten())
            .filter(|sample| sample.walk_distance <= rules.max_walk_distance)
            .min_by(|a, b| a.time.total_cmp(&b.time));
        quickest.filter(|sample| sample.time < rules.max_seconds)
    }
}
