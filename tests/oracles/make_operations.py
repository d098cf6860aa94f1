#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small inputs of operations with the answers of other libraries, which the tests keep.

    tests/oracles/make_operations.py [--seed 7] > tests/data/oracles/operations.json

Three cases for each row of operation_cases.py; seedwave-cli has no part in it. Needs numpy, SciPy,
scikit-image, SimpleITK and OpenCV, whose versions are written down.
"""
import argparse
import base64
import json
import sys

import cv2
import numpy as np
import scipy
import SimpleITK as sitk
import skimage

from operation_cases import CASES

EACH = 3
SMALLEST, LARGEST = 12, 200  # cells


def packed(array):
    size = list(array.shape[::-1])
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    return {"type": {"u": "u", "i": "i", "f": "f"}[array.dtype.kind] + str(8 * array.dtype.itemsize),
            "size": size + [1] * (3 - len(size)), "data": base64.b64encode(little.tobytes()).decode()}


def table(columns):
    return {name: [None if np.isnan(v) else float(v) for v in values] for name, values in columns.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    cases = []
    for number, (name, draw) in enumerate(CASES.items()):
        kept = tried = 0
        while kept < EACH:
            case = draw(np.random.default_rng([options.seed, number, tried]))
            tried += 1
            if not SMALLEST <= case.image.size <= LARGEST:
                continue
            kept += 1
            cases.append({
                "name": f"{name}, {case.library}, {kept}", "operation": case.operation,
                "values": {k: v if isinstance(v, str) else float(v) for k, v in case.values.items()},
                "volume": case.image.ndim == 3, "spacing": list(case.spacing), "image": packed(case.image),
                "inputs": {k: packed(v) for k, v in case.inputs.items()},
                "expected": {k: table(v) if isinstance(v, dict) else packed(v)
                             for k, v in case.expected.items()},
                "tolerance": case.tolerance, "absolute": case.absolute})
    versions = {"numpy": np.__version__, "SciPy": scipy.__version__, "scikit-image": skimage.__version__,
                "SimpleITK": sitk.Version.VersionString(), "OpenCV": cv2.__version__}
    print('{"made_by": "tests/oracles/make_operations.py",')
    print(f' "seed": {options.seed}, "versions": {json.dumps(versions)}, "cases": [')
    print(",\n".join(json.dumps(case) for case in cases))
    print("]}")


if __name__ == "__main__":
    sys.exit(main())
