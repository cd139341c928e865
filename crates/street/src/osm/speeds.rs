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
        // For the way back, the first key is that of OpenStreetMap; other servers of the interface know the second one.
        let directed: &[&str] =
            if back { &["maxspeed:backward", "maxspeed:reverse"] } else { &["maxspeed:forward"] };
        posted("maxspeed:motorcar")
            .or_else(|| directed.iter().find_map(|key| posted(key)))
            .or_else(|| {
                let lanes = tags.get("maxspeed:lanes")?;
                lanes.split('|').filter_map(parse_speed).reduce(f32::max)
            })
            .or_else(|| posted("maxspeed"))
            .or_else(|| self.0.best(&self.0.number(tags), Side::Both).copied())
            .unwrap_or(DEFAULT_SPEED)
    }
}

/// Speed at which walkers can be followed, m/s: that of streets where people live.
const WALKING_PACE: f32 = 2.2;

/// Speed limit within towns in nearly all countries that write it as `XX:urban`, m/s: 50 km/h.
const URBAN: f32 = 13.888_9;

/// Parses a speed limit into m/s. Of several, as in `50; 40`, the lowest counts.
fn parse_speed(text: &str) -> Option<f32> {
    text.split(';').filter_map(|part| parse_limit(part.trim())).reduce(f32::min)
}

/// Parses `walk`, a place such as `RO:urban`, or a number with an optional unit (km/h when there is none). Speeds of 0
/// and above [`TOP_SPEED`] are ignored, and so are places outside towns, where the kind of the road says more.
fn parse_limit(text: &str) -> Option<f32> {
    match text.rsplit_once(':').map_or(text, |(_country, place)| place) {
        "walk" | "living_street" => return Some(WALKING_PACE),
        "urban" => return Some(URBAN),
        _ => {}
    }
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
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
    fn low_speeds_places_and_lists() {
        for (text, expected) in [
            ("5", 1.3889),
            ("5 mph", 2.2347),
            ("walk", 2.2),
            ("DE:walk", 2.2),
            ("FR:living_street", 2.2),
            ("RO:urban", 13.8889),
            ("50; 40", 11.1111),
            ("35 mph;40 mph", 15.6430),
            ("none;80", 22.2222),
        ] {
            let found = speed(&[("maxspeed", text), ("highway", "primary")]);
            assert!((found - expected).abs() < 1e-3, "{text}: {found}");
        }
    }

    #[test]
    fn the_way_back_has_a_speed_of_its_own() {
        let speeds = CarSpeeds::new(WayPropertySet::Default);
        for key in ["maxspeed:backward", "maxspeed:reverse"] {
            let tags = Tags::from_pairs(&[("maxspeed", "50"), (key, "30")]);
            assert!((speeds.speed(&tags, true) - 8.3333).abs() < 1e-3, "{key}");
            assert!((speeds.speed(&tags, false) - 13.8889).abs() < 1e-3, "{key}");
        }
    }

    #[test]
    fn what_cannot_be_parsed_falls_back_to_the_usual_speed() {
        for text in
            ["none", "DE:rural", "urban area", "", ";", "mph", "50 furlongs", "00", "0.0", "0", "99999"]
        {
            assert_eq!(speed(&[("maxspeed", text), ("highway", "primary")]), 20.0, "{text}");
        }
        assert_eq!(speed(&[("highway", "steps")]), DEFAULT_SPEED);
    }
}
