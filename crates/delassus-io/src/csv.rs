//! Comma-separated values, the one place that writes them.
//!
//! Rows of numbers and a few names need a rule for quotation marks and nothing else of the `csv`
//! crate, which every door to these files would have to compile.

/// Appends a row. A field with a comma, a quotation mark or a line break stands in quotation marks
/// (RFC 4180).
///
/// ```
/// let mut out = String::new();
/// delassus_io::push_csv_row(&mut out, ["x", "A, B", "say \"no\""]);
/// assert_eq!(out, "x,\"A, B\",\"say \"\"no\"\"\"\n");
/// ```
pub fn push_csv_row<F: AsRef<str>>(out: &mut String, fields: impl IntoIterator<Item = F>) {
    for (i, field) in fields.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        let field = field.as_ref();
        if field.contains(['"', ',', '\n', '\r']) {
            out.push('"');
            out.push_str(&field.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(field);
        }
    }
    out.push('\n');
}

/// A number as a field: the shortest text that reads back to the same bits; nothing where it is not finite.
pub fn csv_number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}
