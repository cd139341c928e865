//! Objects that answers consist of.

/// Declares an object and, with `from`, what it is made of. Made of one value, it has the members of the same names of
/// that value, and what stands behind a `=` for those that differ. A type is taken apart, because napi-rs would see no
/// `Option` in a whole one, and would write `null` where it is empty.
macro_rules! made {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$doc:meta])* pub $member:ident: $type:ident $(<$of:ty>)?,)*
        }
    ) => {
        #[napi_derive::napi(object, object_from_js = false)]
        $(#[$about])*
        pub struct $name {
            $($(#[$doc])* pub $member: $type $(<$of>)?,)*
        }
    };
    (
        $(#[$about:meta])*
        pub struct $name:ident from ($value:ident: $source:ty) {
            $($(#[$doc:meta])* pub $member:ident: $type:ident $(<$of:ty>)? $(= $made:expr)?,)*
        }
    ) => {
        crate::wire::made::made! {
            $(#[$about])*
            pub struct $name {
                $($(#[$doc])* pub $member: $type $(<$of>)?,)*
            }
        }

        impl From<$source> for $name {
            fn from($value: $source) -> Self {
                $name { $($member: crate::wire::made::made!(@member $value $member $($made)?),)* }
            }
        }
    };
    (
        $(#[$about:meta])*
        pub struct $name:ident from ($($value:ident: $source:ty),+) {
            $($(#[$doc:meta])* pub $member:ident: $type:ident $(<$of:ty>)? = $made:expr,)*
        }
    ) => {
        crate::wire::made::made! {
            $(#[$about])*
            pub struct $name {
                $($(#[$doc])* pub $member: $type $(<$of>)?,)*
            }
        }

        impl $name {
            pub(crate) fn of($($value: $source),+) -> Self {
                $name { $($member: $made,)* }
            }
        }
    };
    (@member $value:ident $member:ident) => { $value.$member };
    (@member $value:ident $member:ident $made:expr) => { $made };
}
pub(crate) use made;

/// A list of values made of others.
pub(crate) fn each<T, U: From<T>>(values: Vec<T>) -> Vec<U> {
    values.into_iter().map(U::from).collect()
}
