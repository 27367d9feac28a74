//! The nearest of several words, for hints at misspelt keys and names.

/// The candidate with the fewest changed letters, if few enough to be a slip.
///
/// ```
/// assert_eq!(delassus_io::nearest("frction", &["friction", "restitution"]), Some("friction"));
/// assert_eq!(delassus_io::nearest("colour", &["friction", "restitution"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let best = candidates.iter().map(|c| (distance(word, c), *c)).min_by_key(|&(d, _)| d)?;
    (best.0 <= 1 + word.chars().count().max(best.1.len()) / 4).then_some(best.1)
}

/// Edit distance (insert, delete, replace), ignoring case and the difference of `-` and `_`.
fn distance(a: &str, b: &str) -> usize {
    let plain = |s: &str| s.to_ascii_lowercase().replace('-', "_").chars().collect::<Vec<_>>();
    let (a, b) = (plain(a), plain(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
