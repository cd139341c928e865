//! Image files.

use super::palette::Rgba;
use crate::error::AnalysisError;

/// An image that could not be encoded.
pub(crate) fn image_failure(error: impl std::fmt::Display) -> AnalysisError {
    AnalysisError::Invalid(format!("the image cannot be encoded: {error}"))
}

/// An indexed PNG of signed byte values with their colours.
///
/// # Errors
/// [`AnalysisError::Invalid`] when the sizes do not fit.
pub fn indexed_png(
    width: u32,
    height: u32,
    values: &[i8],
    palette: &[Rgba; 256],
) -> Result<Vec<u8>, AnalysisError> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.iter().flat_map(|c| [c[0], c[1], c[2]]).collect::<Vec<u8>>());
    encoder.set_trns(palette.iter().map(|c| c[3]).collect::<Vec<u8>>());
    encoder.set_compression(png::Compression::Fast);
    // Neighbouring pixels mostly have the same value, so this filter needs a fifth of the bytes.
    encoder.set_filter(png::FilterType::Sub);
    let mut writer = encoder.write_header().map_err(image_failure)?;
    writer.write_image_data(bytemuck::cast_slice(values)).map_err(image_failure)?;
    writer.finish().map_err(image_failure)?;
    Ok(png)
}
