//! The target `sweep` of `delassus_fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = delassus_fuzz::target("sweep") {
        (target.run)(data);
    }
});
