//! Packs the definitions of reference systems: 4 MB of text take 200 kB in the addon.

use std::fs::File;
use std::io::{Error, Write};
use std::path::Path;

use crs_definitions::Def;
use flate2::Compression;
use flate2::write::ZlibEncoder;

fn main() -> Result<(), Error> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = std::env::var_os("OUT_DIR").ok_or_else(|| Error::other("no OUT_DIR"))?;
    let file = File::create(Path::new(&folder).join("reference-systems.z"))?;
    let mut packed = ZlibEncoder::new(file, Compression::best());
    for code in 1..=u16::MAX {
        if let Some(definition) = crs_definitions::from_code(code).filter(is_usable) {
            writeln!(packed, "{code}\t{}\t{}", definition.proj4, definition.wkt)?;
        }
    }
    packed.finish()?;
    Ok(())
}

/// Whether a definition has two coordinates, and tells how its datum differs from WGS 84 without a grid of corrections:
/// guessing would move places by hundreds of metres.
fn is_usable(Def { proj4, wkt, .. }: &Def) -> bool {
    let projected = wkt.starts_with("PROJCS[");
    // Old longitudes from Paris and Rome are in other units than degrees.
    let degrees = wkt.starts_with("GEOGCS[") && !proj4.contains("+pm=");
    let datum = ["+towgs84=", "+datum=", "+ellps=GRS80", "+ellps=WGS84", "+nadgrids=@null"];
    let known = datum.iter().any(|part| proj4.contains(part));
    let by_grid = proj4.contains("+datum=NAD27") || proj4.contains(".gsb");
    // The text has the axes of the system, the parameters have others.
    let turned = wkt.contains(",SOUTH]") && !proj4.contains("+axis=");
    (projected || degrees) && known && !by_grid && !turned
}
