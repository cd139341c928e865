//! Driving speed of a way: posted, or the usual one of its kind.

use super::regional::{self, WayPropertySet};
use super::tag_rules::{RuleBook, Side};
use super::tags::Tags;
use crate::rules::TOP_SPEED;

/// Speed of everything else, and of halves of split edges, m/s.
pub(crate) const DEFAULT_SPEED: f32 = 11.2;

/// Usual speeds, m/s.
const USUAL: &[(&str, f32)] = &[
    ("highway=motorway", 29.0),
    ("highway=motorway_link", 15.0),
    ("highway=trunk", 24.6),
    ("highway=trunk_link", 15.0),
    ("highway=primary", 20.0),
    ("highway=primary_link", 11.2),
    ("highway=secondary", 15.0),
    ("highway=secondary_link", 11.2),
    ("highway=tertiary", 11.2),
    ("highway=tertiary_link", 11.2),
    ("highway=living_street", 2.2),
    ("highway=pedestrian", 2.2),
    ("highway=residential", 11.2),
    ("highway=unclassified", 11.2),
    ("highway=road", 11.2),
    ("highway=service", 6.7),
    ("highway=track", 4.5),
];

/// The speed rules of one property set.
pub(crate) struct CarSpeeds(RuleBook<f32>);

impl CarSpeeds {
    pub(crate) fn new(set: WayPropertySet) -> Self {
        CarSpeeds(RuleBook::new(regional::speed_rules(set).iter().chain(USUAL).copied()))
    }

    /// Speed in m/s along the way, or against it.
    pub(crate) fn speed(&self, tags: &Tags, back: bool) -> f32 {
        let posted = |key: &str| tags.get(key).and_then(parse_speed);
        let directed = if back { "maxspeed:reverse" } else { "maxspeed:forward" };
        posted("maxspeed:motorcar")
            .or_else(|| posted(directed))
            .or_else(|| {
                let lanes = tags.get("maxspeed:lanes")?;
                lanes.split('|').filter_map(parse_speed).reduce(f32::max)
            })
            .or_else(|| posted("maxspeed"))
            .or_else(|| self.0.best(&self.0.number(tags), Side::Both).copied())
            .unwrap_or(DEFAULT_SPEED)
    }
}

/// Parses a number of at least two characters with an optional unit (km/h when there is none) into m/s. Speeds of 0 and
/// above [`TOP_SPEED`] are ignored.
fn parse_speed(text: &str) -> Option<f32> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    if number.len() < 2 {
        return None;
    }
    let factor = match unit.strip_prefix(' ').unwrap_or(unit) {
        "" | "kmh" | "km/h" | "kmph" | "kph" => 0.277_778,
        "mph" => 0.446_944,
        "knots" => 0.514_444,
        _ => return None,
    };
    let speed = number.parse::<f32>().ok().map(|number| number * factor)?;
    (speed > 0.0 && speed <= TOP_SPEED).then_some(speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(tags: &[(&str, &str)]) -> f32 {
        CarSpeeds::new(WayPropertySet::Default).speed(&Tags::from_pairs(tags), false)
    }

    #[test]
    fn posted_speeds_and_units() {
        assert!((speed(&[("maxspeed", "50")]) - 13.8889).abs() < 1e-3);
        assert!((speed(&[("maxspeed", "25 mph")]) - 11.1736).abs() < 1e-3);
        assert!((speed(&[("maxspeed:lanes", "60|80|none")]) - 22.2222).abs() < 1e-3);
        assert!((speed(&[("maxspeed", "50"), ("maxspeed:forward", "30")]) - 8.3333).abs() < 1e-3);
    }

    #[test]
    fn what_cannot_be_parsed_falls_back_to_the_usual_speed() {
        for text in ["none", "RO:urban", "5", "walk", "50 furlongs", "00", "0.0", "99999"] {
            assert_eq!(speed(&[("maxspeed", text), ("highway", "primary")]), 20.0, "{text}");
        }
        assert_eq!(speed(&[("highway", "steps")]), DEFAULT_SPEED);
    }
}
