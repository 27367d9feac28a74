//! Small whole numbers in few bits: levels that say what is null, and places in a dictionary. A list is a sequence of
//! runs, each either one number repeated or groups of eight numbers packed bit by bit.

use super::thrift::{Bytes, write_varint};

/// Bits that numbers up to this one need, at least one.
pub(super) fn width(largest: u32) -> u32 {
    (32 - largest.leading_zeros()).max(1)
}

/// Writes numbers of at most 32 bits as one run of groups, filled with zeros.
pub(super) fn pack(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    write_varint(((numbers.len().div_ceil(8) as u64) << 1) | 1, out);
    for group in numbers.chunks(8) {
        let (mut bits, mut held) = (0u64, 0);
        for k in 0..8 {
            bits |= u64::from(group.get(k).copied().unwrap_or(0)) << held;
            held += width;
            while held >= 8 {
                out.push(bits as u8);
                bits >>= 8;
                held -= 8;
            }
        }
    }
}

/// Reads so many numbers; `None` where the bytes hold fewer.
pub(super) fn unpack(mut bytes: Bytes<'_>, width: u32, count: usize) -> Option<Vec<u32>> {
    if width > 32 {
        return None;
    }
    let mask = (1 << width) - 1;
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let (head, left) = (bytes.varint()?, count - numbers.len());
        let length = usize::try_from(head >> 1).ok()?;
        if head & 1 == 0 {
            let mut number = [0; 4];
            let stored = bytes.take(width.div_ceil(8) as usize)?;
            number[..stored.len()].copy_from_slice(stored);
            numbers.resize(numbers.len() + length.min(left), u32::from_le_bytes(number));
            // A run of nothing would never end a damaged list.
            if length == 0 {
                return None;
            }
        } else {
            // The last run may end with the last number that is needed.
            let groups = length.min(left.div_ceil(8));
            let packed = bytes.take((groups * width as usize).min(bytes.0.len()))?;
            for k in 0..left.min(8 * groups) {
                if width == 0 {
                    numbers.push(0);
                    continue;
                }
                let first = k * width as usize;
                let last = first + width as usize - 1;
                // A number of 32 bits that begins within a byte reaches into five.
                let stored = packed.get(first / 8..=last / 8)?;
                let mut window = [0; 8];
                window[..stored.len()].copy_from_slice(stored);
                numbers.push(((u64::from_le_bytes(window) >> (first % 8)) & mask) as u32);
            }
            if groups == 0 {
                return None;
            }
        }
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for width in [1, 2, 3, 7, 8, 9, 17, 31, 32] {
            for count in [0, 1, 7, 8, 9, 100] {
                let mask = u32::MAX >> (32 - width);
                let numbers: Vec<u32> = (0..count).map(|k: u32| k.wrapping_mul(2_654_435_761) & mask).collect();
                let mut bytes = Vec::new();
                pack(&numbers, width, &mut bytes);
                assert_eq!(unpack(Bytes(&bytes), width, numbers.len()).unwrap(), numbers, "{width} bits");
                if count > 0 {
                    assert!(unpack(Bytes(&bytes[..bytes.len() - width as usize]), width, numbers.len()).is_none());
                }
            }
        }
    }

    /// The examples of the format's description: 0 to 7 in three bits, and a run.
    #[test]
    fn runs_are_those_of_the_specification() {
        let packed = [0b0000_0011, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        assert_eq!(unpack(Bytes(&packed), 3, 8).unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        let mut bytes = Vec::new();
        pack(&[0, 1, 2, 3, 4, 5, 6, 7], 3, &mut bytes);
        assert_eq!(bytes, packed);
        assert_eq!(unpack(Bytes(&[6, 2, 10, 5]), 3, 5).unwrap(), [2, 2, 2, 5, 5]);
        assert!(unpack(Bytes(&[0, 2, 0, 2]), 3, 5).is_none() && unpack(Bytes(&[1, 1]), 3, 5).is_none());
        assert_eq!([0, 1, 2, 255, 256].map(width), [1, 1, 2, 8, 9]);
    }
}
