//! shapes.txt.

use trestle_model::geo::LatLon;

use crate::gtfs::IdIndex;
use crate::gtfs::table::{Reading, Table};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShapePoint {
    shape: u32,
    sequence: u32,
    pub(crate) position: LatLon,
    /// shape_dist_traveled, NaN when blank.
    pub(crate) distance: f64,
}

/// All shapes of a feed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    /// Sorted by shape and sequence, without repeated positions.
    points: Vec<ShapePoint>,
}

impl Shapes {
    /// Points of a shape; empty for an unknown one.
    pub(crate) fn points(&self, shape: u32) -> &[ShapePoint] {
        let from = self.points.partition_point(|p| p.shape < shape);
        let to = self.points.partition_point(|p| p.shape <= shape);
        &self.points[from..to]
    }
}

pub(crate) fn read(reading: &mut Reading<'_>) -> (Shapes, IdIndex) {
    let mut ids = IdIndex::default();
    let needed = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"];
    let Some(table) = Table::open_optional(reading.files, "shapes.txt", &needed, reading.issues) else {
        return (Shapes::default(), ids);
    };
    let (id, sequence) = (table.col("shape_id"), table.col("shape_pt_sequence"));
    let (lat, lon) = (table.col("shape_pt_lat"), table.col("shape_pt_lon"));
    let distance = table.col("shape_dist_traveled");
    let mut points = Vec::new();
    table.for_each(reading.issues, |row, issues| {
        let (Some(lat), Some(lon)) = (row.decimal(lat, issues), row.decimal(lon, issues)) else {
            return row.issue("shape-point-without-position", "row dropped", issues);
        };
        let position = LatLon::new(lat, lon);
        if row.is_blank(id) || !position.is_on_earth() {
            return row.issue("unusable-shape-point", "blank id or not on Earth; row dropped", issues);
        }
        ids.add(row.bytes(id));
        points.push(ShapePoint {
            shape: ids.get(row.bytes(id)).unwrap_or_default(),
            sequence: row.number(sequence, 0, issues),
            position,
            distance: row.decimal(distance, issues).unwrap_or(f64::NAN),
        });
    });
    points.sort_by_key(|p| (p.shape, p.sequence));
    points.dedup_by(|b, a| a.shape == b.shape && (a.sequence == b.sequence || a.position == b.position));
    (Shapes { points }, ids)
}
