//! Chains of balls under the law `lzb`.

mod lzb_support;

use delassus::resolve;
use lzb_support::{distance, equal_chain, lzb};

#[test]
fn verified_chains() {
    let cases: [(usize, f64, &[f64], f64); 5] = [
        (3, 1.0, &[-0.130261695064521, 0.150229569434774, 0.980032125629747], 1e-10),
        (3, 1.5, &[-0.07095235365, 0.07640303907, 0.99454931458], 1e-10),
        (5, 1.0, &[-0.1322794847, -0.0753291698, -0.0310108290, 0.2962177501, 0.9424017334], 2e-10),
        (5, 1.5, &[-0.0710850171, -0.0302737641, -0.0144636290, 0.1270449861, 0.9887774241], 2e-10),
        (
            10,
            1.5,
            &[
                -0.0710850, -0.0302738, -0.0158334, -0.0088857, -0.0051266, -0.0029860, -0.0017377, 0.0026720,
                0.1473903, 0.9858659,
            ],
            1e-7,
        ),
    ];
    for (balls, exponent, expected, tolerance) in cases {
        let outcome = resolve(&equal_chain(balls, 1.0), &lzb(exponent)).unwrap();
        let error = distance(&outcome.u_plus, expected);
        assert!(error < tolerance, "{balls} balls, η = {exponent}: {:?}", outcome.u_plus);
    }
}
