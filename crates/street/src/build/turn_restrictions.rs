//! Turn restriction relations.

use rustc_hash::FxHashMap;
use trestle_model::IssueSink;

use super::network::Network;
use crate::cost::degrees;
use crate::graph::{DAY_SECONDS, TurnRestriction, edge_flags};
use crate::osm::{MemberKind, NodeRef, OsmData, Relation};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TurnKind {
    Left,
    Right,
    Straight,
    UTurn,
}

impl TurnKind {
    /// Whether an angle (out-angle of the from edge minus in-angle of the to edge, 0 to 359 degrees) is a turn of
    /// this kind.
    fn fits(self, angle: i32) -> bool {
        match self {
            TurnKind::Left => angle < 160,
            TurnKind::Right => angle > 200,
            TurnKind::UTurn => angle > 150 && angle <= 210,
            TurnKind::Straight => !(30..330).contains(&angle),
        }
    }
}

/// One restriction relation and the edges that it may apply to.
struct RestrictionRelation {
    id: i64,
    file: usize,
    via: NodeRef,
    kind: TurnKind,
    /// Template with everything but the edges.
    restriction: TurnRestriction,
    from_edges: Vec<u32>,
    to_edges: Vec<u32>,
}

impl RestrictionRelation {
    /// Turn angles of all pairs of edges, degrees.
    fn angles(&self, network: &Network) -> Vec<i32> {
        let pairs = self.from_edges.iter().flat_map(|from| self.to_edges.iter().map(move |to| (*from, *to)));
        pairs.map(|(from, to)| turn_angle(network, from, to)).collect()
    }
}

/// All restrictions by the ways they name.
#[derive(Default)]
pub(super) struct RestrictionRelations {
    relations: Vec<RestrictionRelation>,
    by_from_way: FxHashMap<i64, Vec<usize>>,
    by_to_way: FxHashMap<i64, Vec<usize>>,
}

impl RestrictionRelations {
    /// Reads all restriction relations; unusable ones become issues.
    pub(super) fn collect(data: &OsmData, issues: &mut IssueSink) -> Self {
        let mut all = RestrictionRelations::default();
        for relation in data.relations.iter().filter(|r| r.tags.is("type", "restriction")) {
            match parse(relation, data) {
                Ok(Some((from, to, found))) => {
                    all.by_from_way.entry(from).or_default().push(all.relations.len());
                    all.by_to_way.entry(to).or_default().push(all.relations.len());
                    all.relations.push(found);
                }
                Ok(None) => {}
                Err(reason) => issues.add(
                    "turn-restriction-unusable",
                    &data.files[relation.file],
                    0,
                    format!("relation {}: {reason}", relation.id),
                ),
            }
        }
        all
    }

    /// Notes the edges (forward, back) of a piece of a way between two nodes.
    pub(super) fn add_way_edges(
        &mut self,
        way: i64,
        start: NodeRef,
        end: NodeRef,
        [forward, back]: [Option<u32>; 2],
    ) {
        for i in self.by_from_way.get(&way).into_iter().flatten() {
            let relation = &mut self.relations[*i];
            if relation.via == start {
                relation.from_edges.extend(back);
            } else if relation.via == end {
                relation.from_edges.extend(forward);
            }
        }
        for i in self.by_to_way.get(&way).into_iter().flatten() {
            let relation = &mut self.relations[*i];
            if relation.via == start {
                relation.to_edges.extend(forward);
            } else if relation.via == end {
                relation.to_edges.extend(back);
            }
        }
    }

    /// Turns the relations into restrictions between edges whose angle fits.
    pub(super) fn apply(self, data: &OsmData, network: &mut Network, issues: &mut IssueSink) {
        for relation in self.relations {
            let before = network.restrictions.len();
            for from in &relation.from_edges {
                for to in &relation.to_edges {
                    if relation.kind.fits(turn_angle(network, *from, *to)) {
                        network.restrictions.push(TurnRestriction {
                            from: *from,
                            to: *to,
                            ..relation.restriction
                        });
                        network.restricted_edges.extend([*from, *to]);
                        network.edges[*from as usize].edge.flags |= edge_flags::RESTRICTED;
                    }
                }
            }
            if network.restrictions.len() == before {
                let message = format!(
                    "relation {}: no pair of edges at node {} fits {:?} (angles {:?})",
                    relation.id,
                    data.node_id(relation.via),
                    relation.kind,
                    relation.angles(network)
                );
                issues.add("turn-restriction-without-edges", &data.files[relation.file], 0, message);
            }
        }
        network.restrictions.sort_by_key(|r| r.from);
    }
}

/// Out-angle of one edge minus in-angle of another, 0 to 359 degrees.
fn turn_angle(network: &Network, from: u32, to: u32) -> i32 {
    let out_angle = degrees(network.edges[from as usize].edge.last_angle);
    let in_angle = degrees(network.edges[to as usize].edge.first_angle);
    (out_angle - in_angle).rem_euclid(360)
}

/// The ways from and to which it applies, and the restriction; `None` when it names a via node outside the input.
fn parse(relation: &Relation, data: &OsmData) -> Result<Option<(i64, i64, RestrictionRelation)>, String> {
    let member = |role: &str| relation.members.iter().rev().find(|m| m.role == role);
    let (Some(from), Some(to), Some(via)) = (member("from"), member("to"), member("via")) else {
        let missing: Vec<_> =
            ["from", "to", "via"].into_iter().filter(|role| member(role).is_none()).collect();
        return Err(format!("no member has the role {}", missing.join(" or ")));
    };
    if via.kind != MemberKind::Node {
        return Err("only nodes are supported as via".to_owned());
    }
    let text = relation.tags.get("restriction").unwrap_or_default();
    let (kind, only) = parse_kind(text).ok_or_else(|| format!("unknown restriction {text}"))?;
    let mut modes = TurnRestriction::BICYCLE | TurnRestriction::CAR;
    for mode in relation.tags.get("except").unwrap_or_default().split(';') {
        match mode.trim() {
            "motorcar" => modes &= !TurnRestriction::CAR,
            "bicycle" => modes &= !TurnRestriction::BICYCLE,
            _ => {}
        }
    }
    let (days, times) = parse_period(relation)?;
    let Some(via) = data.node(via.id) else { return Ok(None) };
    let restriction = TurnRestriction {
        from: 0,
        to: 0,
        only: u8::from(only),
        modes,
        day_from: days.0,
        day_to: days.1,
        time_from: times.0,
        time_to: times.1,
    };
    let found = RestrictionRelation {
        id: relation.id,
        file: relation.file,
        via,
        kind,
        restriction,
        from_edges: Vec::new(),
        to_edges: Vec::new(),
    };
    Ok(Some((from.id, to.id, found)))
}

fn parse_kind(text: &str) -> Option<(TurnKind, bool)> {
    let (only, turn) = match text.split_once('_')? {
        ("no", turn) => (false, turn),
        ("only", turn) => (true, turn),
        _ => return None,
    };
    let kind = match turn {
        "left_turn" => TurnKind::Left,
        "right_turn" => TurnKind::Right,
        "straight_on" => TurnKind::Straight,
        "u_turn" => TurnKind::UTurn,
        _ => return None,
    };
    Some((kind, only))
}

type Period = ((u8, u8), (u32, u32));

/// Weekdays and seconds of the day that a restriction holds: every day unless both days are given, and all day unless
/// both hours are.
fn parse_period(relation: &Relation) -> Result<Period, String> {
    let both = |on: &str, off: &str| relation.tags.get(on).zip(relation.tags.get(off));
    let day = |text: &str| parse_day(text).ok_or_else(|| format!("unknown weekday {text}"));
    let time = |text: &str| parse_time(text).ok_or_else(|| format!("unknown time {text}"));
    let days = match both("day_on", "day_off") {
        Some((on, off)) => (day(on)?, day(off)?),
        None => (0, 6),
    };
    let hours = match both("hour_on", "hour_off") {
        Some((on, off)) => (time(on)?, time(off)?),
        None => (0, DAY_SECONDS),
    };
    Ok((days, hours))
}

/// 0 for Monday, from an English name of at least two letters.
fn parse_day(text: &str) -> Option<u8> {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let text = text.trim().to_lowercase();
    if text.len() < 2 {
        return None;
    }
    DAYS.iter().position(|day| day.starts_with(&text)).map(|day| day as u8)
}

/// Seconds from `HH` or `HH:MM`.
fn parse_time(text: &str) -> Option<u32> {
    let (hour, minute) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
    let (hour, minute) = (hour.parse::<u32>().ok()?, minute.parse::<u32>().ok()?);
    (hour <= 24 && minute < 60).then_some(hour * 3600 + minute * 60)
}
