//! Reading and writing contact files; damaged ones are refused with their place.

use super::*;

/// Two contacts in space that share a body.
fn problem() -> ContactProblem {
    let mut entries = Vec::new();
    for i in 0..6 {
        for j in 0..6 {
            let value = if i == j { 2.0 + 0.1 * i as f64 } else { 1.0 / (3.0 + (i + j) as f64) };
            entries.push((i, j, value));
        }
    }
    let matrix = BlockMatrix::from_entries(3, 2, entries.into_iter());
    ContactProblem::coulomb(matrix, vec![-1.0, 0.1, 0.2, -0.3, 1.0 / 3.0, 1e-17], &[0.3, 0.0])
}

fn text(file: &ContactFile) -> String {
    let mut out = Vec::new();
    write_dat(file, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn read(text: &str) -> Result<ContactFile, String> {
    read_dat("p.dat", text.as_bytes()).map_err(|e| e.to_string())
}

#[test]
fn dat_files_come_back_to_the_bit() {
    let file = ContactFile::Friction(problem());
    assert_eq!(read(&text(&file)).unwrap(), file);
    let lcp = ContactFile::Lcp {
        matrix: BlockMatrix::from_entries(1, 3, [(0, 0, 2.0), (0, 2, -1.0), (1, 1, 0.1), (2, 2, 3.0)].into_iter()),
        vector: vec![-1.0, 0.0, 1e300],
    };
    assert_eq!(read(&text(&lcp)).unwrap(), lcp);
    // Siconos' solvers of complementarity problems refuse blocks; only what would be too large in full is written by them.
    for (rows, storage) in [(1, "0"), (3, "0"), (1000, "0"), (1001, "1")] {
        let entries = (0..rows).map(|i| (i, i, 1.0 / (1 + i) as f64));
        let file = ContactFile::Lcp { matrix: BlockMatrix::from_entries(1, rows, entries), vector: vec![-1.0; rows] };
        assert_eq!(text(&file).split_whitespace().nth(1), Some(storage), "{rows}");
        assert_eq!(read(&text(&file)).unwrap(), file, "{rows}");
    }
}

#[cfg(feature = "hdf5")]
#[test]
fn fclib_files_come_back_to_the_bit() {
    let bytes = write_fclib(&problem(), "two contacts").unwrap();
    assert_eq!(read_fclib("p.hdf5", bytes).unwrap(), problem());
    let mut other = problem();
    other.laws[0] = delassus::solve::contact::ContactLaw::Joint;
    assert!(write_fclib(&other, "").unwrap_err().to_string().contains("no joints"));
    let empty = ContactProblem::coulomb(BlockMatrix::from_entries(2, 0, std::iter::empty()), vec![], &[]);
    assert_eq!(read_fclib("p.hdf5", write_fclib(&empty, "").unwrap()).unwrap(), empty);
}

/// A printed line of a dense matrix is a column.
#[test]
fn dense_and_sparse_storage() {
    let dense = "2\n1\n0\n2\n2\n2 2\n 4.0 1.0\n 1.5 3.0\n-1 0.5\n0.2\n";
    let ContactFile::Friction(p) = read(dense).unwrap() else { panic!("friction") };
    assert_eq!((p.matrix.get(1, 0), p.matrix.get(0, 1), &p.vector[..]), (1.0, 1.5, &[-1.0, 0.5][..]));
    let columns = "2\n1\n2\n2\n2\n2\nCSparse Version 3.1.9, May 4\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 5\n    \
                   col 0 : locations 0 to 1\n      0 : 4\n      1 : 1\n    col 1 : locations 2 to 2\n      1 : 3\n\
                   -1.0e+00 5.0e-01\n2.0e-01\n";
    let ContactFile::Friction(q) = read(columns).unwrap() else { panic!("friction") };
    assert_eq!((q.matrix.get(1, 0), q.matrix.get(0, 1), &q.vector), (1.0, 0.0, &p.vector));
    let triplets = "2\n1\n2\n2\n2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 3 nnz: 3\n    0 0 : 4\n    1 0 : 1\n    1 1 : 3\n\
                    -1.0e+00 5.0e-01\n2.0e-01\n";
    assert_eq!(read(triplets).unwrap(), ContactFile::Friction(q));
    // Text after the numbers is no matter.
    let lcp = read("1\n0\n1\n1\n1 1\n2\n-3\nRemark 4.1").unwrap();
    assert!(matches!(lcp, ContactFile::Lcp { ref vector, .. } if vector == &[-3.0]));
}

#[test]
fn damaged_text_is_refused_with_its_place() {
    let good = text(&ContactFile::Friction(problem()));
    let message = |text: &str| read(text).unwrap_err();
    assert!(message("").contains("the file ends"), "{}", message(""));
    assert!(message("3\n2\nx").starts_with("p.dat: line 3, column 1: third number = x"), "{}", message("3\n2\nx"));
    assert!(message("5 5 5 5").contains("neither contacts"));
    let cut = &good[..good.len() - 12];
    assert!(message(cut).contains("mu"), "{}", message(cut));
    let negative = good.replace("\n3e-1\t0e0", "\n-3e-1\t0e0");
    assert!(message(&negative).contains("mu = -3e-1: must be at least 0"), "{}", message(&negative));
    let infinite = good.replacen("-1e0\t1e-1", "inf\t1e-1", 1);
    assert!(message(&infinite).contains("q = inf: must be finite"), "{}", message(&infinite));
    // A block twice would leave another one out.
    let twice = good.replacen("\n1\n", "\n0\n", 2).replacen("\n0\n", "\n1\n", 1);
    assert!(message(&twice).contains("matrix.block index = 0: must not come twice"), "{}", message(&twice));
    // Sizes beyond all memory with nothing behind them.
    let vast = "3\n300000000\n2\n900000000\n900000000\n1\nbanner\ntriplet: 900000000-by-900000000\n";
    assert!(message(vast).contains("q"), "{}", message(vast));
    // Every cut and every digit replaced: an error or a file, never a panic.
    let words: Vec<&str> = good.split_whitespace().collect();
    for k in 0..words.len() {
        let _ = read(&words[..k].join(" "));
        for other in ["-1", "999999999", "4000000000", "nan", "#"] {
            let mut changed = words.clone();
            changed[k] = other;
            let _ = read(&changed.join(" "));
        }
    }
}

#[cfg(feature = "hdf5")]
#[test]
fn damaged_hdf5_is_refused() {
    let good = write_fclib(&problem(), "two contacts").unwrap();
    assert!(read_fclib("p.hdf5", good[..40].to_vec()).unwrap_err().to_string().contains("no readable HDF5 file"));
    for length in (0..good.len()).step_by(37) {
        assert!(read_fclib("p", good[..length].to_vec()).is_err(), "{length}");
    }
    let cut = read_fclib("p", good[..900].to_vec()).unwrap_err().to_string();
    assert!(cut.contains(&format!("it ends after 900 of {} bytes", good.len())), "{cut}");
    // Any byte changed: an error or a problem, never a panic.
    for k in (0..good.len()).step_by(5) {
        let mut bytes = good.clone();
        bytes[k] ^= 0xff;
        let _ = read_fclib("p", bytes);
    }
    let without = hdf5::write(&[("other", hdf5::Node::Integers(vec![1]))]);
    assert!(read_fclib("p", without).unwrap_err().to_string().contains("neither fclib_local nor fclib_global"));
}

/// Where damage hides what constraints are, they are not left out in silence. (Their name alone has nothing that guards it.)
#[cfg(feature = "hdf5")]
#[test]
fn damage_does_not_hide_constraints() {
    let problem = problem();
    let (name, local) = fclib_out::tree(&problem, "two contacts").unwrap();
    let hdf5::Node::Group(mut members) = local else { panic!("a group") };
    members.insert(0, ("V", hdf5::Node::Group(vec![("m", hdf5::Node::Integers(vec![1]))])));
    let good = hdf5::write(&[(name, hdf5::Node::Group(members))]);
    let refused = read_fclib("p", good.clone()).unwrap_err().to_string();
    assert!(refused.contains("bilateral constraints"), "{refused}");
    let accepted = |k: usize| {
        let mut bytes = good.clone();
        bytes[k] ^= 0xff;
        read_fclib("p", bytes).is_ok()
    };
    let hidden: Vec<usize> = (0..good.len()).filter(|&k| accepted(k)).collect();
    let names = hidden.iter().filter(|&&k| good[k] == b'V').count();
    assert!(names == 1 && hidden.len() <= 3, "{hidden:?}");
}

/// Entries before the first column would be left out in silence.
#[cfg(feature = "hdf5")]
#[test]
fn pointers_begin_with_zero() {
    let problem = problem();
    let (name, local) = fclib_out::tree(&problem, "two contacts").unwrap();
    let hdf5::Node::Group(mut members) = local else { panic!("a group") };
    let hdf5::Node::Group(matrix) = &mut members[0].1 else { panic!("W") };
    let p = matrix.iter_mut().find(|(name, _)| *name == "p").unwrap();
    let hdf5::Node::Integers(pointers) = &mut p.1 else { panic!("p") };
    pointers[0] = 2;
    let error = read_fclib("p", hdf5::write(&[(name, hdf5::Node::Group(members))])).unwrap_err().to_string();
    assert_eq!(error, "p: fclib_local/W/p[0] = 2: the first pointer must be 0");
}

/// What a file is told by its ending, or by its first bytes where that says nothing.
#[test]
fn kinds_of_files() {
    let from = |path: &str, bytes: &[u8]| read_contacts_from(path, Path::new(path), bytes).map_err(|e| e.to_string());
    let good = text(&ContactFile::Friction(problem()));
    for path in ["p.dat", "-", "p.txt"] {
        assert_eq!(from(path, good.as_bytes()).unwrap()[0].file, ContactFile::Friction(problem()), "{path}");
    }
    assert!(from("p.hdf5", good.as_bytes()).unwrap_err().starts_with("p.hdf5: is no HDF5 file"));
    let ball = "mass = [2.0]\nvelocity = [-1.0]\n[[contact]]\nname = \"floor\"\nnormal = [1.0]\nrestitution = 0.5\n";
    for path in ["p.toml", "-"] {
        let read = from(path, ball.as_bytes()).unwrap();
        let ContactFile::Lcp { matrix, vector } = &read[0].file else { panic!("one row") };
        assert_eq!((matrix.get(0, 0), &vector[..]), (0.5, &[-1.5][..]));
    }
    assert!(from("p.dat", ball.as_bytes()).unwrap_err().contains("needs a whole number"));
    let scenario = "[[body]]\nname = \"ball\"\n";
    assert!(from("s.toml", scenario.as_bytes()).unwrap_err().contains("is a scenario"));
}

/// The first guess of an FCLIB file is a start; one of another length is told and not used.
#[cfg(feature = "hdf5")]
#[test]
fn guesses_are_starts() {
    let with = |guess: Vec<f64>| {
        let group = |members| hdf5::Node::Group(members);
        let first = group(vec![("r", hdf5::Node::Numbers(guess))]);
        let guesses = group(vec![("1", first), ("number_of_guesses", hdf5::Node::Integers(vec![1]))]);
        let problem = problem();
        let (name, local) = fclib_out::tree(&problem, "two contacts").unwrap();
        let bytes = hdf5::write(&[(name, local), ("guesses", guesses)]);
        read_contacts_from("p.hdf5", Path::new("p.hdf5"), &bytes[..]).unwrap().remove(0)
    };
    let read = with(vec![1.0, 0.0, 0.1, 2.0, 0.0, 0.0]);
    assert_eq!(read.file, ContactFile::Friction(problem()));
    assert_eq!(read.start, Some(vec![1.0, 0.0, 0.1, 2.0, 0.0, 0.0]));
    let read = with(vec![1.0]);
    assert_eq!(read.start, None);
    assert!(read.remarks[0].contains("guesses/1/r = 1 numbers: needs 6"), "{:?}", read.remarks);
}

/// A ball of 2 kg on a floor as a global problem: W = 1/m, q = v.
#[cfg(feature = "hdf5")]
#[test]
fn global_problems_are_condensed() {
    use super::fclib::SparseMatrix;
    let h = SparseMatrix::of_entries(6, 3, &[(2, 0, 1.0), (0, 1, 1.0), (4, 1, -0.5), (1, 2, 1.0), (3, 2, 0.5)]);
    let mass = [2.0, 2.0, 2.0, 0.2, 0.2, 0.2];
    let mut entries: Vec<(i32, i32, f64)> = (0..6).map(|k| (k, k, mass[k as usize])).collect();
    let f = [2.0, 0.0, -4.0, 0.0, 0.0, 0.0];
    let check = |entries: &[(i32, i32, f64)]| {
        let m = SparseMatrix::of_entries(6, 6, entries);
        let (w, q) = global::condense(&m, &h, &f, vec![0.5, 0.0, 0.0], 3, 1).unwrap();
        assert!((w.get(0, 0) - 0.5).abs() < 1e-15 && (w.get(1, 1) - 0.5 - 0.25 / 0.2).abs() < 1e-14);
        assert_eq!(q, [-1.5, 1.0, 0.0]);
    };
    check(&entries);
    // Coordinates of another order are bodies of their own: the same G.
    entries.reverse();
    check(&entries);
    let singular = SparseMatrix::of_entries(6, 6, &[(0, 0, 1.0)]);
    let error = global::condense(&singular, &h, &f, vec![0.0; 3], 3, 1).unwrap_err().to_string();
    assert!(error.contains("must be regular"), "{error}");
    // Singular up to round-off only, in any units: two coordinates that move as one.
    for unit in [1.0, 1e-9] {
        let mut entries: Vec<(i32, i32, f64)> =
            (0..6).map(|k| (k, k, if k == 1 { unit * unit } else { 1.0 })).collect();
        entries.extend([(0, 1, unit * (1.0 - 1e-15)), (1, 0, unit * (1.0 - 1e-15))]);
        let singular = SparseMatrix::of_entries(6, 6, &entries);
        let error = global::condense(&singular, &h, &f, vec![0.0; 3], 3, 1).unwrap_err().to_string();
        assert!(error.contains("must be regular"), "{unit}: {error}");
    }
}

/// Steps in time put gyroscopic terms into M, which is not symmetric then: W = HᵀM⁻¹H, not its transpose.
#[cfg(feature = "hdf5")]
#[test]
fn global_problems_that_are_not_symmetric() {
    use super::fclib::SparseMatrix;
    // M = [[1, 1], [−1, 1]] of the first two coordinates, so M⁻¹ = [[½, −½], [½, ½]].
    let m = SparseMatrix::of_entries(3, 3, &[(0, 0, 1.0), (0, 1, 1.0), (1, 0, -1.0), (1, 1, 1.0), (2, 2, 4.0)]);
    let h = SparseMatrix::of_entries(3, 2, &[(0, 0, 1.0), (1, 1, 1.0)]);
    let (w, q) = global::condense(&m, &h, &[2.0, 4.0, 0.0], vec![0.0, 10.0], 2, 1).unwrap();
    assert_eq!([w.get(0, 0), w.get(0, 1), w.get(1, 0), w.get(1, 1)], [0.5, -0.5, 0.5, 0.5]);
    assert_eq!(q, [-1.0, 13.0]);
}

/// One elastic body among many particles takes the memory of its own block, not that of as many elastic bodies.
#[cfg(feature = "hdf5")]
#[test]
fn global_problems_with_bodies_of_all_sizes() {
    use super::fclib::SparseMatrix;
    let (elastic, all) = (400, 40_000);
    let mut entries: Vec<(i32, i32, f64)> = (0..all).map(|k| (k, k, 4.0)).collect();
    entries.extend((1..elastic).flat_map(|k| [(k, k - 1, 1.0), (k - 1, k, 1.0)]));
    let m = SparseMatrix::of_entries(all as usize, all as usize, &entries);
    // A contact of the elastic body's end with a particle, and one of two particles with each other.
    let h = SparseMatrix::of_entries(
        all as usize,
        4,
        &[(0, 0, 1.0), (500, 0, -1.0), (1, 1, 1.0), (500, 2, 1.0), (all - 1, 2, -1.0)],
    );
    let (w, _) = global::condense(&m, &h, &vec![0.0; all as usize], vec![0.0; 4], 2, 2).unwrap();
    // Continued fraction of the chain: the first entry of the inverse is 2 − √3.
    let first = 2.0 - 3f64.sqrt();
    assert!((w.get(0, 0) - first - 0.25).abs() < 1e-15, "{}", w.get(0, 0));
    assert!((w.get(0, 1) - (1.0 - 4.0 * first)).abs() < 1e-15, "{}", w.get(0, 1));
    assert_eq!([w.get(2, 2), w.get(0, 2), w.get(2, 0)], [0.5, -0.25, -0.25]);
}
