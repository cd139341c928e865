//! Structs with default values.

/// Declares a struct whose members have their default values beside them.
#[macro_export]
macro_rules! with_defaults {
    (
        $(#[$about:meta])* pub struct $name:ident {
            $($(#[$doc:meta])* pub $member:ident: $type:ty = $default:expr,)*
        }
    ) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$doc])* pub $member: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($member: $default,)* }
            }
        }
    };
}
