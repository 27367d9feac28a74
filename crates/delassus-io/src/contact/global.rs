//! Global problems, with the bodies still in them, condensed to contacts.

use delassus::ImpactError;
use delassus::solve::contact::{BlockMatrix, ContactProblem, ContactSide};

use super::fclib::SparseMatrix;

/// Coordinates that M may couple: beyond, its dense inverse would be too large.
const MOST: usize = 2000;

/// W = HᵀM⁻¹H and q = HᵀM⁻¹f + w.
pub(super) fn condense(
    m: &SparseMatrix<'_>,
    h: &SparseMatrix<'_>,
    f: &[f64],
    mut w: Vec<f64>,
    dimension: usize,
    contacts: usize,
) -> Result<(BlockMatrix, Vec<f64>), ImpactError> {
    let (body, bodies) = bodies(m, if dimension == 3 { 6 } else { 3 })?;
    // Where each coordinate stands in its body.
    let mut size = vec![0usize; bodies];
    let local: Vec<usize> = body
        .iter()
        .map(|&b| {
            size[b] += 1;
            size[b] - 1
        })
        .collect();
    let coordinates = size.iter().copied().max().unwrap_or(0);
    if coordinates > MOST {
        let allowed = format!("may couple at most {MOST} coordinates with each other");
        return Err(ImpactError::new("fclib_global/M", format!("{coordinates} coupled coordinates"), allowed));
    }
    let square = coordinates * coordinates;
    let mut mass = vec![0.0; bodies * square];
    m.visit(|i, j, value| mass[body[i] * square + local[i] * coordinates + local[j]] += value);
    for b in 0..bodies {
        // Bodies with fewer coordinates than others are filled up.
        let block = &mut mass[b * square..(b + 1) * square];
        (size[b]..coordinates).for_each(|k| block[k * (coordinates + 1)] = 1.0);
        invert(block, coordinates).ok_or_else(|| {
            let first = body.iter().position(|&other| other == b).unwrap_or(0);
            ImpactError::new("fclib_global/M", format!("block of row {first}"), "must be regular")
        })?;
    }
    // Directions of each contact by body.
    let mut sides: Vec<Vec<(usize, Vec<f64>)>> = vec![Vec::new(); contacts];
    h.visit(|row, column, value| {
        let (contact, k, b) = (column / dimension, column % dimension, body[row]);
        let list = &mut sides[contact];
        let place = list.iter().position(|(other, _)| *other == b).unwrap_or_else(|| {
            list.push((b, vec![0.0; dimension * coordinates]));
            list.len() - 1
        });
        list[place].1[k * coordinates + local[row]] += value;
    });
    // M⁻¹f.
    let mut driven = vec![0.0; bodies * coordinates];
    for (i, &f) in f.iter().enumerate() {
        for k in 0..coordinates {
            driven[body[i] * coordinates + k] += mass[body[i] * square + k * coordinates + local[i]] * f;
        }
    }
    for (contact, list) in sides.iter().enumerate() {
        for (b, directions) in list {
            let v = &driven[b * coordinates..(b + 1) * coordinates];
            for (k, row) in directions.chunks_exact(coordinates.max(1)).enumerate() {
                w[contact * dimension + k] += row.iter().zip(v).map(|(d, v)| d * v).sum::<f64>();
            }
        }
    }
    if sides.iter().any(|list| list.len() > 2) {
        return Ok((many_sides(&sides, &mass, coordinates, dimension), w));
    }
    let side = |contact: usize, k: usize| {
        let (body, directions) = sides[contact].get(k)?;
        Some(ContactSide { body: *body, directions })
    };
    let matrix = ContactProblem::delassus(dimension, contacts, coordinates, &mass, |i| [side(i, 0), side(i, 1)]);
    Ok((matrix, w))
}

/// The body of each coordinate: rigid bodies of so many coordinates where M couples only those, else what M couples.
fn bodies(m: &SparseMatrix<'_>, rigid: usize) -> Result<(Vec<usize>, usize), ImpactError> {
    let n = m.rows;
    let mut apart = n.is_multiple_of(rigid);
    m.visit(|i, j, _| apart &= i / rigid == j / rigid);
    if apart {
        return Ok(((0..n).map(|i| i / rigid).collect(), n / rigid));
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
    Ok((of_row, bodies))
}

/// G where contacts touch more than two bodies.
fn many_sides(sides: &[Vec<(usize, Vec<f64>)>], inverse: &[f64], coordinates: usize, dimension: usize) -> BlockMatrix {
    let square = coordinates * coordinates;
    let mut of_body: Vec<Vec<usize>> = vec![Vec::new(); inverse.len().checked_div(square).unwrap_or(0)];
    for (contact, list) in sides.iter().enumerate() {
        list.iter().for_each(|(b, _)| of_body[*b].push(contact));
    }
    let pairs = of_body.iter().flat_map(|list| list.iter().flat_map(|&i| list.iter().map(move |&j| (i, j))));
    let mut matrix = BlockMatrix::with_pattern(dimension, sides.len(), pairs);
    for (i, list) in sides.iter().enumerate() {
        for (b, directions) in list {
            let m = &inverse[b * square..(b + 1) * square];
            let response: Vec<f64> = directions
                .chunks_exact(coordinates)
                .flat_map(|row| m.chunks_exact(coordinates).map(move |c| row.iter().zip(c).map(|(a, b)| a * b).sum()))
                .collect();
            for &j in &of_body[*b] {
                let Some((_, other)) = sides[j].iter().find(|(body, _)| body == b) else { continue };
                let products = response.chunks_exact(coordinates).flat_map(|a| {
                    other.chunks_exact(coordinates).map(move |b| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>())
                });
                matrix.add(i, j, products);
            }
        }
    }
    matrix
}

/// Inverse in place, by elimination with exchange of rows.
fn invert(a: &mut [f64], n: usize) -> Option<()> {
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
    a.copy_from_slice(&inverse);
    Some(())
}
