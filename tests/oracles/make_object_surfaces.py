#!/usr/bin/env python3
"""Writes tests/data/oracles/object_surfaces.json: surface areas of the labels of small random volumes with cubic voxels
as ITK's LabelShapeStatisticsImageFilter measures them (G. Lehmann, D. Legland, Insight Journal 2012). Needs NumPy and
SimpleITK; tests/core/morphology/test_surface_area reads the file. Labels touch the border of the volume in many."""
import json
import pathlib

import numpy as np
import SimpleITK as sitk

CASES = 200
SEED = 4


def case(rng):
    size = rng.integers(2, 8, size=3)
    labels = rng.integers(0, rng.integers(2, 5), size=size).astype(np.uint8)
    labels[tuple(rng.integers(0, size))] = 1
    spacing = float(rng.choice([0.5, 1.0, 2.5]))
    image = sitk.GetImageFromArray(labels)
    image.SetSpacing([spacing] * 3)
    shapes = sitk.LabelShapeStatisticsImageFilter()
    shapes.ComputePerimeterOn()
    shapes.Execute(image)
    return {"size": [int(n) for n in labels.shape[::-1]], "spacing": spacing,
            "labels": "".join(map(str, labels.ravel())),
            "areas": {str(label): shapes.GetPerimeter(label) for label in shapes.GetLabels()}}


def main():
    rng = np.random.default_rng(SEED)
    file = pathlib.Path(__file__).parents[1] / "data/oracles/object_surfaces.json"
    file.write_text(json.dumps([case(rng) for _ in range(CASES)], separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
