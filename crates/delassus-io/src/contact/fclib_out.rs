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
pub(super) fn tree<'a>(problem: &'a ContactProblem, title: &str) -> std::io::Result<(&'static str, hdf5::Node<'a>)> {
    let mu = dat::friction(problem)?;
    let (d, rows) = (problem.dimension(), problem.vector.len());
    let too_large = |_| std::io::Error::new(std::io::ErrorKind::InvalidInput, "more entries than the format counts");
    let (mut p, mut count) = (vec![0i32], 0usize);
    for column in 0..rows {
        visit_column(problem, column, &mut |_, _| count += 1);
        p.push(i32::try_from(count).map_err(too_large)?);
    }
    let size = i32::try_from(rows).map_err(too_large)?;
    let entries = i32::try_from(count).map_err(too_large)?;
    // Rows and values are most of the file: they go from the matrix into it.
    let all =
        move |visit: &mut dyn FnMut(usize, f64)| (0..rows).for_each(|column| visit_column(problem, column, visit));
    let indices: hdf5::Entries<'_, i32> = Box::new(move |visit| all(&mut |row, _| visit(row as i32)));
    let values: hdf5::Entries<'_, f64> = Box::new(move |visit| all(&mut |_, value| visit(value)));
    let one = |value: i32| hdf5::Node::Integers(vec![value]);
    let matrix = vec![
        ("i", hdf5::Node::ManyIntegers(count, indices)),
        ("m", one(size)),
        ("n", one(size)),
        ("nz", one(-1)),
        ("nzmax", one(entries)),
        ("p", hdf5::Node::Integers(p)),
        ("x", hdf5::Node::ManyNumbers(count, values)),
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

/// Row and value of the entries of a column of G that are not zero. G is stored by rows; a column of G is a row of its transpose,
/// which has the same pattern.
fn visit_column(problem: &ContactProblem, column: usize, visit: &mut dyn FnMut(usize, f64)) {
    let d = problem.dimension();
    for &other in problem.matrix.row(column / d).0 {
        for row in other as usize * d..(other as usize + 1) * d {
            let value = problem.matrix.get(row, column);
            if value != 0.0 {
                visit(row, value);
            }
        }
    }
}
