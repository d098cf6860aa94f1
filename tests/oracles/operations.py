#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares operations with SciPy, scikit-image, ITK, OpenCV and numpy, on random images.

    tests/oracles/operations.py [--cli build/bin/seedwave-cli] [--cases 40] [--seed 1] [NAME...]

Prints one line for each operation and library, "N cases, M differ", with the first differences below
it, and exits with 1 when any differs. Values must have the same bits, except distances and two-point
correlations, where the libraries round otherwise, and strengths on f32 images, which are mapped onto
16 bits: operation_cases.py has the tolerances.
Needs numpy, SciPy, scikit-image, SimpleITK and OpenCV.
"""
import argparse
import pathlib
import sys
import tempfile

import numpy as np

from operation_cases import CASES
from seedwave import Refused, Seedwave

SHOWN = 3


def difference(expected, found, case):
    """Why two arrays differ; "" where they agree."""
    expected, found = np.asarray(expected), np.asarray(found)
    if expected.shape != found.shape:
        return f"shape {found.shape} instead of {expected.shape}"
    known = ~np.isnan(expected.astype(np.float64))
    a, b = expected[known].astype(np.float64), found[known].astype(np.float64)
    wrong = np.abs(a - b) > np.maximum(case.absolute, case.tolerance * np.maximum(1.0, np.abs(a)))
    if not wrong.any():
        return ""
    first = np.flatnonzero(wrong)[0]
    return f"{wrong.sum()} of {a.size} values, the first {b[first]:g} instead of {a[first]:g}"


def why_different(case, program):
    try:
        outputs = program.run(case)
    except Refused as refused:
        return str(refused)
    for name, expected in case.expected.items():
        pairs = expected.items() if isinstance(expected, dict) else [("", expected)]
        for column, values in pairs:
            found = outputs[name][column] if column else outputs[name]
            if why := difference(values, found, case):
                return f"{name} {column} {why} ({case.values}, {case.image.shape}, {case.image.dtype})"
    return ""


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cli", default=root / "build" / "bin" / "seedwave-cli")
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of " + ", ".join(CASES))
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        program = Seedwave(options.cli, folder)
        for number, (name, draw) in enumerate(CASES.items()):
            if options.names and name not in options.names:
                continue
            differences = []
            for i in range(options.cases):
                case = draw(np.random.default_rng([options.seed, number, i]))
                if why := why_different(case, program):
                    differences.append(f"case {i}: {why}")
            print(f"{case.operation}, {case.library}: {options.cases} cases, {len(differences)} differ",
                  flush=True)
            for line in differences[:SHOWN]:
                print(f"    {line}", flush=True)
            failed |= bool(differences)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
