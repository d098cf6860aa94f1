#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what OpenSlide says of the slides of the test data, for tests/core/io/slides/test_known_slides.cpp.

    python3 tests/oracles/make_slides.py DATA tests/data/formats/slides.json

Needs openslide-python with OpenSlide 4 (which reads DICOM) and numpy. Of each level the SHA-1 of its
pixels, red, green and blue of each, row by row.
"""
import hashlib
import json
import sys

import numpy
import openslide

SLIDES = ["P10_slide_svs/CMU-1-Small-Region.svs", "P11_slide_dicom/level_1024.dcm",
          "P12_pyramid_tiff/pyramid.tif", "S1_slide_ndpi/dapi.ndpi", "S2_slide_oddities/boxes.tiff",
          "S2_slide_oddities/small.svs", "S2_slide_oddities/boxes_0.dcm"]


def number(slide, key):
    value = slide.properties.get(key)
    return None if value is None else float(value)


def described(path):
    slide = openslide.OpenSlide(path)
    digests = []
    for level, size in enumerate(slide.level_dimensions):
        pixels = numpy.array(slide.read_region((0, 0), level, size))
        assert (pixels[..., 3] == 255).all()
        digests.append(hashlib.sha1(pixels[..., :3].tobytes()).hexdigest())
    return {"levels": [list(size) for size in slide.level_dimensions], "mpp": number(slide, "openslide.mpp-x"),
            "objective": number(slide, "openslide.objective-power"),
            "pictures": sorted(slide.associated_images), "sha1": digests}


def main():
    data, out = sys.argv[1:]
    assert openslide.__library_version__ >= "4"
    slides = {name: described(f"{data}/{name}") for name in SLIDES}
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"library": "OpenSlide " + openslide.__library_version__, "slides": slides}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
