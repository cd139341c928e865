//! Writes features into the layers of a tile.

use mvt::{GeomData, GeomEncoder, GeomType, Layer, Tile};
use trestle_street::grid_shapes::{Area, GridPoint};

/// A value of an attribute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<T> {
    /// A text; empty ones are left out.
    Text(T),
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// True or false.
    Flag(bool),
}

/// A layer that is being written.
pub(super) struct LayerWriter(Option<Layer>);

impl LayerWriter {
    pub(super) fn new(tile: &Tile, name: &str) -> LayerWriter {
        LayerWriter(Some(tile.create_layer(name)))
    }

    /// Adds points as one feature; nothing if there are none.
    pub(super) fn points<T: AsRef<str>>(&mut self, points: &[GridPoint], attributes: &[(T, Value<T>)]) {
        self.add(encoded(GeomType::Point, [points]), attributes);
    }

    /// Adds lines as one feature.
    pub(super) fn lines(&mut self, lines: &[Vec<GridPoint>], attributes: &[(&str, Value<&str>)]) {
        self.add(encoded(GeomType::Linestring, lines.iter().map(Vec::as_slice)), attributes);
    }

    /// Adds areas as one feature.
    pub(super) fn areas(&mut self, areas: &[Area], attributes: &[(&str, Value<&str>)]) {
        let mut end = None;
        let rings: Vec<Vec<GridPoint>> = areas
            .iter()
            .flatten()
            .map(|ring| {
                let mut ring = ring.clone();
                // The encoder would join a ring to the previous one if it began where that one ended.
                if ring.first() == end.as_ref() {
                    ring.rotate_left(1);
                }
                end = ring.last().copied();
                ring
            })
            .collect();
        self.add(encoded(GeomType::Polygon, rings.iter().map(Vec::as_slice)), attributes);
    }

    fn add<T: AsRef<str>>(&mut self, geometry: Option<GeomData>, attributes: &[(T, Value<T>)]) {
        let Some(geometry) = geometry.filter(|geometry| !geometry.is_empty()) else { return };
        let Some(layer) = self.0.take() else { return };
        let mut feature = layer.into_feature(geometry);
        for (name, value) in attributes {
            let name = name.as_ref();
            match value {
                Value::Text(text) if text.as_ref().is_empty() => {}
                Value::Text(text) => feature.add_tag_string(name, text.as_ref()),
                Value::Number(number) => feature.add_tag_double(name, *number),
                Value::Whole(number) => feature.add_tag_sint(name, *number),
                Value::Flag(flag) => feature.add_tag_bool(name, *flag),
            }
        }
        self.0 = Some(feature.into_layer());
    }

    /// Puts the layer into the tile, if it has any feature.
    pub(super) fn finish(self, tile: &mut Tile) {
        if let Some(layer) = self.0.filter(|layer| layer.num_features() > 0) {
            // This fails only for a second layer of the same name, and each layer is added once.
            let _ = tile.add_layer(layer);
        }
    }
}

/// The parts as the geometry of one feature; `None` for numbers that do not fit into a tile, which does not happen.
fn encoded<'a>(kind: GeomType, parts: impl IntoIterator<Item = &'a [GridPoint]>) -> Option<GeomData> {
    let mut encoder = GeomEncoder::new(kind);
    let mut is_first = true;
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        if !is_first {
            encoder.complete_geom().ok()?;
        }
        is_first = false;
        for &[x, y] in part {
            encoder.add_point(x, y).ok()?;
        }
    }
    if is_first { None } else { encoder.encode().ok() }
}
