//! d
mod common;
use common::{Case, Random, planar_cones};
use delassus::solve::enumerate::{EnumerateWork, Enumeration, enumerate};
#[test]
fn dbg() {
    let mut count = 0;
    for seed in 0..3000u64 {
        let mut random = Random(seed.wrapping_mul(0x9e3779b97f4a7c15));
        let mut directions: Vec<Vec<f64>> = (0..4).map(|_| random.vector(3)).collect();
        let vector = vec![-1.0, random.next(), -0.5, random.next()];
        directions.extend([directions[2].clone(), directions[3].clone()]);
        let doubled = Case::from_directions(&directions, [&vector[..], &vector[2..]].concat(), planar_cones(&[0.4, 0.3, 0.3], 0.0));
        let mut s = Vec::new();
        if enumerate(&doubled.inclusion(), &mut EnumerateWork::default(), &mut s) != Enumeration::Complete {
            count += 1;
            println!("^^^ {seed}: {:?}", s);
        }
    }
    println!("{count} of 3000");
}
