//! Reader of OSM PBF files: a sequence of blobs, each compressed on its own.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, Receiver};

use prost::Message;
use prost::bytes::Bytes;
use trestle_model::geo::LatLon;

use super::pbf_messages::{
    Blob, BlobHeader, DenseNodes, HeaderBlock, Node, PrimitiveBlock, PrimitiveGroup, Relation, Way,
};
use super::pbf_versions::{self, Ends, Version};
use super::{ElementSink, MemberKind, NO_HISTORY, Pass, RawMember};
use crate::error::StreetError;

/// Largest header of a blob that the format allows, bytes.
const MAX_HEADER: usize = 64 << 10;
/// Largest blob, compressed or not, that the format allows, bytes.
const MAX_BLOB: usize = 32 << 20;
/// Features of a file that this reader understands.
const KNOWN_FEATURES: [&str; 2] = ["OsmSchema-V0.6", "DenseNodes"];
/// Feature of a file with several versions of its elements.
const HISTORY: &str = "HistoricalInformation";
/// Degrees in a nanodegree.
const NANO: f64 = 1e-9;

/// A part of a file that is compressed on its own.
pub(super) struct PackedBlob {
    offset: usize,
    kind: BlobKind,
    body: Range<usize>,
    /// Kinds of elements in it, as bits of [`kind_bit`]; [`UNKNOWN`] until it was unpacked once.
    elements: AtomicU8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlobKind {
    Header,
    Data,
    /// The format tells readers to skip unknown kinds.
    Other,
}

/// The kinds of elements are not known yet.
const UNKNOWN: u8 = u8::MAX;

fn kind_bit(pass: Pass) -> u8 {
    match pass {
        Pass::Relations => 1,
        Pass::Ways => 2,
        Pass::Nodes => 4,
    }
}

/// The blobs of a file.
///
/// # Errors
/// [`StreetError::Osm`] with the offset of the first blob that is cut or damaged.
pub(super) fn blobs(file: &str, bytes: &[u8]) -> Result<Vec<PackedBlob>, StreetError> {
    let mut found = Vec::new();
    let mut offset = 0;
    while offset < bytes.len() {
        let (header, body) =
            split_blob(bytes, offset).map_err(|reason| located(file, offset, found.len(), reason))?;
        let kind = match header.kind.as_str() {
            "OSMHeader" => BlobKind::Header,
            "OSMData" => BlobKind::Data,
            _ => BlobKind::Other,
        };
        if found.is_empty() && kind != BlobKind::Header {
            let reason = "the file does not start with an OSM header".to_owned();
            return Err(located(file, offset, 0, reason));
        }
        let next = body.end;
        found.push(PackedBlob { offset, kind, body, elements: AtomicU8::new(UNKNOWN) });
        offset = next;
    }
    if found.is_empty() {
        let reason = "the file is empty".to_owned();
        return Err(StreetError::Osm { file: file.to_owned(), offset: 0, reason });
    }
    Ok(found)
}

fn located(file: &str, offset: usize, number: usize, reason: String) -> StreetError {
    StreetError::Osm {
        file: file.to_owned(),
        offset: offset as u64,
        reason: format!("blob {number}: {reason}"),
    }
}

/// Blobs that a thread may have decoded before they are wanted.
const DECODED_AHEAD: usize = 2;

/// Passes all elements of the wanted kind to `sink`, in file order. Blobs are unpacked and decoded on all processors.
///
/// # Errors
/// [`StreetError::Osm`] with the offset of the blob that is damaged or compressed in an unknown way.
pub(super) fn read(
    file: &str,
    bytes: &[u8],
    blobs: &[PackedBlob],
    pass: Pass,
    sink: &mut dyn ElementSink,
) -> Result<(), StreetError> {
    let has_any = |blob: &PackedBlob| blob.elements.load(Ordering::Relaxed) & kind_bit(pass) != 0;
    let wanted: Vec<(usize, &PackedBlob)> =
        blobs.iter().enumerate().filter(|(_, blob)| blob.kind != BlobKind::Other && has_any(blob)).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(wanted.len());
    std::thread::scope(|scope| {
        let wanted = &wanted;
        // With n threads, each decodes every nth blob, so that taking turns gives them in order.
        let decoders: Vec<Receiver<_>> = (0..threads)
            .map(|first| {
                let (give, take) = mpsc::sync_channel(DECODED_AHEAD);
                scope.spawn(move || {
                    let own = wanted.iter().skip(first).step_by(threads);
                    // No more blobs are taken after an error.
                    let _ =
                        own.map(|(_, blob)| decode(bytes, blob, pass)).try_for_each(|block| give.send(block));
                });
                take
            })
            .collect();
        let mut last = None;
        for ((number, blob), decoder) in wanted.iter().zip(decoders.iter().cycle()) {
            let decoded = decoder.recv().unwrap_or_else(|_| Err("its decoder has ended".to_owned()));
            let passed =
                decoded.and_then(|block| block.map_or(Ok(()), |block| block.pass_to(sink, &mut last)));
            passed.map_err(|reason| located(file, blob.offset, *number, reason))?;
        }
        Ok(())
    })
}

/// The wanted elements of a blob, if it has any.
fn decode(bytes: &[u8], blob: &PackedBlob, pass: Pass) -> Result<Option<Block>, String> {
    let content = unpack(&bytes[blob.body.clone()])?;
    if blob.kind == BlobKind::Header {
        return check_header(&content).map(|()| None);
    }
    let block = PrimitiveBlock::decode(content).map_err(|e| e.to_string())?;
    let has = |pass| block.groups.iter().any(|group| has_kind(group, pass));
    let kinds = [Pass::Relations, Pass::Ways, Pass::Nodes].into_iter().filter(|&pass| has(pass));
    blob.elements.store(kinds.map(kind_bit).sum(), Ordering::Relaxed);
    if !has(pass) {
        return Ok(None);
    }
    let groups = block.groups.into_iter().map(|group| Elements::decode(group, pass));
    Ok(Some(Block {
        groups: groups.collect::<Result<_, _>>()?,
        texts: block.strings.unwrap_or_default().texts,
        granularity: i64::from(block.granularity.unwrap_or(100)),
        lat_offset: block.lat_offset.unwrap_or(0),
        lon_offset: block.lon_offset.unwrap_or(0),
    }))
}

fn has_kind(group: &PrimitiveGroup, pass: Pass) -> bool {
    match pass {
        Pass::Nodes => group.dense.is_some() || !group.nodes.is_empty() || has_located_ways(group),
        Pass::Ways => !group.ways.is_empty(),
        Pass::Relations => !group.relations.is_empty(),
    }
}

/// Whether the ways of a group say where their nodes are. Files in which they do leave out the nodes without tags.
fn has_located_ways(group: &PrimitiveGroup) -> bool {
    let mut ways = group.ways.iter().filter_map(|way| Way::decode(way.clone()).ok());
    ways.find(|way| !way.refs.is_empty()).is_some_and(|way| !way.lats.is_empty())
}

/// Header of the blob at `offset`, and where its body is; the next blob starts at its end.
fn split_blob(bytes: &[u8], offset: usize) -> Result<(BlobHeader, Range<usize>), String> {
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
    let body = offset + 4 + length;
    rest.get(length..length + size).ok_or_else(cut)?;
    Ok((header, body..body + size))
}

/// The content of a blob.
fn unpack(body: &[u8]) -> Result<Bytes, String> {
    let blob = Blob::decode(body).map_err(|e| e.to_string())?;
    if let Some(raw) = blob.raw {
        return Ok(raw);
    }
    let others = [("lzma", &blob.lzma), ("lz4", &blob.lz4), ("zstd", &blob.zstd)];
    let packed = blob.zlib.ok_or_else(|| {
        let packing =
            others.iter().find(|(_, packed)| packed.is_some()).map_or("an unknown method", |(name, _)| name);
        format!(
            "compressed with {packing}, which is not supported; `osmium cat FILE -o OTHER.osm.pbf` compresses it with zlib"
        )
    })?;
    let size = usize::try_from(blob.raw_size.unwrap_or(0)).unwrap_or(0);
    if size > MAX_BLOB {
        return Err(format!("uncompressed size {size} exceeds the format's limit"));
    }
    let mut unpacked = Vec::with_capacity(size);
    let mut inflater = flate2::Decompress::new(true);
    let status = inflater
        .decompress_vec(&packed, &mut unpacked, flate2::FlushDecompress::Finish)
        .map_err(|e| format!("zlib: {e}"))?;
    if status != flate2::Status::StreamEnd {
        return Err("zlib: the data is truncated, or longer than the file says".to_owned());
    }
    Ok(unpacked.into())
}

fn check_header(block: &Bytes) -> Result<(), String> {
    let header = HeaderBlock::decode(block.clone()).map_err(|e| e.to_string())?;
    match header.required_features.iter().find(|f| !KNOWN_FEATURES.contains(&f.as_str())) {
        Some(feature) if feature == HISTORY => Err(format!("{feature}: {NO_HISTORY}")),
        Some(feature) => Err(format!("needs the unsupported feature {feature}")),
        None => Ok(()),
    }
}

/// The wanted elements of a blob, and what their numbers refer to.
struct Block {
    groups: Vec<Elements>,
    texts: Vec<Bytes>,
    granularity: i64,
    lat_offset: i64,
    lon_offset: i64,
}

/// Elements of one kind.
#[derive(Default)]
struct Elements {
    nodes: Vec<Node>,
    dense: Option<DenseNodes>,
    /// Ways that say where their nodes are.
    located_ways: Vec<Way>,
    ways: Vec<Way>,
    relations: Vec<Relation>,
    /// The first and the last element of each of these lists.
    ends: Vec<Ends>,
}

impl Elements {
    fn decode(group: PrimitiveGroup, pass: Pass) -> Result<Elements, String> {
        let mut elements = Elements::default();
        match pass {
            Pass::Nodes => {
                if has_located_ways(&group) {
                    elements.located_ways = decode_ways(group.ways)?;
                }
                elements.nodes = decode_all(group.nodes, "node")?;
                let dense = group.dense.map(DenseNodes::decode).transpose();
                elements.dense = dense.map_err(|e| format!("dense nodes: {e}"))?;
                if let Some(DenseNodes { ids, lats, lons, .. }) = &mut elements.dense {
                    [ids, lats, lons].into_iter().for_each(|differences| add_up(differences));
                }
                elements.ends.extend(pbf_versions::check_nodes(&elements.nodes)?);
                if let Some(dense) = &elements.dense {
                    elements.ends.extend(pbf_versions::check_dense_nodes(dense)?);
                }
            }
            Pass::Ways => {
                elements.ways = decode_ways(group.ways)?;
                elements.ends.extend(pbf_versions::check_ways(&elements.ways)?);
            }
            Pass::Relations => {
                elements.relations = decode_all(group.relations, "relation")?;
                elements.relations.iter_mut().for_each(|relation| add_up(&mut relation.member_ids));
                elements.ends.extend(pbf_versions::check_relations(&elements.relations)?);
            }
        }
        Ok(elements)
    }
}

fn decode_ways(ways: Vec<Bytes>) -> Result<Vec<Way>, String> {
    let mut ways: Vec<Way> = decode_all(ways, "way")?;
    for Way { refs, lats, lons, .. } in &mut ways {
        [refs, lats, lons].into_iter().for_each(|differences| add_up(differences));
    }
    Ok(ways)
}

fn decode_all<M: Message + Default>(elements: Vec<Bytes>, kind: &str) -> Result<Vec<M>, String> {
    elements.into_iter().map(|bytes| M::decode(bytes).map_err(|e| format!("{kind}: {e}"))).collect()
}

/// Turns differences from one value to the next into values.
fn add_up(differences: &mut [i64]) {
    let mut value = 0i64;
    for difference in differences {
        value = value.wrapping_add(*difference);
        *difference = value;
    }
}

impl Block {
    /// `last` is the last element of the blobs before.
    fn pass_to(self, sink: &mut dyn ElementSink, last: &mut Option<Version>) -> Result<(), String> {
        let texts = self.texts.iter().map(|text| std::str::from_utf8(text).unwrap_or_default()).collect();
        let context = BlockContext { texts, block: &self };
        for Elements { nodes, dense, located_ways, ways, relations, ends } in &self.groups {
            for &(first, end) in ends {
                if let Some(before) = *last {
                    before.check_next(first)?;
                }
                *last = Some(end);
            }
            context.pass_nodes(nodes, sink);
            if let Some(dense) = dense {
                context.pass_dense_nodes(dense, sink)?;
            }
            context.pass_nodes_of_ways(located_ways, sink);
            context.pass_ways(ways, sink);
            context.pass_relations(relations, sink);
        }
        Ok(())
    }
}

/// What the numbers in one block refer to.
struct BlockContext<'a> {
    texts: Vec<&'a str>,
    block: &'a Block,
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

    fn position(&self, lat: i64, lon: i64) -> LatLon {
        let Block { granularity, lat_offset, lon_offset, .. } = *self.block;
        let degrees =
            |offset: i64, value: i64| value.wrapping_mul(granularity).wrapping_add(offset) as f64 * NANO;
        LatLon::new(degrees(lat_offset, lat), degrees(lon_offset, lon))
    }

    fn pass_nodes(&self, nodes: &[Node], sink: &mut dyn ElementSink) {
        let mut tags = Vec::new();
        for node in nodes {
            self.tags(&node.keys, &node.values, &mut tags);
            sink.node(node.id, self.position(node.lat, node.lon), &tags);
        }
    }

    fn pass_dense_nodes(&self, dense: &DenseNodes, sink: &mut dyn ElementSink) -> Result<(), String> {
        if dense.lats.len() != dense.ids.len() || dense.lons.len() != dense.ids.len() {
            return Err("dense nodes: ids and positions differ in number".to_owned());
        }
        let mut tags = Vec::new();
        let mut keys_values = dense.keys_values.iter();
        for ((&id, &lat), &lon) in dense.ids.iter().zip(&dense.lats).zip(&dense.lons) {
            tags.clear();
            // Keys and values of one node after another, a zero after each node; empty when no node has any.
            while let Some(&key) = keys_values.next() {
                if key == 0 {
                    break;
                }
                let value = keys_values.next().copied().unwrap_or(0);
                tags.push((self.text(key as usize), self.text(value as usize)));
            }
            sink.node(id, self.position(lat, lon), &tags);
        }
        Ok(())
    }

    /// Nodes without tags. Those with tags are in the file themselves, before the ways.
    fn pass_nodes_of_ways(&self, ways: &[Way], sink: &mut dyn ElementSink) {
        for Way { refs, lats, lons, .. } in ways {
            for ((&id, &lat), &lon) in refs.iter().zip(lats).zip(lons) {
                sink.node(id, self.position(lat, lon), &[]);
            }
        }
    }

    fn pass_ways(&self, ways: &[Way], sink: &mut dyn ElementSink) {
        let mut tags = Vec::new();
        for way in ways {
            self.tags(&way.keys, &way.values, &mut tags);
            sink.way(way.id, &way.refs, &tags);
        }
    }

    fn pass_relations(&self, relations: &[Relation], sink: &mut dyn ElementSink) {
        let (mut tags, mut members) = (Vec::new(), Vec::new());
        for relation in relations {
            members.clear();
            let roles = relation.roles.iter().map(|r| usize::try_from(*r).unwrap_or(0));
            for ((&id, kind), role) in relation.member_ids.iter().zip(&relation.member_kinds).zip(roles) {
                let kind = match kind {
                    0 => MemberKind::Node,
                    1 => MemberKind::Way,
                    _ => MemberKind::Relation,
                };
                members.push(RawMember { kind, id, role: self.text(role) });
            }
            self.tags(&relation.keys, &relation.values, &mut tags);
            sink.relation(relation.id, &members, &tags);
        }
    }
}
