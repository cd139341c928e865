//! Options that programs may give.

/// Declares an object of options for programs, and what each option sets in the engine's options:
///
/// ```ignore
/// given! {
///     pub struct WalkOptions for EngineOptions {
///         needed {
///             // Must be given. Sets `engine.start`:
///             pub start: u32,
///             // Must be given. Sets `engine.position` to a value made from the given one:
///             pub position: Coordinate = LatLon::new(position.lat, position.lon),
///         }
///         // All others may be absent, and then leave the engine's default. Sets `engine.speed`:
///         pub speed: Option<f64>,
///         // Sets `engine.mode` to a value made from the given one, or fails:
///         pub mode: Option<String> = mode_of(&mode)?,
///         // Sets `engine.street.no_stairs`, and so on for any other place:
///         pub avoid_stairs: Option<bool> => street.no_stairs,
///         // Sets `engine.limit.minutes` in the same way:
///         pub max_seconds: Option<f64> => limit.minutes = max_seconds / 60.0,
///         // Sets nothing; the caller reads it first:
///         pub output: Option<String> => _,
///     }
/// }
/// let engine: EngineOptions = options.into_engine_options()?;
/// ```
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
            /// The engine's options: what is given, and the defaults of the rest.
            pub(crate) fn into_engine_options(self) -> crate::error::Coded<$target> {
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
