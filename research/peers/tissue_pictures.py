#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of tissue by texture: skin with three strokes a tissue and the regions that follow, and a mosaic of three
textures of equal histograms, what is found in it, from strokes and without, beside the exact labels.

    research/peers/tissue_pictures.py CLI DATA STROKES PICTURES

CLI: seedwave-cli; DATA: the folder with the data sets (T1, T2); STROKES: that with mosaic_strokes.json and
skin_strokes.json; PICTURES: where pictures go. Needs numpy and OpenCV's Python module. The commands are printed.
"""

import json
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np

SIDE = 480  # of a panel, in pixels
GAP = 8


def regions(program, image, strokes, out):
    """Labels, by `tissue` with the values it starts with."""
    words = ["run", "tissue", "--image", image, *(["--seeds", strokes] if strokes else []), "--out"]
    print(" ".join(["seedwave-cli", *words, os.path.basename(out)]), flush=True)
    subprocess.run([program, *words, out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return cv2.imread(out, cv2.IMREAD_UNCHANGED)


def matched(program, labels, reference):
    """The labels with the reference's numbers."""
    done = subprocess.run([program, "compare", labels, reference, "--match", "--json", "--quiet"], capture_output=True,
                          text=True, check=True)
    found = cv2.imread(labels, cv2.IMREAD_UNCHANGED)
    named = np.zeros_like(found)
    for label, number in json.loads(done.stdout)["matched"].items():
        named[found == int(label)] = number
    return named


def read_strokes(path):
    """Strokes, and OpenCV's colour of each label."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    return document["strokes"], {label["id"]: tuple(int(label["color"][at:at + 2], 16) for at in (5, 3, 1))
                                 for label in document["labels"]}


def panel(image):
    image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image
    return cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def with_strokes(image, strokes, colours):
    shown = panel(image)
    scale = SIDE / image.shape[0]
    for colour, width in ((None, 9), (colours, 5)):  # white below
        for stroke in strokes:
            ends = [tuple(round(scale * at) for at in point) for point in stroke["points"]]
            cv2.line(shown, *ends, (255, 255, 255) if colour is None else colour[stroke["label"]], width, cv2.LINE_AA)
    return shown


def with_regions(image, labels, colours):
    """A third of the regions' colours, and their boundaries."""
    shown = panel(image)
    labels = cv2.resize(labels, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
    for label, colour in colours.items():
        inside = (labels == label).astype(np.uint8)
        shown[inside > 0] = (0.67 * shown[inside > 0] + 0.33 * np.array(colour)).astype(np.uint8)
    for label, colour in colours.items():
        outlines, _ = cv2.findContours((labels == label).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(shown, outlines, -1, colour, 2, cv2.LINE_AA)
    return shown


def save(path, panels):
    gap = np.full((SIDE, GAP, 3), 255, np.uint8)
    row = [part for one in panels for part in (one, gap)][:-1]
    cv2.imwrite(path, np.hstack(row), [cv2.IMWRITE_JPEG_QUALITY, 88])
    print(f"   {path}", flush=True)


def main():
    program, data, folder, pictures = sys.argv[1:]
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        out = os.path.join(temporary, "labels.png")
        path = os.path.join(folder, "skin_strokes.json")
        strokes, colours = read_strokes(path)
        skin = os.path.join(data, "T2_skin_regions/image.jpg")
        image = cv2.imread(skin)
        save(os.path.join(pictures, "tissue_skin.jpg"),
             [with_strokes(image, strokes, colours),
              with_regions(image, regions(program, skin, path, out), colours)])

        path = os.path.join(folder, "mosaic_strokes.json")
        strokes, colours = read_strokes(path)
        mosaic = os.path.join(data, "T1_texture_mosaic/mosaic.png")
        truth = os.path.join(data, "T1_texture_mosaic/labels.png")
        image = cv2.imread(mosaic, cv2.IMREAD_UNCHANGED)
        from_strokes = regions(program, mosaic, path, out)
        regions(program, mosaic, None, out)
        save(os.path.join(pictures, "tissue_textures.jpg"),
             [with_strokes(image, strokes, colours), with_regions(image, from_strokes, colours),
              with_regions(image, matched(program, out, truth), colours),
              with_regions(image, cv2.imread(truth, cv2.IMREAD_UNCHANGED), colours)])


if __name__ == "__main__":
    main()
