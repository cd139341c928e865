//! Rasters as GeoTIFF files.

use std::io::Cursor;

use tiff::encoder::{TiffEncoder, colortype};
use tiff::tags::Tag;

use super::images::Raster;
use crate::error::AnalysisError;
use crate::raster::encode::image_failure;

const MODEL_TRANSFORMATION: Tag = Tag::Unknown(34_264);
const GEO_KEY_DIRECTORY: Tag = Tag::Unknown(34_735);
const NO_DATA: Tag = Tag::Unknown(42_113);

/// GeoKeys: model type (1 projected, 2 geographic), raster type (1: pixels are areas), and which system.
const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC_TYPE: u16 = 2048;
const PROJECTED_TYPE: u16 = 3072;

/// A single-band 8-bit grayscale GeoTIFF, LZW compressed; bytes are minutes, 128 means "no value".
///
/// # Errors
/// [`AnalysisError::Invalid`] when it cannot be encoded.
pub fn geotiff(raster: &Raster) -> Result<Vec<u8>, AnalysisError> {
    let mut file = Cursor::new(Vec::new());
    let mut encoder =
        TiffEncoder::new(&mut file).map_err(image_failure)?.with_compression(tiff::encoder::Compression::Lzw);
    let (width, height) = (raster.width as u32, raster.height as u32);
    let mut image = encoder.new_image::<colortype::Gray8>(width, height).map_err(image_failure)?;
    let [west, north] = raster.corner;
    let [dx, dy] = raster.pixel;
    let matrix = [dx, 0.0, 0.0, west, 0.0, -dy, 0.0, north, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let (model, key) = match raster.crs.is_geographic() {
        true => (2, GEOGRAPHIC_TYPE),
        false => (1, PROJECTED_TYPE),
    };
    let keys: [u16; 16] =
        [1, 1, 0, 3, MODEL_TYPE, 0, 1, model, RASTER_TYPE, 0, 1, 1, key, 0, 1, raster.crs.epsg()];
    let tags = image.encoder();
    tags.write_tag(MODEL_TRANSFORMATION, &matrix[..]).map_err(image_failure)?;
    tags.write_tag(GEO_KEY_DIRECTORY, &keys[..]).map_err(image_failure)?;
    tags.write_tag(NO_DATA, "128").map_err(image_failure)?;
    image.write_data(bytemuck::cast_slice(&raster.minutes)).map_err(image_failure)?;
    Ok(file.into_inner())
}
