//! Columns of numbers that cross in one buffer. A typed array that owns its memory costs the garbage collector more
//! than the few numbers in it; views of one buffer cost next to nothing.

use napi::bindgen_prelude::{
    ArrayBuffer, Float64ArraySlice, Int32ArraySlice, Uint8ArraySlice, Uint32ArraySlice,
};

/// Declares an object of columns for programs, and what the numbers of each column are:
///
/// ```ignore
/// packed! {
///     pub struct Stops from (stops: &[engine::Stop]) {
///         pub numbers: Uint32ArraySlice = stops.iter().map(|stop| stop.number),
///         pub heights: Float64ArraySlice = stops.iter().map(|stop| stop.height),
///     }
/// }
/// let columns = Stops::pack(env, &stops)?;
/// ```
macro_rules! packed {
    (
        $(#[$about:meta])*
        pub struct $name:ident from ($($value:ident: $source:ty),+) {
            $($(#[$doc:meta])* pub $member:ident: $column:ident = $numbers:expr,)*
        }
    ) => {
        #[napi_derive::napi(object, object_from_js = false)]
        $(#[$about])*
        pub struct $name<'env> {
            $($(#[$doc])* pub $member: $column<'env>,)*
        }

        impl<'env> $name<'env> {
            pub(crate) fn pack(env: &'env napi::Env, $($value: $source),+) -> napi::Result<Self> {
                use crate::wire::packed::Column;
                let mut bytes = Vec::new();
                $(let $member = $column::append(&mut bytes, $numbers);)*
                let buffer = napi::bindgen_prelude::ArrayBuffer::from_data(env, bytes)?;
                Ok($name { $($member: $column::view(&buffer, $member)?,)* })
            }
        }
    };
}
pub(crate) use packed;

/// Where a column is in the buffer.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    offset: usize,
    length: usize,
}

/// A view of a buffer as numbers of one type.
pub(crate) trait Column<'env>: Sized {
    type Number;

    /// Appends the numbers to the bytes of the buffer.
    fn append(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = Self::Number>) -> Span;

    fn view(buffer: &ArrayBuffer<'env>, span: Span) -> napi::Result<Self>;
}

macro_rules! column {
    ($column:ident, $number:ty) => {
        impl<'env> Column<'env> for $column<'env> {
            type Number = $number;

            fn append(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = $number>) -> Span {
                // JavaScript refuses a column that does not start at a multiple of its numbers' size.
                let offset = bytes.len().next_multiple_of(size_of::<$number>());
                bytes.resize(offset, 0);
                numbers.for_each(|number| bytes.extend_from_slice(&number.to_ne_bytes()));
                Span { offset, length: (bytes.len() - offset) / size_of::<$number>() }
            }

            fn view(buffer: &ArrayBuffer<'env>, span: Span) -> napi::Result<Self> {
                $column::from_arraybuffer(buffer, span.offset, span.length)
            }
        }
    };
}

column!(Float64ArraySlice, f64);
column!(Uint32ArraySlice, u32);
column!(Int32ArraySlice, i32);
column!(Uint8ArraySlice, u8);
