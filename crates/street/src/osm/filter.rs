//! Which elements are streets and who may use them (tags `highway`, `access`, `oneway` and the like).

use super::permission::Permission;
use super::tags::{Tags, means_no, means_yes};

/// Values of `highway` that are not usable streets.
const UNUSABLE: [&str; 6] = ["conveyer", "proposed", "construction", "raceway", "unbuilt", "razed"];
/// Values of `access` that forbid through traffic.
const NO_THROUGH: [&str; 6] = ["destination", "private", "customers", "delivery", "forestry", "agricultural"];

/// Build options that change permissions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DiscouragedBans {
    /// `foot=discouraged` forbids walking.
    pub(crate) walking: bool,
    /// `bicycle=discouraged` forbids cycling.
    pub(crate) cycling: bool,
}

fn allowed(value: Option<&str>) -> bool {
    means_yes(value) || matches!(value, Some("designated" | "official" | "permissive" | "unknown"))
}

fn denied(value: Option<&str>) -> bool {
    matches!(value, Some("no" | "license"))
}

fn bicycle_denied(tags: &Tags) -> bool {
    denied(tags.get("bicycle")) || tags.is("bicycle", "use_sidepath")
}

fn car_allowed(tags: &Tags) -> bool {
    allowed(tags.get("motorcar")) || allowed(tags.get("motor_vehicle"))
}

/// Changes a permission by tags that deny or allow some modes; denial counts more.
fn adjusted(permission: Permission, denied: bool, allowed: bool, modes: Permission) -> Permission {
    match (denied, allowed) {
        (true, _) => permission.without(modes),
        (false, true) => permission.with(modes),
        (false, false) => permission,
    }
}

/// A platform that is not only for tourist trains.
pub(crate) fn is_platform(tags: &Tags) -> bool {
    (tags.is("public_transport", "platform") || tags.is("railway", "platform"))
        && !tags.is("usage", "tourism")
}

/// Whether a way or area is a street or platform at all.
pub(crate) fn is_routable_entity(tags: &Tags) -> bool {
    tags.has("highway") || is_platform(tags)
}

/// Whether a way is a street that someone may use.
pub(crate) fn is_routable_way(tags: &Tags) -> bool {
    if !is_routable_entity(tags) || tags.get("highway").is_some_and(|h| UNUSABLE.contains(&h)) {
        return false;
    }
    !denied(tags.get("access"))
        || car_allowed(tags)
        || allowed(tags.get("vehicle"))
        || allowed(tags.get("bicycle"))
        || allowed(tags.get("foot"))
}

/// A car park for changing to transit.
pub(crate) fn is_park_and_ride(tags: &Tags) -> bool {
    tags.is("amenity", "parking")
        && (tags.get("parking").is_some_and(|p| p.contains("park_and_ride"))
            || tags.get("park_ride").is_some_and(|p| p != "no"))
}

/// A bike park open to the public.
pub(crate) fn is_bike_parking(tags: &Tags) -> bool {
    tags.is("amenity", "bicycle_parking") && !matches!(tags.get("access"), Some("private" | "no"))
}

/// Whether it is closed to through traffic.
pub(crate) fn is_no_through(tags: &Tags) -> bool {
    tags.get("access").is_some_and(|access| NO_THROUGH.contains(&access))
}

/// Permission of a way, area or barrier from its access tags over a default.
pub(crate) fn entity_permission(tags: &Tags, default: Permission) -> Permission {
    // Roads for motor vehicles only.
    let motor_road = tags.is("motorroad", "yes");
    let mut permission = adjusted(default, motor_road, false, Permission::WALK_BICYCLE);
    if denied(tags.get("access")) {
        permission = Permission::NONE;
        if car_allowed(tags) {
            permission = permission.with(Permission::CAR);
        }
        if allowed(tags.get("bicycle")) {
            permission = permission.with(Permission::BICYCLE);
        }
        if allowed(tags.get("foot")) {
            permission = permission.with(Permission::WALK);
        }
    }
    // Bicycles and cars together; the keys of each count more.
    let vehicle = tags.get("vehicle");
    permission = adjusted(permission, denied(vehicle), allowed(vehicle), Permission::BICYCLE_CAR);
    let car_denied = denied(tags.get("motorcar")) || denied(tags.get("motor_vehicle"));
    permission = adjusted(permission, car_denied, car_allowed(tags), Permission::CAR);
    permission =
        adjusted(permission, bicycle_denied(tags), allowed(tags.get("bicycle")), Permission::BICYCLE);
    permission = adjusted(permission, denied(tags.get("foot")), allowed(tags.get("foot")), Permission::WALK);
    if tags.is("highway", "construction") || tags.is("cycleway", "construction") {
        permission = Permission::NONE;
    }
    permission
}

/// Permissions of a way along and against its direction: (forward, back).
pub(crate) fn directed_permissions(
    tags: &Tags,
    default: Permission,
    bans: DiscouragedBans,
) -> (Permission, Permission) {
    let permission = way_permission(tags, default, bans);
    let (mut forward, mut back) = (permission, permission);
    let oneway = tags.get("oneway");
    if means_yes(oneway) || tags.is("junction", "roundabout") {
        back = back.without(Permission::BICYCLE_CAR);
    }
    if oneway == Some("-1") {
        forward = forward.without(Permission::BICYCLE_CAR);
    }
    let oneway_bicycle = tags.get("oneway:bicycle");
    // The first key is that of OpenStreetMap; other servers of the interface know the second one.
    let backwards = |means: fn(Option<&str>) -> bool| {
        ["bicycle:backward", "bicycle:backwards"].into_iter().any(|key| means(tags.get(key)))
    };
    if means_yes(oneway_bicycle) || backwards(means_no) {
        back = back.without(Permission::BICYCLE);
    }
    if oneway_bicycle == Some("-1") || means_no(tags.get("bicycle:forward")) {
        forward = forward.without(Permission::BICYCLE);
    }
    if (means_no(oneway_bicycle) || backwards(means_yes)) && permission.allows_any(Permission::BICYCLE) {
        forward = forward.with(Permission::BICYCLE);
        back = back.with(Permission::BICYCLE);
    }
    if tags.is("bicycle:forward", "use_sidepath") {
        forward = forward.without(Permission::BICYCLE);
    }
    if tags.is("bicycle:backward", "use_sidepath") {
        back = back.without(Permission::BICYCLE);
    }
    let opposite = |key: &str| tags.get(key).is_some_and(|value| value.starts_with("opposite"));
    let oneway_foot = tags.get("oneway:foot");
    if means_yes(oneway_foot) {
        back = back.without(Permission::WALK);
    }
    if oneway_foot == Some("-1") {
        forward = forward.without(Permission::WALK);
    }
    if ["cycleway", "cycleway:both", "cycleway:left", "cycleway:right"].into_iter().any(opposite) {
        back = back.with(Permission::BICYCLE);
    }
    (forward, back)
}

pub(crate) fn area_permission(tags: &Tags, bans: DiscouragedBans) -> Permission {
    way_permission(tags, Permission::WALK_BICYCLE, bans)
}

/// Permission of a way without regard to direction.
fn way_permission(tags: &Tags, default: Permission, bans: DiscouragedBans) -> Permission {
    let mut permission = entity_permission(tags, default);
    if bans.walking && tags.is("foot", "discouraged") {
        permission = permission.without(Permission::WALK);
    }
    if bans.cycling && tags.is("bicycle", "discouraged") {
        permission = permission.without(Permission::BICYCLE);
    }
    if tags.is("bicycle", "dismount") || tags.is("cycleway", "dismount") {
        permission = permission.without(Permission::BICYCLE);
    }
    permission
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions(tags: &[(&str, &str)]) -> (Permission, Permission) {
        directed_permissions(&Tags::from_pairs(tags), Permission::ALL, DiscouragedBans::default())
    }

    #[test]
    fn oneway_binds_vehicles_but_not_walkers() {
        assert_eq!(directions(&[("oneway", "yes")]), (Permission::ALL, Permission::WALK));
        assert_eq!(directions(&[("oneway", "-1")]), (Permission::WALK, Permission::ALL));
        assert_eq!(directions(&[("junction", "roundabout")]), (Permission::ALL, Permission::WALK));
    }

    #[test]
    fn walkers_have_one_way_streets_of_their_own() {
        let without_walking = Permission::ALL.without(Permission::WALK);
        assert_eq!(directions(&[("oneway:foot", "yes")]), (Permission::ALL, without_walking));
        assert_eq!(directions(&[("oneway:foot", "-1")]), (without_walking, Permission::ALL));
        assert_eq!(directions(&[("oneway:foot", "no")]), (Permission::ALL, Permission::ALL));
    }

    #[test]
    fn vehicles_are_bicycles_and_cars() {
        let of = |tags: &[(&str, &str)]| entity_permission(&Tags::from_pairs(tags), Permission::ALL);
        assert_eq!(of(&[("vehicle", "no")]), Permission::WALK);
        assert_eq!(of(&[("vehicle", "no"), ("bicycle", "yes")]), Permission::WALK_BICYCLE);
        assert_eq!(of(&[("access", "no"), ("vehicle", "yes")]), Permission::BICYCLE_CAR);
        assert_eq!(of(&[("access", "no"), ("vehicle", "yes"), ("motor_vehicle", "no")]), Permission::BICYCLE);
        let closed = [("highway", "service"), ("access", "no"), ("vehicle", "yes")];
        assert!(is_routable_way(&Tags::from_pairs(&closed)));
    }

    #[test]
    fn motor_roads_are_for_cars_unless_tags_say_otherwise() {
        let of = |tags: &[(&str, &str)]| entity_permission(&Tags::from_pairs(tags), Permission::ALL);
        assert_eq!(of(&[("motorroad", "yes")]), Permission::CAR);
        assert_eq!(of(&[("motorroad", "no")]), Permission::ALL);
        assert_eq!(of(&[("motorroad", "yes"), ("foot", "yes")]), Permission::CAR.with(Permission::WALK));
    }

    #[test]
    fn cyclists_dismount_on_areas_as_on_ways() {
        let on_area = |tags: &[(&str, &str)], cycling: bool| {
            area_permission(&Tags::from_pairs(tags), DiscouragedBans { walking: false, cycling })
        };
        assert_eq!(on_area(&[], true), Permission::WALK_BICYCLE);
        assert_eq!(on_area(&[("bicycle", "dismount")], false), Permission::WALK);
        assert_eq!(on_area(&[("bicycle", "discouraged")], false), Permission::WALK_BICYCLE);
        assert_eq!(on_area(&[("bicycle", "discouraged")], true), Permission::WALK);
    }

    #[test]
    fn contraflow_cycling() {
        let contraflow = (Permission::ALL, Permission::WALK_BICYCLE);
        assert_eq!(directions(&[("oneway", "yes"), ("oneway:bicycle", "no")]), contraflow);
        assert_eq!(directions(&[("oneway", "yes"), ("cycleway:left", "opposite_lane")]), contraflow);
        assert_eq!(directions(&[("oneway", "yes"), ("cycleway:both", "opposite_lane")]), contraflow);
        assert_eq!(directions(&[("oneway", "yes"), ("bicycle:backward", "yes")]), contraflow);
        assert_eq!(directions(&[("oneway", "yes"), ("bicycle:backwards", "yes")]), contraflow);
        assert_eq!(
            directions(&[("oneway:bicycle", "yes")]),
            (Permission::ALL, Permission::ALL.without(Permission::BICYCLE))
        );
    }

    #[test]
    fn cycling_in_one_direction_only() {
        let without_cycling = Permission::ALL.without(Permission::BICYCLE);
        assert_eq!(directions(&[("bicycle:backward", "no")]), (Permission::ALL, without_cycling));
        assert_eq!(directions(&[("bicycle:forward", "no")]), (without_cycling, Permission::ALL));
    }

    #[test]
    fn denied_access_keeps_explicitly_allowed_modes() {
        let tags = Tags::from_pairs(&[("highway", "service"), ("access", "no"), ("bicycle", "permissive")]);
        assert!(is_routable_way(&tags));
        assert_eq!(entity_permission(&tags, Permission::ALL), Permission::BICYCLE);
        assert!(!is_routable_way(&Tags::from_pairs(&[("highway", "service"), ("access", "no")])));
    }

    #[test]
    fn discouraged_ways_are_banned_only_by_option() {
        let tags = Tags::from_pairs(&[("highway", "primary"), ("bicycle", "discouraged")]);
        let bans = DiscouragedBans { walking: false, cycling: true };
        assert_eq!(
            directed_permissions(&tags, Permission::ALL, DiscouragedBans::default()).0,
            Permission::ALL
        );
        assert_eq!(
            directed_permissions(&tags, Permission::ALL, bans).0,
            Permission::ALL.without(Permission::BICYCLE)
        );
    }
}
