//! Messages of the OSM PBF format (fileformat.proto and osmformat.proto). Groups keep their elements as bytes, so
//! that a pass decodes only the kind it wants.

use prost::bytes::Bytes;

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct BlobHeader {
    #[prost(string, tag = "1")]
    pub(super) kind: String,
    #[prost(int32, tag = "3")]
    pub(super) data_size: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Blob {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub(super) raw: Option<Bytes>,
    #[prost(int32, optional, tag = "2")]
    pub(super) raw_size: Option<i32>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub(super) zlib: Option<Bytes>,
    /// Compressions that are not supported, so that messages can name them.
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub(super) lzma: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "6")]
    pub(super) lz4: Option<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "7")]
    pub(super) zstd: Option<Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct HeaderBlock {
    #[prost(string, repeated, tag = "4")]
    pub(super) required_features: Vec<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct PrimitiveBlock {
    #[prost(message, optional, tag = "1")]
    pub(super) strings: Option<StringTable>,
    #[prost(message, repeated, tag = "2")]
    pub(super) groups: Vec<PrimitiveGroup>,
    #[prost(int32, optional, tag = "17")]
    pub(super) granularity: Option<i32>,
    #[prost(int64, optional, tag = "19")]
    pub(super) lat_offset: Option<i64>,
    #[prost(int64, optional, tag = "20")]
    pub(super) lon_offset: Option<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct StringTable {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub(super) texts: Vec<Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct PrimitiveGroup {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub(super) nodes: Vec<Bytes>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub(super) dense: Option<Bytes>,
    #[prost(bytes = "bytes", repeated, tag = "3")]
    pub(super) ways: Vec<Bytes>,
    #[prost(bytes = "bytes", repeated, tag = "4")]
    pub(super) relations: Vec<Bytes>,
}

/// What is known of a node, way or relation apart from itself.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Info {
    #[prost(int32, optional, tag = "1")]
    pub(super) version: Option<i32>,
}

/// The same of all nodes of a list.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct DenseInfo {
    #[prost(int32, repeated, tag = "1")]
    pub(super) versions: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Node {
    #[prost(sint64, tag = "1")]
    pub(super) id: i64,
    #[prost(uint32, repeated, tag = "2")]
    pub(super) keys: Vec<u32>,
    #[prost(uint32, repeated, tag = "3")]
    pub(super) values: Vec<u32>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub(super) info: Option<Bytes>,
    #[prost(sint64, tag = "8")]
    pub(super) lat: i64,
    #[prost(sint64, tag = "9")]
    pub(super) lon: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct DenseNodes {
    #[prost(sint64, repeated, tag = "1")]
    pub(super) ids: Vec<i64>,
    #[prost(bytes = "bytes", optional, tag = "5")]
    pub(super) info: Option<Bytes>,
    #[prost(sint64, repeated, tag = "8")]
    pub(super) lats: Vec<i64>,
    #[prost(sint64, repeated, tag = "9")]
    pub(super) lons: Vec<i64>,
    #[prost(int32, repeated, tag = "10")]
    pub(super) keys_values: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Way {
    #[prost(int64, tag = "1")]
    pub(super) id: i64,
    #[prost(uint32, repeated, tag = "2")]
    pub(super) keys: Vec<u32>,
    #[prost(uint32, repeated, tag = "3")]
    pub(super) values: Vec<u32>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub(super) info: Option<Bytes>,
    #[prost(sint64, repeated, tag = "8")]
    pub(super) refs: Vec<i64>,
    /// Positions of the nodes, in files that leave out nodes without tags.
    #[prost(sint64, repeated, tag = "9")]
    pub(super) lats: Vec<i64>,
    #[prost(sint64, repeated, tag = "10")]
    pub(super) lons: Vec<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Relation {
    #[prost(int64, tag = "1")]
    pub(super) id: i64,
    #[prost(uint32, repeated, tag = "2")]
    pub(super) keys: Vec<u32>,
    #[prost(uint32, repeated, tag = "3")]
    pub(super) values: Vec<u32>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub(super) info: Option<Bytes>,
    #[prost(int32, repeated, tag = "8")]
    pub(super) roles: Vec<i32>,
    #[prost(sint64, repeated, tag = "9")]
    pub(super) member_ids: Vec<i64>,
    #[prost(int32, repeated, tag = "10")]
    pub(super) member_kinds: Vec<i32>,
}
