#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares reconstruction and its family with scikit-image and SciPy on real images, voxel by voxel.

    research/peers/reconstruction.py CLI DATA

CLI: seedwave-cli; DATA: the folder with the data sets. Needs numpy, scipy, scikit-image. One line an
operation and image; ends with 1 where a voxel differs.
"""

import itertools
import sys
import tempfile

import numpy as np
from scipy import ndimage
from skimage.morphology import local_maxima, local_minima, reconstruction
from skimage.segmentation import clear_border

from cli import Cli

# Name, flags of the image, connectivities.
IMAGES = [
    ("P1, grey, u8", ["P1_nuclei_glands/image.png", "--channel", "gray"], (4, 8)),
    ("P1, haematoxylin, f32", ["P1_nuclei_glands/image.png", "--channel", "hematoxylin"], (4, 8)),
    ("P3, grey, u8", ["P3_nuclei_he/image.png", "--channel", "gray"], (4, 8)),
    ("P3, haematoxylin, f32", ["P3_nuclei_he/image.png", "--channel", "hematoxylin"], (4, 8)),
    ("P1, nuclei, labels u16", ["P1_nuclei_glands/nuclei_instances.png"], (4, 8)),
    ("A1, part, u16", ["A1_dicom_t1", "--region", "60,90,100,121,110,47"], (6, 18, 26)),
    ("B1, i16", ["B1_itksnap_brain/MRIcrop-orig.nii.gz"], (6, 18, 26)),
]
ORDER = {4: 1, 8: 2, 6: 1, 18: 2, 26: 3}  # SciPy's "connectivity": the most axes of a step


def footprint(radius, spacing):
    """All voxels within `radius`, and the spacing's rounding to spare."""
    steps = [np.arange(-int(radius / s), int(radius / s) + 1) * s for s in spacing]
    squared = sum(g**2 for g in np.meshgrid(*steps, indexing="ij"))
    return squared <= radius**2 * (1 + 1e-9)


def border(f, inside):
    marker = np.full_like(f, inside)
    for axis, end in itertools.product(range(f.ndim), (0, -1)):
        at = [slice(None)] * f.ndim
        at[axis] = end
        marker[tuple(at)] = f[tuple(at)]
    return marker


def cases(f, spacing, connectivity):
    """Operation, its values, what it must give, by the peers."""
    near = ndimage.generate_binary_structure(f.ndim, ORDER[connectivity])

    def rebuilt(marker, method="dilation"):
        marker = np.minimum(marker, f) if method == "dilation" else np.maximum(marker, f)
        return reconstruction(marker, f, method, footprint=near)

    wide = f.astype(np.float32 if f.dtype == np.float32 else np.int64)
    low, high = wide.min(), wide.max()
    h = (high - low) // 8 if f.dtype != np.float32 else np.float32((high - low) / 8)
    radius = 2.5 * spacing[-1]
    ball = footprint(radius, spacing)
    eroded = ndimage.grey_erosion(wide, footprint=ball, mode="constant", cval=high)
    dilated = ndimage.grey_dilation(wide, footprint=ball, mode="constant", cval=low)
    random = np.random.default_rng(7).permuted(f.ravel()).reshape(f.shape)
    lowest, highest = (np.iinfo(f.dtype).min, np.iinfo(f.dtype).max) if f.dtype != np.float32 else (low, high)
    less, more = np.maximum(wide - h, lowest), np.minimum(wide + h, highest)
    if f.dtype == np.float32:
        less, more = wide - h, wide + h
    yield "reconstruct", {"marker": np.minimum(random, f)}, rebuilt(np.minimum(random, f))
    yield ("reconstruct", {"marker": np.maximum(random, f), "direction": "erosion"},
           rebuilt(np.maximum(random, f), "erosion"))
    opened = ndimage.grey_dilation(eroded, footprint=ball, mode="constant", cval=low)
    yield "reconstruct", {"marker_from": "opening", "radius": radius}, rebuilt(opened)
    yield "open-by-reconstruction", {"radius": radius}, rebuilt(eroded)
    yield "close-by-reconstruction", {"radius": radius}, rebuilt(dilated, "erosion")
    yield "h-maxima", {"h": h}, rebuilt(less)
    yield "h-minima", {"h": h}, rebuilt(more, "erosion")
    yield "h-domes", {"h": h}, wide - rebuilt(less).astype(wide.dtype)
    yield "fill-holes", {}, rebuilt(border(wide, high), "erosion")
    yield "clear-border", {}, wide - rebuilt(border(wide, low)).astype(wide.dtype)
    order = ORDER[connectivity]
    yield "regional-maxima", {}, local_maxima(f, connectivity=order)
    yield "regional-minima", {}, local_minima(f, connectivity=order)


def main():
    program, data = sys.argv[1:]
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        cli = Cli(program, data, folder)

        def compare(operation, flags, values, expected, name):
            nonlocal different
            result, _ = cli.run(operation, flags, **values)
            wrong = int(np.count_nonzero(result != expected.astype(result.dtype)))
            different += wrong
            shown = ", ".join(f"{k} {'given' if isinstance(v, np.ndarray) else v}" for k, v in values.items())
            verdict = "same" if wrong == 0 else f"{wrong} of {result.size} DIFFER"
            print(f"{name:24} {operation:24} {verdict:5}  {shown}", flush=True)

        for name, flags, connectivities in IMAGES:
            f, spacing = cli.image(flags)
            for connectivity in connectivities:
                for operation, values, expected in cases(f, spacing, connectivity):
                    compare(operation, flags, {"connectivity": connectivity, **values}, expected, name)
        mask = ["P1_nuclei_glands/nuclei_mask.png"]
        f, _ = cli.image(mask)
        compare("fill-holes", mask, {}, ndimage.binary_fill_holes(f) * f.max(), "P1, mask")
        compare("clear-border", mask, {"connectivity": 8}, clear_border(f), "P1, mask")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
