#!/usr/bin/env python3
"""Writes tests/data/oracles/object_shapes.json: objects of random label maps as scikit-image and
SciPy measure them. Needs NumPy, SciPy and scikit-image; tests/core/morphology/test_measure_objects
reads the file.

Two definitions differ from regionprops: axes count pixels as squares (each adds 1/12 to the second
moments), and solidity is by the exact area of the hull of the pixels' corners."""
import json
import math
import pathlib

import numpy as np
from scipy import ndimage
from scipy.spatial import ConvexHull
from skimage import measure

CASES = 12
SEED = 20


def hull_area(mask):
    rows, columns = np.nonzero(mask)
    corners = [(x + i, y + k) for x, y in zip(columns, rows) for i in (0, 1) for k in (0, 1)]
    return ConvexHull(np.array(corners)).volume


def orientation(tensor):
    """Degrees counter-clockwise from the right of the longest axis; rows go down."""
    (yy, xy), (_, xx) = tensor
    if xy == 0 and xx == yy:
        return 0.0
    return math.degrees(math.atan2(-2 * xy, xx - yy)) / 2 % 180


def measures(found):
    second = measure.moments_central(found.image, order=2)
    covariance = np.array([[second[2, 0], second[1, 1]], [second[1, 1], second[0, 2]]]) / second[0, 0]
    small, large = np.linalg.eigvalsh(covariance + np.eye(2) / 12)
    return {"label": int(found.label), "perimeter": float(found.perimeter_crofton),
            "solidity": float(found.area / hull_area(found.image)),
            "major_axis": 4 * math.sqrt(large), "minor_axis": 4 * math.sqrt(small),
            "orientation": orientation(covariance),
            "mean": float(found.intensity_mean), "standard_deviation": float(found.intensity_std),
            "minimum": float(found.intensity_min), "maximum": float(found.intensity_max)}


def case(rng):
    rows, columns = rng.integers(5, 40, size=2)
    smooth = ndimage.gaussian_filter(rng.normal(size=(rows, columns)), rng.uniform(0, 2))
    labels = np.digitize(smooth, np.quantile(smooth, (0.4, 0.7))).astype(np.uint8)
    image = rng.integers(0, 256, size=labels.shape).astype(np.uint8)
    return {"rows": int(rows), "columns": int(columns), "labels": labels.ravel().tolist(),
            "image": image.ravel().tolist(),
            "objects": [measures(found) for found in measure.regionprops(labels, image)]}


def main():
    rng = np.random.default_rng(SEED)
    file = pathlib.Path(__file__).parents[1] / "data/oracles/object_shapes.json"
    file.write_text(json.dumps([case(rng) for _ in range(CASES)], separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
