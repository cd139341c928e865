//! The hours that a search covers first. Nearly all itineraries take a few hours, and bounds from these hours are much
//! tighter than bounds from days. The search covers later hours only if paths in them may be better than those found.

use trestle_model::Directed;
use trestle_model::geo::{LatLon, distance_m};

use super::costs::{Centicost, Costs, RIDE_RATE, centi, walk_rate};
use super::least_times::LeastTimes;
use super::limits::Limits;
use super::query::{Endpoint, TransitQuery};
use super::transit_data::TransitData;
use crate::timetable::Timetable;

/// The usual lower bound of the cost of a long trip, per metre as the crow flies, at the usual cost of boarding and
/// walking. (Over 30 km it is 15 to 40 in the sample cities.) If it shows that paths of interest may be later than the first
/// hours, the bounds of these hours are not computed.
const COST_OF_METER: f64 = 30.0;

/// The hours that a search covers first.
pub(super) struct Horizon<'a> {
    /// Running times within them.
    pub(super) least: &'a LeastTimes,
    /// When they end (key).
    pub(super) end: i32,
    /// Paths that arrive later cost at least this much.
    pub(super) least_later: Centicost,
}

impl<'a> Horizon<'a> {
    /// The hours after the requested time (backward: before it). `None` if the service does not cover
    /// them, if nothing bounds the cost of later paths, or if the trip is too long for these hours.
    pub(super) fn new<D: Directed>(
        data: &TransitData<'a>,
        query: &TransitQuery<'_>,
        costs: &Costs,
    ) -> Option<Horizon<'a>> {
        let TransitData { timetable, service, .. } = *data;
        let start = service.time_of(query.request.epoch_seconds);
        let hours = service.hours_at(start, D::DIRECTION)?;
        let end = D::key(D::pick(hours.to, hours.from));
        let rate = least_cost_per_second(query, costs, [query.access, query.egress]).min(costs.first_wait);
        let beside = least_beside(query.access, rate) + least_beside(query.egress, rate) + costs.board;
        let least_later = rate.saturating_mul(end - D::key(start)).saturating_add(beside);
        let horizon = Horizon { least: hours.least, end, least_later };
        let likely = (COST_OF_METER * distance(timetable, query)) as Centicost;
        (rate > 0 && horizon.suffices_for(likely)).then_some(horizon)
    }
}

impl Horizon<'_> {
    /// Whether the paths of interest are likely to be within the horizon when the cheapest has a bound of `least`.
    pub(super) fn suffices_for(&self, least: Centicost) -> bool {
        Limits::new(least).first() < self.least_later
    }
}

/// Metres between the stop with the cheapest access and the stop with the cheapest egress.
fn distance(timetable: &Timetable, query: &TransitQuery<'_>) -> f64 {
    let position = |ends: &[Endpoint]| {
        let nearest = ends.iter().min_by(|a, b| a.cost.total_cmp(&b.cost))?.stop.index();
        Some(LatLon::new(*timetable.stops.lat.get(nearest)?, *timetable.stops.lon.get(nearest)?))
    };
    let ends = position(query.access).zip(position(query.egress));
    ends.map_or(0.0, |(from, to)| distance_m(from, to))
}

/// The least cost of getting from a place to a stop, or back, beyond what every second costs.
fn least_beside(ends: &[Endpoint], rate: Centicost) -> Centicost {
    ends.iter().map(|end| centi(end.cost) - rate * end.seconds).min().unwrap_or(0).max(0)
}

/// The least cost of a second after the first vehicle is entered, and on the access or egress of some endpoints.
pub(super) fn least_cost_per_second<'q>(
    query: &TransitQuery<'_>,
    costs: &Costs,
    ends: impl IntoIterator<Item = &'q [Endpoint]>,
) -> Centicost {
    if costs.leave_slack > 0 {
        return 0;
    }
    let ends = ends.into_iter().flatten().filter(|end| end.seconds > 0);
    let rates = ends.map(|end| centi(end.cost) / end.seconds);
    rates.fold(costs.wait.min(RIDE_RATE).min(walk_rate(query.request)), Centicost::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trestle_model::ids::StopIdx;

    #[test]
    fn access_and_egress_add_what_they_cost_beyond_their_time() {
        let end = |seconds: i32, cost: f64| Endpoint { stop: StopIdx(0), seconds, cost };
        assert_eq!(least_beside(&[end(300, 600.0), end(100, 500.0)], 40), 46_000);
        assert_eq!(least_beside(&[end(300, 60.0)], 40), 0);
        assert_eq!(least_beside(&[], 40), 0);
    }

    #[test]
    fn a_horizon_does_not_suffice_for_paths_with_a_high_bound() {
        let horizon = Horizon { least: &LeastTimes::default(), end: 36_000, least_later: 1_440_000 };
        assert!(horizon.suffices_for(950_000));
        assert!(!horizon.suffices_for(970_000));
        assert!(!horizon.suffices_for(super::super::costs::INFINITE));
    }
}
