//! Turns that restrictions forbid, always or at times.

use super::{Means, StreetCosts};
use crate::graph::{DAY_SECONDS, StreetGraph, TurnRestriction};

/// When a turn is permitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MayTurn {
    Always,
    /// A restriction holds on some days or at some hours.
    AtTimes,
    Never,
}

impl StreetCosts {
    /// When cars may turn from `from` onto `to`.
    pub(crate) fn car_may_turn(graph: &StreetGraph, from: u32, to: u32) -> MayTurn {
        let forbidding = || restrictions(graph, from).filter(|r| forbids(r, to, TurnRestriction::CAR));
        match forbidding().next() {
            None => MayTurn::Always,
            Some(_) if forbidding().any(TurnRestriction::holds_always) => MayTurn::Never,
            Some(_) => MayTurn::AtTimes,
        }
    }

    /// Whether the turn from `from` onto `to` is permitted after `seconds` (backward: negative).
    pub(crate) fn may_turn(
        &self,
        graph: &StreetGraph,
        from: u32,
        to: u32,
        means: Means,
        seconds: i64,
    ) -> bool {
        let mode = match means {
            Means::Bicycle => TurnRestriction::BICYCLE,
            Means::Car => TurnRestriction::CAR,
            Means::Foot | Means::WalkedBicycle => return true,
        };
        let mut forbidding = restrictions(graph, from).filter(|r| forbids(r, to, mode));
        !forbidding.any(|r| holds_at(r, self.local_start + seconds))
    }
}

/// The turn restrictions that start on an edge.
fn restrictions(graph: &StreetGraph, from: u32) -> impl Iterator<Item = &TurnRestriction> {
    let first = graph.restrictions.partition_point(|r| r.from < from);
    graph.restrictions[first..].iter().take_while(move |r| r.from == from)
}

/// Whether a restriction forbids some modes to turn onto an edge while it holds.
fn forbids(restriction: &TurnRestriction, to: u32, modes: u8) -> bool {
    (restriction.to == to) == (restriction.only == 0) && restriction.modes & modes != 0
}

/// Whether a restriction holds at a local time (seconds since 1970, a Thursday).
pub(super) fn holds_at(restriction: &TurnRestriction, local: i64) -> bool {
    const DAY: i64 = DAY_SECONDS as i64;
    if restriction.holds_always() {
        return true;
    }
    let (from, to) = (restriction.day_from, restriction.day_to);
    let is_on = |local: i64| {
        let day = (local.div_euclid(DAY) + 3).rem_euclid(7) as u8;
        if from <= to { (from..=to).contains(&day) } else { day >= from || day <= to }
    };
    let second = local.rem_euclid(DAY) as u32;
    let (begins, ends) = (restriction.time_from, restriction.time_to);
    if begins <= ends {
        return is_on(local) && (begins..ends.max(1)).contains(&second);
    }
    // The hours after midnight belong to the day before.
    (is_on(local) && second >= begins) || (is_on(local - DAY) && second < ends)
}
