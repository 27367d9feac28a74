//! FCLIB's HDF5 files, written.

use delassus::solve::contact::ContactProblem;

use super::{dat, hdf5};

/// A file with the local problem that FCLIB and Siconos read: W by compressed columns.
///
/// # Errors
/// Joints, ellipses and shifts, which the format does not have; more entries than 32 bits count.
pub fn write_fclib(problem: &ContactProblem, title: &str) -> std::io::Result<Vec<u8>> {
    Ok(hdf5::write(&[tree(problem, title)?]))
}

/// The group of the problem with its name.
pub(super) fn tree(problem: &ContactProblem, title: &str) -> std::io::Result<(&'static str, hdf5::Node)> {
    let mu = dat::friction(problem)?;
    let (d, rows) = (problem.dimension(), problem.vector.len());
    let too_large = |_| std::io::Error::new(std::io::ErrorKind::InvalidInput, "more entries than the format counts");
    let (mut p, mut i, mut x) = (vec![0i32], Vec::new(), Vec::new());
    // G is stored by rows; a column of G is a row of its transpose, which has the same pattern.
    for contact in 0..problem.contacts() {
        for k in 0..d {
            for &other in problem.matrix.row(contact).0 {
                for l in 0..d {
                    let row = other as usize * d + l;
                    let value = problem.matrix.get(row, contact * d + k);
                    if value != 0.0 {
                        i.push(i32::try_from(row).map_err(too_large)?);
                        x.push(value);
                    }
                }
            }
            p.push(i32::try_from(x.len()).map_err(too_large)?);
        }
    }
    let size = i32::try_from(rows).map_err(too_large)?;
    let entries = i32::try_from(x.len()).map_err(too_large)?;
    let one = |value: i32| hdf5::Node::Integers(vec![value]);
    let matrix = vec![
        ("i", hdf5::Node::Integers(i)),
        ("m", one(size)),
        ("n", one(size)),
        ("nz", one(-1)),
        ("nzmax", one(entries)),
        ("p", hdf5::Node::Integers(p)),
        ("x", hdf5::Node::Numbers(x)),
    ];
    let vectors = vec![("mu", hdf5::Node::Numbers(mu)), ("q", hdf5::Node::Numbers(problem.vector.clone()))];
    let info = vec![
        ("description", hdf5::Node::Text("written by delassus".into())),
        ("math_info", hdf5::Node::Text(String::new())),
        ("title", hdf5::Node::Text(title.into())),
    ];
    let local = vec![
        ("W", hdf5::Node::Group(matrix)),
        ("info", hdf5::Node::Group(info)),
        ("spacedim", one(d as i32)),
        ("vectors", hdf5::Node::Group(vectors)),
    ];
    Ok(("fclib_local", hdf5::Node::Group(local)))
}
