//! Notices that a PBF file has several versions of an element, even if its header does not say so.

use prost::Message;
use prost::bytes::Bytes;

use super::NO_HISTORY;
use super::pbf_messages::{DenseInfo, DenseNodes, Info, Node, Relation, Way};

/// An element with its version, if the file has one.
#[derive(Clone, Copy)]
pub(super) struct Version {
    id: i64,
    number: Option<i32>,
}

/// The first and the last element of a list.
pub(super) type Ends = (Version, Version);

impl Version {
    /// Checks that the next element of the file is not another version of this one.
    ///
    /// # Errors
    /// What to do about a file with several versions.
    pub(super) fn check_next(self, next: Version) -> Result<(), String> {
        let is_other = self.number.zip(next.number).is_some_and(|(number, next)| number != next);
        if self.id == next.id && is_other {
            return Err(format!("several versions of {}: {NO_HISTORY}", self.id));
        }
        Ok(())
    }
}

pub(super) fn check_nodes(nodes: &[Node]) -> Result<Option<Ends>, String> {
    check(nodes.len(), |i| nodes[i].id, |i| version_in(nodes[i].info.as_ref()))
}

pub(super) fn check_dense_nodes(nodes: &DenseNodes) -> Result<Option<Ends>, String> {
    let info = nodes.info.clone().and_then(|info| DenseInfo::decode(info).ok()).unwrap_or_default();
    check(nodes.ids.len(), |i| nodes.ids[i], |i| info.versions.get(i).copied())
}

pub(super) fn check_ways(ways: &[Way]) -> Result<Option<Ends>, String> {
    check(ways.len(), |i| ways[i].id, |i| version_in(ways[i].info.as_ref()))
}

pub(super) fn check_relations(relations: &[Relation]) -> Result<Option<Ends>, String> {
    check(relations.len(), |i| relations[i].id, |i| version_in(relations[i].info.as_ref()))
}

/// The ends of a list, if all of its elements are different ones: the versions of an element follow one another.
fn check(
    count: usize,
    id: impl Fn(usize) -> i64,
    number: impl Fn(usize) -> Option<i32>,
) -> Result<Option<Ends>, String> {
    let version = |i| Version { id: id(i), number: number(i).filter(|&number| number >= 0) };
    for i in 1..count {
        if id(i - 1) == id(i) {
            version(i - 1).check_next(version(i))?;
        }
    }
    Ok((count > 0).then(|| (version(0), version(count - 1))))
}

/// Damaged information about an element says nothing; nothing else depends on it.
fn version_in(info: Option<&Bytes>) -> Option<i32> {
    Info::decode(info?.clone()).ok()?.version
}
