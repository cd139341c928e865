//! Columns of numbers that cross in one buffer. A typed array that owns its memory costs the garbage collector more
//! than the few numbers in it; views of one buffer cost next to nothing.

use napi::bindgen_prelude::{
    ArrayBuffer, Env, Float64ArraySlice, Int32ArraySlice, Uint8ArraySlice, Uint32ArraySlice,
};

/// Collects columns. The widest numbers come first: each column must start at a multiple of its numbers' size.
#[derive(Default)]
pub(crate) struct Packing {
    bytes: Vec<u8>,
}

/// Where a column is in the buffer.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    offset: usize,
    length: usize,
}

macro_rules! column {
    ($name:ident, $number:ty) => {
        pub(crate) fn $name(&mut self, numbers: impl Iterator<Item = $number>) -> Span {
            let offset = self.bytes.len();
            numbers.for_each(|number| self.bytes.extend_from_slice(&number.to_ne_bytes()));
            Span { offset, length: (self.bytes.len() - offset) / size_of::<$number>() }
        }
    };
}

impl Packing {
    column!(f64s, f64);
    column!(u32s, u32);
    column!(i32s, i32);
    column!(u8s, u8);

    /// The columns as one buffer.
    pub(crate) fn finish(self, env: &Env) -> napi::Result<Packed<'_>> {
        Ok(Packed { buffer: ArrayBuffer::from_data(env, self.bytes)? })
    }
}

/// Columns in one buffer.
pub(crate) struct Packed<'env> {
    buffer: ArrayBuffer<'env>,
}

impl<'env> Packed<'env> {
    pub(crate) fn f64s(&self, span: Span) -> napi::Result<Float64ArraySlice<'env>> {
        Float64ArraySlice::from_arraybuffer(&self.buffer, span.offset, span.length)
    }

    pub(crate) fn u32s(&self, span: Span) -> napi::Result<Uint32ArraySlice<'env>> {
        Uint32ArraySlice::from_arraybuffer(&self.buffer, span.offset, span.length)
    }

    pub(crate) fn i32s(&self, span: Span) -> napi::Result<Int32ArraySlice<'env>> {
        Int32ArraySlice::from_arraybuffer(&self.buffer, span.offset, span.length)
    }

    pub(crate) fn u8s(&self, span: Span) -> napi::Result<Uint8ArraySlice<'env>> {
        Uint8ArraySlice::from_arraybuffer(&self.buffer, span.offset, span.length)
    }
}
