//! Global problems, with the bodies still in them, condensed to contacts.

use delassus::ImpactError;
use delassus::solve::contact::{BlockMatrix, ContactProblem, ContactSide};

use super::fclib::SparseMatrix;

/// Coordinates that M may couple: beyond, its dense inverse would be too large.
const MOST: usize = 2000;
/// Entries of all inverses at most: two gigabytes.
const MOST_ENTRIES: usize = 1 << 28;

/// W = HᵀM⁻¹H and q = HᵀM⁻¹f + w. M need not be symmetric: steps in time put gyroscopic terms and damping into it.
pub(super) fn condense(
    m: &SparseMatrix<'_>,
    h: &SparseMatrix<'_>,
    f: &[f64],
    mut w: Vec<f64>,
    dimension: usize,
    contacts: usize,
) -> Result<(BlockMatrix, Vec<f64>), ImpactError> {
    let bodies = Bodies::of(m, if dimension == 3 { 6 } else { 3 })?;
    // Directions of each contact by body.
    let mut sides: Vec<Vec<Side>> = vec![Vec::new(); contacts];
    h.visit(|row, column, value| {
        let (contact, k, (body, at)) = (column / dimension, column % dimension, bodies.place[row]);
        let list = &mut sides[contact];
        let place = list.iter().position(|side| side.body == body).unwrap_or_else(|| {
            list.push(Side { body, directions: vec![0.0; dimension * bodies.size[body]] });
            list.len() - 1
        });
        list[place].directions[k * bodies.size[body] + at] += value;
    });
    // M⁻¹f.
    let mut driven: Vec<Vec<f64>> = bodies.size.iter().map(|&size| vec![0.0; size]).collect();
    for (&(body, at), &f) in bodies.place.iter().zip(f) {
        let column = bodies.inverse(body).iter().skip(at).step_by(bodies.size[body]);
        driven[body].iter_mut().zip(column).for_each(|(sum, inverse)| *sum += inverse * f);
    }
    for (w, list) in w.chunks_exact_mut(dimension).zip(&sides) {
        for Side { body, directions } in list {
            let rows = directions.chunks_exact(bodies.size[*body]);
            w.iter_mut().zip(rows).for_each(|(w, row)| *w += dot(row, &driven[*body]));
        }
    }
    let coordinates = bodies.size.first().copied().unwrap_or(0);
    let alike = bodies.symmetric && bodies.size.iter().all(|&size| size == coordinates);
    if !alike || sides.iter().any(|list| list.len() > 2) {
        return Ok((products(&sides, &bodies, dimension), w));
    }
    let side = |contact: usize, k: usize| {
        sides[contact].get(k).map(|side| ContactSide { body: side.body, directions: &side.directions })
    };
    let inverse = &bodies.inverses;
    let matrix = ContactProblem::delassus(dimension, contacts, coordinates, inverse, |i| [side(i, 0), side(i, 1)]);
    Ok((matrix, w))
}

/// A body that a contact touches: rows of directions, in its coordinates.
#[derive(Debug, Clone)]
struct Side {
    body: usize,
    directions: Vec<f64>,
}

/// Coordinates that M couples, body by body, with the inverse of each block.
struct Bodies {
    /// Body of each coordinate, and its place there.
    place: Vec<(usize, usize)>,
    /// Coordinates of each body.
    size: Vec<usize>,
    /// The inverses one after the other, row by row, and where each begins.
    inverses: Vec<f64>,
    start: Vec<usize>,
    /// Whether M is symmetric, up to round-off.
    symmetric: bool,
}

impl Bodies {
    fn of(m: &SparseMatrix<'_>, rigid: usize) -> Result<Self, ImpactError> {
        let (body, count) = bodies(m, rigid);
        let mut size = vec![0usize; count];
        let mut place = Vec::with_capacity(body.len());
        for &b in &body {
            place.push((b, size[b]));
            size[b] += 1;
        }
        if let Some(&large) = size.iter().find(|&&size| size > MOST) {
            let allowed = format!("may couple at most {MOST} coordinates with each other");
            return Err(ImpactError::new("fclib_global/M", format!("{large} coupled coordinates"), allowed));
        }
        let mut start = vec![0];
        size.iter().for_each(|size| start.push(start[start.len() - 1] + size * size));
        if start[count] > MOST_ENTRIES {
            let (value, allowed) = (format!("{} entries of blocks", start[count]), format!("at most {MOST_ENTRIES}"));
            return Err(ImpactError::new("fclib_global/M", value, allowed));
        }
        let mut inverses = vec![0.0; start[count]];
        m.visit(|i, j, value| {
            let ((b, row), (_, column)) = (place[i], place[j]);
            inverses[start[b] + row * size[b] + column] += value;
        });
        let mut symmetric = true;
        for (b, &size) in size.iter().enumerate() {
            let block = &mut inverses[start[b]..start[b + 1]];
            symmetric = symmetric && is_symmetric(block, size);
            invert(block, size).ok_or_else(|| {
                let first = body.iter().position(|&other| other == b).unwrap_or(0);
                ImpactError::new("fclib_global/M", format!("block of row {first}"), "must be regular")
            })?;
        }
        Ok(Self { place, size, inverses, start, symmetric })
    }

    fn inverse(&self, body: usize) -> &[f64] {
        &self.inverses[self.start[body]..self.start[body + 1]]
    }
}

/// Differences of mirrored entries up to this, relative to the larger one, are round-off.
const SYMMETRIC: f64 = 1e-12;

fn is_symmetric(a: &[f64], n: usize) -> bool {
    let alike = |a: f64, b: f64| (a - b).abs() <= SYMMETRIC * a.abs().max(b.abs());
    (0..n).all(|i| (0..i).all(|j| alike(a[i * n + j], a[j * n + i])))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The body of each coordinate: rigid bodies of so many coordinates where M couples only those, else what M couples.
fn bodies(m: &SparseMatrix<'_>, rigid: usize) -> (Vec<usize>, usize) {
    let n = m.rows;
    let mut apart = n.is_multiple_of(rigid);
    m.visit(|i, j, _| apart &= i / rigid == j / rigid);
    if apart {
        return ((0..n).map(|i| i / rigid).collect(), n / rigid);
    }
    let mut parent: Vec<usize> = (0..n).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    m.visit(|i, j, _| {
        let (a, b) = (root(&mut parent, i), root(&mut parent, j));
        parent[a.max(b)] = a.min(b);
    });
    let mut number = vec![usize::MAX; n];
    let mut bodies = 0;
    let of_row = (0..n)
        .map(|i| {
            let root = root(&mut parent, i);
            if number[root] == usize::MAX {
                number[root] = bodies;
                bodies += 1;
            }
            number[root]
        })
        .collect();
    (of_row, bodies)
}

/// G = HᵀM⁻¹H product by product, for bodies of any size and contacts that touch any number of them.
fn products(sides: &[Vec<Side>], bodies: &Bodies, dimension: usize) -> BlockMatrix {
    let mut of_body: Vec<Vec<(usize, &Side)>> = vec![Vec::new(); bodies.size.len()];
    for (contact, list) in sides.iter().enumerate() {
        list.iter().for_each(|side| of_body[side.body].push((contact, side)));
    }
    let pairs = of_body.iter().flat_map(|list| list.iter().flat_map(|&(i, _)| list.iter().map(move |&(j, _)| (i, j))));
    let mut matrix = BlockMatrix::with_pattern(dimension, sides.len(), pairs);
    for (b, list) in of_body.iter().enumerate() {
        let size = bodies.size[b];
        for &(j, side) in list {
            // Columns of M⁻¹H.
            let response: Vec<f64> = side
                .directions
                .chunks_exact(size)
                .flat_map(|column| bodies.inverse(b).chunks_exact(size).map(move |row| dot(row, column)))
                .collect();
            for &(i, other) in list {
                let rows = other.directions.chunks_exact(size);
                let block = rows.flat_map(|row| response.chunks_exact(size).map(move |column| dot(row, column)));
                matrix.add(i, j, block);
            }
        }
    }
    matrix
}

/// An inverse is taken for accurate up to this magnification of round-off.
const SINGULAR: f64 = 1e12;

/// Inverse in place, by elimination with exchange of rows; `None` of matrices that are singular up to round-off.
fn invert(a: &mut [f64], n: usize) -> Option<()> {
    let given = a.to_vec();
    let mut inverse = vec![0.0; n * n];
    (0..n).for_each(|i| inverse[i * (n + 1)] = 1.0);
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
        if pivot != k {
            (0..n).for_each(|c| {
                a.swap(k * n + c, pivot * n + c);
                inverse.swap(k * n + c, pivot * n + c);
            });
        }
        let per = 1.0 / a[k * n + k];
        if !per.is_finite() {
            return None;
        }
        for c in 0..n {
            a[k * n + c] *= per;
            inverse[k * n + c] *= per;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i * n + k];
            if factor != 0.0 {
                for c in 0..n {
                    a[i * n + c] -= factor * a[k * n + c];
                    inverse[i * n + c] -= factor * inverse[k * n + c];
                }
            }
        }
    }
    // Σ_j |A⁻¹_ij A_ji|: the same in any units of rows and columns, one for a diagonal matrix, without bound towards singular ones.
    let magnified = |i: usize| (0..n).map(|j| (inverse[i * n + j] * given[j * n + i]).abs()).sum::<f64>();
    if !(0..n).all(|i| magnified(i) <= SINGULAR) {
        return None;
    }
    a.copy_from_slice(&inverse);
    Some(())
}
