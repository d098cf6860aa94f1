#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns scanned pages by known angles and checks the angle that `deskew` finds.

research/peers/deskew_angles.py PROGRAM DATA

PROGRAM is seedwave-cli, DATA the folder of the data sets. OpenCV turns the pages, bilinear. A scan
may be a little crooked as it is, so the angle found on the untouched scan is taken off. Exits with 1
where an angle is off by more than 0.02 degrees. Needs Python with numpy and OpenCV.
"""
import json
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np

ANGLES = (0.05, 0.13, 0.4, 1.15, 2.3, -6.85, -0.13)
ALLOWED = 0.02
PAGES = (
    ("music sheet", "L3_music_sheet/sheet.tif", "dark"),
    ("page of text", "L4_page/page.jpg", "dark"),
    ("page of text", "L4_page/page.jpg", "text"),
)


def turned(page, degrees):
    """Counter-clockwise about the centre; corners have the median."""
    height, width = page.shape
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1)
    return cv2.warpAffine(page, matrix, (width, height), flags=cv2.INTER_LINEAR,
                          borderValue=float(np.median(page)))


def found(program, page, lines, folder):
    path = os.path.join(folder, "page.png")
    cv2.imwrite(path, page)
    answer = subprocess.run([program, "run", "deskew", "--image", path, "--lines", lines, "--json",
                             "--quiet"], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)["outputs"]["angle"]["table"][0]


def main():
    program, data = sys.argv[1:]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path, lines in PAGES:
            page = cv2.imread(os.path.join(data, path), cv2.IMREAD_GRAYSCALE)
            own, confidence = found(program, page, lines, folder)
            print(f"{name}, --lines {lines}: as scanned {own:g}, confidence {confidence:g}")
            for degrees in ANGLES:
                angle, confidence = found(program, turned(page, degrees), lines, folder)
                error = angle - own - degrees
                missed = abs(error) > ALLOWED
                wrong += missed
                print(f"   turned by {degrees:g}: {angle:g}, error {error:+.3f}, confidence "
                      f"{confidence:g}{' MISSED' if missed else ''}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
