//! Ground-motion records: PEER .AT2, and columns of text.

/// Standard gravity, the unit of AT2 files \[m/s²\].
const STANDARD_GRAVITY: f64 = 9.80665;

/// A recorded acceleration.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordData {
    /// Time between samples \[s\], where the file says it.
    pub interval: Option<f64>,
    /// Accelerations \[m/s²\].
    pub acceleration: Vec<f64>,
}

/// Reads a record: PEER .AT2 (accelerations in g), one column of accelerations
/// or two of time and acceleration (SI).
///
/// # Errors
/// What is wrong, in words.
pub fn read_record(text: &str) -> Result<RecordData, String> {
    let lines: Vec<&str> = text.lines().collect();
    // The header ends with the line that contains NPTS, wherever that is.
    match lines.iter().position(|line| line.to_uppercase().contains("NPTS")) {
        Some(header) => read_at2(lines[header], &lines[header + 1..]),
        None => read_columns(&lines),
    }
}

fn read_at2(header: &str, lines: &[&str]) -> Result<RecordData, String> {
    let upper = header.to_uppercase();
    let (count, interval) =
        header_numbers(&upper).ok_or_else(|| format!("the line {:?} does not give NPTS and DT", header.trim()))?;
    let words = lines.iter().flat_map(|line| line.split_whitespace());
    let mut acceleration = Vec::with_capacity(count);
    for word in words.take(count) {
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => acceleration.push(value * STANDARD_GRAVITY),
            _ => break,
        }
    }
    if acceleration.len() < count {
        return Err(format!("promises {count} values but holds {}", acceleration.len()));
    }
    Ok(RecordData { interval: Some(interval), acceleration })
}

/// `NPTS= 7995, DT= .0050 SEC` or `7997 0.0050 NPTS, DT`.
fn header_numbers(upper: &str) -> Option<(usize, f64)> {
    let numbers = |text: &str| -> Vec<f64> {
        let split = text.split(|c: char| c.is_whitespace() || c == ',' || c == '=');
        split.filter_map(|word| word.parse::<f64>().ok()).collect()
    };
    let all = numbers(upper);
    let (count, interval) = (*all.first()?, *all.get(1)?);
    let sound = count >= 1.0 && count.fract() == 0.0 && count < 1e9 && interval > 0.0 && interval.is_finite();
    sound.then_some((count as usize, interval))
}

fn read_columns(lines: &[&str]) -> Result<RecordData, String> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
        if words.is_empty() {
            continue;
        }
        let row: Result<Vec<f64>, _> = words.iter().map(|word| word.parse::<f64>()).collect();
        match row {
            Ok(row) if row.iter().all(|v| v.is_finite()) => rows.push(row),
            // A heading may stand above the numbers.
            _ if rows.is_empty() => {}
            _ => return Err(format!("line {}: {:?} is not a row of numbers", i + 1, line.trim())),
        }
    }
    let width = rows.first().map_or(0, Vec::len);
    if !(1..=2).contains(&width) || rows.iter().any(|row| row.len() != width) {
        return Err("needs one column of accelerations or two of time and acceleration".to_owned());
    }
    if width == 1 {
        return Ok(RecordData { interval: None, acceleration: rows.concat() });
    }
    if rows.len() < 2 {
        return Err("needs at least two rows of time and acceleration".to_owned());
    }
    let interval = (rows[rows.len() - 1][0] - rows[0][0]) / (rows.len() - 1) as f64;
    let even =
        rows.iter().enumerate().all(|(i, row)| (row[0] - rows[0][0] - i as f64 * interval).abs() <= 1e-3 * interval);
    if !(interval > 0.0 && even) {
        return Err("the times must increase in equal steps".to_owned());
    }
    Ok(RecordData { interval: Some(interval), acceleration: rows.iter().map(|row| row[1]).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at2_headers_of_every_kind() {
        for header in ["NPTS=   3, DT=   .0050 SEC,", "npts=   3, dt=  .0050", "3 0.0050 NPTS, DT"] {
            let text = format!("PEER\nevent\nIN UNITS OF G\n{header}\n -.1E-01 .2E-01\r\n 1.0\n*** End Data ***\n");
            let record = read_record(&text).unwrap();
            assert_eq!(record.interval, Some(0.005));
            assert_eq!(record.acceleration, [-0.01, 0.02, 1.0].map(|g: f64| g * STANDARD_GRAVITY));
        }
        assert!(read_record("NPTS= 5, DT= .01 SEC\n1 2 3").unwrap_err().contains("promises 5"));
    }

    #[test]
    fn columns() {
        let two = read_record("time, a\n0.0, 1\n0.1, 2 # peak\n0.2, 3\n").unwrap();
        assert!((two.interval.unwrap() - 0.1).abs() < 1e-15);
        assert_eq!(two.acceleration, [1.0, 2.0, 3.0]);
        let one = read_record("1\n2\n").unwrap();
        assert_eq!((one.interval, one.acceleration.len()), (None, 2));
        assert!(read_record("0 1\n0.1 2\n0.4 3").unwrap_err().contains("equal steps"));
        assert!(read_record("").unwrap_err().contains("one column"));
    }
}
