//! Problems as the JSON of problem files.

use delassus::{Contact, ElementKind, Friction, ImpactProblem};
use serde_json::{Map, Value, json};

/// The problem with the keys of problem files. Read again, it is the same problem to the bit; short forms are
/// written in full, and what has its default value is left out.
pub fn problem_value(problem: &ImpactProblem) -> Value {
    let mut table = Map::new();
    if !problem.name().is_empty() {
        table.insert("name".into(), json!(problem.name()));
    }
    let n = problem.coordinates();
    let mass = problem.mass().to_dense();
    let mass = if problem.mass().is_diagonal() {
        json!((0..n).map(|i| mass[i * n + i]).collect::<Vec<_>>())
    } else {
        json!(mass.chunks_exact(n).collect::<Vec<_>>())
    };
    table.insert("mass".into(), mass);
    table.insert("velocity".into(), json!(problem.u_minus()));
    if let Some(impulse) = problem.external_impulse() {
        table.insert("impulse".into(), json!(impulse));
    }
    let contacts: Vec<Value> = problem.contacts().iter().map(|c| contact(problem, c)).collect();
    let others = |kind: ElementKind| -> Vec<Value> {
        let chosen = problem.elements().iter().filter(|element| element.kind == kind);
        let table = |element: &delassus::Element| {
            let rows: Vec<Value> = element.rows.clone().map(|row| direction(problem, row)).collect();
            let mut table = Map::new();
            table.insert("name".into(), json!(element.name));
            let one = rows.len() == 1 && kind == ElementKind::Clutch;
            table.insert("direction".into(), if one { rows[0].clone() } else { json!(rows) });
            unless(&mut table, "restitution", element.restitution, 0.0);
            insert_offset(&mut table, &problem.offset()[element.rows.clone()]);
            Value::Object(table)
        };
        chosen.map(table).collect()
    };
    let lists = [("contact", contacts), ("clutch", others(ElementKind::Clutch)), ("joint", others(ElementKind::Joint))];
    for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        table.insert(key.into(), Value::Array(list));
    }
    Value::Object(table)
}

fn contact(problem: &ImpactProblem, contact: &Contact) -> Value {
    let mut table = Map::new();
    table.insert("name".into(), json!(contact.name));
    table.insert("normal".into(), direction(problem, contact.normal));
    let mut tangents: Vec<Value> = contact.tangents.clone().map(|row| direction(problem, row)).collect();
    match tangents.len() {
        0 => {}
        1 => drop(table.insert("tangent".into(), tangents.remove(0))),
        _ => drop(table.insert("tangent".into(), json!(tangents))),
    }
    for (key, friction) in [("friction", contact.friction), ("friction_static", contact.friction_static)] {
        match friction {
            Some(Friction::Isotropic(mu)) => drop(table.insert(key.into(), json!(mu))),
            Some(Friction::Orthotropic(mu)) => drop(table.insert(key.into(), json!(mu))),
            None => {}
        }
    }
    unless(&mut table, "restitution", contact.restitution, 0.0);
    unless(&mut table, "restitution_tangential", contact.restitution_tangential, 0.0);
    unless(&mut table, "stiffness", contact.stiffness, 1.0);
    insert_offset(&mut table, &problem.offset()[contact.normal..contact.tangents.end.max(contact.normal + 1)]);
    Value::Object(table)
}

/// A direction in full, or a table of its entries where some are not stored.
fn direction(problem: &ImpactProblem, row: usize) -> Value {
    let directions = problem.directions();
    let values = directions.values(row);
    if values.len() == problem.coordinates() {
        return json!(values);
    }
    Value::Object(directions.column(row).map(|(i, value)| (i.to_string(), json!(value))).collect())
}

fn unless(table: &mut Map<String, Value>, key: &str, value: f64, default: f64) {
    if value != default {
        table.insert(key.into(), json!(value));
    }
}

fn insert_offset(table: &mut Map<String, Value>, offset: &[f64]) {
    if offset.iter().any(|&chi| chi != 0.0) {
        table.insert("offset".into(), json!(offset));
    }
}
