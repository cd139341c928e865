//! Names of ways: mapped, from road routes, or generated from what the way is.

use std::borrow::Cow;

use super::tag_rules::{RuleBook, Side};
use super::tags::Tags;

/// Generated names; `{key}` stands for the value of a tag.
const GENERATED: &[(&str, &str)] = &[
    ("highway=cycleway", "bike path"),
    ("cycleway=track", "bike path"),
    ("highway=pedestrian", "path"),
    ("highway=pedestrian;area=yes", "open area"),
    ("highway=path", "path"),
    ("highway=footway", "path"),
    ("highway=bridleway", "bridleway"),
    ("highway=footway;bicycle=no", "path"),
    ("otp:route_ref=*", "Route {otp:route_ref}"),
    ("highway=platform;ref=*", "Platform {ref}"),
    ("railway=platform;ref=*", "Platform {ref}"),
    ("railway=platform;highway=footway;footway=sidewalk", "platform"),
    ("railway=platform;highway=path;path=sidewalk", "platform"),
    ("railway=platform;highway=pedestrian", "platform"),
    ("railway=platform;highway=path", "platform"),
    ("railway=platform;highway=footway", "platform"),
    ("highway=platform", "platform"),
    ("railway=platform", "platform"),
    ("railway=platform;highway=footway;bicycle=no", "platform"),
    ("highway=pedestrian;bridge=*", "footbridge"),
    ("highway=path;bridge=*", "footbridge"),
    ("highway=footway;bridge=*", "footbridge"),
    ("highway=pedestrian;tunnel=*", "underpass"),
    ("highway=path;tunnel=*", "underpass"),
    ("highway=footway;tunnel=*", "underpass"),
    ("highway=motorway", "road"),
    ("highway=motorway_link", "ramp"),
    ("highway=trunk", "road"),
    ("highway=trunk_link", "ramp"),
    ("highway=primary", "road"),
    ("highway=primary_link", "link"),
    ("highway=secondary", "road"),
    ("highway=secondary_link", "link"),
    ("highway=tertiary", "road"),
    ("highway=tertiary_link", "link"),
    ("highway=unclassified", "road"),
    ("highway=residential", "road"),
    ("highway=living_street", "road"),
    ("highway=road", "road"),
    ("highway=service", "service road"),
    ("highway=service;service=alley", "alley"),
    ("highway=service;service=parking_aisle", "parking aisle"),
    ("highway=byway", "byway"),
    ("highway=track", "track"),
    ("highway=footway;footway=sidewalk", "sidewalk"),
    ("highway=path;path=sidewalk", "sidewalk"),
    ("highway=steps", "steps"),
    ("amenity=bicycle_parking;name=*", "Bicycle parking {name}"),
    ("amenity=bicycle_parking", "Bicycle parking"),
    ("amenity=parking;name=*", "P+R {name}"),
    ("amenity=parking", "P+R"),
];

/// What a way is called.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WayName<'a> {
    /// The name to show.
    pub(crate) text: Cow<'a, str>,
    /// Whether it says what the way is.
    pub(crate) is_generated: bool,
}

/// The name rules.
pub(crate) struct WayNamer(RuleBook<&'static str>);

impl WayNamer {
    pub(crate) fn new() -> Self {
        WayNamer(RuleBook::new(GENERATED.iter().copied()))
    }

    /// The name to show, from the best source; `None` without any source.
    pub(crate) fn name<'a>(&self, tags: &'a Tags) -> Option<WayName<'a>> {
        let tag = |key: &str| Some(WayName { text: Cow::Borrowed(tags.get(key)?), is_generated: false });
        let generated = || Some(WayName { text: Cow::Owned(self.generated(tags)?), is_generated: true });
        tag("name")
            .or_else(|| tag("otp:route_name"))
            .or_else(generated)
            .or_else(|| tag("otp:route_ref"))
            .or_else(|| tag("ref"))
    }

    /// The name made from what the element is, as shown for lots and parks even when they have a name.
    fn generated(&self, tags: &Tags) -> Option<String> {
        let pattern = *self.0.best(&self.0.number(tags), Side::Both)?;
        let Some((before, rest)) = pattern.split_once('{') else { return Some(pattern.to_owned()) };
        let (key, after) = rest.split_once('}')?;
        Some(format!("{before}{}{after}", tags.get(key).unwrap_or_default()))
    }
}

/// Translations from `name:xx` tags: (language, text).
pub(crate) fn translations(tags: &Tags) -> impl Iterator<Item = (&str, &str)> {
    tags.iter().filter_map(|(key, text)| {
        let language = key.strip_prefix("name:")?;
        let code = language.split(['-', '_']).next()?;
        let is_code = matches!(code.len(), 2 | 3) && code.bytes().all(|b| b.is_ascii_lowercase());
        is_code.then_some((language, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(tags: &[(&str, &str)]) -> Option<String> {
        WayNamer::new().name(&Tags::from_pairs(tags)).map(|name| name.text.into_owned())
    }

    #[test]
    fn sources_in_order() {
        let way = ("highway", "service");
        assert_eq!(name(&[way, ("name", "Rua A"), ("otp:route_name", "EN 1")]).as_deref(), Some("Rua A"));
        assert_eq!(name(&[way, ("otp:route_name", "EN 1"), ("ref", "1")]).as_deref(), Some("EN 1"));
        assert_eq!(name(&[way, ("ref", "1")]).as_deref(), Some("service road"));
        assert_eq!(name(&[("highway", "corridor"), ("otp:route_ref", "1")]).as_deref(), Some("Route 1"));
        assert_eq!(name(&[("highway", "corridor")]), None);
    }

    #[test]
    fn generated_names() {
        let footway = ("highway", "footway");
        assert_eq!(name(&[footway, ("footway", "sidewalk")]).as_deref(), Some("sidewalk"));
        assert_eq!(name(&[footway, ("tunnel", "yes")]).as_deref(), Some("underpass"));
        assert_eq!(name(&[("highway", "platform"), ("ref", "3")]).as_deref(), Some("Platform 3"));
    }

    #[test]
    fn translations_by_language() {
        let tags = Tags::from_pairs(&[
            ("name", "a"),
            ("name:de", "b"),
            ("name:sr-Latn", "c"),
            ("name:etymology", "d"),
        ]);
        assert_eq!(translations(&tags).collect::<Vec<_>>(), [("de", "b"), ("sr-latn", "c")]);
    }
}
