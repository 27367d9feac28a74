//! A second implementation of the scheme, for balls over a floor: written for this test, with another solver for
//! the contacts (a damped fixed point of projections).

use super::{apart, run};

const G: f64 = 9.81;

#[derive(Clone, Copy)]
struct Ball {
    x: [f64; 3],
    v: [f64; 3],
    w: [f64; 3],
    r: f64,
    m: f64,
}

fn add(a: [f64; 3], b: [f64; 3], s: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + s * b[i])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A contact: first ball, second ball or floor, normal, levers.
struct Contact {
    a: usize,
    b: Option<usize>,
    n: [f64; 3],
    arms: [[f64; 3]; 2],
    target: f64,
    p: [f64; 3],
}

fn relative(c: &Contact, balls: &[Ball]) -> [f64; 3] {
    let at = |k: usize, arm: [f64; 3]| add(balls[k].v, cross(balls[k].w, arm), 1.0);
    let first = at(c.a, c.arms[0]);
    c.b.map_or(first, |b| add(first, at(b, c.arms[1]), -1.0))
}

fn push(c: &Contact, p: [f64; 3], balls: &mut [Ball]) {
    for (k, arm, sign) in [(Some(c.a), c.arms[0], 1.0), (c.b, c.arms[1], -1.0)] {
        let Some(k) = k else { continue };
        let ball = &mut balls[k];
        ball.v = add(ball.v, p, sign / ball.m);
        ball.w = add(ball.w, cross(arm, p), sign / (0.4 * ball.m * ball.r * ball.r));
    }
}

fn step(balls: &mut [Ball], h: f64, e: f64, mu: f64) {
    let mut contacts = Vec::new();
    let middle: Vec<[f64; 3]> = balls.iter().map(|b| add(b.x, b.v, 0.5 * h)).collect();
    for a in 0..balls.len() {
        let gap = middle[a][2] - balls[a].r;
        let n = [0.0, 0.0, 1.0];
        contacts.push((a, None, n, gap, [[0.0, 0.0, -(balls[a].r + 0.5 * gap)], [0.0; 3]]));
        for b in a + 1..balls.len() {
            let span = add(middle[a], middle[b], -1.0);
            let distance = dot(span, span).sqrt();
            let n = span.map(|s| s / distance);
            let gap = distance - balls[a].r - balls[b].r;
            let point = add(middle[b], n, balls[b].r + 0.5 * gap);
            contacts.push((a, Some(b), n, gap, [add(point, middle[a], -1.0), add(point, middle[b], -1.0)]));
        }
    }
    let mut active = Vec::new();
    for (a, b, n, gap, arms) in contacts {
        let mut contact = Contact { a, b, n, arms, target: 0.0, p: [0.0; 3] };
        let approach = dot(n, relative(&contact, balls));
        if gap > 1e-10 && (gap > G * h * h || approach < -G * h) {
            continue;
        }
        contact.target = if gap > 1e-10 { 2.0 * gap / h } else { 0.0 };
        if approach < -G * h {
            contact.target += e * approach;
        }
        active.push(contact);
    }
    let old: Vec<Ball> = balls.to_vec();
    balls.iter_mut().for_each(|ball| ball.v[2] -= h * G);
    // Coulomb's law as a fixed point: p = proj(p − ρ(γ + target n)), normal and tangential part each onto its set.
    for _ in 0..20_000 {
        let mut change = 0.0f64;
        for contact in &mut active {
            let gamma = relative(contact, balls);
            let rho = 0.2 * balls[contact.a].m;
            let normal = (dot(contact.p, contact.n) - rho * (dot(gamma, contact.n) + contact.target)).max(0.0);
            let along = |v: [f64; 3]| add(v, contact.n, -dot(v, contact.n));
            let mut tangent = add(along(contact.p), along(gamma), -rho);
            let size = dot(tangent, tangent).sqrt();
            if size > mu * normal {
                tangent = tangent.map(|t| t * mu * normal / size);
            }
            let next = add(tangent, contact.n, normal);
            let difference = add(next, contact.p, -1.0);
            change = change.max(dot(difference, difference).sqrt());
            push(contact, difference, balls);
            contact.p = next;
        }
        if change < 1e-15 {
            break;
        }
    }
    for (ball, old) in balls.iter_mut().zip(&old) {
        ball.x = add(old.x, add(ball.v, old.v, 1.0), 0.5 * h);
    }
}

#[test]
fn two_balls_move_as_a_second_program_says() {
    let (h, e, mu, time) = (1e-3, 0.7, 0.3, 0.45);
    let mut balls = [
        Ball { x: [0.0, 0.0, 0.35], v: [0.4, 0.1, 0.0], w: [0.0, 20.0, 3.0], r: 0.1, m: 1.0 },
        Ball { x: [0.06, 0.02, 0.62], v: [0.0, 0.0, -1.0], w: [5.0, 0.0, 0.0], r: 0.08, m: 0.6 },
    ];
    let body = |i: usize, b: &Ball| {
        format!(
            "[[body]]\nname = 'b{i}'\nshape.sphere.radius = {}\nmass = {}\nposition = {:?}\nvelocity = {:?}\nspin = {:?}\n",
            b.r, b.m, b.x, b.v, b.w
        )
    };
    let text: String = balls.iter().enumerate().map(|(i, b)| body(i, b)).collect();
    let run = run(&format!(
        "[world]\ndimension = 3\n[[ground]]\nname = 'floor'\n{text}[material]\nfriction = {mu}\nrestitution = {e}\n\
         [integrator]\nstep = {h}\n[until]\ntime = {time}\n"
    ));
    (0..450).for_each(|_| step(&mut balls, h, e, mu));
    assert!(run.impacts.len() >= 3, "{}", run.impacts.len());
    for (i, ball) in balls.iter().enumerate() {
        let (q, u) = (&run.last().q[7 * i..], &run.last().u[6 * i..]);
        assert!(apart(&q[..3], &ball.x) < 1e-8, "{i}: {:?} {:?}", &q[..3], ball.x);
        assert!(apart(&u[..3], &ball.v) < 1e-7 && apart(&u[3..6], &ball.w) < 1e-6, "{i}: {:?} {:?}", &u[..6], ball.v);
    }
}
