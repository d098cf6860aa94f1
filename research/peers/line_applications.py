#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The applications of openings by lines (Karas et al. 2015, section 6.1) on real images, one command each.

    research/peers/line_applications.py CLI DATA PICTURES

CLI: seedwave-cli; DATA: the folder with the data sets; PICTURES: where pictures go. Needs numpy and OpenCV's Python
module, which turns the pages and writes the pictures. Ends with 1 where the angle of a page, a music sheet by its
staves and a page of text by its rows, is missed by more than 0.25 degrees, or by 0.1 with steps of 0.05.
"""

import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np


class Commands:
    """Each is printed as it can be typed."""

    def __init__(self, program, data, folder):
        self.program, self.data, self.folder = program, data, folder

    def run(self, line, *outputs):
        command = line.split()
        for output, path in outputs:
            command += ["--out-" + output, os.path.join(self.folder, path)]
        print("seedwave-cli " + " ".join(command).replace(self.data, "$SEEDWAVE_DATA").replace(self.folder + "/", ""),
              flush=True)
        done = subprocess.run([self.program, *command, "--quiet"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return [self.read(path) for _, path in outputs]

    def read(self, path):
        path = os.path.join(self.folder, path)
        if path.endswith(".csv"):
            return np.atleast_1d(np.genfromtxt(path, delimiter=",", names=True))
        array = np.load(path)
        return array[0] if array.shape[0] == 1 else array


def coloured(angle, response):
    """Hue by angle, around once in 180 degrees; brightness by response, 0 to 1."""
    hue = np.round(angle).astype(np.uint8) % 180
    value = np.clip(255 * response, 0, 255).astype(np.uint8)
    return cv2.cvtColor(np.dstack([hue, np.full_like(hue, 200), value]), cv2.COLOR_HSV2BGR)


def background(command, line):
    return command.run(line, ("image", "ground.npy"))[0].astype(float)


def orientation(command, name, image, length, radius, pictures):
    answer, angle = command.run(f"run orientation --image {image} --lines dark --length {length}",
                                ("image", "image.npy"), ("angle", "angle.npy"))
    ground = background(command, f"run close-by-reconstruction --image {image} --radius {radius}")
    response = np.maximum(ground - answer, 0)
    response = np.sqrt(response / np.percentile(response, 99))  # faint lines are seen, too
    path = os.path.join(pictures, name + ".png")
    cv2.imwrite(path, coloured(angle, response))
    print(f"   {path}\n", flush=True)


def vessel(command, pictures):
    """The brightest voxel from front to back, before and after; red lies across the body, green through it, blue
    along it."""
    ct = f"{command.data}/R1_ct_aorta/ct.nii.gz"
    opened, direction, directions = command.run(
        f"run orientation --image {ct} --length 60 --length-in euclidean --half-sphere 200",
        ("image", "image.npy"), ("direction", "direction.npy"), ("directions", "directions.csv"))
    command.run(f"convert {ct} {os.path.join(command.folder, 'plain.npy')}")
    plain = command.read("plain.npy")

    def seen(volume, of):
        """`of` at the brightest voxel of `volume` along y, head up."""
        brightest = np.expand_dims(np.argmax(volume, axis=1), 1)
        return np.take_along_axis(of, brightest, 1)[::-1, 0]

    def shade(volume):
        return np.clip((seen(volume, volume).astype(float) - 100) / 500, 0, 1)[..., None]  # HU

    across = np.dstack([np.abs(directions[axis]) for axis in "zyx"])[0]  # OpenCV has blue first
    before = shade(plain) * np.ones(3)
    after = shade(opened) * across[seen(opened, direction)]
    path = os.path.join(pictures, "vessel.png")
    cv2.imwrite(path, cv2.resize(np.uint8(255 * np.hstack([before, after])), None, fx=3, fy=3,
                                 interpolation=cv2.INTER_NEAREST))
    print(f"   {path}\n", flush=True)


def spectrum(command, image, length, lines):
    curve, = command.run(f"run angular-spectrum --image {image} --lines {lines} --length {length} "
                         "--length-in euclidean", ("curve", "curve.csv"))
    sums = curve["sum"] if lines == "bright" else -curve["sum"]
    print(f"   strongest at {curve['angle'][np.argmax(sums)]:g} degrees, weakest at "
          f"{curve['angle'][np.argmin(sums)]:g}\n", flush=True)


def turned(page, degrees):
    height, width = page.shape
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1)
    return cv2.warpAffine(page, matrix, (width, height), flags=cv2.INTER_LINEAR, borderValue=int(np.median(page)))


def pages(command, data, pictures):
    wrong = 0
    for name, path, lines in (("L3, music", "L3_music_sheet/sheet.tif", "dark"),
                              ("L4, text", "L4_page/page.jpg", "text")):
        page = cv2.imread(os.path.join(data, path), cv2.IMREAD_GRAYSCALE)
        for degrees in (-7.3, -2.0, -0.6, 0.0, 1.15, 4.4, 9.2):
            crooked = os.path.join(command.folder, "page.png")
            cv2.imwrite(crooked, turned(page, degrees))
            for step, allowed in ((0.25, 0.25), (0.05, 0.1)):
                found, = command.run(f"run deskew --image {crooked} --lines {lines} --step {step}",
                                     ("angle", "angle.csv"))
                angle = float(found["angle"][0])
                missed = abs(angle - degrees) > allowed + 1e-9
                wrong += missed
                print(f"   {name} turned by {degrees:g}: {angle:g}{' MISSED' if missed else ''}", flush=True)
        crooked = os.path.join(command.folder, "page.png")
        cv2.imwrite(crooked, turned(page, 4.4))
        straight, = command.run(f"run deskew --image {crooked} --lines {lines}", ("image", "straight.npy"))
        pair = np.hstack([cv2.imread(crooked, cv2.IMREAD_GRAYSCALE), straight])
        path = os.path.join(pictures, "deskew_" + name[:2].lower() + ".png")
        cv2.imwrite(path, cv2.resize(pair, None, fx=800 / pair.shape[1], fy=800 / pair.shape[1],
                                     interpolation=cv2.INTER_AREA))
        print(f"   {path}\n", flush=True)
    return wrong


def main():
    program, data, pictures = sys.argv[1:]
    os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = Commands(program, data, folder)
        orientation(command, "ridges", f"{data}/L1_fingerprint/fingerprint.png", 31, 20, pictures)
        orientation(command, "vessels", f"{data}/L2_retina/retina.jpg --channel green", 21, 20, pictures)
        vessel(command, pictures)
        spectrum(command, f"{data}/T1_texture_mosaic/mosaic.png", 21, "bright")
        spectrum(command, f"{data}/P4_nuclei_aligned/image.png --channel hematoxylin", 31, "bright")
        wrong = pages(command, data, pictures)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
