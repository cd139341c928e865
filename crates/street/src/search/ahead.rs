//! Fetches the memory that vertices need when they are expanded. A search in a large city would otherwise wait for memory
//! more than half of its time.

use trestle_model::prefetch::prefetch;

use crate::arc::Arc;

/// What a search reads of the graph at each vertex.
#[derive(Clone, Copy, Default)]
pub(super) struct Ahead<'g> {
    pub(super) arcs: &'g [Arc],
    pub(super) first_arc: &'g [u32],
    pub(super) vertex_flags: &'g [u16],
    /// By arc; empty where they are in another order or not read at all.
    pub(super) max_slopes: &'g [f32],
}

impl<'g> Ahead<'g> {
    /// Begins to fetch what is read of a vertex and its arcs. The arcs of most vertices are in one or two cache lines.
    #[inline(always)]
    pub(super) fn fetch(self, vertex: u32) {
        let Some([first, end]) = self.arcs_of(vertex) else { return };
        prefetch(self.arcs, first);
        prefetch(self.arcs, end.wrapping_sub(1));
        prefetch(self.vertex_flags, vertex as usize);
        prefetch(self.max_slopes, first);
    }

    /// Where the arcs of a vertex lead.
    #[inline(always)]
    pub(super) fn ends(self, vertex: u32) -> impl Iterator<Item = u32> {
        let arcs = self.arcs_of(vertex).and_then(|[first, end]| self.arcs.get(first..end));
        arcs.unwrap_or_default().iter().map(|arc| arc.end)
    }

    /// The first arc of a vertex and the one after its last; `None` for what is not a vertex.
    #[inline(always)]
    fn arcs_of(self, vertex: u32) -> Option<[usize; 2]> {
        let both = self.first_arc.get(vertex as usize..)?.first_chunk()?;
        Some(both.map(|arc: u32| arc as usize))
    }
}
