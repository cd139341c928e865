//! How far a search looks first. Nearly all itineraries take a few hours, and the bounds from these hours alone are much
//! tighter than those from days. Only when what is found could be beaten by what comes later is that looked at as well.

use super::alternatives::Alternatives;
use super::bounds::BoundsInput;
use super::costs::{Centicost, Costs, RIDE, centi, walking};
use super::direction::Direction;
use super::least_times::LeastTimes;
use super::query::{Endpoint, TransitQuery};
use super::rounds::Rounds;
use super::scan::Stopped;
use super::window::ServiceWindow;

/// The hours in which a search looks first.
pub(super) struct Horizon<'a> {
    /// Running times within them.
    pub(super) least: &'a LeastTimes,
    /// When they end (key).
    pub(super) end: i32,
    /// Whatever arrives later costs more.
    pub(super) least_later: Centicost,
}

impl<'a> Horizon<'a> {
    /// The hours from the requested time on (up to it when arriving by a time), if the window has them and something is
    /// known of what comes later.
    pub(super) fn new<D: Direction>(
        window: &'a ServiceWindow,
        query: &TransitQuery<'_>,
        costs: &Costs,
    ) -> Option<Horizon<'a>> {
        let start = window.time_of(query.request.epoch_seconds);
        let part = window.part(start, !D::FORWARD)?;
        let end = D::key(D::pick(part.to, part.from));
        let rate = least_cost_per_second(query, costs, [query.access, query.egress]).min(costs.first_wait);
        let least_later = rate.saturating_mul(end - D::key(start));
        (least_later > 0).then_some(Horizon { least: part.least, end, least_later })
    }
}

/// The least cost of a second once the first vehicle is entered, and on the ways to and from some stops.
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
    rates.fold(costs.wait.min(RIDE).min(walking(query.request)), Centicost::min)
}

impl Alternatives<'_> {
    /// After a search within a horizon: looks beyond it from now on if something of interest may be there. Tells whether it
    /// does so and the search has to be repeated.
    pub(super) fn looks_further<D: Direction>(&mut self) -> Result<bool, Stopped> {
        let most = self.rounds.memory.arrivals.most_of_interest();
        let Some((_, bounds)) = self.horizon.take_if(|(horizon, _)| most >= horizon.least_later) else {
            return Ok(false);
        };
        let Rounds { timetable, window, filters, costs, walks, far, stop, number, .. } = &self.rounds;
        let input = BoundsInput {
            timetable,
            window,
            filters,
            costs,
            walks,
            hop: &window.call_least_hop,
            dwell: &window.call_least_dwell,
            cost_per_second: 0,
        };
        if !bounds.compute::<D>(&input, far, || stop.is_set(*number)) {
            return Err(Stopped::Told);
        }
        self.rounds.bounds = bounds;
        (self.rounds.latest, self.rounds.most_cost) = (i32::MAX, Centicost::MAX);
        Ok(true)
    }
}
