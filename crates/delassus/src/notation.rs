//! Symbols, signs and units, and what other codes call them. Documentation only.
//!
//! | symbol | name here | shape | unit | meaning and sign |
//! |---|---|---|---|---|
//! | M | `mass` | n × n | kg, kg·m² | mass matrix, symmetric positive definite |
//! | W | `directions` | n × m | – | one column per scalar direction; γ = Wᵀu + χ |
//! | G | `operator` | m × m | 1/kg | Delassus operator WᵀM⁻¹W |
//! | u⁻, u⁺ | `u_minus`, `u_plus` | n | m/s, rad/s | generalized velocity before and after |
//! | γ⁻, γ⁺ | `gamma_minus`, `gamma_plus` | m | m/s, rad/s | relative velocity; a negative normal component approaches |
//! | γ° | `gamma_compression` | m | m/s, rad/s | relative velocity after compression (Poisson) |
//! | Λ | `impulses` | m | N·s | impulse; a positive normal component pushes apart |
//! | Λ⁻ | `compression` | m | N·s | impulse of the compression phase (Poisson) |
//! | χ | `offset` | m | m/s | velocity of moving supports |
//! | F | `impulse` | n | N·s | external impulse |
//! | ε_N, e | `restitution` | – | – | restitution; kinematic, kinetic or energetic, as the law says |
//! | ε_T | `restitution_tangential` | – | – | tangential restitution |
//! | μ, μ_s | `friction`, `friction_static` | – | – | kinetic and static friction coefficient |
//! | k | `stiffness` | – | any | contact stiffness; only ratios matter |
//! | η | `exponent` | – | – | elasticity exponent of the `lzb` law; 3/2 is Hertz |
//! | T | `kinetic_energy` | – | J | ½uᵀMu |
//! | D | `EnergyLedger::contacts` | – | J | work of the contacts ½Λᵀ(γ⁺ + γ⁻); D ≤ 0 is the energetic check |
//!
//! Letters clash between codes:
//!
//! | quantity | delassus | Drake SAP | FCLIB global / local | Siconos fc3d | MuJoCo |
//! |---|---|---|---|---|---|
//! | mass matrix | M `mass` | A (mass-like) | M / – | – | `M` |
//! | directions, n × m | W `directions` | Jᵀ | H / – | – | `efc_J`ᵀ |
//! | Delassus | G | – | – / **W** | **M** | `efc_AR` (with R) |
//! | generalised velocity | u | v | v / – | – | `qvel` |
//! | relative velocity | **γ** | vc | u | velocity | `efc_vel` |
//! | impulse | Λ | **γ** | r | reaction | `efc_force` (a force) |
