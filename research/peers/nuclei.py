#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nuclei found by `nuclei` with automatic values beside a pipeline of scikit-image with many settings.

    research/peers/nuclei.py CLI DATA

CLI: seedwave-cli. DATA: the folder with the nuclei P1 to P4. The pipeline: a channel (haematoxylin by rgb2hed, red or
grey, inverted), Gaussian, background by opening by reconstruction, Otsu's threshold, holes filled, smoothed distance,
its peaks as markers, watershed, small objects removed. Of all its settings the one with the best mean F1 over the same
four images is shown, chosen with the truth. Everyone gets one thread. All figures are those of `compare --objects`.
Time is that of the work, without reading and writing files, for a megapixel. The last table has the means of `nuclei`
with outlines smoothed by other shares of the typical radius: 0 leaves them as flooded, 0.1 is `auto`.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import itertools
import json
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np
from scipy import ndimage
from skimage.color import rgb2gray, rgb2hed
from skimage.feature import peak_local_max
from skimage.filters import gaussian, threshold_otsu
from skimage.io import imread, imsave
from skimage.morphology import disk, reconstruction
from skimage.segmentation import watershed

IMAGES = ("P1_nuclei_glands", "P2_nuclei_dense", "P3_nuclei_he", "P4_nuclei_aligned")
FIGURES = ("f1", "aji", "pq", "foreground_dice")
CHANNELS = {"haematoxylin": lambda rgb: rgb2hed(rgb)[..., 0],
            "red": lambda rgb: 255.0 - rgb[..., 0],
            "grey": lambda rgb: 1.0 - rgb2gray(rgb)}
OUTLINES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
FIRST = list(itertools.product(CHANNELS, (1, 2, 3), (0, 15, 30)))  # channel, sigma, radius of the background
SECOND = list(itertools.product((1, 2), (3, 5, 8, 12), (25, 50, 100)))  # sigma of the distance, of peaks, smallest

cv2.setNumThreads(1)


def foreground(rgb, channel, sigma, radius):
    image = gaussian(CHANNELS[channel](rgb).astype(np.float32), sigma)
    if radius > 0:
        eroded = cv2.erode(image, disk(radius))
        image = image - reconstruction(np.minimum(eroded, image), image)
    mask = ndimage.binary_fill_holes(image > threshold_otsu(image))
    return mask, ndimage.distance_transform_edt(mask)


def split(mask, distance, sigma, apart, smallest):
    smooth = gaussian(distance, sigma)
    peaks = peak_local_max(smooth, min_distance=apart, labels=mask.astype(int))
    markers = np.zeros(mask.shape, np.int32)
    markers[tuple(peaks.T)] = np.arange(1, len(peaks) + 1)
    labels = watershed(-smooth, markers, mask=mask)
    stays = np.bincount(labels.ravel()) >= smallest
    stays[0] = False
    return np.where(stays[labels], labels, 0)


def f1(result, reference):
    columns = int(reference.max()) + 1
    both = np.bincount((result.astype(np.int64) * columns + reference).ravel(),
                       minlength=(int(result.max()) + 1) * columns).reshape(-1, columns)
    size_a, size_b = both.sum(1), both.sum(0)
    matched = np.count_nonzero(3 * both[1:, 1:] > size_a[1:, None] + size_b[None, 1:])
    return 2 * matched / (np.count_nonzero(size_a[1:]) + np.count_nonzero(size_b[1:]))


def best_settings(images, references):
    """The settings with the best mean F1, and that F1."""
    best = (None, -1.0)
    for first in FIRST:
        grounds = [foreground(rgb, *first) for rgb in images]
        for second in SECOND:
            mean = np.mean([f1(split(*ground, *second), reference)
                            for ground, reference in zip(grounds, references)])
            if mean > best[1]:
                best = ((first, second), float(mean))
    return best


def figures(cli, result, reference):
    done = subprocess.run([cli, "compare", result, reference, "--objects", "--json"], capture_output=True, text=True,
                          check=True)
    scores = json.loads(done.stdout)["objects"]
    return [scores[figure] for figure in FIGURES]


def run_nuclei(cli, path, out, *flags):
    """The report of a run with one thread."""
    command = [cli, "run", "nuclei", "--image", path, "--out", out, "--threads", "1", "--json", *flags]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def ours(cli, path, out, *flags):
    """The seconds of the run alone, the median of three."""
    return float(np.median([run_nuclei(cli, path, out, *flags)["ms"]["total"] / 1000.0 for _ in range(3)]))


def theirs(rgb, settings, out):
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        labels = split(*foreground(rgb, *settings[0]), *settings[1])
        seconds.append(time.perf_counter() - begin)
    imsave(out, labels.astype(np.uint16), check_contrast=False)
    return float(np.median(seconds))


def row(name, who, values):
    print(f"| {name} | {who} | " + " | ".join(f"{value:.3f}" for value in values[:-1]) + f" | {values[-1]:.2f} |",
          flush=True)


def compare_outlines(cli, paths, truths, megapixels, out):
    """Prints mean figures by the smoothing of outlines."""
    print("\n| outlines smoothed by | F1 | AJI | PQ | Dice | s per megapixel |\n|---|---|---|---|---|---|")
    radii = [run_nuclei(cli, path, out)["values"]["radius"] for path in paths]
    for share in OUTLINES:
        rows = []
        for path, truth, radius, size in zip(paths, truths, radii, megapixels):
            seconds = ours(cli, path, out, "--outline-smooth", repr(share * radius))
            rows.append([*figures(cli, out, truth), seconds / size])
        means = np.mean(rows, axis=0)
        print(f"| {share} r | " + " | ".join(f"{value:.3f}" for value in means[:-1]) + f" | {means[-1]:.2f} |",
              flush=True)


def main():
    cli, data = os.path.abspath(sys.argv[1]), sys.argv[2]
    paths = [os.path.join(data, name, "image.png") for name in IMAGES]
    truths = [os.path.join(data, name, "nuclei_instances.png") for name in IMAGES]
    images = [imread(path)[..., :3] for path in paths]
    megapixels = [rgb.shape[0] * rgb.shape[1] / 1e6 for rgb in images]
    settings, _ = best_settings(images, [imread(truth).astype(np.int64) for truth in truths])
    print(f"The best of {len(FIRST) * len(SECOND)} settings: channel {settings[0][0]}, sigma {settings[0][1]}, "
          f"background radius {settings[0][2]}; sigma of the distance {settings[1][0]}, peaks {settings[1][1]} apart, "
          f"smallest {settings[1][2]}\n")
    print("| image | by | F1 | AJI | PQ | Dice | s per megapixel |\n|---|---|---|---|---|---|---|")
    rows = {"nuclei, auto": [], "scikit-image, best": []}
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "labels.png")
        for name, path, truth, rgb, size in zip(IMAGES, paths, truths, images, megapixels):
            for who, run in (("nuclei, auto", lambda: ours(cli, path, out)),
                             ("scikit-image, best", lambda: theirs(rgb, settings, out))):
                seconds = run()
                rows[who].append([*figures(cli, out, truth), seconds / size])
                row(name, who, rows[who][-1])
        means = {who: np.mean(values, axis=0) for who, values in rows.items()}
        for who, values in means.items():
            row("mean", who, values)
        compare_outlines(cli, paths, truths, megapixels, out)
    sys.exit(0 if means["nuclei, auto"][0] > means["scikit-image, best"][0] else 1)


if __name__ == "__main__":
    main()
