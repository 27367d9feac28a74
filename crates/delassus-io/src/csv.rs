//! Comma-separated values, the one place that reads and writes them.
//!
//! Own code, because the `csv` crate (1.4, tried) takes damaged files without a word: from a quotation mark that is never closed
//! on, all lines that follow become one field, and `"a"b` is read as `ab`. Here both are errors, by their line. What
//! remains for a library is a rule for quotation marks.

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

/// The fields of a line; `None` where its quotation marks do not match.
///
/// ```
/// let fields = delassus_io::csv_fields("x,\"A, B\",\"say \"\"no\"\"\"").unwrap();
/// assert_eq!(fields, ["x", "A, B", "say \"no\""]);
/// assert_eq!(delassus_io::csv_fields("\"open"), None);
/// ```
pub fn csv_fields(line: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].to_owned(), &rest[end..])
            }
            Some(mut quoted) => {
                let mut field = String::new();
                loop {
                    let end = quoted.find('"')?;
                    field.push_str(&quoted[..end]);
                    quoted = &quoted[end + 1..];
                    // Two stand for one.
                    match quoted.strip_prefix('"') {
                        Some(more) => {
                            field.push('"');
                            quoted = more;
                        }
                        None => break,
                    }
                }
                (field, quoted)
            }
        };
        fields.push(field);
        if after.is_empty() {
            return Some(fields);
        }
        rest = after.strip_prefix(',')?;
    }
}
