//! GTFS-flex areas: locations.geojson, and the older areas.txt with a `wkt` column.

use serde_json::Value;
use trestle_model::strings::StringsBuilder;

use crate::gtfs::table::{Reading, Table};

/// An area and its boundary rings, one after another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AreaRow {
    pub(crate) id: u32,
    /// (lat, lon).
    pub(crate) boundary: Vec<[f64; 2]>,
}

pub(crate) fn read(reading: &mut Reading<'_>) -> Vec<AreaRow> {
    let mut areas = read_wkt(reading);
    areas.extend(read_geojson(reading));
    areas
}

fn read_wkt(reading: &mut Reading<'_>) -> Vec<AreaRow> {
    let mut areas = Vec::new();
    // The areas.txt that GTFS adopted has the same name but no geometry (it groups stops), so it is not used.
    let Some(table) = Table::open(reading.files, "areas.txt").filter(|table| table.has("wkt")) else {
        return areas;
    };
    let (id, wkt) = (table.col("area_id"), table.col("wkt"));
    let texts = &mut *reading.texts;
    table.for_each(reading.issues, |row, issues| match parse_polygon(&row.text(wkt)) {
        Some(boundary) if !row.is_blank(id) => areas.push(AreaRow { id: row.intern(id, texts), boundary }),
        _ => row.issue("unusable-area", "blank id or no polygon; row dropped", issues),
    });
    areas
}

/// Positions of `POLYGON((lon lat, …), …)` or `MULTIPOLYGON(((…)))`.
fn parse_polygon(text: &str) -> Option<Vec<[f64; 2]>> {
    let (kind, rest) = text.split_once('(')?;
    if !["POLYGON", "MULTIPOLYGON"].contains(&kind.trim().to_ascii_uppercase().as_str()) {
        return None;
    }
    let positions = rest.split([',', '(', ')']).map(str::trim).filter(|position| !position.is_empty());
    let boundary: Option<Vec<_>> = positions
        .map(|position| {
            let mut numbers =
                position.split_whitespace().map(|n| n.parse().ok().filter(|n: &f64| n.is_finite()));
            let (lon, lat) = (numbers.next()??, numbers.next()??);
            Some([lat, lon])
        })
        .collect();
    boundary.filter(|points| points.len() >= 3)
}

fn read_geojson(reading: &mut Reading<'_>) -> Vec<AreaRow> {
    const TABLE: &str = "locations.geojson";
    let Some(bytes) = reading.files.table(TABLE) else {
        return Vec::new();
    };
    let path = format!("{}/{TABLE}", reading.files.name());
    let parsed: Option<Value> = serde_json::from_slice(bytes).ok();
    let Some(features) = parsed.as_ref().and_then(|value| value.get("features")?.as_array()) else {
        reading.issues.add("unusable-area", &path, 0, "not a GeoJSON feature collection; file left out");
        return Vec::new();
    };
    let mut areas = Vec::new();
    for (number, feature) in features.iter().enumerate() {
        match read_feature(feature, reading.texts) {
            Some(area) => areas.push(area),
            None => {
                let message = format!("feature {number} has no id or no polygon; dropped");
                reading.issues.add("unusable-area", &path, 0, message);
            }
        }
    }
    areas
}

fn read_feature(feature: &Value, texts: &mut StringsBuilder) -> Option<AreaRow> {
    let id = match feature.get("id")? {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let mut boundary = Vec::new();
    collect_positions(feature.get("geometry")?.get("coordinates")?, &mut boundary);
    (!id.is_empty() && boundary.len() >= 3).then(|| AreaRow { id: texts.intern(&id), boundary })
}

/// Positions at any depth of nested coordinate arrays, in order. The JSON reader bounds the depth.
fn collect_positions(value: &Value, into: &mut Vec<[f64; 2]>) {
    let Some(items) = value.as_array() else { return };
    match items.as_slice() {
        [Value::Number(lon), Value::Number(lat), ..] => {
            if let (Some(lon), Some(lat)) = (lon.as_f64(), lat.as_f64()) {
                into.push([lat, lon]);
            }
        }
        nested => nested.iter().for_each(|item| collect_positions(item, into)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_in_text_form() {
        let square = parse_polygon("POLYGON ((1 2, 3 2, 3 4, 1 2))");
        assert_eq!(square, Some(vec![[2.0, 1.0], [2.0, 3.0], [4.0, 3.0], [2.0, 1.0]]));
        assert_eq!(parse_polygon("POINT (1 2)"), None);
        assert_eq!(parse_polygon("POLYGON ((1 2, x 2, 3 4))"), None);
    }
}
