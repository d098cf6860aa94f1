#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/data/formats: small files written by other libraries, and what these read in them.

    tests/oracles/make_formats.py

`expected.json` has for each file its images with size, spacing, origin, direction (LPS, mm), type
and the SHA-256 of the values as little-endian doubles, x fastest, as the libraries that are named
found them. Where two libraries read one file they must agree, or the script stops: what they are
known to disagree about is said in docs/file_formats.md. tests/core/io/test_other_libraries.cpp
holds the readers against the list.
"""

import gzip
import hashlib
import json
import pathlib
import shutil

import nibabel
import nrrd
import numpy as np
import pydicom
import SimpleITK as sitk
import tifffile
from pydicom.dataset import FileDataset, FileMetaDataset
from pydicom.uid import (ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian,
                         RLELossless)

import libraries

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "data" / "formats"
RANDOM = np.random.default_rng(2026)
SHAPE = (3, 4, 5)  # z, y, x
TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"]

cases = []


def turned(n=3):
    """A random rotation, as columns."""
    q = np.linalg.qr(RANDOM.normal(size=(n, n)))[0]
    q[:, 0] *= np.sign(np.linalg.det(q))
    return q


def values_of(dtype, shape=SHAPE):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        # Halves: exact in every floating-point type.
        return (np.round(RANDOM.normal(size=shape) * 200) / 2).astype(dtype)
    low, high = (-100, 100) if dtype.kind == "i" else (0, 200)
    if dtype.itemsize > 1:
        low, high = 100 * low, 150 * high
    return RANDOM.integers(low, high, shape).astype(dtype)


def type_of(values):
    """The type in which such values are read: see docs/file_formats.md, Types."""
    return {"uint8": "u8", "int8": "i16", "uint16": "u16", "int16": "i16", "uint32": "i32",
            "int32": "i32", "uint64": "i32", "int64": "i32"}.get(values.dtype.name, "f32")


def expect(name, kind, *readers, type_name=None, placed=True):
    """Adds what the readers say about FOLDER/name; they must agree. `placed` is False for a picture
    about whose place and scale the file says nothing."""
    statements = [reader(FOLDER / name) for reader in readers]
    for reader, images in zip(readers[1:], statements[1:]):
        for a, b in zip(statements[0], images, strict=True):
            if why := a.differs_from(b):
                raise SystemExit(f"{name}: {readers[0].__name__}, {reader.__name__} differ: {why}")
    cases.append({
        "file": name, "kind": kind, "placed": placed,
        "by": [reader.__name__.removeprefix("by_") for reader in readers],
        "images": [{
            "size": [int(n) for n in image.size], "components": image.components,
            "spacing": image.spacing.tolist(), "origin": image.origin.tolist(),
            "direction": image.direction.ravel().tolist(), "type": type_name or type_of(image.values),
            "sha256": hashlib.sha256(np.ascontiguousarray(image.values, "<f8").tobytes()).hexdigest(),
        } for image in statements[0]]})


def sitk_image(values, n=3, vector=False, direction=None):
    image = sitk.GetImageFromArray(values, isVector=vector)
    image.SetSpacing([0.7, 1.3, 2.5][:n])
    image.SetOrigin([-31.25, 500.0, 12.5][:n])
    image.SetDirection((turned(n) if direction is None else direction).ravel().tolist())
    return image


def write_sitk(name, image, packed=False):
    sitk.WriteImage(image, str(FOLDER / name), packed)


def make_nifti():
    by_nib, by_itk = libraries.by_nibabel, libraries.by_sitk
    for dtype in TYPES:
        write_sitk(f"itk_{dtype}.nii", sitk_image(values_of(dtype)))
        expect(f"itk_{dtype}.nii", "volume", by_itk, by_nib)
    write_sitk("itk.nii.gz", sitk_image(values_of("i2")))
    expect("itk.nii.gz", "volume", by_itk, by_nib)
    write_sitk("itk_flat.nii", sitk_image(values_of("i2", (4, 5)), 2))
    expect("itk_flat.nii", "volume", by_itk, by_nib)

    def save(name, values, matrix, kind=nibabel.Nifti1Image, sform=2, qform=1, order="<"):
        header = kind.header_class(endianness=order)
        header.set_data_dtype(values.dtype)
        image = kind(values, matrix, header)
        image.set_sform(matrix, sform)
        image.set_qform(matrix, qform)
        nibabel.save(image, FOLDER / name)

    matrix = np.eye(4)
    matrix[:3, :3] = turned() * [0.7, 1.3, 2.5]
    matrix[:3, 3] = [-31.25, 80.5, 12.5]
    xyz = SHAPE[::-1]
    both = (by_nib, by_itk)
    save("nib_big_endian.nii", values_of("i2", xyz), matrix, order=">")
    expect("nib_big_endian.nii", "volume", *both)
    save("nib_version_2.nii", values_of("f4", xyz), matrix, nibabel.Nifti2Image)
    expect("nib_version_2.nii", "volume", by_nib)
    save("nib_pair.img", values_of("u2", xyz), matrix, nibabel.Nifti1Pair)
    expect("nib_pair.hdr", "volume", by_nib)
    save("nib_sform.nii", values_of("u1", xyz), matrix, qform=0)
    expect("nib_sform.nii", "volume", *both)
    save("nib_qform.nii", values_of("u1", xyz), matrix, sform=0)
    expect("nib_qform.nii", "volume", *both)
    # Half turns, where the first number of the quaternion is 0 but for rounding.
    for i in range(4):
        axis = RANDOM.normal(size=3)
        axis /= np.linalg.norm(axis)
        half = np.eye(4)
        half[:3, :3] = (2 * np.outer(axis, axis) - np.eye(3)) * [1, 1, 3]
        half[:3, 3] = [10, 20, 30]
        save(f"nib_half_turn_{i}.nii", values_of("u1", xyz), half, sform=0)
        expect(f"nib_half_turn_{i}.nii", "volume", *both)
    save("nib_times.nii.gz", values_of("i2", xyz + (2,)), matrix)
    expect("nib_times.nii.gz", "volume", *both)
    rgb = np.zeros(xyz, [(name, "u1") for name in "RGB"])
    for name in "RGB":
        rgb[name] = values_of("u1", xyz)
    save("nib_rgb.nii", rgb, matrix)
    expect("nib_rgb.nii", "volume", *both)
    # Slope 2, intercept -1024: integers stay integers, in the smallest type.
    scaled = nibabel.Nifti1Image(values_of("i2", xyz), matrix)
    scaled.header.set_slope_inter(2, -1024)
    scaled.to_filename(FOLDER / "nib_scaled.nii")
    bare = bytearray((FOLDER / "nib_scaled.nii").read_bytes())
    bare[112:120] = np.array([2, -1024], "<f4").tobytes()
    (FOLDER / "nib_scaled.nii").write_bytes(bare)
    low = libraries.by_nibabel(FOLDER / "nib_scaled.nii")[0].values
    expect("nib_scaled.nii", "volume", by_nib,
           type_name="i16" if low.min() >= -32768 and low.max() <= 32767 else "i32")
    # 2-D: with a place; with a scale alone; with nothing.
    save("nib_flat.nii", values_of("u1", (5, 4)), np.diag([-0.5, -0.75, 1, 1]))
    expect("nib_flat.nii", "volume", *both)
    flat = nibabel.Nifti1Image(values_of("u1", (5, 4)), None)
    flat.header["pixdim"][1:3] = 0.5, 0.75
    flat.to_filename(FOLDER / "nib_flat_scale.nii")
    expect("nib_flat_scale.nii", "image", by_itk)
    nibabel.Nifti1Image(values_of("u1", (5, 4)), None).to_filename(FOLDER / "nib_flat_bare.nii")
    expect("nib_flat_bare.nii", "image", by_itk, placed=False)


def make_nrrd():
    by_itk, by_nrrd = libraries.by_sitk, libraries.by_pynrrd
    for dtype in TYPES:
        write_sitk(f"itk_{dtype}.nrrd", sitk_image(values_of(dtype)), packed=dtype == "i2")
        expect(f"itk_{dtype}.nrrd", "volume", by_itk, by_nrrd)
    write_sitk("itk_flat.nrrd", sitk_image(values_of("i2", (4, 5)), 2))
    expect("itk_flat.nrrd", "image", by_itk, by_nrrd)
    write_sitk("itk_mirrored.nrrd", sitk_image(values_of("i2", (4, 5)), 2, direction=np.diag([1., -1])))
    expect("itk_mirrored.nrrd", "image", by_itk, by_nrrd)
    write_sitk("itk_beside.nhdr", sitk_image(values_of("u2")))
    expect("itk_beside.nhdr", "volume", by_itk, by_nrrd)
    for count in (2, 3, 4):
        write_sitk(f"itk_vector_{count}.nrrd", sitk_image(values_of("f4", SHAPE + (count,)), vector=True))
        expect(f"itk_vector_{count}.nrrd", "volume", by_itk)
    write_sitk("itk_flat_rgb.nrrd", sitk_image(values_of("u1", (4, 5, 3)), 2, vector=True))
    expect("itk_flat_rgb.nrrd", "image", by_itk)
    volume = sitk_image(values_of("i2"))
    write_sitk("itk_times.nrrd", sitk.JoinSeries([volume, volume + 1, volume + 7], 10.0, 2.5))
    expect("itk_times.nrrd", "volume", by_itk)

    def save(name, values, **header):
        nrrd.write(str(FOLDER / name), values, {"encoding": "raw", **header}, index_order="F")

    xyz = SHAPE[::-1]
    steps = (turned() * [0.7, 1.3, 2.5]).T
    for space in ("right-anterior-superior", "left-anterior-superior", "left-posterior-superior"):
        short = "".join(word[0] for word in space.split("-"))
        save(f"pynrrd_{short}.nrrd", values_of("i2", xyz), space=space, **{
            "space directions": steps, "space origin": [-31.25, 80.5, 12.5], "encoding": "gzip"})
        expect(f"pynrrd_{short}.nrrd", "volume", by_nrrd, by_itk)
    save("pynrrd_big_endian.nrrd", values_of(">i2", xyz), endian="big",
         space="left-posterior-superior", **{"space directions": steps, "space origin": [1, 2, 3]})
    expect("pynrrd_big_endian.nrrd", "volume", by_nrrd, by_itk)
    save("pynrrd_flat_spacings.nrrd", values_of("u1", (5, 4)), spacings=[0.5, 0.75])
    expect("pynrrd_flat_spacings.nrrd", "image", by_nrrd)
    save("pynrrd_flat_bare.nrrd", values_of("u1", (5, 4)))
    expect("pynrrd_flat_bare.nrrd", "image", by_nrrd, by_itk, placed=False)


def make_metaimage():
    by_itk = libraries.by_sitk
    for dtype in TYPES:
        write_sitk(f"itk_{dtype}.mha", sitk_image(values_of(dtype)), packed=dtype == "u2")
        expect(f"itk_{dtype}.mha", "volume", by_itk)
    write_sitk("itk_flat.mha", sitk_image(values_of("i2", (4, 5)), 2))
    expect("itk_flat.mha", "image", by_itk)
    write_sitk("itk_detached.mhd", sitk_image(values_of("i2")))
    expect("itk_detached.mhd", "volume", by_itk)
    write_sitk("itk_rgb.mha", sitk_image(values_of("u1", SHAPE + (3,)), vector=True))
    expect("itk_rgb.mha", "volume", by_itk)
    write_sitk("itk_vector_2.mha", sitk_image(values_of("i2", SHAPE + (2,)), vector=True))
    expect("itk_vector_2.mha", "volume", by_itk)
    volume = sitk_image(values_of("i2"))
    write_sitk("itk_times.mha", sitk.JoinSeries([volume, volume + 1], 10.0, 2.5))
    expect("itk_times.mha", "volume", by_itk)

    voxels = np.arange(10, 22, dtype="u1").tobytes()

    def save(name, *lines, gap=b"", after=b"", data="LOCAL", beside=None):
        header = "\n".join(["ObjectType = Image", "NDims = 2", "BinaryData = True", *lines,
                            "DimSize = 4 3", "ElementType = MET_UCHAR",
                            f"ElementDataFile = {data}", ""]).encode()
        header += b"" if beside else gap(header) + voxels + after if callable(gap) else voxels + after
        (FOLDER / name).write_bytes(header)
        if beside:
            (FOLDER / data).write_bytes(beside)

    scale = "ElementSpacing = 0.5 0.75"
    save("skip_local.mha", scale, "HeaderSize = 300", gap=lambda header: b"\0" * (300 - len(header)))
    expect("skip_local.mha", "image", by_itk)
    save("end_local.mha", scale, "HeaderSize = -1", gap=lambda header: b"\0" * 17)
    expect("end_local.mha", "image", by_itk)
    save("skip_beside.mhd", scale, "HeaderSize = 7", data="skip_beside.raw", beside=b"PREFIX!" + voxels)
    expect("skip_beside.mhd", "image", by_itk)
    save("end_beside.mhd", scale, "HeaderSize = -1", data="end_beside.raw", beside=b"PREFIX!" + voxels)
    expect("end_beside.mhd", "image", by_itk)
    save("negative_spacing.mha", "ElementSpacing = 0.5 -0.75", "Offset = 3 4")
    expect("negative_spacing.mha", "image", by_itk)
    save("bare.mha")
    expect("bare.mha", "image", by_itk, placed=False)


def make_gipl():
    by_itk = libraries.by_sitk
    for dtype in ("u1", "i1", "u2", "i2", "f4", "f8"):
        image = sitk_image(values_of(dtype), direction=np.eye(3))
        write_sitk(f"itk_{dtype}.gipl", image)
        expect(f"itk_{dtype}.gipl", "volume", by_itk)
    (FOLDER / "itk.gipl.gz").write_bytes(gzip.compress((FOLDER / "itk_i2.gipl").read_bytes(), mtime=0))
    expect("itk.gipl.gz", "volume", by_itk)
    # No third size: a 2-D image.
    flat = bytearray((FOLDER / "itk_u1.gipl").read_bytes()[:256 + 20])
    flat[4:8] = bytes(4)
    (FOLDER / "flat.gipl").write_bytes(flat)
    expect("flat.gipl", "image", by_itk)


def make_arrays():
    for name, values in {
            "flat_f2": values_of("f2", SHAPE[1:]), "volume_f2": values_of("f2"),
            "volume_big_f2": values_of(">f2"),
            "fortran_flat": np.asfortranarray(values_of("u1", SHAPE[1:])),
            "fortran_volume": np.asfortranarray(values_of("i2")),
            "fortran_f8": np.asfortranarray(values_of("f8")),
            "fortran_rgb": np.asfortranarray(values_of("u1", SHAPE + (3,))),
            "c_rgb": values_of("u1", SHAPE + (3,)), "big_i4": values_of(">i4")}.items():
        np.save(FOLDER / f"{name}.npy", values)
        flat = values.ndim == 2
        expect(f"{name}.npy", "image" if flat else "volume", libraries.by_numpy, placed=not flat)


def make_tiff():
    for dtype in ("u1", "u2", "i2", "f4"):
        tifffile.imwrite(FOLDER / f"{dtype}.tif", values_of(dtype, SHAPE[1:]), photometric="minisblack",
                         datetime=False, metadata=None)
        expect(f"{dtype}.tif", "image", libraries.by_tifffile, placed=False)
    tifffile.imwrite(FOLDER / "big_endian.tif", values_of("u2", SHAPE[1:]), byteorder=">", metadata=None)
    expect("big_endian.tif", "image", libraries.by_tifffile, placed=False)
    tifffile.imwrite(FOLDER / "rgb.tif", values_of("u1", SHAPE[1:] + (3,)), photometric="rgb", metadata=None)
    expect("rgb.tif", "image", libraries.by_tifffile, placed=False)
    tifffile.imwrite(FOLDER / "stack.tif", values_of("i2"), photometric="minisblack", metadata=None)
    expect("stack.tif", "volume", libraries.by_tifffile)
    tifffile.imwrite(FOLDER / "big.tif", values_of("u1", SHAPE[1:]), bigtiff=True, metadata=None)
    expect("big.tif", "image", libraries.by_tifffile, placed=False)


def dicom(name, values, syntax=ExplicitVRLittleEndian, **attributes):
    """Writes one slice with pydicom."""
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.4"
    meta.MediaStorageSOPInstanceUID = "1.2.826.0.1.3680043.8.498." + str(len(cases) * 1000 + 1) + \
        "." + str(attributes.get("InstanceNumber", 1))
    meta.TransferSyntaxUID = syntax if syntax != RLELossless else ExplicitVRLittleEndian
    one = FileDataset(str(FOLDER / name), {}, file_meta=meta, preamble=bytes(128),
                      is_implicit_VR=syntax.is_implicit_VR, is_little_endian=syntax.is_little_endian)
    one.SOPClassUID = meta.MediaStorageSOPClassUID
    one.SOPInstanceUID = meta.MediaStorageSOPInstanceUID
    one.StudyInstanceUID, one.SeriesInstanceUID = "1.2.3", "1.2.3.4"
    one.Modality = "MR"
    one.Rows, one.Columns = values.shape[:2]
    one.SamplesPerPixel = 1 if values.ndim == 2 else 3
    one.PhotometricInterpretation = "MONOCHROME2"
    one.BitsAllocated = one.BitsStored = 8 * values.dtype.itemsize
    one.HighBit = one.BitsStored - 1
    one.PixelRepresentation = int(values.dtype.kind == "i")
    if values.ndim == 3:
        one.PlanarConfiguration = 0
    for key, value in attributes.items():
        setattr(one, key, value)
    order = ">" if syntax == ExplicitVRBigEndian else "<"
    one.PixelData = values.astype(values.dtype.newbyteorder(order)).tobytes()
    if len(one.PixelData) % 2:
        one.PixelData += b"\0"
    one["PixelData"].VR = "OW" if one.BitsAllocated == 16 else "OB"
    if syntax == RLELossless:
        one.compress(RLELossless, generate_instance_uid=False)
    (FOLDER / name).parent.mkdir(exist_ok=True)
    pydicom.dcmwrite(FOLDER / name, one, enforce_file_format=True,
                     implicit_vr=one.file_meta.TransferSyntaxUID.is_implicit_VR,
                     little_endian=one.file_meta.TransferSyntaxUID.is_little_endian)


def make_dicom():
    by_dicom = libraries.by_pydicom
    axes = turned()
    place = {"PixelSpacing": [1.3, 0.7], "SliceThickness": 2.5,
             "ImageOrientationPatient": [f"{x:.12f}" for x in axes[:, :2].T.ravel()]}

    def at(z):
        place_of = np.array([-31.25, 80.5, 12.5]) + z * 2.5 * np.cross(axes[:, 0], axes[:, 1])
        return {**place, "ImagePositionPatient": [f"{x:.9f}" for x in place_of], "InstanceNumber": 9 - z}

    shape = SHAPE[1:]
    for z in range(3):
        dicom(f"dicom_series/{7 * z % 5}.dcm", values_of("i2", shape), **at(z), RescaleSlope=1,
              RescaleIntercept=-10, BitsStored=16)
    expect("dicom_series", "volume", by_dicom, libraries_itk_series, type_name="i16")
    dicom("dicom_fraction.dcm", values_of("u2", shape), **at(0), RescaleSlope="0.5", RescaleIntercept="-3.25")
    expect("dicom_fraction.dcm", "volume", by_dicom, type_name="f32")
    dicom("dicom_implicit.dcm", values_of("u2", shape), ImplicitVRLittleEndian, **at(0))
    expect("dicom_implicit.dcm", "volume", by_dicom, type_name="u16")
    dicom("dicom_big_endian.dcm", values_of("u2", shape), ExplicitVRBigEndian, **at(0))
    expect("dicom_big_endian.dcm", "volume", by_dicom, type_name="u16")
    dicom("dicom_rle.dcm", values_of("i2", shape), RLELossless, **at(0))
    expect("dicom_rle.dcm", "volume", by_dicom, type_name="i16")
    # Intercepts that need 32 bits, and all of them.
    dicom("dicom_wide.dcm", values_of("u2", shape), **at(0), RescaleSlope=1, RescaleIntercept="-2147483648")
    expect("dicom_wide.dcm", "volume", by_dicom, type_name="i32")
    colors = values_of("u1", shape + (3,))
    dicom("dicom_rgb.dcm", colors, PhotometricInterpretation="RGB", PixelSpacing=[0.75, 0.5])
    expect("dicom_rgb.dcm", "image", by_dicom, type_name="u8")


def libraries_itk_series(path):
    reader = sitk.ImageSeriesReader()
    reader.SetFileNames(reader.GetGDCMSeriesFileNames(str(path)))
    image = libraries.of_sitk(reader.Execute())
    image.values = image.values.astype(float)
    return [image]


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    pydicom.config.settings.writing_validation_mode = pydicom.config.IGNORE
    for make in (make_nifti, make_nrrd, make_metaimage, make_gipl, make_arrays, make_tiff, make_dicom):
        make()
    versions = {"SimpleITK": sitk.Version_VersionString(), "nibabel": nibabel.__version__,
                "pynrrd": nrrd.__version__, "pydicom": pydicom.__version__,
                "tifffile": tifffile.__version__, "numpy": np.__version__}
    lines = ",\n  ".join(json.dumps(case) for case in cases)
    (FOLDER / "expected.json").write_text(
        f'{{"made_by": {json.dumps(versions)},\n "cases": [\n  {lines}]}}\n', encoding="utf-8")
    print(f"{len(cases)} files or folders, {sum(f.stat().st_size for f in FOLDER.rglob('*') if f.is_file())} bytes")


if __name__ == "__main__":
    main()
