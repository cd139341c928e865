//! Objects that answers consist of.

/// Declares an object for programs and, with `from`, what it is made of.
///
/// Made of one value, it gets `From`, and so `into()`. Members without `=` are those of the same name of that value:
///
/// ```ignore
/// made! {
///     pub struct Stop from (stop: engine::Stop) {
///         pub name: String,
///         pub lat: f64 = stop.position.lat,
///     }
/// }
/// let stop = Stop::from(stop);
/// ```
///
/// Made of several values, it gets the function `of` with these as parameters. Each member needs `=`:
///
/// ```ignore
/// made! {
///     pub struct Stop from (texts: &Texts, stop: engine::Stop) {
///         pub name: String = texts.get(stop.name),
///         pub lat: f64 = stop.position.lat,
///     }
/// }
/// let stop = Stop::of(&texts, stop);
/// ```
macro_rules! made {
    // A type is matched in parts: in one matched as a whole, napi-rs does not recognize an `Option` and would write
    // `null` where it is empty.
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
