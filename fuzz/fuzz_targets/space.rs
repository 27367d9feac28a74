//! The target `space` of `delassus_fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = delassus_fuzz::target("space") {
        (target.run)(data);
    }
});
