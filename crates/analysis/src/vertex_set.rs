//! Sets of street vertices that take memory for what they hold and not for the graph: neighbours in the streets have
//! neighbouring numbers, so a reached area is a few blocks of numbers.

use std::ops::Range;

use trestle_model::processors::{Supply, on_processors};

/// Number of blocks in a piece of a set that is worth more than one thread. A smaller set is one piece.
const PIECE: usize = 2;
/// Number of vertices that are worth a thread: to look at them takes a few times as long as starting one.
pub const WORTH_A_THREAD: usize = 8_000;

/// Vertices of a block: a bit each in as many words as a word has bits.
const BLOCK: u32 = WORDS as u32 * u64::BITS;
const WORDS: usize = u64::BITS as usize;

/// Vertices whose numbers are next to each other.
#[derive(Clone, Debug)]
struct Block {
    /// The first of these numbers, divided by [`BLOCK`].
    number: u32,
    /// A bit for each vertex that is in the set.
    words: [u64; WORDS],
    /// How many vertices of the set come before each word.
    before: [u32; WORDS],
}

/// A set of vertices. Each has a position: the number of vertices of the set that have smaller numbers. What is known of
/// the vertices can be kept in arrays by position.
#[derive(Clone, Debug, Default)]
pub struct VertexSet {
    /// Position in `blocks`, plus 1, of each block up to the last one; 0 where there is none.
    places: Vec<u32>,
    /// In ascending order.
    blocks: Vec<Block>,
    count: usize,
}

impl VertexSet {
    /// A set of these vertices, which may repeat, in any order.
    pub fn of(vertices: impl IntoIterator<Item = u32>) -> VertexSet {
        let mut set = VertexSet::default();
        vertices.into_iter().for_each(|vertex| set.insert(vertex));
        set.number();
        set
    }

    fn insert(&mut self, vertex: u32) {
        let number = vertex / BLOCK;
        let place = match self.places.get(number as usize) {
            Some(&place) if place != 0 => place,
            _ => self.add_block(number),
        };
        let block = &mut self.blocks[place as usize - 1];
        block.words[word_of(vertex)] |= bit_of(vertex);
    }

    #[cold]
    fn add_block(&mut self, number: u32) -> u32 {
        self.blocks.push(Block { number, words: [0; WORDS], before: [0; WORDS] });
        let place = self.blocks.len() as u32;
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, 0);
        }
        self.places[number as usize] = place;
        place
    }

    /// Puts the blocks in order and counts what is in them.
    fn number(&mut self) {
        self.blocks.sort_unstable_by_key(|block| block.number);
        let mut count = 0;
        for (place, block) in (1..).zip(&mut self.blocks) {
            self.places[block.number as usize] = place;
            for (before, word) in block.before.iter_mut().zip(&block.words) {
                *before = count;
                count += word.count_ones();
            }
        }
        self.count = count as usize;
        self.blocks.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The position of a vertex, if it is in the set.
    #[inline]
    pub fn position(&self, vertex: u32) -> Option<usize> {
        let place = *self.places.get((vertex / BLOCK) as usize)?;
        let block = self.blocks.get((place as usize).wrapping_sub(1))?;
        let (at, bit) = (word_of(vertex), bit_of(vertex));
        let word = block.words[at];
        (word & bit != 0).then(|| (block.before[at] + (word & (bit - 1)).count_ones()) as usize)
    }

    /// The vertices in ascending order, which is that of their positions.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        within(&self.blocks)
    }

    /// What `of` makes of each piece of the set, in order. The pieces of large sets are divided among all processors; a small
    /// set is one piece, so that nothing has to be joined.
    pub fn map_pieces<T: Send>(&self, of: impl Fn(&VertexPiece<'_>) -> T + Sync) -> Vec<T> {
        let supply = Supply::of(self.pieces().enumerate());
        let made = on_processors(self.count / WORTH_A_THREAD, || {
            let taken = std::iter::from_fn(|| supply.take());
            taken.map(|(number, piece)| (number, of(&piece))).collect::<Vec<_>>()
        });
        let mut made: Vec<(usize, T)> = made.into_iter().flatten().collect();
        made.sort_unstable_by_key(|(number, _)| *number);
        made.into_iter().map(|(_, made)| made).collect()
    }

    /// A table of what `of` makes of each position.
    pub fn table<T: Copy + Default + Send>(&self, of: impl Fn(usize) -> T + Sync) -> VertexTable<'_, T> {
        let mut values = vec![T::default(); self.blocks.len() * BLOCK as usize];
        let parts = values.chunks_mut(self.piece_length() * BLOCK as usize);
        let supply = Supply::of(self.pieces().zip(parts));
        on_processors(self.count / WORTH_A_THREAD, || {
            while let Some((piece, values)) = supply.take() {
                for (block, values) in piece.blocks.iter().zip(values.chunks_mut(BLOCK as usize)) {
                    let vertices = within(std::slice::from_ref(block));
                    for (position, vertex) in (block.before[0] as usize..).zip(vertices) {
                        values[(vertex % BLOCK) as usize] = of(position);
                    }
                }
            }
        });
        drop(supply);
        VertexTable { set: self, values }
    }

    /// Blocks of a piece.
    fn piece_length(&self) -> usize {
        if self.count < 2 * WORTH_A_THREAD { self.blocks.len().max(1) } else { PIECE }
    }

    /// The set in pieces, in order.
    fn pieces(&self) -> impl Iterator<Item = VertexPiece<'_>> {
        self.blocks.chunks(self.piece_length()).map(|blocks| {
            let count =
                |block: &Block| block.words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
            let first = blocks.first().map_or(0, |block| block.before[0] as usize);
            VertexPiece { positions: first..first + blocks.iter().map(count).sum::<usize>(), blocks }
        })
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>() + self.blocks.capacity() * size_of::<Block>()
    }
}

/// A value for each vertex of a set. Looking a value up is quicker than finding a position, but the table has room for
/// all vertices of the set's blocks.
pub struct VertexTable<'s, T> {
    set: &'s VertexSet,
    /// Block by block, with defaults for vertices that are not in the set.
    values: Vec<T>,
}

impl<T: Copy + Default> VertexTable<'_, T> {
    /// The value of a vertex; the default for one that is not in the set.
    #[inline]
    pub fn get(&self, vertex: u32) -> T {
        let place = self.set.places.get((vertex / BLOCK) as usize).copied().unwrap_or_default();
        let first = (place as usize).wrapping_sub(1).wrapping_mul(BLOCK as usize);
        self.values.get(first.wrapping_add((vertex % BLOCK) as usize)).copied().unwrap_or_default()
    }
}

/// Some consecutive vertices of a set.
#[derive(Clone, Debug)]
pub struct VertexPiece<'a> {
    /// Their positions.
    pub positions: Range<usize>,
    blocks: &'a [Block],
}

impl<'a> VertexPiece<'a> {
    /// The vertices in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + 'a {
        within(self.blocks)
    }
}

/// The vertices in some blocks.
fn within(blocks: &[Block]) -> Vertices<'_> {
    Vertices { blocks: blocks.iter(), words: [].iter(), first: 0, left: 0 }
}

/// An iterator over the vertices of blocks. It is written out because nested adapters take twice as long.
struct Vertices<'a> {
    blocks: std::slice::Iter<'a, Block>,
    /// The words of the block that are still to come.
    words: std::slice::Iter<'a, u64>,
    /// The number of the vertex of the next word's first bit.
    first: u32,
    /// The bits of the current word that are still to come.
    left: u64,
}

impl Iterator for Vertices<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.left == 0 {
            if let Some(word) = self.words.next() {
                self.left = *word;
            } else {
                let block = self.blocks.next()?;
                self.words = block.words.iter();
                self.first = block.number * BLOCK;
                continue;
            }
            self.first += u64::BITS;
        }
        let vertex = self.first - u64::BITS + self.left.trailing_zeros();
        self.left &= self.left - 1;
        Some(vertex)
    }
}

fn word_of(vertex: u32) -> usize {
    (vertex % BLOCK / u64::BITS) as usize
}

fn bit_of(vertex: u32) -> u64 {
    1 << (vertex % u64::BITS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_set_is_in_order_and_knows_positions(
            near in prop::collection::vec(0u32..300, 0..200),
            far in prop::collection::vec(0u32..40_000_000, 0..50),
        ) {
            let vertices: Vec<u32> = far.into_iter().chain(near).collect();
            let sorted: Vec<u32> = vertices.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
            let set = VertexSet::of(vertices.iter().copied());
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), sorted.clone());
            prop_assert_eq!(set.len(), sorted.len());
            let pieces = set.map_pieces(|piece| {
                (piece.iter().collect::<Vec<_>>() == sorted[piece.positions.clone()], piece.positions.clone())
            });
            prop_assert!(pieces.iter().all(|(is_there, _)| *is_there));
            let ends = pieces.iter().map(|(_, positions)| positions.end);
            let firsts: Vec<usize> = std::iter::once(0).chain(ends).collect();
            prop_assert_eq!(firsts.last(), Some(&sorted.len()));
            prop_assert!(pieces.iter().zip(firsts).all(|((_, positions), first)| positions.start == first));
            let table = set.table(|position| Some(position * 3));
            for vertex in vertices.iter().flat_map(|&v| [v, v + 1, v ^ 64]) {
                prop_assert_eq!(set.position(vertex), sorted.binary_search(&vertex).ok());
                prop_assert_eq!(table.get(vertex), set.position(vertex).map(|position| position * 3));
            }
        }
    }

    #[test]
    fn pieces_of_a_large_set_come_in_order() {
        let set = VertexSet::of((0..3 * WORTH_A_THREAD as u32).map(|i| i * 7));
        let pieces = set.map_pieces(|piece| (piece.positions.clone(), piece.iter().collect::<Vec<_>>()));
        assert!(pieces.len() > 2);
        assert!(pieces.iter().all(|(positions, vertices)| positions.len() == vertices.len()));
        assert!(pieces.windows(2).all(|two| two[0].0.end == two[1].0.start));
        assert!(pieces.into_iter().flat_map(|(_, vertices)| vertices).eq(set.iter()));
        let table = set.table(Some);
        assert!(set.iter().enumerate().all(|(position, vertex)| table.get(vertex) == Some(position)));
    }

    #[test]
    fn an_area_takes_memory_for_itself() {
        let area = VertexSet::of(30_000_000..30_100_000);
        assert_eq!(area.position(30_000_123), Some(123));
        assert!(area.bytes() < 60_000, "{}", area.bytes());
    }
}
