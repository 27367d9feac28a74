//! Files that other programs wrote: `foreign/make.py` made them with pyarrow 26 and h5py 3.

#[cfg(feature = "parquet")]
#[test]
fn parquet_of_pyarrow() {
    use delassus_io::{ColumnKind, csv_number, parquet_to_csv, push_csv_row};
    let mut expected = "flag,small,large,single,double,word,none\n".to_owned();
    for k in 0..40i64 {
        let flag = if k % 7 == 0 { String::new() } else { u8::from(k % 3 == 0).to_string() };
        let double = if k % 11 == 0 { String::new() } else { csv_number(k as f64 / 7.0) };
        let word = if k % 3 == 0 { String::new() } else { format!("w{}, ü", k % 5) };
        let (small, large, single) = (k - 3, k * 1_000_000_000_000 - 3, csv_number(0.5 * k as f64));
        let row = [flag, small.to_string(), large.to_string(), single, double, word, String::new()];
        push_csv_row(&mut expected, row);
    }
    // Dictionaries, groups of rows and snappy; pages of the second kind without compression.
    for file in [&include_bytes!("foreign/first.parquet")[..], &include_bytes!("foreign/second.parquet")[..]] {
        let read = parquet_to_csv(file).unwrap();
        assert_eq!(read.text, expected);
        use ColumnKind::{Number, Whole, Word};
        assert_eq!(read.kinds, [Whole, Whole, Whole, Number, Number, Word, Number]);
    }
    let refused = parquet_to_csv(include_bytes!("foreign/zstd.parquet")).unwrap_err();
    assert_eq!(refused, "the column flag is compressed in a way that is not read here; needs snappy or none");
}

#[cfg(feature = "hdf5")]
#[test]
fn hdf5_of_h5py() {
    use delassus::solve::contact::{BlockMatrix, ContactProblem};
    use delassus_io::read_fclib;
    let entries = [(0, 0, 2.0), (1, 1, 3.0), (2, 2, 4.0), (3, 3, 5.0)];
    let matrix = BlockMatrix::from_entries(2, 2, entries.into_iter());
    let expected = ContactProblem::coulomb(matrix, vec![-1.0, 0.25, -2.0, 0.5], &[0.3, 0.6]);
    // Chunks that are compressed, shuffled and summed, and numbers whose highest byte comes first; the latest format.
    for (name, file) in [
        ("earliest", &include_bytes!("foreign/earliest.hdf5")[..]),
        ("latest", &include_bytes!("foreign/latest.hdf5")[..]),
    ] {
        assert_eq!(read_fclib(name, file.to_vec()).unwrap(), expected, "{name}");
    }
    // A changed byte of a summed list is told with the list's name, be it in the numbers or in the sum.
    let good = include_bytes!("foreign/earliest.hdf5");
    let message = |k: usize| {
        let mut bytes = good.to_vec();
        bytes[k] ^= 0x01;
        read_fclib("changed", bytes).err().map(|error| error.to_string()).filter(|text| text.contains("checksum"))
    };
    let told: Vec<String> = (0..good.len()).step_by(5).filter_map(message).collect();
    for list in ["fclib_local/W/i", "fclib_local/W/x", "fclib_local/vectors/q"] {
        assert!(told.iter().any(|text| text.contains(list)), "{list}: {told:?}");
    }
    // Any byte changed: an error or a problem, never a panic.
    for k in (0..good.len()).step_by(7) {
        let mut bytes = good.to_vec();
        bytes[k] ^= 0x55;
        let _ = read_fclib("changed", bytes);
    }
}

/// Places that were never written hold the value that the file names for them, not zero.
#[cfg(feature = "hdf5")]
#[test]
fn hdf5_with_places_never_written() {
    use delassus_io::read_fclib;
    for (name, file) in [
        ("unwritten", &include_bytes!("foreign/unwritten.hdf5")[..]),
        ("unwritten-latest", &include_bytes!("foreign/unwritten-latest.hdf5")[..]),
    ] {
        let read = read_fclib(name, file.to_vec()).unwrap();
        assert_eq!([0, 1, 2, 3].map(|k| read.matrix.get(k, k)), [2.0, 3.0, 4.0, 5.0], "{name}");
        assert_eq!(read.vector, [-1.0; 4], "{name}");
        let law = delassus::solve::contact::ContactLaw::coulomb(0.3);
        assert_eq!(read.laws, [law; 2], "{name}");
    }
    let linked = read_fclib("linked", include_bytes!("foreign/linked.hdf5").to_vec()).unwrap_err().to_string();
    assert_eq!(
        linked,
        "linked: fclib_local/vectors/q: cannot be read: links to other places by their name are not read here"
    );
}
