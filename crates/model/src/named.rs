//! Enums whose variants have names.

/// Declares an enum whose variants have their names in the interface beside them.
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])* $visibility:vis enum $enum:ident {
            $($(#[$doc:meta])* $variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$about])*
        $visibility enum $enum {
            $($(#[$doc])* $variant,)*
        }

        #[allow(dead_code)]
        impl $enum {
            /// All of them, in their order.
            $visibility const ALL: &'static [$enum] = &[$($enum::$variant),*];

            /// Its name in the interface.
            $visibility fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)*
                }
            }

            /// All of them with their names.
            $visibility fn named() -> impl Iterator<Item = (&'static str, $enum)> + Clone {
                $enum::ALL.iter().map(|one| (one.name(), *one))
            }

            /// The one with this name.
            $visibility fn from_name(name: &str) -> Option<$enum> {
                $enum::named().find(|(known, _)| *known == name).map(|(_, one)| one)
            }
        }
    };
}
