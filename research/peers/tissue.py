#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tissue by texture beside what scikit-image's users do: local binary patterns, or Haralick's features of grey level
co-occurrence, in a window around each pixel, and k-means, or a classifier from strokes.

    research/peers/tissue.py CLI DATA STROKES

CLI: seedwave-cli; DATA: the folder with the data sets (T1, T2); STROKES: that with mosaic_strokes.json and
skin_strokes.json. Needs numpy, scipy, scikit-image and OpenCV's Python module (k-means, box filters).

Everyone gets one thread. Ours runs with the values it starts with, by windows of 32 and 48. Of the others many settings
are tried, and the one with the best mean Dice is shown, chosen with the truth: no user can do better. All have the same
majority filter, sample as many pixels for k-means, and are measured by seedwave-cli compare, whose distances are
compared with SciPy's first. Time is the processor's: of ours the whole program with reading and writing, of the others
what is computed, without them.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import json
import resource
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np
from scipy import ndimage
from skimage.color import rgb2gray, rgb2hed, rgb2lab
from skimage.feature import graycomatrix, graycoprops, local_binary_pattern

CLASSES = 3
MAJORITY = 8  # as `tissue` starts with: squares of 17 x 17
SAMPLED = 16384
PICTURES = [("T1", "T1_texture_mosaic/mosaic.png", "T1_texture_mosaic/labels.png", "mosaic_strokes.json"),
            ("T2", "T2_skin_regions/image.jpg", "T2_skin_regions/regions.png", "skin_strokes.json")]
PATTERNS = [((8, 1),), ((16, 2),), ((24, 3),), ((8, 1), (16, 2), (24, 3))]  # points, radius
STRIDE = 8  # of Haralick's features


class Clock:
    """Milliseconds of processor time, by name of the part."""

    def __init__(self):
        self.ms = {}

    def run(self, part, work, *arguments):
        start = time.process_time()
        result = work(*arguments)
        self.ms[part] = 1e3 * (time.process_time() - start)
        return result


class Judge:
    """Measures label images."""

    def __init__(self, program, folder, reference):
        self.program, self.reference = program, reference
        self.path = os.path.join(folder, "labels.png")

    def figures(self, labels, named):
        cv2.imwrite(self.path, labels.astype(np.uint8))
        command = [self.program, "compare", self.path, self.reference, "--where-labelled", "--json", "--quiet"]
        done = subprocess.run(command + ([] if named else ["--match"]), capture_output=True, text=True, check=True)
        report = json.loads(done.stdout)
        each = [report["labels"][str(c)] for c in range(1, CLASSES + 1)]
        return {"dice": [one["dice"] for one in each], "assd": [one["assd"] for one in each]}


def surface(mask):
    return mask & ~ndimage.binary_erosion(mask)


def assd_by_scipy(labels, truth, label):
    a, b = (surface(image == label) for image in (np.where(truth > 0, labels, 0), truth))
    both = np.concatenate([ndimage.distance_transform_edt(~b)[a], ndimage.distance_transform_edt(~a)[b]])
    return both.mean()


# Features: of each pixel a row.

def histograms(image, points, radius, window):
    """Shares of uniform local binary patterns in the window."""
    codes = local_binary_pattern(image, points, radius, "uniform")
    return np.dstack([cv2.boxFilter((codes == code).astype(np.float32), -1, (window, window))
                      for code in range(points + 2)]).reshape(image.size, -1)


def patterns(image, kinds, window):
    return np.hstack([histograms(image, points, radius, window) for points, radius in kinds])


def haralick(image, levels, window):
    """Six properties at distances 1, 2 and 4, each the mean over four angles; every STRIDE-th window, whose answer
    holds for the STRIDE x STRIDE pixels in its middle."""
    steps = (image.astype(np.int64) * levels // 256).astype(np.uint8)
    rows, columns = (1 + (size - window) // STRIDE for size in image.shape)
    angles = [0, np.pi / 4, np.pi / 2, 3 * np.pi / 4]
    names = ("contrast", "dissimilarity", "homogeneity", "ASM", "energy", "correlation")
    found = np.empty((rows, columns, 3 * len(names)), np.float32)
    for row in range(rows):
        for column in range(columns):
            y, x = row * STRIDE, column * STRIDE
            matrix = graycomatrix(steps[y:y + window, x:x + window], [1, 2, 4], angles, levels, True, True)
            found[row, column] = np.concatenate([graycoprops(matrix, name).mean(axis=1) for name in names])

    def of_window(size, count):
        return np.clip((np.arange(size) - window // 2 + STRIDE // 2) // STRIDE, 0, count - 1)

    height, width = image.shape
    return found[of_window(height, rows)][:, of_window(width, columns)].reshape(image.size, -1)


def mean_colour(picture, window):
    return cv2.boxFilter(rgb2lab(picture).astype(np.float32), -1, (window, window)).reshape(-1, 3)


def standardised(features):
    return (features - features.mean(axis=0)) / np.maximum(features.std(axis=0), 1e-6)


def square_roots(features):
    return np.sqrt(np.maximum(features, 0))  # sums along the window may end a rounding below 0


SHARES = {"square roots": square_roots, "standardised": standardised}
PROPERTIES = {"as they are": lambda features: features, "standardised": standardised}


# Answers: of each pixel a label from 1 on.

def nearest(features, centres):
    distances = [((features - centre) ** 2).sum(axis=1) for centre in centres]
    return 1 + np.argmin(distances, axis=0)


def k_means(features):
    cv2.setRNGSeed(1)
    sample = np.ascontiguousarray(features[::max(1, len(features) // SAMPLED)], np.float32)
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 300, 1e-6)
    _, _, centres = cv2.kmeans(sample, CLASSES, None, until, 16, cv2.KMEANS_PP_CENTERS)
    return nearest(features, centres)


def nearest_mean(features, label):
    return nearest(features, [features[label == c].mean(axis=0) for c in range(1, CLASSES + 1)])


def discriminant(features, label):
    """The nearest mean by Mahalanobis distance (linear discriminant analysis with equal chances)."""
    examples = label > 0
    means = np.array([features[label == c].mean(axis=0) for c in range(1, CLASSES + 1)])
    offsets = features[examples] - means[label[examples] - 1]
    covariance = np.cov(offsets.T, dtype=np.float64)
    covariance += 1e-2 * np.trace(covariance) / len(covariance) * np.eye(len(covariance))
    values, vectors = np.linalg.eigh(covariance)
    whitening = (vectors / np.sqrt(values)).astype(np.float32)
    return nearest(features @ whitening, means @ whitening)


CLASSIFIERS = {"nearest mean": nearest_mean, "linear discriminant": discriminant}


def majority(labels):
    side = (2 * MAJORITY + 1, 2 * MAJORITY + 1)
    return 1 + np.argmax([cv2.boxFilter((labels == c).astype(np.float32), -1, side, normalize=False)
                          for c in range(1, CLASSES + 1)], axis=0)


def drawn(strokes, shape):
    """A label a pixel, 0 where there is no stroke."""
    y, x = np.mgrid[:shape[0], :shape[1]]
    labels = np.zeros(shape, np.int64)
    for stroke in strokes:
        (ax, ay), (bx, by) = stroke["points"]
        along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
        near = (x - ax - along * (bx - ax)) ** 2 + (y - ay - along * (by - ay)) ** 2 <= stroke["radius"] ** 2
        labels[near] = stroke["label"]
    return labels.ravel()


class Table:
    """The best of each way, by mean Dice."""

    def __init__(self, judge):
        self.judge, self.rows = judge, {}

    def offer(self, way, setting, labels, named, ms):
        row = {"setting": setting, "ms": ms, **self.judge.figures(labels, named)}
        row["mean"] = np.mean(row["dice"])
        best = self.rows.get(way)
        tried = [*(best["tried"] if best else []), row["mean"]]
        self.rows[way] = {**(best if best and best["mean"] >= row["mean"] else row), "tried": tried}

    def show(self, title):
        print(f"\n{title}\n\n| way | Dice: 1 | 2 | 3 | mean | settings tried | their median | "
              "distance of boundaries, px | s | setting |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        for way, row in self.rows.items():
            dice = " | ".join(f"{one:.3f}" for one in [*row["dice"], row["mean"]])
            print(f"| {way} | {dice} | {len(row['tried'])} | {np.median(row['tried']):.3f} | "
                  f"{np.mean(row['assd']):.1f} | {row['ms'] / 1e3:.2f} | {row['setting']} |", flush=True)


def ours(program, image, window, strokes, out):
    command = [program, "run", "tissue", "--image", image, "--window", str(window), "--threads", "1", "--backend", "cpu",
               "--out", out, "--quiet", *(["--seeds", strokes] if strokes else [])]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    ms = 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return cv2.imread(out, cv2.IMREAD_UNCHANGED), ms


def offer_features(table, name, setting, features, scales, label, clock):
    """Every answer that these features give."""
    shape = table.shape
    for scale, scaled in scales.items():
        rows = clock.run("scale", scaled, features)
        before = clock.ms["features"] + clock.ms["scale"]
        answers = {"k-means": lambda: k_means(rows)}
        for kind in CLASSIFIERS:
            answers[kind] = lambda kind=kind: CLASSIFIERS[kind](rows, label)
        for kind, answer in answers.items():
            found = clock.run("answer", answer)
            labels = clock.run("majority", majority, found.reshape(shape))
            which = "alone" if kind == "k-means" else "strokes"
            table.offer((which, f"{name}, {kind}"), f"{setting}, {scale}", labels, kind != "k-means",
                        before + clock.ms["answer"] + clock.ms["majority"])


def compare(program, data, strokes, folder, name, image_path, truth_path, strokes_name):
    image_path, truth_path = (os.path.join(data, path) for path in (image_path, truth_path))
    strokes_path = os.path.join(strokes, strokes_name)
    truth = cv2.imread(truth_path, cv2.IMREAD_UNCHANGED)
    picture = cv2.imread(image_path, cv2.IMREAD_UNCHANGED)
    with open(strokes_path, encoding="utf-8") as file:
        label = drawn(json.load(file)["strokes"], truth.shape)
    table = Table(Judge(program, folder, truth_path))
    table.shape = truth.shape

    for window in (32, 48):
        for which, path in (("alone", None), ("strokes", strokes_path)):
            labels, ms = min((ours(program, image_path, window, path, os.path.join(folder, "ours.png"))
                              for _ in range(3)), key=lambda run: run[1])
            way = (which, f"seedwave tissue, w = {window}")
            table.offer(way, "all else as it starts", labels, path is not None, ms)
            if path:
                found = table.rows[way]["assd"]
                for c in range(1, CLASSES + 1):
                    assert abs(found[c - 1] - assd_by_scipy(labels, truth, c)) < 1e-6, "distances differ from SciPy's"

    clock = Clock()
    channels = {"grey": lambda: picture}
    if picture.ndim == 3:
        picture = picture[..., ::-1]
        channels = {"grey": lambda: (255 * rgb2gray(picture)).astype(np.uint8),
                    "haematoxylin": lambda: np.uint8(np.clip(rgb2hed(picture)[..., 0] * 1000, 0, 255))}
        for window in (32, 48):
            features = clock.run("features", mean_colour, picture, window)
            offer_features(table, "mean colour (Lab)", f"w = {window}", features, PROPERTIES, label, clock)
    for channel, values in channels.items():
        values = clock.run("channel", values)
        for window in (32, 48, 64):
            for kinds in PATTERNS if channel == "grey" else PATTERNS[-1:]:
                features = clock.run("features", patterns, values, kinds, window)
                clock.ms["features"] += clock.ms["channel"]
                radii = "+".join(str(radius) for _, radius in kinds)
                offer_features(table, "LBP", f"{channel}, radius {radii}, w = {window}", features, SHARES, label,
                               clock)
        for window, levels in ((32, 16), (32, 32), (48, 16), (48, 32)) if channel == "grey" else ():
            features = clock.run("features", haralick, values, levels, window)
            clock.ms["features"] += clock.ms["channel"]
            offer_features(table, f"Haralick, every {STRIDE}th window", f"{channel}, {levels} levels, w = {window}",
                           features, PROPERTIES, label, clock)
    for which, title in (("alone", "without strokes"), ("strokes", "from three strokes a class")):
        some = Table(table.judge)
        some.rows = {way: row for (kind, way), row in table.rows.items() if kind == which}
        some.show(f"{name}, {title}")


def main():
    program, data, strokes = sys.argv[1:]
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        for row in PICTURES:
            compare(program, data, strokes, folder, *row)


if __name__ == "__main__":
    main()
