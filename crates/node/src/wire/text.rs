//! Values that cross as JSON text, which `src/native/texts.ts` parses. JavaScript's own parser makes an object of a
//! thousand members in a fraction of the time that setting them one by one takes, and the text is written on the search
//! thread.

use serde::Serialize;

use crate::error::{Coded, CodedError};

/// The JSON text of a value.
pub(crate) fn written(value: &impl Serialize) -> Coded<String> {
    serde_json::to_string(value).map_err(|error| CodedError::new("PANIC", format!("internal error: {error}")))
}

/// Declares an object that is written as JSON text, and its type in TypeScript. Made `from` a value of the engine, it has
/// the members of the same names of that value, and what stands behind a `=` for those that differ.
macro_rules! text_object {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$doc:meta])* pub $member:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[napi_derive::napi(object, object_from_js = false)]
        #[derive(serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $(
                $(#[$doc])*
                #[serde(skip_serializing_if = "crate::wire::text::MayBeAbsent::is_absent")]
                pub $member: $type,
            )*
        }

        impl crate::wire::text::MayBeAbsent for $name {}
    };
    (
        $(#[$about:meta])*
        pub struct $name:ident from $value:ident: $source:ty {
            $($(#[$doc:meta])* pub $member:ident: $type:ty $(= $made:expr)?,)*
        }
    ) => {
        text_object! {
            $(#[$about])*
            pub struct $name {
                $($(#[$doc])* pub $member: $type,)*
            }
        }

        impl From<$source> for $name {
            fn from($value: $source) -> Self {
                $name { $($member: text_object!($value $member $($made)?),)* }
            }
        }
    };
    ($value:ident $member:ident) => { $value.$member };
    ($value:ident $member:ident $made:expr) => { $made };
}
pub(crate) use text_object;

/// A member of an object that is written as JSON text. The text leaves it out where it is absent.
pub(crate) trait MayBeAbsent {
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T> MayBeAbsent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> MayBeAbsent for Vec<T> {}
impl MayBeAbsent for String {}
impl MayBeAbsent for bool {}
impl MayBeAbsent for f64 {}
impl MayBeAbsent for i32 {}
impl MayBeAbsent for i64 {}
impl MayBeAbsent for u32 {}

/// A list of values made of others.
pub(crate) fn each<T, U: From<T>>(values: Vec<T>) -> Vec<U> {
    values.into_iter().map(U::from).collect()
}
