#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times connected components beside OpenCV and SciPy, and compares their results.

    research/peers/components.py CLI [--repeat 7] [--size 8192] [--threads 2]

CLI: seedwave-cli. Inputs by formula: smooth blobs, and noise of which half is object; 4 neighbours. Prints the
median of the milliseconds, fastest and slowest in brackets; ours are those of the operation, without loading. Programs
take turns. Needs numpy, SciPy and OpenCV. Ends with 1 where a result differs.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np
from scipy import ndimage


def inputs(size):
    rng = np.random.default_rng(1)
    smooth = ndimage.gaussian_filter(rng.standard_normal((size, size)).astype(np.float32), 4)
    yield "blobs", (smooth > 0.3 * smooth.std()).astype(np.uint8)
    yield "noise", (rng.random((size, size)) < 0.5).astype(np.uint8)


def timed(work):
    start = time.perf_counter()
    result = work()
    return (time.perf_counter() - start) * 1e3, result


def ours(cli, operation, image, out, threads):
    command = [cli, "run", *operation.split(), "--image", image, "--threads", str(threads), "--json"]
    report = json.loads(subprocess.run(command + (["--out", out] if out else []), check=True,
                                       capture_output=True).stdout)
    return report["ms"]["total"]


def in_raster_order(numbers):
    """The same parts numbered by their first pixels."""
    found, first = np.unique(numbers.ravel(), return_index=True)
    order = np.argsort(first[found != 0])
    renumbered = np.zeros(int(found.max()) + 1, np.uint32)
    renumbered[found[found != 0][order]] = np.arange(1, order.size + 1)
    return renumbered[numbers]


def same_results(cli, image, mask, folder, threads):
    numbers, table = os.path.join(folder, "numbers.npy"), os.path.join(folder, "table.csv")
    ours(cli, "components", image, numbers, threads)
    ours(cli, "measure-objects --measures size", image, table, threads)
    _, peer, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=4, ltype=cv2.CV_32S)
    expected = in_raster_order(peer)
    if not np.array_equal(np.load(numbers).reshape(mask.shape), expected):
        return False
    order = np.zeros(stats.shape[0], np.int64)
    order[expected[expected != 0]] = peer[expected != 0]  # the peer's number of each of ours
    with open(table, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {name: np.array([float(row[name]) for row in rows])
               for name in ("voxels", "left", "top", "columns", "rows", "x", "y")}
    of_peer = order[1:len(rows) + 1]
    return (np.array_equal(columns["voxels"], stats[of_peer, cv2.CC_STAT_AREA])
            and np.array_equal(columns["left"], stats[of_peer, cv2.CC_STAT_LEFT])
            and np.array_equal(columns["top"], stats[of_peer, cv2.CC_STAT_TOP])
            and np.array_equal(columns["columns"], stats[of_peer, cv2.CC_STAT_WIDTH])
            and np.array_equal(columns["rows"], stats[of_peer, cv2.CC_STAT_HEIGHT])
            and np.allclose(columns["x"], centres[of_peer, 0], rtol=1e-9)
            and np.allclose(columns["y"], centres[of_peer, 1], rtol=1e-9))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    all_same = True
    with tempfile.TemporaryDirectory() as folder:
        for name, mask in inputs(options.size):
            image = os.path.join(folder, name + ".npy")
            np.save(image, mask)
            programs = {
                "measure-objects": lambda: ours(options.cli, "measure-objects --measures size", image, None, options.threads),
                "OpenCV, statistics": lambda: timed(lambda: cv2.connectedComponentsWithStats(
                    mask, connectivity=4, ltype=cv2.CV_32S))[0],
                "components": lambda: ours(options.cli, "components", image, None, options.threads),
                "OpenCV, numbers": lambda: timed(lambda: cv2.connectedComponents(
                    mask, connectivity=4, ltype=cv2.CV_32S))[0],
                "SciPy, numbers": lambda: timed(lambda: ndimage.label(mask))[0],
            }
            times = {program: [] for program in programs}
            for _ in range(options.repeat):
                for program, run in programs.items():
                    times[program].append(run())
            same = same_results(options.cli, image, mask, folder, options.threads)
            all_same = all_same and same
            print(f"{name}, {options.size} x {options.size}, {options.threads} threads: results "
                  f"{'equal' if same else 'DIFFER'}")
            for program, ms in times.items():
                print(f"  {program:20} {statistics.median(ms):8.0f} ms ({min(ms):.0f} to {max(ms):.0f})", flush=True)
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
