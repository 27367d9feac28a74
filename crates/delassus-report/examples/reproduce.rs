//! Computes the studies whose id contains an argument and writes their files below `target/reproduce`.
use delassus_report::reproduce::{files, page, studies};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut results = Vec::new();
    for study in studies() {
        if !wanted.is_empty() && !wanted.iter().any(|w| study.id.contains(w.as_str())) {
            continue;
        }
        let start = std::time::Instant::now();
        let findings = study.run();
        println!("{:10} {} [{:.2} s]", findings.verdict().as_str(), study.id, start.elapsed().as_secs_f64());
        for v in &findings.values {
            println!("    {} | {:?} | {:?} | {:?} | {}", v.quantity, v.paper, v.ours, v.tolerance, v.verdict.as_str());
        }
        for file in files(&study, &findings)? {
            let path = std::path::Path::new("target/reproduce").join(&file.path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, file.bytes)?;
        }
        results.push((study, findings));
    }
    std::fs::write("target/reproduce/index.html", page(&results))?;
    Ok(())
}
