//! Comma-separated values.

/// A field, in quotation marks where it needs them.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}
