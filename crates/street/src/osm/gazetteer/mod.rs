//! Collects named places, addresses and boundaries in the passes that read the streets.

mod columns;
mod features;

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::IssueSink;
use trestle_model::geo::LatLon;

use super::{ElementSink, MemberKind, RawMember, RawTags, close_rings};
use crate::gazetteer::{Gazetteer, StoredPosition, stored};
use features::{Feature, feature, value};

/// Levels that the administrative areas of municipalities may have.
const ADMIN_LEVELS: std::ops::RangeInclusive<u8> = 4..=10;

/// An administrative area before its rings are joined.
struct Area {
    relation: i64,
    /// Number of the input file.
    file: usize,
    name: String,
    admin_level: u8,
    ways: Vec<i64>,
}

/// An administrative area as rings of positions.
struct Boundary {
    name: String,
    admin_level: u8,
    rings: Vec<Vec<StoredPosition>>,
}

/// Collects the names and addresses in all files.
#[derive(Default)]
pub(super) struct GazetteerCollector {
    /// Number of the file that is read.
    pub(super) file: usize,
    found: Vec<(Feature, StoredPosition)>,
    /// Features that are areas, with the ways of their outlines.
    relations: Vec<(Feature, Vec<i64>)>,
    /// Features that are ways, with their nodes.
    ways: Vec<(Feature, Vec<i64>)>,
    areas: Vec<Area>,
    /// Closed ways that are administrative areas.
    closed: Vec<(String, u8, Vec<i64>)>,
    /// Nodes of the ways that relations need; empty for ways that were not found.
    outlines: FxHashMap<i64, Vec<i64>>,
    /// Positions of the nodes that ways need; `None` for nodes that were not found.
    positions: FxHashMap<i64, Option<StoredPosition>>,
    /// Elements that were found already, because files overlap.
    seen: FxHashSet<(MemberKind, i64)>,
}

impl GazetteerCollector {
    /// Everything as columns. Areas with an incomplete outline are left out. `files` are the names of the input files.
    pub(super) fn finish(mut self, files: &[String], issues: &mut IssueSink) -> Gazetteer {
        let boundaries = self.boundaries(files, issues);
        let outline = |ways: &[i64]| -> Vec<i64> {
            ways.iter().filter_map(|way| self.outlines.get(way)).flatten().copied().collect()
        };
        let relations = std::mem::take(&mut self.relations);
        let of_relations = relations.into_iter().map(|(feature, ways)| (feature, outline(&ways)));
        let shapes = std::mem::take(&mut self.ways).into_iter().chain(of_relations);
        let placed: Vec<_> =
            shapes.filter_map(|(feature, nodes)| Some((feature, self.middle(&nodes)?))).collect();
        self.found.extend(placed);
        columns::columns(&self.found, &boundaries)
    }

    /// The centre of the box around nodes; `None` if no position is known.
    fn middle(&self, nodes: &[i64]) -> Option<StoredPosition> {
        let known = || nodes.iter().filter_map(|node| self.positions.get(node).copied().flatten());
        let middle = |axis: usize| {
            let (low, high) = (known().map(|p| p[axis]).min()?, known().map(|p| p[axis]).max()?);
            Some(((i64::from(low) + i64::from(high)) / 2) as i32)
        };
        Some([middle(0)?, middle(1)?])
    }

    fn boundaries(&self, files: &[String], issues: &mut IssueSink) -> Vec<Boundary> {
        let of_relations = self.areas.iter().filter_map(|area| {
            let lines = area.ways.iter().map(|way| self.outlines.get(way).map_or(&[][..], Vec::as_slice));
            match close_rings(lines.collect()).and_then(|rings| self.located(rings)) {
                Ok(rings) => Some(Boundary { name: area.name.clone(), admin_level: area.admin_level, rings }),
                Err(reason) => {
                    let message = format!("relation {} ({}): {reason}", area.relation, area.name);
                    issues.add("boundary-incomplete", &files[area.file], 0, message);
                    None
                }
            }
        });
        let of_ways = self.closed.iter().filter_map(|(name, admin_level, nodes)| {
            let rings = self.located(close_rings(vec![nodes.as_slice()]).ok()?).ok()?;
            Some(Boundary { name: name.clone(), admin_level: *admin_level, rings })
        });
        let mut boundaries: Vec<Boundary> = of_relations.collect();
        boundaries.extend(of_ways);
        boundaries
    }

    fn located(&self, rings: Vec<Vec<i64>>) -> Result<Vec<Vec<StoredPosition>>, String> {
        let missing = || "some of its nodes are missing".to_owned();
        let located = |node: &i64| self.positions.get(node).copied().flatten().ok_or_else(missing);
        rings.iter().map(|ring| ring.iter().map(located).collect()).collect()
    }

    fn need_ways(&mut self, ways: &[i64]) {
        for way in ways {
            self.outlines.entry(*way).or_default();
        }
    }

    fn need(&mut self, nodes: &[i64]) {
        for node in nodes {
            self.positions.entry(*node).or_default();
        }
    }
}

/// Name and level of an administrative area that may be a municipality.
fn administrative(tags: &RawTags<'_>) -> Option<(String, u8)> {
    if value(tags, "boundary") != Some("administrative") {
        return None;
    }
    let level = value(tags, "admin_level")?.parse().ok().filter(|level| ADMIN_LEVELS.contains(level))?;
    Some((value(tags, "name")?.to_owned(), level))
}

impl ElementSink for GazetteerCollector {
    fn relation(&mut self, id: i64, members: &[RawMember<'_>], tags: &RawTags<'_>) {
        let is_area = matches!(value(tags, "type"), Some("multipolygon" | "boundary"));
        if !is_area || !self.seen.insert((MemberKind::Relation, id)) {
            return;
        }
        let ways = |is_wanted: fn(&str) -> bool| -> Vec<i64> {
            let wanted = members.iter().filter(|m| m.kind == MemberKind::Way && is_wanted(m.role));
            wanted.map(|m| m.id).collect()
        };
        if let Some((name, admin_level)) = administrative(tags) {
            let ways = ways(|role| matches!(role, "outer" | "inner" | ""));
            self.need_ways(&ways);
            self.areas.push(Area { relation: id, file: self.file, name, admin_level, ways });
        } else if let Some(feature) = feature(tags) {
            let ways = ways(|role| matches!(role, "outer" | ""));
            self.need_ways(&ways);
            self.relations.push((feature, ways));
        }
    }

    fn way(&mut self, id: i64, nodes: &[i64], tags: &RawTags<'_>) {
        let is_outline = self.outlines.contains_key(&id);
        let area = administrative(tags).filter(|_| nodes.len() > 3 && nodes.first() == nodes.last());
        let feature = feature(tags);
        if !(is_outline || area.is_some() || feature.is_some()) || !self.seen.insert((MemberKind::Way, id)) {
            return;
        }
        self.need(nodes);
        if let Some(outline) = self.outlines.get_mut(&id) {
            *outline = nodes.to_vec();
        }
        if let Some((name, admin_level)) = area {
            self.closed.push((name, admin_level, nodes.to_vec()));
        } else if let Some(feature) = feature {
            self.ways.push((feature, nodes.to_vec()));
        }
    }

    fn node(&mut self, id: i64, position: LatLon, tags: &RawTags<'_>) {
        if !position.is_on_earth() {
            return;
        }
        let position = stored(position);
        if let Some(needed) = self.positions.get_mut(&id) {
            *needed = Some(position);
        }
        if let Some(feature) = feature(tags)
            && self.seen.insert((MemberKind::Node, id))
        {
            self.found.push((feature, position));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::osm::{OsmData, OsmInput};

    /// Two municipalities, the smaller one a hole in the greater, an address on a building and a café.
    const TOWN: &str = r#"<?xml version="1.0"?><osm>
<node id="1" lat="0" lon="0"/><node id="2" lat="0" lon="10"/><node id="3" lat="10" lon="10"/><node id="4" lat="10" lon="0"/>
<node id="5" lat="4" lon="4"/><node id="6" lat="4" lon="6"/><node id="7" lat="6" lon="6"/><node id="8" lat="6" lon="4"/>
<node id="9" lat="1" lon="2"><tag k="amenity" v="cafe"/><tag k="name" v="Café Central"/></node>
<way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/></way>
<way id="2"><nd ref="1"/><nd ref="4"/><nd ref="3"/></way>
<way id="3"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="8"/><nd ref="5"/></way>
<way id="4"><nd ref="5"/><nd ref="7"/><tag k="building" v="yes"/><tag k="addr:street" v="Rua B"/><tag k="addr:housenumber" v="10"/></way>
<way id="5"><nd ref="5"/><nd ref="6"/><tag k="building" v="yes"/><tag k="addr:street" v="Rua B"/><tag k="addr:housenumber" v="9"/></way>
<relation id="1"><member type="way" ref="1" role="outer"/><member type="way" ref="2" role="outer"/>
<member type="way" ref="3" role="inner"/><tag k="type" v="boundary"/><tag k="boundary" v="administrative"/>
<tag k="admin_level" v="8"/><tag k="name" v="Fora"/></relation>
<relation id="2"><member type="way" ref="3" role="outer"/><tag k="type" v="boundary"/>
<tag k="boundary" v="administrative"/><tag k="admin_level" v="7"/><tag k="name" v="Dentro"/></relation>
<relation id="3"><member type="way" ref="99" role="outer"/><tag k="type" v="boundary"/>
<tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Longe"/></relation>
</osm>"#;

    fn town() -> (Gazetteer, IssueSink) {
        let mut issues = IssueSink::default();
        let input = OsmInput { name: "town", bytes: TOWN.as_bytes() };
        let data = OsmData::read(&[input], false, &mut issues, &mut |_, _| {}).unwrap();
        (data.gazetteer, issues)
    }

    #[test]
    fn a_location_is_in_the_area_that_surrounds_it() {
        let (gazetteer, issues) = town();
        let area = |lat, lon| gazetteer.area_at(LatLon::new(lat, lon), 8);
        assert_eq!(area(1.0, 1.0), Some("Fora"));
        assert_eq!(area(5.0, 5.0), Some("Dentro"));
        assert_eq!(area(11.0, 5.0), None);
        assert_eq!(gazetteer.area_at(LatLon::new(1.0, 1.0), 7), None);
        let incomplete = issues.issues().iter().filter(|i| i.code == "boundary-incomplete");
        let lines: Vec<_> = incomplete.map(|issue| issue.to_string()).collect();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("town: boundary-incomplete: relation 3 (Longe): "), "{lines:?}");
    }

    #[test]
    fn names_and_houses_are_where_their_elements_are() {
        let (gazetteer, _) = town();
        let (places, addresses, texts) = (&gazetteer.places, &gazetteer.addresses, &gazetteer.texts);
        assert_eq!(texts.get(places.name[0]), "Café Central");
        assert_eq!(places.position[0], [10_000_000, 20_000_000]);
        assert_eq!(places.name.len(), 1);
        assert_eq!(texts.get(addresses.street[0]), "Rua B");
        let numbers: Vec<_> = addresses.houses(0).map(|house| texts.get(addresses.number[house])).collect();
        assert_eq!(numbers, ["9", "10"]);
        assert_eq!(addresses.position[1], [50_000_000, 50_000_000]);
    }
}
