#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares distances, nearest voxels and influence zones with SciPy on real and random images.

    research/peers/distance.py CLI DATA [RANDOM]

CLI: seedwave-cli; DATA: the folder with the data sets; RANDOM: so many random images (60). Needs numpy, scipy. Squares
in voxels and zones must be equal; lengths in mm are equal to the last bit of a float but one, for SciPy's are doubles;
of nearest voxels only how far they are, for SciPy breaks ties its own way. Ends with 1 where something differs.
"""

import sys
import tempfile

import numpy as np
from scipy.ndimage import distance_transform_edt

from cli import Cli, raw_nrrd

IMAGES = [
    ("P1, nuclei", "P1_nuclei_glands/nuclei_mask.png"),
    ("P1, nuclei by number", "P1_nuclei_glands/nuclei_instances.png"),
    ("P4, nuclei", "P4_nuclei_aligned/nuclei_mask.png"),
    ("T2, regions of skin", "T2_skin_regions/regions.png"),
    ("R1, aorta, 1.5 mm", "R1_ct_aorta/label_aorta.nii.gz"),
    ("B1, brain", "B1_itksnap_brain/MRIcrop-seg.nii.gz"),
    ("F2, tissue", "F2_icbm_tissue/tissue_labels.nii.gz"),
]


def random_image(rng):
    """Labels of an odd size, often one voxel wide, sometimes without any background; volumes with a spacing."""
    dimensions = int(rng.integers(2, 4))
    most = 90 if dimensions == 2 else 24
    shape = [int(rng.choice([1, rng.integers(1, 4), rng.integers(1, most)])) for _ in range(dimensions)]
    labels = rng.integers(1, 5, shape).astype(np.uint8)
    labels[rng.random(shape) < rng.choice([0.0, 0.01, 0.2, 0.9])] = 0
    spacing = [float(s) for s in rng.choice([1.0, 0.5, 0.7, 2.5], dimensions)]
    return labels, (spacing if dimensions == 3 else [1.0, 1.0])


def squares(objects):
    """Squared distances in voxels, whole numbers; -1 without any background."""
    if objects.all():
        return np.full(objects.shape, -1, np.int32)
    return np.rint(distance_transform_edt(objects) ** 2).astype(np.int32)


def zones(labels):
    """The label that is nearest in voxels, the smallest of several; 0 without any."""
    best, zone = np.full(labels.shape, np.iinfo(np.int64).max), np.zeros(labels.shape, np.uint16)
    for label in np.unique(labels[labels != 0]):
        here = squares(labels != label)
        closer = here < best
        best[closer], zone[closer] = here[closer], label
    return zone


def differences(cli, image, labels, spacing):
    """How many voxels differ: in squares, lengths, distance to the nearest voxel, zones."""
    objects = labels != 0
    result, _ = cli.run("distance", image, squared="yes", units="voxel")
    yield np.count_nonzero(result != squares(objects))

    lengths, _ = cli.run("distance", image, out_nearest=cli.folder + "/nearest.npy")
    nearest = np.load(cli.folder + "/nearest.npy").reshape(labels.shape)
    if objects.all():
        yield np.count_nonzero(~np.isinf(lengths))
        yield np.count_nonzero(nearest != -1)
    else:
        expected = distance_transform_edt(objects, sampling=spacing)
        yield np.count_nonzero(np.abs(lengths - expected) > 2.0**-23 * expected)
        there = np.unravel_index(nearest, labels.shape)
        apart = [s * (a - b) for s, a, b in zip(spacing, np.indices(labels.shape), there)]
        far = np.sqrt(sum(a**2 for a in apart))
        yield np.count_nonzero((np.abs(far - expected) > 1e-12 * expected) | (labels[there] != 0))

    if len(np.unique(labels)) > 20:
        return  # a transform for each label
    result, _ = cli.run("influence-zones", image, units="voxel")
    yield np.count_nonzero(result != zones(labels))


def main():
    program, data, *rest = sys.argv[1:]
    random = int(rest[0]) if rest else 60
    rng = np.random.default_rng(11)
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        cli = Cli(program, data, folder)

        def compare(name, image, labels, spacing):
            nonlocal different
            wrong = list(differences(cli, image, labels, spacing))
            different += sum(wrong)
            if name:
                print(f"{name:24} {'x'.join(map(str, labels.shape[::-1])):12} voxels that differ: "
                      + ", ".join(f"{what} {n}" for what, n in zip(("squares", "mm", "nearest", "zones"), wrong)),
                      flush=True)
            elif sum(wrong):
                print(f"a random image of {labels.shape}, spacing {spacing}: {wrong} voxels DIFFER", flush=True)

        for name, path in IMAGES:
            labels, spacing = cli.image([path])
            compare(name, [path], labels, spacing)
        for _ in range(random):
            labels, spacing = random_image(rng)
            path = folder + "/random.nrrd"
            with open(path, "wb") as file:
                file.write(raw_nrrd(labels, spacing))
            compare("", [path], labels, spacing)
        print(f"{random} random images: " + ("some DIFFER" if different else "the same"))
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
