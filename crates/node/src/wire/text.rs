//! Values that cross as JSON text, which `src/native/texts.ts` parses. JavaScript's own parser makes an object of a
//! thousand members in a fraction of the time that setting them one by one takes, and the text is written on the search
//! thread.

use serde::Serialize;

use crate::error::{Coded, CodedError};

/// The JSON text of a value.
pub(crate) fn written(value: &impl Serialize) -> Coded<String> {
    serde_json::to_string(value).map_err(|error| CodedError::new("PANIC", format!("internal error: {error}")))
}

/// Declares an object as `made!` does. It is written as JSON text, without its absent members.
macro_rules! text_object {
    (
        $(#[$about:meta])*
        pub struct $name:ident $(from $values:tt)? {
            $($(#[$doc:meta])* pub $member:ident: $type:ident $(<$of:ty>)? $(= $made:expr)?,)*
        }
    ) => {
        crate::wire::made::made! {
            $(#[$about])*
            #[derive(serde::Serialize)]
            #[serde(rename_all = "camelCase")]
            pub struct $name $(from $values)? {
                $(
                    $(#[$doc])*
                    #[serde(skip_serializing_if = "crate::wire::text::MayBeAbsent::is_absent")]
                    pub $member: $type $(<$of>)? $(= $made)?,
                )*
            }
        }

        impl crate::wire::text::MayBeAbsent for $name {}
    };
}
pub(crate) use text_object;

/// A member of an object that is written as JSON text. The text leaves it out where it is absent.
///
/// `text_object!` puts one attribute on all members, because it cannot see which are optional. So every type of a member
/// needs an `impl`, and in Rust one `impl` cannot be for all types but `Option`.
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
