//! Files as they are found, and files that are damaged.

use delassus::model::AccelerationUnit as Unit;

use super::*;

fn peer(line3: &str, line4: &str, data: &str) -> String {
    format!(
        "PEER NGA STRONG MOTION DATABASE RECORD\nSynthetic, 1/1/2000, Velocity Peak Station, 90\n{line3}\n{line4}\n{data}"
    )
}

/// The record of a file with one.
fn read_record(name: &str, text: &str) -> Result<RecordData, String> {
    read_records(name, text).map(|records| choose_component(records, None).unwrap())
}

fn refusal(name: &str, text: &str) -> String {
    read_records(name, text).expect_err(text)
}

/// A component of a GeoNet file, with as many velocities and displacements as accelerations.
fn geonet(name: &str, acceleration: &[f64]) -> String {
    let count = acceleration.len();
    let mut text = "Corrected accelerogram 20160214_001343_X_20 GNS Science\n".to_owned();
    for k in 2..=16 {
        text += &match k {
            13 => format!("Component {name}\n"),
            14 => "Acceleration:  Peak  -2080.5 mm/s/s at  23.28 s     RMS   145.65 mm/s/s\n".to_owned(),
            15 => "Velocity:  Peak  20.0 mm/s at  2.00 s\n".to_owned(),
            _ => format!("line {k}\n"),
        };
    }
    let line = |numbers: &[f64]| numbers.iter().map(|v| format!("{v:>8}")).collect::<String>() + "\n";
    for k in 0..10 {
        let mut numbers = [0.0; 10];
        match k {
            3 => numbers[3..6].fill(count as f64),
            6 => numbers[5] = 0.005,
            _ => {}
        }
        text += &line(&numbers);
    }
    for block in [acceleration, &vec![1.0; count], &vec![2.0; count]] {
        text.extend(block.chunks(10).map(line));
    }
    text
}

#[test]
fn geonet_files() {
    // Numbers of eight characters touch.
    let first: Vec<f64> = (0..23).map(|k| -1234.25 - f64::from(k)).collect();
    let up = [0.5, -2.0, 3.0];
    let text = geonet("S14E", &first) + &geonet("Up", &up);
    assert!(text.contains("-1234.25-1235.25"));
    let records = read_records("x.V2A", &text).unwrap();
    let names: Vec<_> = records.iter().map(|r| r.component.as_deref().unwrap()).collect();
    assert_eq!(names, ["S14E", "Up"]);
    for record in &records {
        assert_eq!(
            (record.format, record.units, record.interval),
            (RecordFormat::GeoNet, Some(Unit::Millimetre), Some(0.005))
        );
    }
    assert_eq!(records[0].acceleration, first);
    assert_eq!(records[1].acceleration, up);
    for (wanted, place) in [("s14e", 0), ("1", 0), ("Up", 1), (" 2 ", 1)] {
        assert_eq!(choose_component(records.clone(), Some(wanted)).unwrap(), records[place], "{wanted}");
    }
    for wanted in [None, Some("3"), Some("0"), Some("N76E")] {
        let error = choose_component(records.clone(), wanted).unwrap_err();
        assert_eq!(error.field, "component");
        assert!(error.problem.contains("\"S14E\" (or \"1\"), \"Up\" (or \"2\")"), "{error}");
    }
    // One that says no unit, and damaged ones.
    let silent = read_records("x.V1A", &text.replace("mm/s/s", "")).unwrap();
    assert_eq!(silent[0].units, None);
    let short = text.lines().count() - 1;
    for (damaged, expected) in [
        (text.replacen("-1235.25", "-1235,25", 1), "line 27: \"-1235,25\" in place 2 is no number"),
        (text.replacen("   0.005", "       0", 1), "line 23: the time between samples is 0"),
        (text.replacen("      23", "     2.5", 1), "line 20: 2.5 is no number of accelerations"),
        (
            text.lines().take(short).map(|line| format!("{line}\n")).collect(),
            "displacements of the heading are missing",
        ),
        (text.lines().take(40).map(|line| format!("{line}\n")).collect(), "ends at line 40, within a component"),
    ] {
        let message = refusal("x.V2A", &damaged);
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
}

#[test]
fn peer_files_of_every_kind() {
    let three = " -.1000000E-01  .2E-01\r\n 1.0\r\n*** End Data ***\r\n";
    for header in [
        "NPTS=   3, DT=   .0050 SEC,",
        "NPTS=      3, DT= .00500 SEC",
        "npts=   3, dt=  .0050",
        "3 0.0050 NPTS, DT",
        "NPTS=3,DT=.005SEC",
        "DT= 5.0E-03 SEC, NPTS= 3",
    ] {
        let text = peer("ACCELERATION TIME SERIES IN UNITS OF G", header, three);
        let record = read_record("a.AT2", &text).unwrap_or_else(|e| panic!("{header}: {e}"));
        assert_eq!((record.interval, record.units), (Some(0.005), Some(Unit::G)), "{header}");
        assert_eq!(record.acceleration, [-0.01, 0.02, 1.0], "{header}");
        // The header may be longer.
        let longer = text.replacen('\n', "\nmore\nand more\nof it\n", 1);
        assert_eq!(read_record("a.AT2", &longer).unwrap(), record);
    }
    for (line, unit) in [
        ("ACCELERATION TIME HISTORY IN UNITS OF G. FILTER POINTS: HP=0.1 Hz LP=46.0 Hz", Some(Unit::G)),
        ("Acceleration time series in units of cm/s/s", Some(Unit::Centimetre)),
        ("ACCELERATION TIME SERIES, UNITS: M/SEC**2", Some(Unit::Metre)),
        ("ACCELERATION TIME SERIES IN UNITS OF CM/SEC/SEC", Some(Unit::Centimetre)),
        ("ACCELERATION TIME SERIES", None),
        ("nothing said", None),
    ] {
        let record = read_record("a.at2", &peer(line, "NPTS= 3, DT= .005 SEC", three)).unwrap();
        assert_eq!(record.units, unit, "{line}");
    }
}

#[test]
fn other_quantities_and_units_are_refused() {
    let text = |line: &str| peer(line, "NPTS= 1, DT= .01 SEC", "1.0");
    for (name, text, expected) in [
        ("a.AT2", text("VELOCITY TIME SERIES IN UNITS OF CM/S"), "holds a velocity (line 3"),
        ("a.txt", text("DISPLACEMENT TIME HISTORY IN UNITS OF CM"), "holds a displacement (line 3"),
        ("a.AT2", text("TIME SERIES IN UNITS OF CM/SEC"), "holds a velocity"),
        ("a.AT2", text("ACCELERATION TIME SERIES IN UNITS OF FT/S2"), "line 3: the unit \"FT/S2\" is not known"),
        ("A.VT2", text("TIME SERIES IN UNITS OF G"), "its name ends in .vt2"),
        ("A.DT2", "1\n2\n".to_owned(), "holds a displacement"),
        ("a.csv", "time,velocity\n0,1\n1,2\n".to_owned(), "holds a velocity (line 1: \"velocity\")"),
        ("a.csv", "t [s],v [m/s]\n0,1\n1,2\n".to_owned(), "holds a velocity"),
        ("a.csv", "t [s],x [m/s]\n0,1\n1,2\n".to_owned(), "holds a velocity"),
        ("a.csv", "time,disp_cm\n0,1\n1,2\n".to_owned(), "holds a displacement"),
        ("a.csv", "time,ug [cm]\n0,1\n1,2\n".to_owned(), "holds a displacement"),
        ("a.csv", "# ground velocity of the station\n0 1\n1 2\n".to_owned(), "holds a velocity"),
        (
            "a.csv",
            "time,acc [%g]\n0,1\n1,2\n".to_owned(),
            "the unit \"%g\" is not known; there are g, m/s2, cm/s2, gal",
        ),
        ("a.csv", "time,acc_mg\n0,1\n1,2\n".to_owned(), "the unit \"mg\" is not known"),
        ("a.csv", "t [ms],acc_g\n0,1\n1,2\n".to_owned(), "must be the time in seconds"),
        ("a.csv", "acc_g,time\n0,1\n1,2\n".to_owned(), "must be the time in seconds"),
        ("a.csv", "# in cm/s2\ntime,acc_g\n0,1\n1,2\n".to_owned(), "line 2: the heading names a second unit"),
    ] {
        let message = refusal(name, &text);
        assert!(message.contains(expected), "{text:?}: {message:?} lacks {expected:?}");
    }
}

#[test]
fn esm_files() {
    let header = "EVENT_NAME: SYNTHETIC\nSTATION_CODE: X\nSAMPLING_INTERVAL_S: 0.005000\nNDATA: 3\nDURATION_S: 0.01\n\
                  STREAM: HNE\nUNITS: cm/s^2\nPGA_CM/S^2: 3.0\nDATA_TYPE: ACCELERATION\nUSER5:\n";
    let record = read_record("x.ASC", &format!("{header}1.5\n-2.0\n3.0\n")).unwrap();
    assert_eq!(
        (record.format, record.units, record.interval),
        (RecordFormat::Esm, Some(Unit::Centimetre), Some(0.005))
    );
    assert_eq!(record.acceleration, [1.5, -2.0, 3.0]);
    for (from, to, expected) in [
        ("DATA_TYPE: ACCELERATION", "DATA_TYPE: VELOCITY", "holds a velocity (line 9: DATA_TYPE: VELOCITY)"),
        ("cm/s^2\n", "cm/s\n", "holds a velocity"),
        ("cm/s^2\n", "furlong\n", "line 7: the unit \"furlong\" is not known"),
        ("NDATA: 3", "NDATA: 4", "NDATA promises 4 values, but the file holds 3"),
        ("NDATA: 3", "NDATA: 2", "line 13: NDATA promises 2 values, but more numbers follow"),
        ("NDATA: 3", "NDATA: many", "line 4: NDATA is \"many\"; needs the number of values"),
        ("SAMPLING_INTERVAL_S: 0.005000\n", "", "SAMPLING_INTERVAL_S: is missing"),
    ] {
        let message = refusal("x.ASC", &format!("{header}1.5\n-2.0\n3.0\n").replace(from, to));
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
}

#[test]
fn headings_of_columns() {
    for (heading, unit) in [
        ("time,acc_g", Some(Unit::G)),
        ("t [s],a [m/s2]", Some(Unit::Metre)),
        ("Time (sec),Acceleration (cm/sec^2)", Some(Unit::Centimetre)),
        ("time;acc (gal)", Some(Unit::Gal)),
        ("time\tacceleration in g", Some(Unit::G)),
        ("time (s) acc (g)", Some(Unit::G)),
        ("# t[s] a[m/s²]", Some(Unit::Metre)),
        ("t,acc_ms-2", Some(Unit::Metre)),
        ("t,acc_cm_s2", Some(Unit::Centimetre)),
        ("t,accel_mps2", Some(Unit::Metre)),
        ("t,a [m s^-2]", Some(Unit::Metre)),
        ("t,a [mm/s/s]", Some(Unit::Millimetre)),
        ("# corrected acceleration, cm/s^2", Some(Unit::Centimetre)),
        ("# acceleration, cm/s^2", Some(Unit::Centimetre)),
        ("# units: g", Some(Unit::G)),
        ("# Station G, PGA 0.3 g\ntime,acc", None),
        ("t,a", None),
        ("t,a_g", None),
        ("time,acceleration", None),
        ("", None),
    ] {
        let record = read_record("x.csv", &format!("{heading}\n0.0, 1\n0.1, 2 # peak\n0.2, 3\n"));
        let record = record.unwrap_or_else(|e| panic!("{heading}: {e}"));
        assert_eq!(record.units, unit, "{heading}");
        assert!((record.interval.unwrap() - 0.1).abs() < 1e-15);
        assert_eq!(record.acceleration, [1.0, 2.0, 3.0]);
    }
    for (heading, unit) in
        [("acc_g", Some(Unit::G)), ("a [m/s2]", Some(Unit::Metre)), ("Station G", None), ("# gal", Some(Unit::Gal))]
    {
        let one = read_record("x", &format!("{heading}\n1\n2\n")).unwrap();
        assert_eq!((one.units, one.interval, one.acceleration.len()), (unit, None, 2), "{heading}");
    }
    // Columns that are no times, and units with a factor, are not taken for what they resemble.
    for (heading, expected) in [
        ("index,g", "must be the time in seconds"),
        ("index,acc_g", "must be the time in seconds"),
        ("freq [Hz],acc_g", "must be the time in seconds"),
        ("period,Sa_g", "must be the time in seconds"),
        ("time [ms],acc_g", "must be the time in seconds"),
        ("t,a (milli g)", "\"milli g\" is not known"),
        ("t,a (% of g)", "\"% of g\" is not known"),
        ("t,a (x10 g)", "\"x10 g\" is not known"),
        ("t,a [1e-3 g]", "\"1e-3 g\" is not known"),
        ("t,acc 0.01 m/s2", "is not known"),
        ("t,a (0.01 m/s2)", "\"0.01 m/s2\" is not known"),
    ] {
        let message = refusal("x.csv", &format!("{heading}\n0.0, 1\n0.1, 2\n0.2, 3\n"));
        assert!(message.contains(expected), "{heading}: {message}");
    }
    let factor = read_record("x", "# Kobe 1995, acceleration (0.01 m/s2) of station A\n0.0 1\n0.1 2\n").unwrap();
    assert_eq!(factor.units, None);
    assert!(refusal("x.csv", "0,0;0,1\n0,1;0,2\n").contains("with a point"));
    let late = read_record("x", "9.0 1\n9.1 2\n9.2 1\n").unwrap();
    assert_eq!(late.remarks, ["its times start at 9 s, which is taken as 0"]);
}

#[test]
fn damaged_files_say_where() {
    let g = "ACCELERATION TIME SERIES IN UNITS OF G";
    for (text, expected) in [
        (String::new(), "is empty"),
        (" \r\n\r\n".into(), "is empty"),
        ("\u{0}\u{1}binary".into(), "holds no row of numbers"),
        (peer(g, "NPTS= 5, DT= .01 SEC", "1 2 3"), "NPTS promises 5 values, but the file holds 3"),
        (peer(g, "NPTS= 2, DT= .01 SEC", "1 2 3"), "line 5: NPTS promises 2 values, but more numbers follow"),
        (peer(g, "NPTS= 2, DT= .01 SEC", "1\n2\n*** end\n"), ""),
        (peer(g, "NPTS= 3, DT= .01 SEC", "1 2\nx 3"), "line 6: \"x\" is not a number, and only 2 of the 3 values"),
        (peer(g, "NPTS= 3, DT= .01 SEC", "1 NaN 3"), "line 5: \"NaN\" is no finite number"),
        (peer(g, "NPTS= 3", "1 2 3"), "line 4: \"NPTS= 3\" does not give NPTS and DT"),
        (peer(g, "NPTS= 3, DT= 0", "1 2 3"), "does not give NPTS and DT"),
        (peer(g, "NPTS= -3, DT= .01", "1 2 3"), "does not give NPTS and DT"),
        (peer(g, "NPTS= 999999999, DT= .01", "1 2 3"), "but the file holds 3"),
        ("0 1\n0.1 2\n0.4 3".into(), "line 2: the time 0.1 should be 0.2; times must increase in equal steps"),
        ("0 1\n0 2\n0 3".into(), "it must hold increasing times"),
        ("0 1\n0.1 nan\n0.2 3".into(), "line 2: \"0.1 nan\" holds a number that is not finite"),
        ("nan 1\n0.1 2\n".into(), "line 1: \"nan 1\" holds a number that is not finite"),
        ("0 1\n0.1 x\n".into(), "line 2: \"0.1 x\" is not a row of numbers"),
        ("0 x\n0.1 1\n0.2 1\n".into(), "line 1: \"0 x\" is not a row of numbers"),
        ("0 1\n0.1\n".into(), "line 2: 1 columns, but 2 above"),
        ("0 1 2 3\n".into(), "has 4 columns"),
        ("0,0;0,5\n0,1;0,6\n".into(), "has 4 columns"),
        ("0 1\n".into(), "at least two rows"),
        ("only words\n".into(), "holds no row of numbers"),
    ] {
        match read_record("x", &text) {
            Ok(_) => assert_eq!(expected, "", "{text:?}"),
            Err(message) => {
                assert!(!expected.is_empty() && message.contains(expected), "{text:?}: {message:?} lacks {expected:?}");
            }
        }
    }
}

#[test]
fn units_and_interval_are_settled_once() {
    let file = read_record("x.csv", "time,acc [cm/s^2]\n0,1\n0.1,2\n").unwrap();
    assert_eq!(file.settle(None, None).unwrap().units, Unit::Centimetre);
    assert!(file.settle(Some(Unit::Gal), Some(0.1)).is_ok());
    let message = file.settle(Some(Unit::G), None).unwrap_err().to_string();
    assert_eq!(message, "units = \"g\": the file itself says cm/s2; leave it out");
    let message = file.settle(None, Some(0.2)).unwrap_err().to_string();
    assert_eq!(message, "interval = 0.2: the file itself says 0.1; leave it out");
    let silent = read_record("x", "1\n2\n").unwrap();
    assert!(silent.settle(None, Some(0.1)).unwrap_err().to_string().contains("units: the file does not say its unit"));
    assert!(silent.settle(Some(Unit::G), None).unwrap_err().to_string().contains("interval: the file does not say"));
    let record = silent.settle(Some(Unit::G), Some(0.1)).unwrap().record("x").unwrap();
    assert_eq!(record.acceleration(), [9.80665, 2.0 * 9.80665]);
}

#[test]
fn files_damaged_at_random_give_numbers_or_errors() {
    let seeds = [
        peer(
            "ACCELERATION TIME SERIES IN UNITS OF G",
            "NPTS=   4, DT=   .0050 SEC",
            " -.1E-01 .2E-01\r\n 1.0 2\r\n*** End\r\n",
        ),
        "NDATA: 2\nSAMPLING_INTERVAL_S: 0.01\nUNITS: cm/s^2\nDATA_TYPE: ACCELERATION\n1.0\n2.0\n".to_owned(),
        "# made up\nt [s],a [m/s²]\n0.0,1\n0.1,2 # peak\n0.2,3\n".to_owned(),
    ];
    let pieces =
        ["é", "²", "(", "]", "_", "#", "%", "NPTS", "UNITS", ":", "=", "\n", "1e999", "nan", "-", "", " ", "g", ","];
    let mut state = 7u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut text: Vec<char> = seeds[next(seeds.len())].chars().collect();
        for _ in 0..=next(4) {
            let from = next(text.len() + 1);
            let to = (from + next(6)).min(text.len());
            text.splice(from..to, pieces[next(pieces.len())].chars());
        }
        match read_record("x", &text.into_iter().collect::<String>()) {
            Ok(record) => {
                read += 1;
                assert!(!record.acceleration.is_empty() && record.acceleration.iter().all(|a| a.is_finite()));
                assert!(record.interval.is_none_or(|interval| interval.is_finite() && interval > 0.0));
            }
            Err(message) => {
                refused += 1;
                assert!(!message.is_empty());
            }
        }
    }
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}
