//! A time grid as a PNG: one pixel per node, the southernmost row first.

use png::text_metadata::{ITXtChunk, TEXtChunk};
use trestle_model::geo::LatLon;
use trestle_model::named;

use super::encode::image_failure;
use crate::error::AnalysisError;
use crate::isochrone::grid::Grid;

named! {
    /// What the pixels hold.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum GridValue {
        /// Seconds.
        Time = "TIME",
        /// Vehicles boarded, in thousandths.
        Boardings = "BOARDINGS",
        /// Metres walked, in tenths.
        WalkDistance = "WALK_DISTANCE",
    }
}

/// An encoded grid and its position.
#[derive(Clone, Debug)]
pub struct TimeGridImage {
    /// PNG file.
    pub png: Vec<u8>,
    /// South-west node.
    pub corner: LatLon,
    /// Cell height, degrees.
    pub cell_lat: f64,
    /// Cell width, degrees.
    pub cell_lon: f64,
    /// Metres off the road up to which nodes count.
    pub off_road_m: f64,
}

/// Largest value that can be written; 65535 stands for "infinite".
const TOP_VALUE: f64 = 65_534.0;

/// Encodes a closed grid. `created` is the image's creation time, as text.
///
/// # Errors
/// [`AnalysisError::Invalid`] when the image cannot be encoded.
pub fn time_grid_image(grid: &Grid, value: GridValue, created: &str) -> Result<TimeGridImage, AnalysisError> {
    let extent = Extent::of(grid);
    let mut pixels = vec![0u8; extent.width * extent.height * 4];
    let (_, _, grid_width, _) = grid.rectangle();
    for row in 0..extent.height {
        for column in 0..extent.width {
            let at = (extent.row + row) * grid_width as usize + extent.column + column;
            if grid.exists(at) {
                let pixel = (row * extent.width + column) * 4;
                pixels[pixel..pixel + 4].copy_from_slice(&channels(grid, at, value));
            }
        }
    }
    let (west, south, ..) = grid.rectangle();
    let corner = grid.frame.node(west + extent.column as i32, south + extent.row as i32);
    let image = TimeGridImage {
        png: Vec::new(),
        corner,
        cell_lat: grid.frame.cell_lat,
        cell_lon: grid.frame.cell_lon,
        off_road_m: grid.frame.off_road_m,
    };
    let png = encode(&image, &extent, &pixels, created)?;
    Ok(TimeGridImage { png, ..image })
}

/// Value, distance off the road and presence of a node.
fn channels(grid: &Grid, at: usize, value: GridValue) -> [u8; 4] {
    let sample = grid.sample(at);
    let z = match value {
        GridValue::Time => sample.time,
        GridValue::Boardings => sample.boardings * 1000.0,
        GridValue::WalkDistance => sample.walk_distance * 10.0,
    };
    let z = z.round().clamp(0.0, TOP_VALUE) as u16;
    let off_road = (grid.distance(at) / grid.frame.cell_m * 100.0).round().clamp(0.0, 255.0);
    [z as u8, (z >> 8) as u8, off_road as u8, 255]
}

/// The part of the grid that has nodes, or 2 × 2 absent nodes if there are none.
struct Extent {
    column: usize,
    row: usize,
    width: usize,
    height: usize,
}

impl Extent {
    fn of(grid: &Grid) -> Extent {
        let (_, _, width, height) = grid.rectangle();
        let (w, h) = (width as usize, height as usize);
        let (mut x0, mut y0, mut x1, mut y1) = (w, h, 0, 0);
        for y in 0..h {
            for x in (0..w).filter(|x| grid.exists(y * w + x)) {
                (x0, y0, x1, y1) = (x0.min(x), y0.min(y), x1.max(x), y1.max(y));
            }
        }
        if x0 > x1 {
            return Extent { column: 0, row: 0, width: 2, height: 2 };
        }
        Extent { column: x0, row: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 }
    }
}

fn encode(
    image: &TimeGridImage,
    extent: &Extent,
    pixels: &[u8],
    created: &str,
) -> Result<Vec<u8>, AnalysisError> {
    let mut png = Vec::new();
    let mut info = png::Info::with_size(extent.width as u32, extent.height as u32);
    info.color_type = png::ColorType::Rgba;
    info.bit_depth = png::BitDepth::Eight;
    let facts = [
        ("OTPA-Grid-Corner", format!("{:.8},{:.8}", image.corner.lat, image.corner.lon)),
        ("OTPA-Grid-Cell-Size", format!("{:.12},{:.12}", image.cell_lat, image.cell_lon)),
        ("OTPA-OffRoad-Dist", format!("{}", image.off_road_m as i64)),
    ];
    let mut encoder = png::Encoder::with_info(&mut png, info).map_err(image_failure)?;
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(image_failure)?;
    // Texts in `info` would be written in another order.
    for (keyword, text) in
        [("Software", "OTPA"), ("Creation Time", created), ("Description", "Sample grid bitmap")]
    {
        writer.write_text_chunk(&ITXtChunk::new(keyword, text)).map_err(image_failure)?;
    }
    for (keyword, text) in facts {
        writer.write_text_chunk(&TEXtChunk::new(keyword, text)).map_err(image_failure)?;
    }
    writer.write_image_data(pixels).map_err(image_failure)?;
    writer.finish().map_err(image_failure)?;
    Ok(png)
}
