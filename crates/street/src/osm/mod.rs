//! OpenStreetMap input: readers, tags and what the tags mean for streets.

mod base_map;
mod data;
mod filter;
mod gazetteer;
mod levels;
mod names;
mod notes;
mod pbf;
mod pbf_messages;
mod pbf_versions;
mod permission;
#[cfg(test)]
mod reader_tests;
mod regional;
mod rings;
mod speeds;
mod tag_rules;
mod tags;
mod way_properties;
mod xml;

pub(crate) use base_map::{MapShape, MapShapes};
pub(crate) use data::{JoiningNode, NodeRef, OsmData, Relation, Way};
pub(crate) use filter::{
    DiscouragedBans, area_permission, directed_permissions, entity_permission, is_routable_entity,
    is_routable_way,
};
pub(crate) use filter::{is_bike_parking, is_no_through, is_park_and_ride, is_platform};
pub(crate) use levels::Level;
pub(crate) use names::{WayName, WayNamer, translations};
pub(crate) use notes::NoteRules;
pub(crate) use permission::Permission;
pub use regional::WayPropertySet;
pub(crate) use rings::{close_rings, join_lines};
pub(crate) use speeds::{CarSpeeds, DEFAULT_SPEED};
pub(crate) use tags::{Tags, means_no, means_yes};
pub(crate) use way_properties::WayPropertyRules;

use trestle_model::geo::LatLon;

use crate::error::StreetError;

/// One OSM file: PBF or XML, either of them possibly gzipped. The kind is found from the content.
#[derive(Clone, Copy, Debug)]
pub struct OsmInput<'a> {
    /// Name used in errors and issues.
    pub name: &'a str,
    /// The whole file.
    pub bytes: &'a [u8],
}

/// The kind of elements that a pass over a file reads; others are skipped undecoded where possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pass {
    Relations,
    Ways,
    Nodes,
}

/// Kinds of members of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MemberKind {
    Node,
    Way,
    Relation,
}

/// A member of a relation as in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawMember<'a> {
    pub(crate) kind: MemberKind,
    pub(crate) id: i64,
    pub(crate) role: &'a str,
}

/// Tags as in the file.
pub(crate) type RawTags<'a> = [(&'a str, &'a str)];

/// Takes the elements of a file, one pass at a time.
pub(crate) trait ElementSink {
    /// A node; its position may be missing (NaN) or not on Earth.
    fn node(&mut self, id: i64, position: LatLon, tags: &RawTags<'_>);
    fn way(&mut self, id: i64, nodes: &[i64], tags: &RawTags<'_>);
    fn relation(&mut self, id: i64, members: &[RawMember<'_>], tags: &RawTags<'_>);
}

/// What to do about a file with several versions of its elements.
const NO_HISTORY: &str =
    "the file has the history of the map, or extracts of several days; `osmium time-filter` keeps one day";

/// First two bytes of a gzip file.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// First bytes of a bzip2 file.
const BZIP2_MAGIC: &[u8] = b"BZh";

/// A file that can be read several times.
pub(crate) struct OpenFile<'a> {
    name: &'a str,
    bytes: std::borrow::Cow<'a, [u8]>,
    /// The parts of a PBF file; `None` for XML.
    blobs: Option<Vec<pbf::PackedBlob>>,
}

impl<'a> OpenFile<'a> {
    /// Unpacks gzip and detects whether the file is XML or PBF.
    ///
    /// # Errors
    /// [`StreetError::Osm`] for a broken gzip stream, an unsupported packing or a file that is cut.
    pub(crate) fn open(input: &OsmInput<'a>) -> Result<Self, StreetError> {
        let error = |reason: String| StreetError::Osm { file: input.name.to_owned(), offset: 0, reason };
        let bytes = if input.bytes.starts_with(&GZIP_MAGIC) {
            let mut unpacked = Vec::new();
            std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(input.bytes), &mut unpacked)
                .map_err(|e| error(format!("gzip: {e}")))?;
            unpacked.into()
        } else if input.bytes.starts_with(BZIP2_MAGIC) {
            return Err(error("bzip2 is not supported, unpack the file first".to_owned()));
        } else {
            std::borrow::Cow::Borrowed(input.bytes)
        };
        let blobs = match xml::looks_like_xml(&bytes) {
            true => None,
            false => Some(pbf::blobs(input.name, &bytes)?),
        };
        Ok(OpenFile { name: input.name, bytes, blobs })
    }

    /// Passes all elements of the wanted kind to `sink`, in file order.
    ///
    /// # Errors
    /// [`StreetError::Osm`] with the offset of the first unreadable place.
    pub(crate) fn read(&self, pass: Pass, sink: &mut dyn ElementSink) -> Result<(), StreetError> {
        match &self.blobs {
            None => xml::read(self.name, &self.bytes, pass, sink),
            Some(blobs) => pbf::read(self.name, &self.bytes, blobs, pass, sink),
        }
    }
}
