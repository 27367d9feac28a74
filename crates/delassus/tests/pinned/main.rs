//! What every law and solver computes today, number by number and count by count, over seeded problems: some thousand answers.
//!
//! This says nothing about right or wrong: closed forms, second methods and properties in the other tests do. It says that
//! nothing has changed unnoticed. The library promises the same bits on every machine, so velocities and impulses are held to
//! eleven digits, and statuses, verdicts, states and counts of the work (iterations, restarts, events) exactly. Whoever means
//! to change a number (another pivot rule, fewer steps) looks at what this prints, makes sure that it is what was meant,
//! and accepts it:
//!
//! ```sh
//! DELASSUS_PINNED=accept cargo test -p delassus --test pinned
//! ```
//!
//! A line of `pinned/*.txt` is one problem: its name, words that must be equal, and numbers. So that lines stay short a number
//! is a weighted sum over the entries of a vector (`u` velocities, `p` impulses, `c` those of compression, `a` other
//! solutions, `e` energies of contacts, `x` and `z` the unknowns of solvers, `r` residuals that fail, `g` and `f` entries of a
//! path or a matrix). Lines that say "together" are sums over several problems: rare events need many of them.

#[path = "../common/asking.rs"]
mod asking;
mod draw;
#[path = "../lzb_support/hard.rs"]
mod hard;
mod impacts;
#[path = "../common/packing.rs"]
mod packing;
mod pieces;
mod record;
mod solvers;
mod sparse;

use record::Records;

/// One test for each file, so that they run side by side.
macro_rules! pinned {
    ($($name:ident: $records:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let records: Records = $records;
                records.compare(stringify!($name));
            }
        )*
    };
}

pinned! {
    newton: impacts::newton();
    moreau: impacts::moreau();
    poisson: impacts::poisson();
    kinematic: impacts::kinematic();
    single_contacts: impacts::single_contacts();
    sequences: impacts::sequences();
    lzb: impacts::lzb();
    lzb_variants: impacts::lzb_variants();
    lzb_space: impacts::lzb_space();
    planar_inclusions: solvers::planar();
    spatial_inclusions: solvers::spatial();
    enumerations: solvers::enumerations();
    complementarity: solvers::complementarity();
    contacts_plane: sparse::plane();
    contacts_space: sparse::space();
    pieces: pieces::all();
}
