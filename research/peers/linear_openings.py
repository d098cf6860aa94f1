#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares openings and closings by lines with OpenCV on real images, bit for bit.

    research/peers/linear_openings.py CLI DATA

CLI: seedwave-cli; DATA: the folder with the data sets. Needs numpy and OpenCV's Python module. At 0, 45, 90 and 135
degrees and odd lengths OpenCV's kernel is our line, and its border is ours of the name of anchor: elsewhere there is no
peer with the same lines. One line an image and type; ends with 1 where a pixel differs.
"""

import sys
import tempfile

import cv2
import numpy as np

from cli import Cli

# Name, flags of the image, type.
IMAGES = [
    ("L1, fingerprint", ["L1_fingerprint/fingerprint.png"], "uint8"),
    ("L2, retina, green", ["L2_retina/retina.jpg", "--channel", "green"], "uint8"),
    ("L3, music", ["L3_music_sheet/sheet.tif"], "uint8"),
    ("T1, textures", ["T1_texture_mosaic/mosaic.png"], "uint8"),
    ("P1, nuclei by number", ["P1_nuclei_glands/nuclei_instances.png"], "uint16"),
    ("A1, a slice", ["A1_dicom_t1", "--region", "0,0,120,256,328,1"], "uint16"),
    ("A3, CT", ["A3_transfer_syntaxes/ct_explicit_le.dcm"], "int16"),
    ("R1, a slice", ["R1_ct_aorta/ct.nii.gz", "--region", "0,0,50,120,126,1"], "int16"),
    ("P3, haematoxylin", ["P3_nuclei_he/image.png", "--channel", "hematoxylin"], "float32"),
    ("P4, haematoxylin", ["P4_nuclei_aligned/image.png", "--channel", "hematoxylin"], "float32"),
]
ANGLES = (0, 45, 90, 135)
LENGTHS = (1, 3, 11, 41, 101, 251)
OPERATIONS = {"linear-opening": cv2.MORPH_OPEN, "linear-closing": cv2.MORPH_CLOSE}


def kernel(angle, length):
    if angle == 0:
        return np.ones((1, length), np.uint8)
    if angle == 90:
        return np.ones((length, 1), np.uint8)
    falling = np.eye(length, dtype=np.uint8)  # rows go down
    return falling if angle == 135 else np.ascontiguousarray(falling[::-1])


def main():
    program, data = sys.argv[1:]
    cv2.setNumThreads(1)
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        cli = Cli(program, data, folder)
        for name, flags, kind in IMAGES:
            f, _ = cli.image(flags)
            if str(f.dtype) != kind:
                sys.exit(f"{name} is {f.dtype}, not {kind}: this would compare another type")
            compared = wrong = 0
            for operation, how in OPERATIONS.items():
                for angle in ANGLES:
                    for length in LENGTHS:
                        ours, _ = cli.run(operation, flags, angle=angle, length=length)
                        theirs = cv2.morphologyEx(f, how, kernel(angle, length))
                        compared += 1
                        # Bits, not values; but OpenCV leaves -0.0, which is +0.0 here.
                        wrong += int((ours + ours.dtype.type(0)).tobytes() !=
                                     (theirs + theirs.dtype.type(0)).tobytes())
            different += wrong
            size = "x".join(map(str, f.shape[::-1]))
            verdict = "same" if wrong == 0 else f"{wrong} DIFFER"
            print(f"{name:22} {kind:8} {size:10} {compared} images, {verdict}", flush=True)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
