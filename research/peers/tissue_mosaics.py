#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tissue from strokes on mosaics on which no value was tuned by eye: random layouts of textures of equal histograms, and
random strokes.

    research/peers/tissue_mosaics.py CLI DATA [SETS]

CLI: seedwave-cli; DATA: the folder with the data sets (T1, T2, L1, L4, P1, P2, P5); SETS: random sets of strokes a picture
(10). Needs numpy, scipy and OpenCV's Python module.

The textures are photographs, tissue, a fingerprint, a page, and some that are made: noise within a band, fractal noise,
cells, discs. Of each mosaic, and of T1 and T2, the mean Dice by windows of 32, 48 and 64, and the share of the strokes'
middle lines that end with their label, mean over the sets. Strokes are 40 pixels long and 5 wide, in each class

    three     three of them          one     one of them
    dots      three of 9 pixels      one out three of them, but none in one class, whose pixels are not counted
    two kinds three of them, where two textures have one label
"""

import json
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from scipy import ndimage

SIDE = 512
WINDOWS = (32, 48, 64)
KINDS = ("three", "one", "dots", "one out", "two kinds")
MOSAICS = [("brick", "grass", "gravel"), ("grass", "large gravel", "fingerprint"), ("turned brick", "band", "large grass"),
           ("gravel", "small gravel", "glands", "ihc"), ("fractal", "rough", "grass"), ("slanted", "steep", "band"),
           ("cells", "discs", "large discs"), ("cells", "large cells", "gravel", "grass", "brick"), ("nuclei", "ihc"),
           ("nuclei", "glands", "small gravel"), ("page", "brick", "fingerprint", "rough"),
           ("large gravel", "large grass", "fine band"), ("brick", "turned brick", "gravel"),
           ("grass", "large grass", "discs"), ("band", "fine band", "large cells", "fractal"), ("gravel", "fractal")]


# Textures

def spectrum(seed, weight):
    """Noise whose amplitudes are weighted by frequency (along x and y, in cycles a pixel)."""
    noise = np.fft.fft2(np.random.default_rng(seed).standard_normal((SIDE, SIDE)))
    fy, fx = np.meshgrid(np.fft.fftfreq(SIDE), np.fft.fftfreq(SIDE), indexing="ij")
    return np.fft.ifft2(noise * weight(fx, fy)).real


def band(seed, low, high, angle=None):
    def weight(fx, fy):
        radius = np.hypot(fx, fy)
        off = 0 if angle is None else np.abs((np.arctan2(fy, fx) - angle + np.pi / 2) % np.pi - np.pi / 2)
        return ((radius > low) & (radius < high)) * np.exp(-(off / 0.4) ** 2 / 2)

    return spectrum(seed, weight)


def fractal(seed, power):
    image = spectrum(seed, lambda fx, fy: np.maximum(np.hypot(fx, fy), 1 / SIDE) ** -power)
    return image - ndimage.gaussian_filter(image, 25)


def cells(seed, count):
    rng = np.random.default_rng(seed)
    empty = np.ones((SIDE, SIDE), bool)
    empty[tuple(rng.integers(0, SIDE, (2, count)))] = False
    return ndimage.distance_transform_edt(empty) + 0.3 * rng.standard_normal((SIDE, SIDE))


def discs(seed, count, radius):
    rng = np.random.default_rng(seed)
    middles = np.zeros((SIDE, SIDE))
    middles[tuple(rng.integers(0, SIDE, (2, count)))] = 1
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    covered = ndimage.convolve(middles, (x * x + y * y <= radius * radius) * 1.0, mode="wrap")
    return np.minimum(1, covered) + 0.15 * rng.standard_normal((SIDE, SIDE))


def middle(image):
    """SIDE x SIDE of it; a smaller one is continued by reflection."""
    missing = [max(0, SIDE - size) for size in image.shape]
    image = np.pad(image, [(0, missing[0]), (0, missing[1])], mode="reflect")
    y, x = ((size - SIDE) // 2 for size in image.shape)
    return image[y:y + SIDE, x:x + SIDE]


def flat(image, seed):
    """By ranks onto 0 .. 255, as many of each; chance decides among equals."""
    image = image + 1e-3 * np.random.default_rng(seed).random(image.shape)
    ranks = np.argsort(np.argsort(image.ravel()))
    return (ranks * 256 // image.size).reshape(image.shape).astype(np.uint8)


def textures(data):
    def grey(path):
        return cv2.imread(os.path.join(data, path), cv2.IMREAD_GRAYSCALE).astype(float)

    brick, grass, gravel = (grey(f"T1_texture_mosaic/{name}.png") for name in ("brick", "grass", "gravel"))
    made = {"brick": brick, "grass": grass, "gravel": gravel, "turned brick": np.rot90(brick),
            "large grass": middle(ndimage.zoom(grass, 1.4)), "large gravel": middle(ndimage.zoom(gravel, 1.6)),
            "small gravel": middle(ndimage.zoom(gravel, 0.6)),
            "fingerprint": middle(grey("L1_fingerprint/fingerprint.png")), "ihc": grey("P5_ihc/ihc.png"),
            "page": middle(ndimage.gaussian_filter(grey("L4_page/page.jpg"), 1)),
            "nuclei": middle(grey("P2_nuclei_dense/image.png")[512:]),
            "glands": middle(grey("P1_nuclei_glands/image.png")),
            "band": band(1, 0.06, 0.10), "fine band": band(2, 0.09, 0.15),
            "slanted": band(3, 0.05, 0.12, 0.5), "steep": band(4, 0.05, 0.12, 1.1),
            "fractal": fractal(5, 1.0), "rough": fractal(6, 1.5),
            "cells": cells(7, 1500), "large cells": cells(8, 800),
            "discs": discs(9, 1500, 4), "large discs": discs(10, 700, 6)}
    return {name: flat(image, seed) for seed, (name, image) in enumerate(made.items())}


# Layouts and strokes

def layout(classes, seed):
    """Labels 1 .. classes: what is nearest to random points, in a plane bent at random, on some a disc or a slab; each
    class has 7 % of the picture or more."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(float)
    while True:
        kind = rng.integers(3)
        bend = ndimage.gaussian_filter(rng.standard_normal((SIDE, SIDE)), 25, mode="wrap")
        bend *= rng.uniform(0, 14) / bend.std()
        points = rng.uniform(0, SIDE, (classes * rng.integers(1, 4), 2))
        squared = [(x + bend - px) ** 2 + (y + np.roll(bend, 137, 0).T - py) ** 2 for px, py in points]
        labels = np.argmin(squared, axis=0) % classes + 1
        if kind == 1:
            at_x, at_y, radius = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7), rng.uniform(0.2, 0.27)
            labels[np.hypot(x - at_x * SIDE, y - at_y * SIDE) < radius * SIDE] = rng.integers(classes) + 1
        if kind == 2:
            labels[x * np.cos(0.7) + y * np.sin(0.7) > rng.uniform(0.8, 1.1) * SIDE] = rng.integers(classes) + 1
        if np.bincount(labels.ravel(), minlength=classes + 1)[1:].min() > 0.07 * SIDE * SIDE:
            return labels.astype(np.uint8)


def draw_strokes(truth, rng):
    """Three a class, each within its class: (label, ends)."""
    strokes = []
    for label in range(1, truth.max() + 1):
        within = ndimage.binary_erosion(truth == label, iterations=3, border_value=1)
        places = np.argwhere(within)
        while sum(one[0] == label for one in strokes) < 3:
            y, x = places[rng.integers(len(places))]
            step = 20 * np.array([np.cos(angle := rng.uniform(0, np.pi)), np.sin(angle)])
            ends = np.rint([(x, y) - step, (x, y) + step]).astype(int)
            along = np.rint(np.linspace(*ends, 161)).astype(int)
            if (along.min() >= 2 and (along < np.array(truth.shape)[::-1] - 2).all()
                    and within[along[:, 1], along[:, 0]].all()):
                strokes.append((label, ends.tolist()))
    return strokes


def variation(kind, number, strokes, truth):
    """Strokes (label, radius, points) and the labels to be found."""
    classes = int(truth.max())
    drawn = [(label, 2, ends) for label, ends in strokes]
    if kind == "one":
        return drawn[::3], truth
    if kind == "dots":
        return [(label, 1, [np.mean(ends, axis=0).round().astype(int).tolist()]) for label, _, ends in drawn], truth
    out = 1 + number % classes
    if kind == "one out":
        return [one for one in drawn if one[0] != out], np.where(truth == out, 0, truth)
    if kind == "two kinds":
        other = 1 + (number + 1) % classes
        return ([(out if label == other else label, radius, ends) for label, radius, ends in drawn],
                np.where(truth == other, out, truth))
    return drawn, truth


# Figures

def run_tissue(program, folder, image, window, strokes):
    paths = {name: os.path.join(folder, name) for name in ("strokes.json", "labels.png")}
    with open(paths["strokes.json"], "w", encoding="utf-8") as file:
        json.dump({"seedwave": 1, "kind": "seeds", "space": "level0-px",
                   "labels": [{"id": label, "name": str(label), "color": "#0072b2"}
                              for label in sorted({one[0] for one in strokes})],
                   "strokes": [{"label": label, "radius": radius, "points": points}
                               for label, radius, points in strokes]}, file)
    subprocess.run([program, "run", "tissue", "--image", image, "--window", str(window), "--seeds", paths["strokes.json"],
                    "--threads", "1", "--out", paths["labels.png"], "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return cv2.imread(paths["labels.png"], cv2.IMREAD_UNCHANGED)


def mean_dice(found, truth):
    known = truth > 0
    found, truth = found[known], truth[known]
    return np.mean([2 * np.sum((found == label) & (truth == label)) / (np.sum(found == label) + np.sum(truth == label))
                    for label in np.unique(truth)])


def kept(found, strokes):
    """The share of the strokes' middle lines that has their label."""
    right = []
    for label, _, points in strokes:
        along = np.rint(np.linspace(points[0], points[-1], 161)).astype(int)
        right.append(np.mean(found[along[:, 1], along[:, 0]] == label))
    return np.mean(right)


def measure(program, folder, image, truth, sets, seed):
    """Dice and what is kept, by window and kind."""
    rng = np.random.default_rng(seed)
    figures = {}
    for number in range(sets):
        strokes = draw_strokes(truth, rng)
        for kind in KINDS:
            if kind in ("one out", "two kinds") and truth.max() < 3:
                continue
            varied, expected = variation(kind, number, strokes, truth)
            for window in WINDOWS:
                found = run_tissue(program, folder, image, window, varied)
                figures.setdefault((window, kind), []).append((mean_dice(found, expected), kept(found, varied)))
    return {key: np.mean(values, axis=0) for key, values in figures.items()}


def show(title, figures):
    """Of one picture, or the mean of several."""
    print(f"\n{title}\n{'window':>6}  " + "".join(f"{kind:>16}" for kind in KINDS), flush=True)
    for window in WINDOWS:
        known = [[one[window, kind] for one in figures if (window, kind) in one] for kind in KINDS]
        means = ["{:>9.3f} {:>6.3f}".format(*np.mean(one, axis=0)) if one else f"{'-':>16}" for one in known]
        print(f"{window:>6}  " + "".join(means), flush=True)


def main():
    program, data, *rest = sys.argv[1:]
    sets = int(rest[0]) if rest else 10
    known = textures(data)
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, "mosaic.png")
        every = []
        for number, names in enumerate(MOSAICS):
            truth = layout(len(names), 100 + number)
            mosaic = np.choose(truth - 1, [known[name] for name in names])
            cv2.imwrite(image, mosaic)
            every.append(measure(program, folder, image, truth, sets, 500 + number))
            show(", ".join(names), every[-1:])
        show(f"mean of {len(MOSAICS)} mosaics", every)
        for name, picture, labels in (("T1", "T1_texture_mosaic/mosaic.png", "T1_texture_mosaic/labels.png"),
                                      ("T2", "T2_skin_regions/image.jpg", "T2_skin_regions/regions.png")):
            truth = cv2.imread(os.path.join(data, labels), cv2.IMREAD_UNCHANGED)
            show(name, [measure(program, folder, os.path.join(data, picture), truth, sets, 900)])


if __name__ == "__main__":
    main()
