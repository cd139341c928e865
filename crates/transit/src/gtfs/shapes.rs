//! shapes.txt.

use rustc_hash::FxHashSet;
use trestle_model::IssueSink;
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

impl ShapePoint {
    /// A point of a line that is not in the feed.
    pub(crate) fn at(position: LatLon) -> ShapePoint {
        ShapePoint { shape: 0, sequence: 0, position, distance: f64::NAN }
    }
}

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
    let is_repeated = |a: &ShapePoint, b: &ShapePoint| (a.shape, a.sequence) == (b.shape, b.sequence);
    if points.iter().zip(points.iter().skip(1)).any(|(a, b)| is_repeated(a, b)) {
        report_repeated_points(reading, &ids);
    }
    points.dedup_by(|b, a| is_repeated(a, b) || a.shape == b.shape && a.position == b.position);
    (Shapes { points }, ids)
}

/// Reads the table again for the lines of repeated points, which few feeds have.
fn report_repeated_points(reading: &mut Reading<'_>, ids: &IdIndex) {
    let Some(table) = Table::open(reading.files, "shapes.txt") else { return };
    let (id, sequence) = (table.col("shape_id"), table.col("shape_pt_sequence"));
    let mut seen = FxHashSet::default();
    let mut repeated = IssueSink::default();
    table.for_each(&mut IssueSink::default(), |row, known| {
        let number: u32 = row.number(sequence, 0, known);
        if ids.get(row.bytes(id)).is_some_and(|shape| !seen.insert((shape, number))) {
            let message = format!("shape_pt_sequence {number} of the shape again; row dropped");
            row.issue("repeated-sequence", message, &mut repeated);
        }
    });
    reading.issues.append(repeated);
}
