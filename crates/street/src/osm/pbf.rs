//! Reader of OSM PBF files: a sequence of blobs, each packed on its own.

use prost::Message;
use prost::bytes::Bytes;

use super::pbf_messages::{
    Blob, BlobHeader, DenseNodes, HeaderBlock, Node, PrimitiveBlock, PrimitiveGroup, Relation, Way,
};
use super::{ElementSink, MemberKind, Pass, RawMember};
use crate::error::StreetError;

/// Largest header of a blob that the format allows, bytes.
const MAX_HEADER: usize = 64 << 10;
/// Largest blob, packed or not, that the format allows, bytes.
const MAX_BLOB: usize = 32 << 20;
/// Features of a file that this reader understands.
const KNOWN_FEATURES: [&str; 2] = ["OsmSchema-V0.6", "DenseNodes"];
/// Degrees per unit of a nanodegree.
const NANO: f64 = 1e-9;

/// Passes all elements of the wanted kind to `sink`.
///
/// # Errors
/// [`StreetError::Osm`] with the offset of the blob that is cut, damaged or packed in an unknown way.
pub(super) fn read(
    file: &str,
    bytes: &[u8],
    pass: Pass,
    sink: &mut dyn ElementSink,
) -> Result<(), StreetError> {
    let mut offset = 0;
    let mut blobs = 0;
    while offset < bytes.len() {
        let located = |reason: String| StreetError::Osm {
            file: file.to_owned(),
            offset: offset as u64,
            reason: format!("blob {blobs}: {reason}"),
        };
        let (header, body, next) = split_blob(bytes, offset).map_err(located)?;
        if blobs == 0 && header.kind != "OSMHeader" {
            return Err(located("the file does not start with an OSM header".to_owned()));
        }
        match header.kind.as_str() {
            "OSMHeader" => check_header(&unpack(body).map_err(located)?).map_err(located)?,
            "OSMData" => {
                let block = unpack(body).map_err(located)?;
                read_block(block, pass, sink).map_err(located)?;
            }
            // The format tells readers to skip unknown kinds.
            _ => {}
        }
        offset = next;
        blobs += 1;
    }
    if blobs == 0 {
        return Err(StreetError::Osm {
            file: file.to_owned(),
            offset: 0,
            reason: "the file is empty".to_owned(),
        });
    }
    Ok(())
}

/// Header and body of the blob at `offset`, and where the next one starts.
fn split_blob(bytes: &[u8], offset: usize) -> Result<(BlobHeader, &[u8], usize), String> {
    let cut = || "the file ends inside the blob".to_owned();
    let rest = bytes.get(offset..).ok_or_else(cut)?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
    let length = u32::from_be_bytes(*length) as usize;
    if length > MAX_HEADER {
        return Err(format!("not OSM PBF or XML (header length {length})"));
    }
    let header = rest.get(..length).ok_or_else(cut)?;
    let header = BlobHeader::decode(header).map_err(|e| format!("header: {e}"))?;
    let size = usize::try_from(header.data_size).map_err(|_| "negative size".to_owned())?;
    if size > MAX_BLOB {
        return Err(format!("size {size} exceeds the format's limit"));
    }
    let body = rest.get(length..length + size).ok_or_else(cut)?;
    Ok((header, body, offset + 4 + length + size))
}

/// The content of a blob.
fn unpack(body: &[u8]) -> Result<Bytes, String> {
    let blob = Blob::decode(body).map_err(|e| e.to_string())?;
    if let Some(raw) = blob.raw {
        return Ok(raw);
    }
    let packed = blob.zlib.ok_or_else(|| "packed in an unsupported way (only zlib is)".to_owned())?;
    let size = usize::try_from(blob.raw_size.unwrap_or(0)).unwrap_or(0);
    if size > MAX_BLOB {
        return Err(format!("unpacked size {size} exceeds the format's limit"));
    }
    let mut unpacked = Vec::with_capacity(size);
    let mut inflater = flate2::Decompress::new(true);
    let status = inflater
        .decompress_vec(&packed, &mut unpacked, flate2::FlushDecompress::Finish)
        .map_err(|e| format!("zlib: {e}"))?;
    if status != flate2::Status::StreamEnd {
        return Err("zlib: the data is cut or longer than announced".to_owned());
    }
    Ok(unpacked.into())
}

fn check_header(block: &Bytes) -> Result<(), String> {
    let header = HeaderBlock::decode(block.clone()).map_err(|e| e.to_string())?;
    match header.required_features.iter().find(|f| !KNOWN_FEATURES.contains(&f.as_str())) {
        Some(feature) => Err(format!("needs the unsupported feature {feature}")),
        None => Ok(()),
    }
}

/// What the numbers in one block refer to.
struct BlockContext<'a> {
    texts: Vec<&'a str>,
    granularity: i64,
    lat_offset: i64,
    lon_offset: i64,
}

impl<'a> BlockContext<'a> {
    /// The text at `index`; empty for an index outside the table.
    fn text(&self, index: usize) -> &'a str {
        self.texts.get(index).copied().unwrap_or_default()
    }

    fn tags(&self, keys: &[u32], values: &[u32], into: &mut Vec<(&'a str, &'a str)>) {
        into.clear();
        into.extend(keys.iter().zip(values).map(|(k, v)| (self.text(*k as usize), self.text(*v as usize))));
    }

    fn degrees(&self, offset: i64, value: i64) -> f64 {
        value.wrapping_mul(self.granularity).wrapping_add(offset) as f64 * NANO
    }
}

fn read_block(block: Bytes, pass: Pass, sink: &mut dyn ElementSink) -> Result<(), String> {
    let block = PrimitiveBlock::decode(block).map_err(|e| e.to_string())?;
    let wanted = |group: &PrimitiveGroup| match pass {
        Pass::Nodes => group.dense.is_some() || !group.nodes.is_empty(),
        Pass::Ways => !group.ways.is_empty(),
        Pass::Relations => !group.relations.is_empty(),
    };
    if !block.groups.iter().any(wanted) {
        return Ok(());
    }
    let texts = block.strings.unwrap_or_default().texts;
    let context = BlockContext {
        texts: texts.iter().map(|text| std::str::from_utf8(text).unwrap_or_default()).collect(),
        granularity: i64::from(block.granularity.unwrap_or(100)),
        lat_offset: block.lat_offset.unwrap_or(0),
        lon_offset: block.lon_offset.unwrap_or(0),
    };
    for group in block.groups {
        match pass {
            Pass::Nodes => read_nodes(&context, group, sink)?,
            Pass::Ways => read_ways(&context, group, sink)?,
            Pass::Relations => read_relations(&context, group, sink)?,
        }
    }
    Ok(())
}

fn read_nodes(
    context: &BlockContext<'_>,
    group: PrimitiveGroup,
    sink: &mut dyn ElementSink,
) -> Result<(), String> {
    let mut tags = Vec::new();
    for bytes in group.nodes {
        let node = Node::decode(bytes).map_err(|e| format!("node: {e}"))?;
        context.tags(&node.keys, &node.values, &mut tags);
        let lat = context.degrees(context.lat_offset, node.lat);
        let lon = context.degrees(context.lon_offset, node.lon);
        sink.node(node.id, lat, lon, &tags);
    }
    match group.dense {
        Some(bytes) => {
            let dense = DenseNodes::decode(bytes).map_err(|e| format!("dense nodes: {e}"))?;
            read_dense_nodes(context, &dense, sink)
        }
        None => Ok(()),
    }
}

fn read_dense_nodes(
    context: &BlockContext<'_>,
    dense: &DenseNodes,
    sink: &mut dyn ElementSink,
) -> Result<(), String> {
    if dense.lats.len() != dense.ids.len() || dense.lons.len() != dense.ids.len() {
        return Err("dense nodes: ids and positions differ in number".to_owned());
    }
    let mut tags = Vec::new();
    let mut keys_values = dense.keys_values.iter();
    let (mut id, mut lat, mut lon) = (0i64, 0i64, 0i64);
    for ((did, dlat), dlon) in dense.ids.iter().zip(&dense.lats).zip(&dense.lons) {
        id = id.wrapping_add(*did);
        lat = lat.wrapping_add(*dlat);
        lon = lon.wrapping_add(*dlon);
        tags.clear();
        // Keys and values of one node after another, a zero after each node; empty when no node has any.
        while let Some(&key) = keys_values.next() {
            if key == 0 {
                break;
            }
            let value = keys_values.next().copied().unwrap_or(0);
            tags.push((context.text(key as usize), context.text(value as usize)));
        }
        let position = (context.degrees(context.lat_offset, lat), context.degrees(context.lon_offset, lon));
        sink.node(id, position.0, position.1, &tags);
    }
    Ok(())
}

fn read_ways(
    context: &BlockContext<'_>,
    group: PrimitiveGroup,
    sink: &mut dyn ElementSink,
) -> Result<(), String> {
    let mut tags = Vec::new();
    for bytes in group.ways {
        let mut way = Way::decode(bytes).map_err(|e| format!("way: {e}"))?;
        let mut id = 0i64;
        for node in &mut way.refs {
            id = id.wrapping_add(*node);
            *node = id;
        }
        context.tags(&way.keys, &way.values, &mut tags);
        sink.way(way.id, &way.refs, &tags);
    }
    Ok(())
}

fn read_relations(
    context: &BlockContext<'_>,
    group: PrimitiveGroup,
    sink: &mut dyn ElementSink,
) -> Result<(), String> {
    let mut tags = Vec::new();
    let mut members = Vec::new();
    for bytes in group.relations {
        let relation = Relation::decode(bytes).map_err(|e| format!("relation: {e}"))?;
        members.clear();
        let mut id = 0i64;
        let roles = relation.roles.iter().map(|r| usize::try_from(*r).unwrap_or(0));
        for ((did, kind), role) in relation.member_ids.iter().zip(&relation.member_kinds).zip(roles) {
            id = id.wrapping_add(*did);
            let kind = match kind {
                0 => MemberKind::Node,
                1 => MemberKind::Way,
                _ => MemberKind::Relation,
            };
            members.push(RawMember { kind, id, role: context.text(role) });
        }
        context.tags(&relation.keys, &relation.values, &mut tags);
        sink.relation(relation.id, &members, &tags);
    }
    Ok(())
}
