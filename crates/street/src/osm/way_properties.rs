//! Default permission and bicycle safety of a way from its tags.

use super::permission::Permission;
use super::regional::{self, WayPropertySet};
use super::tag_rules::{RuleBook, Side};
use super::tags::Tags;

/// What the rules say about a way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct WayProperties {
    /// Permission before access tags are looked at.
    pub(crate) permission: Permission,
    /// Bicycle safety factor along the way; lower is safer.
    pub(crate) safety_forward: f64,
    /// Bicycle safety factor against it.
    pub(crate) safety_back: f64,
}

/// Without a matching rule.
const DEFAULT: WayProperties =
    WayProperties { permission: Permission::ALL, safety_forward: 1.0, safety_back: 1.0 };

/// Rules before the base rules of the highway table.
const FIRST_RULES: &[(&str, &str)] = &[
    ("highway=corridor", "W 1"),
    ("highway=raceway", "- 1"),
    ("highway=construction", "- 1"),
    ("highway=steps", "W 1"),
    ("highway=crossing", "W 1"),
    ("highway=platform", "W 1"),
    ("public_transport=platform", "W 1"),
    ("railway=platform", "W 1"),
    ("footway=sidewalk;highway=footway", "W 1"),
    ("highway=cycleway", "WB 0.6"),
    ("highway=path", "WB 0.75"),
    ("highway=pedestrian", "WB 0.9"),
    ("highway=footway", "WB 1.1"),
    ("highway=bridleway", "WB 1.3"),
    ("highway=living_street", "WBC 0.9"),
    ("highway=road", "WBC 1"),
    ("highway=byway", "WBC 1.3"),
    ("highway=track", "WBC 1.3"),
];

/// Rules between the cycleway columns and the `bicycle=designated` column of the highway table.
const LAST_RULES: &[(&str, &str)] = &[
    ("highway=path;bicycle=designated", "WB 0.6"),
    ("highway=footway;bicycle=designated", "WB 0.75"),
    ("highway=footway;bicycle=yes;area=yes", "WB 0.9"),
    ("highway=pedestrian;bicycle=designated", "WB 0.75"),
    ("footway=sidewalk;highway=footway;bicycle=yes", "WB 2.5"),
    ("footway=sidewalk;highway=footway;bicycle=designated", "WB 1.1"),
    ("highway=footway;footway=crossing", "WB 2.5"),
    ("highway=footway;footway=crossing;bicycle=designated", "WB 1.1"),
    ("highway=track;bicycle=yes", "WB 1.18"),
    ("highway=track;bicycle=designated", "WB 0.99"),
    ("highway=track;bicycle=yes;surface=*", "WB 1.18"),
    ("highway=track;bicycle=designated;surface=*", "WB 0.99"),
    ("highway=track;surface=*", "WB 1.3"),
];

/// Second pairs of the columns of [`HIGHWAYS`]; the first column is the highway alone.
const COLUMNS: [&str; 9] = [
    "",
    ";cycleway=lane",
    ";cycleway=share_busway",
    ";cycleway=opposite_lane",
    ";cycleway=track",
    ";cycleway=opposite_track",
    ";cycleway=shared_lane",
    ";cycleway=opposite",
    ";bicycle=designated",
];

/// Permission and safety (forward, or forward/back) of each highway and column; empty where there is no rule.
#[rustfmt::skip]
const HIGHWAYS: &[(&str, [&str; 9])] = &[
    ("*", ["", "WB 0.87", "WB 0.92", "WB 1/0.87", "WB 0.75", "WB 1/0.75", "WB 0.77", "WB 1/1.4", "WB 0.97"]),
    ("service", ["WBC 1.1", "WBC 0.77", "WBC 0.85", "WBC 1.1/0.77", "WBC 0.65", "WBC 1.1/0.65", "WBC 0.73", "WBC 1.1", "WBC 0.84"]),
    ("residential", ["WBC 0.98", "WBC 0.77", "WBC 0.85", "WBC 0.98/0.77", "WBC 0.65", "WBC 0.98/0.65", "WBC 0.77", "WBC 0.98", "WBC 0.95"]),
    ("residential_link", ["WBC 0.98", "WBC 0.77", "WBC 0.85", "WBC 0.98/0.77", "WBC 0.65", "WBC 0.98/0.65", "WBC 0.77", "WBC 0.98", "WBC 0.95"]),
    ("unclassified", ["WBC 1", "", "", "", "", "", "", "", "WBC 0.95"]),
    ("tertiary", ["WBC 1", "WBC 0.87", "WBC 0.92", "WBC 1/0.87", "WBC 0.75", "WBC 1/0.75", "WBC 0.83", "WBC 1", "WBC 0.97"]),
    ("tertiary_link", ["WBC 1", "WBC 0.87", "WBC 0.92", "WBC 1/0.87", "WBC 0.75", "WBC 1/0.75", "WBC 0.83", "WBC 1", "WBC 0.97"]),
    ("secondary", ["WBC 1.5", "WBC 0.96", "WBC 0.99", "WBC 1.5/0.96", "WBC 0.8", "WBC 1.5/0.8", "WBC 1.25", "WBC 1.5/1.71", "WBC 1.46"]),
    ("secondary_link", ["WBC 1.5", "WBC 0.96", "WBC 0.99", "WBC 1.5/0.96", "WBC 0.8", "WBC 1.5/0.8", "WBC 1.25", "WBC 1.5/1.71", "WBC 1.46"]),
    ("primary", ["WBC 2.06", "WBC 1.15", "WBC 1.25", "WBC 2.06/1.15", "WBC 0.85", "WBC 2.06/0.85", "WBC 1.75", "WBC 2.06/2.99", "WBC 2"]),
    ("primary_link", ["WBC 2.06", "WBC 1.15", "WBC 1.25", "WBC 2.06/1.15", "WBC 0.85", "WBC 2.06/0.85", "WBC 1.75", "WBC 2.06/2.99", "WBC 2"]),
    ("trunk", ["C 7.47", "BC 1.5", "BC 1.75", "BC 7.47/1.5", "BC 0.95", "BC 7.47/0.95", "", "", "BC 7.25"]),
    ("trunk_link", ["C 2.06", "BC 1.15", "BC 1.25", "BC 2.06/1.15", "BC 0.85", "BC 2.06/0.85", "", "", "BC 2"]),
    ("motorway", ["C 8", "BC 2", "BC 2.5", "", "", "", "", "", "BC 7.76"]),
    ("motorway_link", ["C 2.06", "BC 1.15", "BC 1.25", "", "", "", "", "", "BC 2"]),
];

/// Factors multiplied onto the safety for every match. A tag of one side, such as `surface:right`, counts in the
/// direction that keeps to it.
const MIXINS: &[(&str, f64)] = &[
    ("surface=unpaved", 1.18),
    ("surface=compacted", 1.18),
    ("surface=wood", 1.18),
    ("surface=cobblestone", 1.3),
    ("surface=cobblestone:flattened", 1.3),
    ("surface=grass_paver", 1.3),
    ("surface=pebblestone", 1.3),
    ("surface=metal", 1.3),
    ("surface=ground", 1.5),
    ("surface=dirt", 1.5),
    ("surface=earth", 1.5),
    ("surface=grass", 1.5),
    ("surface=mud", 1.5),
    ("surface=woodchip", 1.5),
    ("surface=gravel", 1.5),
    ("surface=artificial_turf", 1.5),
    ("surface=artifical_turf", 1.5),
    ("surface=sand", 100.0),
    ("rlis:bicycle=designated", 0.97),
    ("rlis:bicycle=caution_area", 1.45),
    ("ccgis:bicycle=designated", 0.97),
    ("ccgis:bicycle=caution_area", 1.45),
];

pub(crate) struct WayPropertyRules {
    properties: RuleBook<WayProperties>,
    mixins: RuleBook<f64>,
}

impl WayPropertyRules {
    pub(crate) fn new(set: WayPropertySet) -> Self {
        let rules = rule_texts(set);
        WayPropertyRules {
            properties: RuleBook::new(
                rules.into_iter().filter_map(|(rule, text)| Some((rule, parse_properties(text)?))),
            ),
            mixins: RuleBook::new(MIXINS.iter().copied()),
        }
    }

    /// Properties of a way. Permission and forward safety come from the right side, back safety from the left.
    pub(crate) fn properties(&self, tags: &Tags) -> WayProperties {
        let numbered = self.properties.number(tags);
        let of = |side| self.properties.best(&numbered, side).copied().unwrap_or(DEFAULT);
        let right = of(Side::Right);
        let left = if numbered.differs_by_side() { of(Side::Left) } else { right };
        let mut result = WayProperties { safety_back: left.safety_back, ..right };
        let numbered = self.mixins.number(tags);
        result.safety_forward *= self.mixins.matching(&numbered, Side::Right).product::<f64>();
        result.safety_back *= self.mixins.matching(&numbered, Side::Left).product::<f64>();
        result
    }
}

/// All rules of a set in their order of precedence.
fn rule_texts(set: WayPropertySet) -> Vec<(String, &'static str)> {
    let given = |rules: &'static [(&str, &str)]| rules.iter().map(|(rule, text)| ((*rule).to_owned(), *text));
    let column = |column: usize| {
        HIGHWAYS
            .iter()
            .filter(move |(_, texts)| !texts[column].is_empty())
            .map(move |(highway, texts)| (format!("highway={highway}{}", COLUMNS[column]), texts[column]))
    };
    let mut rules: Vec<_> = given(regional::property_rules(set)).chain(given(FIRST_RULES)).collect();
    rules.extend((0..COLUMNS.len() - 1).flat_map(column));
    rules.extend(given(LAST_RULES));
    rules.extend(column(COLUMNS.len() - 1));
    rules
}

/// Parses `WBC 1.5` or `WBC 1.5/0.96`.
fn parse_properties(text: &str) -> Option<WayProperties> {
    let (permission, safety) = text.split_once(' ')?;
    let (forward, back) = safety.split_once('/').unwrap_or((safety, safety));
    Some(WayProperties {
        permission: Permission::parse(permission)?,
        safety_forward: forward.parse().ok()?,
        safety_back: back.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(set: WayPropertySet, tags: &[(&str, &str)]) -> WayProperties {
        WayPropertyRules::new(set).properties(&Tags::from_pairs(tags))
    }

    fn properties(tags: &[(&str, &str)]) -> WayProperties {
        of(WayPropertySet::Default, tags)
    }

    #[test]
    fn every_rule_text_can_be_parsed() {
        for set in [WayPropertySet::Default, WayPropertySet::Norway, WayPropertySet::Uk] {
            for (rule, text) in rule_texts(set) {
                assert!(parse_properties(text).is_some(), "{rule}: {text}");
            }
        }
    }

    #[test]
    fn sides_of_a_street_differ() {
        let p = properties(&[("highway", "primary"), ("cycleway:left", "lane")]);
        assert_eq!((p.safety_forward, p.safety_back), (2.06, 1.15));
        let p = properties(&[("highway", "secondary"), ("cycleway", "opposite_lane")]);
        assert_eq!((p.safety_forward, p.safety_back), (1.5, 0.96));
    }

    #[test]
    fn a_three_pair_rule_with_two_matches_beats_the_plain_one() {
        assert_eq!(properties(&[("highway", "footway"), ("bicycle", "yes")]).safety_forward, 0.9);
        assert_eq!(properties(&[("highway", "footway")]).safety_forward, 1.1);
        assert_eq!(properties(&[("highway", "steps")]).permission, Permission::WALK);
        assert_eq!(properties(&[("leisure", "track")]), DEFAULT);
    }

    #[test]
    fn surfaces_multiply_and_cobblestone_counts_twice() {
        let p = properties(&[("highway", "residential"), ("surface", "cobblestone")]);
        assert!((p.safety_forward - 0.98 * 1.69).abs() < 1e-12);
        let p = properties(&[("highway", "residential"), ("surface:right", "gravel")]);
        assert_eq!((p.safety_forward, p.safety_back), (0.98 * 1.5, 0.98));
    }

    #[test]
    fn caution_areas_count_once_on_each_of_their_sides() {
        let factors = |key: &str| {
            let p = properties(&[("highway", "road"), (key, "caution_area")]);
            (p.safety_forward, p.safety_back)
        };
        for source in ["RLIS", "CCGIS"] {
            assert_eq!(factors(&format!("{source}:bicycle")), (1.45, 1.45), "{source}");
            assert_eq!(factors(&format!("{source}:bicycle:right")), (1.45, 1.0), "{source}");
            assert_eq!(factors(&format!("{source}:bicycle:left")), (1.0, 1.45), "{source}");
        }
    }

    #[test]
    fn regional_sets_open_trunk_roads() {
        let trunk = [("highway", "trunk")];
        assert_eq!(properties(&trunk).permission, Permission::CAR);
        assert_eq!(of(WayPropertySet::Uk, &trunk).permission, Permission::ALL);
        let tunnel = [("highway", "trunk"), ("tunnel", "yes")];
        assert_eq!(of(WayPropertySet::Norway, &tunnel).permission, Permission::CAR);
    }
}
