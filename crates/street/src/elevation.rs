//! Elevation rasters: GeoTIFF files with one height per cell.

use std::io::Cursor;

use quick_xml::Reader;
use quick_xml::events::Event;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use trestle_model::geo::LatLon;

use crate::error::StreetError;

/// An image may be at most this many times as large as its file; only damaged files claim more.
const MAX_RATIO: usize = 1100;
/// Images up to this size in bytes are decoded however small the file is.
const SMALL_IMAGE: usize = 1 << 20;
/// Heights of the ground and of the bottom of the sea, metres; others are mistakes, or marks of gaps.
pub(crate) const HEIGHTS_ON_EARTH: std::ops::RangeInclusive<f64> = -12_000.0..=9000.0;
/// The tag of the metadata that GDAL writes, an XML document.
const GDAL_METADATA: Tag = Tag::Unknown(42112);
/// GeoKey of the kind of coordinates, and its value for projected ones.
const MODEL_TYPE_KEY: u64 = 1024;
const MODEL_PROJECTED: u64 = 1;

/// A grid of heights over longitudes and latitudes.
#[derive(Clone, Debug)]
pub struct Raster {
    /// Name of its file.
    pub(crate) file: String,
    columns: usize,
    rows: usize,
    /// Row by row from the first one in the file.
    heights: Vec<f32>,
    transform: GeoTransform,
}

/// Column and row from longitude and latitude: `column = c[0] + c[1]·lon + c[2]·lat`, likewise for rows.
#[derive(Clone, Copy, PartialEq, Debug)]
struct GeoTransform {
    column: [f64; 3],
    row: [f64; 3],
}

impl Raster {
    /// Reads a GeoTIFF in geographic coordinates with integer or floating point heights in its first band.
    ///
    /// # Errors
    /// [`StreetError::Raster`] when the file is damaged, of an unsupported kind or without a position.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Raster, StreetError> {
        Self::decode(name, bytes).map_err(|reason| StreetError::Raster { file: name.to_owned(), reason })
    }

    fn decode(name: &str, bytes: &[u8]) -> Result<Raster, String> {
        let text = |e: tiff::TiffError| e.to_string();
        let mut limits = Limits::default();
        limits.decoding_buffer_size = bytes.len().saturating_mul(MAX_RATIO).max(SMALL_IMAGE);
        let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(text)?.with_limits(limits);
        let (columns, rows) = decoder.dimensions().map_err(text)?;
        let (columns, rows) = (columns as usize, rows as usize);
        if columns == 0 || rows == 0 {
            return Err("the image is empty".to_owned());
        }
        require_compression(&mut decoder)?;
        let transform = geo_transform(&mut decoder)?;
        let metadata =
            decoder.find_tag(GDAL_METADATA).ok().flatten().and_then(|value| value.into_string().ok());
        let no_data = decoder
            .find_tag(Tag::GdalNodata)
            .ok()
            .flatten()
            .and_then(|value| value.into_string().ok())
            .and_then(|text| text.trim_matches(['\0', ' ']).parse::<f32>().ok());
        let mut heights = heights(decoder.read_image().map_err(text)?)?;
        let bands = heights.len() / (columns * rows);
        if bands == 0 {
            return Err("the image has fewer values than cells".to_owned());
        }
        if bands > 1 {
            heights = heights.into_iter().step_by(bands).take(columns * rows).collect();
        }
        if let Some(no_data) = no_data {
            heights.iter_mut().filter(|height| **height == no_data).for_each(|height| *height = f32::NAN);
        }
        let Conversion { scale, offset } = metadata.as_deref().map(Conversion::read).unwrap_or_default();
        if (scale, offset) != (1.0, 0.0) {
            heights.iter_mut().for_each(|height| *height = (f64::from(*height) * scale + offset) as f32);
        }
        Ok(Raster { file: name.to_owned(), columns, rows, heights, transform })
    }

    /// Height in raster units, bilinear between the four values around. `None` outside the raster and where one of
    /// the values is missing.
    ///
    /// Values apply at the upper left corners of the cells, and those of the last row and column also one cell further, as in
    /// the reference.
    pub fn height(&self, position: LatLon) -> Option<f64> {
        let GeoTransform { column, row } = self.transform;
        let at = |c: [f64; 3]| c[0] + c[1] * position.lon + c[2] * position.lat;
        let (x, y) = (at(column), at(row));
        if !(x >= 0.0 && y >= 0.0 && x < (self.columns + 1) as f64 && y < (self.rows + 1) as f64) {
            return None;
        }
        let (left, top) = (x.floor() as usize, y.floor() as usize);
        let [left, right] = [left, left + 1].map(|column| column.min(self.columns - 1));
        let [top, bottom] = [top, top + 1].map(|row| row.min(self.rows - 1));
        let (fx, fy) = (x.fract(), y.fract());
        let corners = [
            (left, top, (1.0 - fx) * (1.0 - fy)),
            (right, top, fx * (1.0 - fy)),
            (left, bottom, (1.0 - fx) * fy),
            (right, bottom, fx * fy),
        ];
        // A missing value does not matter where it has no weight.
        let weighted = corners.iter().filter(|(_, _, weight)| *weight > 0.0);
        let height: f64 =
            weighted.map(|(x, y, weight)| weight * f64::from(self.heights[y * self.columns + x])).sum();
        Some(height).filter(|height| height.is_finite())
    }
}

/// How heights follow from the stored numbers of the first band: files store decimetres, or heights above some level.
#[derive(PartialEq, Debug)]
struct Conversion {
    scale: f64,
    offset: f64,
}

impl Default for Conversion {
    fn default() -> Conversion {
        Conversion { scale: 1.0, offset: 0.0 }
    }
}

impl Conversion {
    /// Reads `<Item sample="0" role="scale">0.1</Item>`, and likewise the offset. What cannot be read counts as missing.
    fn read(metadata: &str) -> Conversion {
        let mut conversion = Conversion::default();
        let mut reader = Reader::from_str(metadata);
        let mut role = None;
        loop {
            match reader.read_event() {
                Ok(Event::Start(item)) => {
                    let value =
                        |name: &str| item.try_get_attribute(name).ok().flatten().map(|found| found.value);
                    let is_first_band = value("sample").is_none_or(|sample| *sample == *b"0");
                    role = value("role").filter(|_| is_first_band).map(|role| role.into_owned());
                }
                Ok(Event::Text(text)) => {
                    let number = std::str::from_utf8(&text).ok().and_then(|text| text.trim().parse().ok());
                    match (role.take().as_deref(), number.filter(|number: &f64| number.is_finite())) {
                        (Some(b"scale"), Some(scale)) if scale != 0.0 => conversion.scale = scale,
                        (Some(b"offset"), Some(offset)) => conversion.offset = offset,
                        _ => (),
                    }
                }
                Ok(Event::Eof) | Err(_) => return conversion,
                Ok(_) => (),
            }
        }
    }
}

/// Refuses images whose compression is known by name but cannot be read, before the decoder names it by its number.
fn require_compression(decoder: &mut Decoder<Cursor<&[u8]>>) -> Result<(), String> {
    let name = match decoder.find_tag_unsigned::<u16>(Tag::Compression).ok().flatten() {
        Some(34887) => "LERC",
        Some(34925) => "LZMA",
        Some(50000) => "ZSTD",
        Some(50001) => "WebP",
        Some(50002) => "JPEG XL",
        _ => return Ok(()),
    };
    Err(format!("the compression {name} is not supported; DEFLATE and LZW are"))
}

/// The position of the image, from its GeoTIFF tags.
fn geo_transform(decoder: &mut Decoder<Cursor<&[u8]>>) -> Result<GeoTransform, String> {
    if let Some(keys) = decoder.find_tag_unsigned_vec::<u64>(Tag::GeoKeyDirectoryTag).ok().flatten()
        && keys.chunks_exact(4).skip(1).any(|key| key[0] == MODEL_TYPE_KEY && key[3] == MODEL_PROJECTED)
    {
        return Err("projected coordinates are not supported, only geographic ones".to_owned());
    }
    let mut numbers = |tag: Tag, count: usize| {
        let values = decoder.find_tag(tag).ok().flatten()?.into_f64_vec().ok()?;
        (values.len() >= count && values.iter().all(|v| v.is_finite())).then_some(values)
    };
    if let (Some(scale), Some(tie)) = (numbers(Tag::ModelPixelScaleTag, 2), numbers(Tag::ModelTiepointTag, 6))
    {
        if scale[0] == 0.0 || scale[1] == 0.0 {
            return Err("the cells have no size".to_owned());
        }
        return Ok(GeoTransform {
            column: [tie[0] - tie[3] / scale[0], 1.0 / scale[0], 0.0],
            row: [tie[1] + tie[4] / scale[1], 0.0, -1.0 / scale[1]],
        });
    }
    match numbers(Tag::ModelTransformationTag, 16) {
        Some(matrix) => invert(&matrix),
        None => Err("the file has no GeoTIFF position".to_owned()),
    }
}

/// Inverts the transformation from (column, row) to (lon, lat).
fn invert(matrix: &[f64]) -> Result<GeoTransform, String> {
    let [a, b, d] = [matrix[0], matrix[1], matrix[3]];
    let [e, f, h] = [matrix[4], matrix[5], matrix[7]];
    let determinant = a * f - b * e;
    if determinant == 0.0 {
        return Err("the position of the image cannot be inverted".to_owned());
    }
    let along_lon = [f / determinant, -e / determinant];
    let along_lat = [-b / determinant, a / determinant];
    let transform = |i: usize| [-(along_lon[i] * d + along_lat[i] * h), along_lon[i], along_lat[i]];
    Ok(GeoTransform { column: transform(0), row: transform(1) })
}

fn heights(image: DecodingResult) -> Result<Vec<f32>, String> {
    Ok(match image {
        DecodingResult::U8(values) => values.into_iter().map(f32::from).collect(),
        DecodingResult::I8(values) => values.into_iter().map(f32::from).collect(),
        DecodingResult::U16(values) => values.into_iter().map(f32::from).collect(),
        // Terrain models in 16 bits mark gaps with the lowest number, even where the file does not say so.
        DecodingResult::I16(values) => {
            values.into_iter().map(|value| if value == i16::MIN { f32::NAN } else { value.into() }).collect()
        }
        DecodingResult::U32(values) => values.into_iter().map(|v| v as f32).collect(),
        DecodingResult::I32(values) => values.into_iter().map(|v| v as f32).collect(),
        DecodingResult::F32(values) => values,
        DecodingResult::F64(values) => values.into_iter().map(|v| v as f32).collect(),
        _ => return Err("the kind of numbers in the image is not supported".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiff::encoder::{TiffEncoder, colortype};

    /// 3 × 2 cells of one degree; the upper left corner is at 10° east, 50° north.
    fn geotiff(geo_tags: bool) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
        let mut image = encoder.new_image::<colortype::GrayI16>(3, 2).unwrap();
        if geo_tags {
            let tags = image.encoder();
            tags.write_tag(Tag::ModelPixelScaleTag, &[1.0f64, 1.0, 0.0][..]).unwrap();
            tags.write_tag(Tag::ModelTiepointTag, &[0.0f64, 0.0, 0.0, 10.0, 50.0, 0.0][..]).unwrap();
            tags.write_tag(Tag::GdalNodata, "-99").unwrap();
        }
        image.write_data(&[0i16, 10, 20, 100, 110, -99]).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn heights_are_bilinear_on_the_tie_point_grid() {
        let raster = Raster::read("r.tif", &geotiff(true)).unwrap();
        let height = |lat, lon| raster.height(LatLon::new(lat, lon));
        assert_eq!(height(50.0, 10.0), Some(0.0));
        assert_eq!(height(50.0, 11.5), Some(15.0));
        assert_eq!(height(49.5, 10.5), Some(55.0));
        assert_eq!(height(49.5, 11.5), None, "one value is missing");
        assert_eq!(height(50.1, 10.0), None);
        assert_eq!(height(49.75, 13.5), None, "the value below is missing");
        assert_eq!(
            [height(50.0, 12.5), height(50.0, 13.9), height(50.0, 14.0)],
            [Some(20.0), Some(20.0), None]
        );
        assert_eq!([height(48.25, 10.5), height(47.1, 10.5)], [Some(105.0), Some(105.0)]);
        assert_eq!([height(47.0, 10.5), height(49.0, 9.9)], [None, None]);
    }

    #[test]
    fn the_lowest_number_of_16_bits_is_a_gap() {
        assert!(heights(DecodingResult::I16(vec![i16::MIN])).unwrap()[0].is_nan());
        assert_eq!(heights(DecodingResult::I16(vec![-430])).unwrap(), [-430.0]);
        assert_eq!(heights(DecodingResult::I32(vec![-32_768])).unwrap(), [-32_768.0]);
    }

    #[test]
    fn a_matrix_gives_the_same_position_as_a_tie_point() {
        let matrix = [1.0, 0.0, 0.0, 10.0, 0.0, -1.0, 0.0, 50.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let transform = invert(&matrix).unwrap();
        assert_eq!(transform.column, [-10.0, 1.0, 0.0]);
        assert_eq!(transform.row, [50.0, 0.0, -1.0]);
    }

    #[test]
    fn heights_are_the_stored_numbers_by_scale_and_offset() {
        let item = |sample, role, number| {
            format!(r#"<Item name="x" sample="{sample}" role="{role}">{number}</Item>"#)
        };
        let metadata = |items: &[String]| format!("<GDALMetadata>\n{}\n</GDALMetadata>\n", items.concat());
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
        let mut image = encoder.new_image::<colortype::GrayI16>(3, 2).unwrap();
        let tags = image.encoder();
        tags.write_tag(Tag::ModelPixelScaleTag, &[1.0f64, 1.0, 0.0][..]).unwrap();
        tags.write_tag(Tag::ModelTiepointTag, &[0.0f64, 0.0, 0.0, 10.0, 50.0, 0.0][..]).unwrap();
        tags.write_tag(Tag::GdalNodata, "20").unwrap();
        let items = [item(0, "offset", "100.5"), item(0, "scale", "0.1"), item(1, "scale", "7")];
        tags.write_tag(GDAL_METADATA, metadata(&items).as_str()).unwrap();
        image.write_data(&[0i16, 10, 20, 100, 110, -99]).unwrap();
        let raster = Raster::read("r.tif", &bytes.into_inner()).unwrap();
        let height = |lat, lon| raster.height(LatLon::new(lat, lon));
        assert_eq!([height(50.0, 10.0), height(50.0, 11.0)], [Some(100.5), Some(101.5)]);
        assert_eq!(height(50.0, 12.0), None, "gaps are stored numbers");
        let unusable = [item(0, "scale", "0"), item(0, "offset", "nan"), item(0, "unittype", "3")];
        assert_eq!(Conversion::read(&metadata(&unusable)), Conversion::default());
        assert_eq!(Conversion::read("<GDALMetadata><Item"), Conversion::default());
    }

    #[test]
    fn unusable_files_are_errors() {
        let error = |bytes: &[u8]| Raster::read("r.tif", bytes).unwrap_err();
        assert!(error(&geotiff(false)).to_string().contains("no GeoTIFF position"));
        assert_eq!(error(b"II*\0").code(), "ELEVATION_UNREADABLE");
        // The number of the compression is the only value of its tag, which is 259.
        let mut compressed = geotiff(true);
        let tag = compressed.windows(4).position(|bytes| bytes == [3, 1, 3, 0]).unwrap();
        compressed[tag + 8..tag + 10].copy_from_slice(&50000u16.to_le_bytes());
        assert!(error(&compressed).to_string().contains("ZSTD is not supported; DEFLATE"));
        let whole = geotiff(true);
        for length in 0..whole.len() - 1 {
            let _ = Raster::read("r.tif", &whole[..length]);
        }
    }
}
