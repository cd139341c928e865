//! Options that programs may give.

/// Declares an object of options, which may be absent except for those that are `needed`, and what each of them sets in
/// the engine's options: the member of the same name, or the one behind `=>` (`_`: none); to the same value, or to the one
/// behind `=`.
macro_rules! given {
    (
        $(#[$about:meta])*
        pub struct $name:ident for $target:ty {
            $(needed {
                $($(#[$needed_doc:meta])* pub $needed:ident: $needed_type:ty $(= $needed_value:expr)?,)*
            })?
            $(
                $(#[$doc:meta])*
                pub $member:ident: Option<$type:ty> $(=> $($place:tt).+)? $(= $value:expr)?,
            )*
        }
    ) => {
        $(#[$about])*
        #[napi_derive::napi(object, object_to_js = false)]
        #[derive(Default)]
        pub struct $name {
            $($($(#[$needed_doc])* pub $needed: $needed_type,)*)?
            $($(#[$doc])* pub $member: Option<$type>,)*
        }

        impl $name {
            /// The engine's options: what is given, and defaults.
            pub(crate) fn over_defaults(self) -> crate::error::Coded<$target> {
                let mut target = <$target>::default();
                $($(
                    let $needed = self.$needed;
                    given!(@set target $needed [] [$($needed_value)?]);
                )*)?
                $(
                    if let Some($member) = self.$member {
                        given!(@set target $member [$($($place).+)?] [$($value)?]);
                    }
                )*
                Ok(target)
            }
        }
    };
    (@set $target:ident $member:ident [_] []) => { let _ = $member; };
    (@set $target:ident $member:ident [] []) => { $target.$member = $member; };
    (@set $target:ident $member:ident [] [$value:expr]) => { $target.$member = $value; };
    (@set $target:ident $member:ident [$($place:tt).+] []) => { $target.$($place).+ = $member; };
    (@set $target:ident $member:ident [$($place:tt).+] [$value:expr]) => { $target.$($place).+ = $value; };
}
pub(crate) use given;
