#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `compare` with SimpleITK's overlap measures and SciPy's distances, on random labels.

    tests/oracles/metrics.py [--cli build/bin/seedwave-cli] [--cases 60] [--seed 1]

Prints one line for each figure, "N cases, M differ", with the first differences below it, and exits
with 1 when any differs by more than 1e-5, relative to values above 1. Needs numpy, SciPy and
SimpleITK.
"""
import argparse
import pathlib
import sys
import tempfile

import numpy as np
import SimpleITK as sitk
from scipy import ndimage

from seedwave import Seedwave

SHOWN = 3
FIGURES = {"dice": "ITK", "jaccard": "ITK", "volume_similarity": "ITK", "hd": "SciPy", "hd95": "SciPy",
           "hd95_pooled": "SciPy", "assd": "SciPy", "masd": "SciPy"}


def blobs(rng, size):
    return (ndimage.gaussian_filter(rng.standard_normal(size), rng.uniform(0.5, 2.5)) > 0).astype(np.uint8)


def surface(mask):
    """Voxels with a neighbour outside; beyond the image there is nothing."""
    return mask & ~ndimage.binary_erosion(mask, ndimage.generate_binary_structure(mask.ndim, 1))


def expected(result, reference, spacing):
    overlap = sitk.LabelOverlapMeasuresImageFilter()
    overlap.Execute(sitk.GetImageFromArray(reference), sitk.GetImageFromArray(result))
    a, b = surface(result > 0), surface(reference > 0)
    sampling = spacing[::-1] if spacing else None
    there = ndimage.distance_transform_edt(~b, sampling=sampling)[a]
    back = ndimage.distance_transform_edt(~a, sampling=sampling)[b]
    pooled = np.concatenate([there, back])
    # ITK's volume similarity has twice the sign and size: 2 (a - b) / (a + b).
    similarity = 1 - abs(overlap.GetVolumeSimilarity(1)) / 2
    return {"dice": overlap.GetDiceCoefficient(1), "jaccard": overlap.GetJaccardCoefficient(1),
            "volume_similarity": similarity, "hd": pooled.max(),
            "hd95": max(np.percentile(there, 95), np.percentile(back, 95)),
            "hd95_pooled": np.percentile(pooled, 95), "assd": pooled.mean(),
            "masd": (there.mean() + back.mean()) / 2}


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cli", default=root / "build" / "bin" / "seedwave-cli")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    differences = {figure: [] for figure in FIGURES}
    with tempfile.TemporaryDirectory() as folder:
        program = Seedwave(options.cli, folder)
        for i in range(options.cases):
            rng = np.random.default_rng([options.seed, i])
            ndim = int(rng.integers(2, 4))
            size = tuple(int(n) for n in rng.integers(3, 30 if ndim == 2 else 12, ndim))
            spacing = tuple(float(s) for s in rng.choice((0.5, 1.0, 1.25, 3.0), 3)) if ndim == 3 else ()
            result, reference = blobs(rng, size), blobs(rng, size)
            result.flat[rng.integers(result.size)] = 1
            reference.flat[rng.integers(reference.size)] = 1
            found = program.compare(result, reference, spacing)["1"]
            for figure, value in expected(result, reference, spacing).items():
                if abs(found[figure] - value) > 1e-5 * max(1.0, abs(value)):
                    differences[figure].append(f"case {i}: {found[figure]:g} instead of {value:g}")
    for figure, lines in differences.items():
        print(f"compare {figure}, {FIGURES[figure]}: {options.cases} cases, {len(lines)} differ")
        for line in lines[:SHOWN]:
            print(f"    {line}")
    return int(any(differences.values()))


if __name__ == "__main__":
    sys.exit(main())
