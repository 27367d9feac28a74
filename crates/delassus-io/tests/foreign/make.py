"""Writes the files beside it, with pyarrow and h5py: what others write must be read here too."""

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 40
table = pa.table({
    "flag": pa.array([None if k % 7 == 0 else k % 3 == 0 for k in range(ROWS)]),
    "small": pa.array(range(-3, ROWS - 3), pa.int32()),
    "large": pa.array([k * 10**12 - 3 for k in range(ROWS)], pa.int64()),
    "single": pa.array([0.5 * k for k in range(ROWS)], pa.float32()),
    "double": pa.array([None if k % 11 == 0 else k / 7 for k in range(ROWS)]),
    "word": pa.array([None if k % 3 == 0 else f"w{k % 5}, ü" for k in range(ROWS)]),
    "none": pa.array([None] * ROWS, pa.float64()),
})
pq.write_table(table, "first.parquet", row_group_size=15)
pq.write_table(table, "second.parquet", data_page_version="2.0", use_dictionary=["word"], compression="none", data_page_size=64)
pq.write_table(table, "zstd.parquet", compression="zstd")

# Two contacts in the plane: W = diag(2, 3, 4, 5) by columns, q = (−1, 0.25, −2, 0.5), μ = (0.3, 0.6).
for name, version in [("earliest", "earliest"), ("latest", "latest")]:
    with h5py.File(f"{name}.hdf5", "w", libver=version) as file:
        local = file.create_group("fclib_local")
        local["spacedim"] = np.array([2], "i4")
        for key, value in [("m", 4), ("n", 4), ("nz", -1)]:
            local[f"W/{key}"] = np.array([value], "i8" if key == "m" else "i4")
        local["W/p"] = np.arange(5, dtype=">i4")
        chunks = {} if name == "latest" else {"chunks": (3,), "compression": "gzip", "shuffle": True, "fletcher32": True}
        local.create_dataset("W/i", data=np.arange(4, dtype="i4"), **chunks)
        local.create_dataset("W/x", data=np.array([2.0, 3.0, 4.0, 5.0]), **chunks)
        local.create_dataset("vectors/q", data=np.array([-1.0, 0.25, -2.0, 0.5], ">f8"), **chunks)
        local["vectors/mu"] = np.array([0.3, 0.6])

# The same matrix with lists of which some places were never written: they hold the value to fill with, in q −1, in μ 0.3, and
# at the end of x 5. A second file has a link by name instead of q.
for name, version in [("unwritten", "earliest"), ("unwritten-latest", "latest"), ("linked", "earliest")]:
    with h5py.File(f"{name}.hdf5", "w", libver=version) as file:
        local = file.create_group("fclib_local")
        local["spacedim"] = np.array([2], "i4")
        for key, value in [("m", 4), ("n", 4), ("nz", -1)]:
            local[f"W/{key}"] = np.array([value], "i4")
        local["W/p"], local["W/i"] = np.arange(5, dtype="i4"), np.arange(4, dtype="i4")
        chunk = 4 if version == "latest" else 3
        x = local.create_dataset("W/x", (4,), "f8", fillvalue=5.0, chunks=(chunk,))
        x[:chunk] = np.array([2.0, 3.0, 4.0, 5.0])[:chunk]
        if name == "linked":
            local["vectors/q"] = h5py.SoftLink("/elsewhere")
        else:
            local.create_dataset("vectors/q", (4,), ">f8", fillvalue=-1.0, chunks=(chunk,))
        local.create_dataset("vectors/mu", (2,), "f8", fillvalue=0.3)
