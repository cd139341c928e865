//! Regional sets of way rules. Their rules come before the default ones.

use crate::error::StreetError;

/// Which regional rules apply on top of the default ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WayPropertySet {
    /// No regional rules.
    #[default]
    Default,
    /// Norway.
    Norway,
    /// United Kingdom.
    Uk,
}

impl std::str::FromStr for WayPropertySet {
    type Err = StreetError;
    /// From the value of the build option `osmWayPropertySet`.
    fn from_str(text: &str) -> Result<Self, StreetError> {
        match text {
            "default" => Ok(WayPropertySet::Default),
            "norway" => Ok(WayPropertySet::Norway),
            "uk" => Ok(WayPropertySet::Uk),
            other => Err(StreetError::Option { name: "osmWayPropertySet", value: other.to_owned() }),
        }
    }
}

const UK_PROPERTIES: &[(&str, &str)] = &[
    ("highway=trunk", "WBC 7.47"),
    ("highway=trunk_link", "WBC 2.06"),
    ("highway=trunk;cycleway=lane", "WBC 1.5"),
    ("highway=trunk;cycleway=share_busway", "WBC 1.75"),
    ("highway=trunk;cycleway=opposite_lane", "WBC 7.47/1.5"),
    ("highway=trunk;cycleway=track", "WBC 0.95"),
    ("highway=trunk;cycleway=opposite_track", "WBC 7.47/0.95"),
    ("highway=trunk;bicycle=designated", "WBC 7.25"),
    ("highway=trunk_link;cycleway=lane", "WBC 1.15"),
    ("highway=trunk_link;cycleway=share_busway", "WBC 1.25"),
    ("highway=trunk_link;cycleway=opposite_lane", "WBC 2.06/1.15"),
    ("highway=trunk_link;cycleway=track", "WBC 0.85"),
    ("highway=trunk_link;cycleway=opposite_track", "WBC 2.06/0.85"),
    ("highway=trunk_link;bicycle=designated", "WBC 2"),
];

const NORWAY_PROPERTIES: &[(&str, &str)] = &[
    ("highway=trunk", "WBC 7.47"),
    ("highway=trunk_link", "WBC 2.06"),
    ("highway=trunk;tunnel=yes", "C 7.47"),
    ("motorroad=yes", "C 7.47"),
];

const UK_SPEEDS: &[(&str, f32)] = &[
    ("highway=motorway", 30.4),
    ("highway=motorway_link", 22.4),
    ("highway=trunk", 22.4),
    ("highway=trunk_link", 17.9),
    ("highway=primary", 22.4),
    ("highway=primary_link", 17.9),
    ("highway=secondary", 17.9),
    ("highway=secondary_link", 13.4),
    ("highway=tertiary", 15.7),
];

const NORWAY_SPEEDS: &[(&str, f32)] = &[
    ("highway=motorway", 25.0),
    ("highway=motorway_link", 15.0),
    ("highway=trunk", 22.22),
    ("highway=trunk_link", 15.0),
    ("highway=primary", 22.22),
    ("highway=primary_link", 15.0),
];

/// Permission and safety rules of a set.
pub(super) fn property_rules(set: WayPropertySet) -> &'static [(&'static str, &'static str)] {
    match set {
        WayPropertySet::Default => &[],
        WayPropertySet::Norway => NORWAY_PROPERTIES,
        WayPropertySet::Uk => UK_PROPERTIES,
    }
}

/// Driving speeds of a set, m/s.
pub(super) fn speed_rules(set: WayPropertySet) -> &'static [(&'static str, f32)] {
    match set {
        WayPropertySet::Default => &[],
        WayPropertySet::Norway => NORWAY_SPEEDS,
        WayPropertySet::Uk => UK_SPEEDS,
    }
}
