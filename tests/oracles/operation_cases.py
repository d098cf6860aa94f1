# SPDX-License-Identifier: Apache-2.0
"""Random inputs of Seedwave's operations with the answers of other libraries.

Each function below draws one case from a random generator. The answers come from SciPy,
scikit-image, SimpleITK (ITK), OpenCV and numpy; nothing here is shared with the program under test.
Arrays are [z][y][x] or [y][x].
"""
import dataclasses

import cv2
import numpy as np
import SimpleITK as sitk
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import minimum_spanning_tree
from skimage import measure, morphology

TYPES = ("uint8", "uint16", "int16", "int32", "float32")
STEPS = {4: 1, 8: 2, 6: 1, 18: 2, 26: 3}  # the most axes along which a neighbour may differ


@dataclasses.dataclass
class Case:
    """One run of an operation, and what must come out.

    `expected` has an array for each output, or a table's columns by name; NaN says nothing.
    `tolerance` is the largest difference allowed, relative to values above 1, `absolute` the same in
    the output's own unit; 0 means the same bits.
    """

    operation: str
    library: str
    image: np.ndarray
    expected: dict
    values: dict = dataclasses.field(default_factory=dict)
    inputs: dict = dataclasses.field(default_factory=dict)
    spacing: tuple = ()
    tolerance: float = 0.0
    absolute: float = 0.0


def size_of(rng, ndim=None, largest=28):
    ndim = ndim or int(rng.integers(2, 4))
    size = [int(n) for n in rng.integers(1, (largest if ndim == 2 else largest // 3) + 1, ndim)]
    if ndim == 3:
        size[0] += 1  # one slice would be a picture
    return tuple(size)


def image_of(rng, size, dtype=None, fractions=True):
    """Noise of few levels (many ties), of the type's whole range, or smoothed."""
    dtype = np.dtype(dtype or rng.choice(TYPES))
    kind = rng.integers(3)
    if kind == 0:
        image = rng.integers(0, rng.integers(2, 12), size)
    elif kind == 1 and dtype.kind != "f":
        limits = np.iinfo(dtype)
        image = rng.integers(limits.min, limits.max, size, endpoint=True, dtype=np.int64)
    elif kind == 1:
        image = 1000 * rng.standard_normal(size)
    else:
        image = 100 + 100 * ndimage.gaussian_filter(rng.standard_normal(size), 1.5)
    if not fractions:
        image = np.round(image)
    return np.ascontiguousarray(image.astype(dtype))


def connectivity_of(rng, ndim, full_or_faces=False):
    if ndim == 2:
        return int(rng.choice((4, 8)))
    return int(rng.choice((6, 26) if full_or_faces else (6, 18, 26)))


def structure(connectivity, ndim):
    return ndimage.generate_binary_structure(ndim, STEPS[connectivity])


def highest(dtype):
    return np.finfo(dtype).max if np.dtype(dtype).kind == "f" else np.iinfo(dtype).max


def lowest(dtype):
    return np.finfo(dtype).min if np.dtype(dtype).kind == "f" else np.iinfo(dtype).min


def reconstructed(marker, mask, method, connectivity):
    clip = np.minimum if method == "dilation" else np.maximum
    answer = morphology.reconstruction(clip(marker, mask), mask, method=method,
                                       footprint=structure(connectivity, mask.ndim))
    return answer.astype(mask.dtype)


def of_itk(call, image, *arguments):
    return sitk.GetArrayFromImage(call(sitk.GetImageFromArray(image), *arguments))


def reconstruct(rng):
    size = size_of(rng)
    image = image_of(rng, size)
    marker = image_of(rng, size, image.dtype)
    method = str(rng.choice(("dilation", "erosion")))
    connectivity = connectivity_of(rng, image.ndim)
    return Case("reconstruct", "scikit-image", image,
                {"image": reconstructed(marker, image, method, connectivity)},
                {"direction": method, "connectivity": connectivity}, {"marker": marker})


def ball(radius, ndim):
    reach = int(radius)
    axes = np.ogrid[(slice(-reach, reach + 1),) * ndim]
    return sum(axis * axis for axis in axes) <= radius * radius


def open_by_reconstruction(rng):
    image = image_of(rng, size_of(rng))
    radius = float(rng.choice((1, 1.5, 2, 3.2)))
    connectivity = connectivity_of(rng, image.ndim)
    marker = ndimage.minimum_filter(image, footprint=ball(radius, image.ndim), mode="constant",
                                    cval=highest(image.dtype))
    return Case("open-by-reconstruction", "SciPy, scikit-image", image,
                {"image": reconstructed(marker, image, "dilation", connectivity)},
                {"radius": radius, "connectivity": connectivity})


def close_by_reconstruction(rng):
    image = image_of(rng, size_of(rng))
    radius = float(rng.choice((1, 1.5, 2, 3.2)))
    connectivity = connectivity_of(rng, image.ndim)
    marker = ndimage.maximum_filter(image, footprint=ball(radius, image.ndim), mode="constant",
                                    cval=lowest(image.dtype))
    return Case("close-by-reconstruction", "SciPy, scikit-image", image,
                {"image": reconstructed(marker, image, "erosion", connectivity)},
                {"radius": radius, "connectivity": connectivity})


def peaks(operation, by_domes):
    """by_domes(image, domes above the h-maxima, basins below the h-minima)"""
    def case(rng):
        # Small whole numbers: ITK adds and subtracts the height in the image's own type.
        image = rng.integers(20, 60, size_of(rng)).astype(rng.choice(TYPES))
        connectivity = connectivity_of(rng, image.ndim, full_or_faces=True)
        h = int(rng.integers(1, 15))
        full = connectivity in (8, 26)
        domes = of_itk(sitk.HConvex, image, h, full)
        basins = of_itk(sitk.HConcave, image, h, full)
        return Case(operation, "ITK", image, {"image": by_domes(image, domes, basins)},
                    {"h": h, "connectivity": connectivity})
    return case


def fill_holes(rng):
    image = image_of(rng, size_of(rng))
    connectivity = connectivity_of(rng, image.ndim, full_or_faces=True)
    return Case("fill-holes", "ITK", image,
                {"image": of_itk(sitk.GrayscaleFillhole, image, connectivity in (8, 26))},
                {"connectivity": connectivity})


def clear_border(rng):
    image = rng.integers(0, 40, size_of(rng)).astype(rng.choice(TYPES))
    connectivity = connectivity_of(rng, image.ndim, full_or_faces=True)
    touching = of_itk(sitk.GrayscaleGrindPeak, image, connectivity in (8, 26))
    return Case("clear-border", "ITK", image, {"image": image - touching},
                {"connectivity": connectivity})


def extrema(operation, call):
    def case(rng):
        size = size_of(rng)
        image = image_of(rng, size)
        while image.size > 1 and image.min() == image.max():  # the library says none, not all
            image = image_of(rng, size_of(rng, largest=12))
        if image.size == 1:
            image = np.arange(12, dtype=image.dtype).reshape(3, 4)
        connectivity = connectivity_of(rng, image.ndim)
        found = call(image, footprint=structure(connectivity, image.ndim))
        return Case(operation, "scikit-image", image, {"image": found.astype(np.uint8)},
                    {"connectivity": connectivity})
    return case


def object_of(rng, size):
    """Mostly object, with some background."""
    image = (rng.random(size) < rng.choice((0.5, 0.9, 0.98))).astype(np.uint8)
    image.flat[rng.integers(image.size)] = 0
    return image


def distance(rng):
    image = object_of(rng, size_of(rng))
    spacing = ()
    if image.ndim == 3:
        spacing = tuple(float(s) for s in rng.choice((0.5, 0.7, 1.0, 1.25, 3.0), 3))
    found = ndimage.distance_transform_edt(image, sampling=spacing[::-1] or None)
    return Case("distance", "SciPy", image, {"image": found.astype(np.float32)}, {"units": "mm"},
                spacing=spacing, tolerance=2e-7)


def squared_distance(rng):
    image = object_of(rng, size_of(rng))
    found = ndimage.distance_transform_edt(image)
    return Case("distance", "SciPy, squares", image,
                {"image": np.round(found * found).astype(np.int32)},
                {"units": "voxel", "squared": "yes"})


def nearest(rng):
    """The offset of the nearest background cell, of equally near ones the smallest."""
    image = object_of(rng, size_of(rng, largest=18))
    places = np.argwhere(image == 0)
    offsets = np.flatnonzero(image == 0)
    squares = ((np.argwhere(image >= 0)[:, None, :] - places[None]) ** 2).sum(2)
    found = offsets[squares.argmin(1)]  # the first of equal ones
    return Case("distance", "numpy, nearest", image,
                {"nearest": found.reshape(image.shape).astype(np.int32)}, {"units": "voxel"})


def clean_labels(rng):
    """Parts by size and holes of one label on background, without smoothing: SciPy has no more."""
    size = tuple(max(2, n) for n in size_of(rng))  # SciPy counts a flat axis as border everywhere
    mask = ndimage.uniform_filter(rng.random(size), 2) > rng.uniform(0.4, 0.6)
    parts, count = ndimage.label(mask)
    voxels = np.bincount(parts.ravel(), minlength=count + 1)
    voxels[0] = 0
    smallest = int(rng.integers(0, 12))
    stays = voxels >= max(1, smallest)
    keep = str(rng.choice(["all", "largest"]))
    if keep == "largest":
        stays &= np.arange(count + 1) == voxels.argmax()
    expected = ndimage.binary_fill_holes(stays[parts])
    in_ml = smallest if len(size) == 2 else smallest / 1000
    values = {"keep": keep, "smallest": in_ml, "fill_holes": "yes", "outline_smooth": 0}
    return Case("clean-labels", "SciPy", mask.astype(np.uint8), {"labels": expected.astype(np.uint8)}, values)


def influence_zones(rng):
    labels = np.where(rng.random(size := size_of(rng)) < 0.1, rng.integers(1, 6, size), 0)
    labels.flat[rng.integers(labels.size)] = 3
    best = np.full(size, np.inf)
    zones = np.zeros(size, np.uint16)
    for label in np.unique(labels[labels > 0]):  # ascending: of equal ones the smallest stays
        squares = np.round(ndimage.distance_transform_edt(labels != label) ** 2)
        zones[squares < best] = label
        best = np.minimum(best, squares)
    values = {"units": "voxel"}
    if rng.random() < 0.7:  # whole numbers, which many distances equal
        values["reach"] = int(rng.integers(1, 5))
        zones[best > values["reach"] ** 2] = 0
    return Case("influence-zones", "SciPy", labels.astype(np.uint8), {"labels": zones}, values)


def kernel_of(angle, length):
    diagonal = np.eye(length, dtype=np.uint8)
    return {0: np.ones((1, length), np.uint8), 90: np.ones((length, 1), np.uint8),
            45: np.fliplr(diagonal), 135: diagonal}[angle]


def by_lines(image, angle, length, lines):
    operation = cv2.MORPH_OPEN if lines == "bright" else cv2.MORPH_CLOSE
    return cv2.morphologyEx(image, operation, np.ascontiguousarray(kernel_of(angle, length)))


def picture_for_opencv(rng):
    return image_of(rng, size_of(rng, 2), rng.choice(("uint8", "uint16", "int16", "float32")))


def linear(operation, lines):
    def case(rng):
        image = picture_for_opencv(rng)
        angle = int(rng.choice((0, 45, 90, 135)))
        length = 2 * int(rng.integers(0, 12)) + 1
        return Case(operation, "OpenCV", image, {"image": by_lines(image, angle, length, lines)},
                    {"angle": angle, "length": length})
    return case


def orientation(rng):
    image = picture_for_opencv(rng)
    lines = str(rng.choice(("bright", "dark")))
    length = 2 * int(rng.integers(0, 8)) + 1
    answers = np.stack([by_lines(image, angle, length, lines) for angle in (0, 45, 90, 135)])
    best = answers.argmax(0) if lines == "bright" else answers.argmin(0)
    strongest = answers.max(0) if lines == "bright" else answers.min(0)
    square = np.ones((length, length), np.uint8)
    operation = cv2.MORPH_OPEN if lines == "bright" else cv2.MORPH_CLOSE
    ground = cv2.morphologyEx(image, operation, square).astype(np.float64)
    rise = strongest - ground if lines == "bright" else ground - strongest
    return Case("orientation", "OpenCV", image,
                {"image": strongest, "angle": (45 * best).astype(np.float32),
                 "response": rise.astype(np.float32)},
                {"lines": lines, "length": length, "angles": 4})


def granulometry(rng):
    """OpenCV puts the middle of an even kernel elsewhere, so the odd lengths are compared."""
    image = image_of(rng, size_of(rng, 2), rng.choice(("uint8", "uint16", "int16")))
    lines = str(rng.choice(("bright", "dark")))
    angle = int(rng.choice((0, 45, 90, 135)))
    sums = [float(by_lines(image, angle, length, lines).sum(dtype=np.int64)) if length % 2 else np.nan
            for length in range(1, 16)]
    return Case("granulometry", "OpenCV", image, {"curve": {"sum": np.array(sums)}},
                {"lines": lines, "angle": angle, "longest": 15})


def threshold(rng):
    image = image_of(rng, size_of(rng))
    low, high = sorted(float(v) for v in rng.choice(image.ravel(), 2))
    low, high = np.clip((low, high), -1e9, 1e9)
    found = (image.astype(np.float64) >= low) & (image.astype(np.float64) <= high)
    return Case("threshold", "numpy", image, {"labels": found.astype(np.uint16)},
                {"low": float(low), "high": float(high)})


def affinities(image, m, sigma_o, sigma_h, steps):
    """Edges of the grid as (from, to, kappa on 4096 levels)."""
    values = image.astype(np.float64)
    q = np.exp(-((values - m) ** 2) / (2.0 * sigma_o**2)).astype(np.float32)
    number = np.arange(image.size).reshape(image.shape)
    edges = []
    for step in steps:
        here = tuple(slice(max(0, -s), n - max(0, s)) for s, n in zip(step, image.shape))
        there = tuple(slice(max(0, s), n + min(0, s)) for s, n in zip(step, image.shape))
        d = np.abs(values[here] - values[there])
        p = (4096.0 * np.exp(-(d * d) / (2.0 * sigma_h**2))).astype(np.float32)
        kappa = (p * np.minimum(q[here], q[there])).astype(np.int64)
        edges.append(np.stack([number[here].ravel(), number[there].ravel(), kappa.ravel()]))
    return np.concatenate(edges, axis=1)


def strongest_paths(count, edges, seeds):
    """The best weakest link from any seed, along the tree of strongest edges."""
    start, end, kappa = edges[:, edges[2] > 0]
    # A node 0 that is joined to every seed by the strongest link.
    start = np.concatenate([start + 1, np.zeros(len(seeds), int)])
    end = np.concatenate([end + 1, np.asarray(seeds) + 1])
    kappa = np.concatenate([kappa, np.full(len(seeds), 4096)])
    weights = coo_matrix((5000.0 - kappa, (start, end)), (count + 1, count + 1))
    tree = minimum_spanning_tree(weights.tocsr())
    tree = (tree + tree.T).tocsr()
    strength = np.zeros(count + 1, int)
    strength[0] = 4096
    waiting, seen = [0], {0}
    while waiting:
        node = waiting.pop()
        for i in range(tree.indptr[node], tree.indptr[node + 1]):
            other = tree.indices[i]
            if other not in seen:
                seen.add(other)
                strength[other] = min(strength[node], 5000 - int(tree.data[i]))
                waiting.append(other)
    return strength[1:]


def half_steps(connectivity, ndim):
    steps = np.argwhere(structure(connectivity, ndim)) - 1
    return [tuple(s) for s in steps if tuple(s) > (0,) * ndim]


def connectedness(rng, smooth=0.0):
    while True:
        size = size_of(rng, largest=20)
        image = (100 + 60 * ndimage.gaussian_filter(rng.standard_normal(size), 1)).clip(0, 255)
        image = image.astype(np.uint8)
        read = image.astype(np.float64)
        if smooth:
            for axis in range(image.ndim):
                read = ndimage.gaussian_filter1d(read, smooth, axis, mode="nearest",
                                                 radius=int(np.ceil(4 * smooth)))
            # Sums in another order may round the other way just at a half.
            if np.abs(read - np.floor(read) - 0.5).min() < 1e-4:
                continue
            read = np.floor(read + 0.5)
        break
    seeds = np.zeros(size, np.uint16)
    seeds.flat[rng.integers(0, image.size, 3)] = 1
    m, sigma_o, sigma_h = float(read.flat[np.flatnonzero(seeds)[0]]), 25.0, 12.5
    connectivity = connectivity_of(rng, image.ndim)
    edges = affinities(read, m, sigma_o, sigma_h, half_steps(connectivity, image.ndim))
    strength = strongest_paths(image.size, edges, np.flatnonzero(seeds)).reshape(size)
    labels = ((strength > 0.3 * 4096) | (seeds > 0)).astype(np.uint16)
    return Case("afc", "SciPy, smoothed" if smooth else "SciPy", image,
                {"strength": strength.astype(np.uint16), "labels": labels},
                {"m": m, "sigma_o": sigma_o, "sigma_h": sigma_h, "theta": 0.3, "smooth": smooth,
                 "connectivity": connectivity}, {"seeds": seeds})


def connectedness_outlier(rng):
    """f32 with a voxel far outside: mapped onto 16 bits, so strengths may be a level or so off."""
    size = size_of(rng, largest=20)
    image = (100 + 10 * rng.standard_normal(size)).astype(np.float32)
    seeds = np.zeros(size, np.uint16)
    seeds.flat[rng.integers(image.size)] = 1
    m = float(image[seeds > 0][0])
    image.flat[rng.integers(image.size)] = m + rng.choice((-1e7, 1e7, 3e38))
    if abs(image[seeds > 0][0]) > 1e6:  # the seed itself: as it was
        image[seeds > 0] = m
    connectivity = connectivity_of(rng, image.ndim)
    edges = affinities(image, m, 12.0, 15.0, half_steps(connectivity, image.ndim))
    strength = strongest_paths(image.size, edges, np.flatnonzero(seeds)).reshape(size)
    return Case("afc", "SciPy, f32 with an outlier", image, {"strength": strength.astype(np.uint16)},
                {"m": m, "sigma_o": 12.0, "sigma_h": 15.0, "connectivity": connectivity},
                {"seeds": seeds}, absolute=2.0)


def connectedness_smoothed(rng):
    return connectedness(rng, float(rng.choice((0.6, 1.0, 1.7))))


def two_points(rng):
    """R of all lags by the FFT, read between lags at each radius and direction."""
    window = int(rng.integers(4, 20))
    size = (window + int(rng.integers(0, 9)), window + int(rng.integers(0, 9)))
    phases = rng.integers(1, 4, size).astype(np.uint8)
    left = int(rng.integers(0, size[1] - window + 1))
    top = int(rng.integers(0, size[0] - window + 1))
    part = phases[top:top + window, left:left + window]
    directions = int(rng.choice((4, 8, 6)))
    radii = np.arange(window // 2 + 1)
    angles = np.pi * np.arange(directions) / directions
    lags = np.arange(-window + 1, window)
    pairs = (window - np.abs(lags))[:, None] * (window - np.abs(lags))[None]
    curve = {}
    for phase in range(1, int(phases.max()) + 1):
        mask = np.zeros((2 * window - 1,) * 2)
        mask[:window, :window] = part == phase
        spectrum = np.fft.rfft2(mask)
        counts = np.round(np.fft.irfft2(np.abs(spectrum) ** 2, mask.shape))
        shares = np.fft.fftshift(counts) / pairs
        x = window - 1 + radii[:, None] * np.round(np.cos(angles), 15)[None]
        y = window - 1 + radii[:, None] * np.round(np.sin(angles), 15)[None]
        values = ndimage.map_coordinates(shares, [y, x], order=1, mode="nearest")
        curve[f"phase_{phase}"] = values.mean(1)
    return Case("tpcf", "numpy (FFT), SciPy", phases, {"curve": curve},
                {"window": window, "angle_step": 1.0 / directions,
                 "at": f"{left + window // 2},{top + window // 2}"}, tolerance=1e-6)


def spacing_of(rng, ndim):
    """In millimetres on volumes; pixels are the unit of images without a scale."""
    return tuple(float(s) for s in rng.choice((0.5, 0.7, 1.0, 1.25, 3.0), 3)) if ndim == 3 else ()


def in_voxels(length, spacing, ndim):
    """The length along each axis of the array."""
    return [length / s for s in (spacing[::-1] or (1.0,) * ndim)]


def gaussian_sums(image, sigmas):
    """In f64; an axis of one voxel stays as it is."""
    sums = image.astype(np.float64)
    for axis, sigma in enumerate(sigmas):
        if image.shape[axis] > 1:
            sums = ndimage.gaussian_filter1d(sums, sigma, axis, mode="nearest",
                                             radius=int(np.ceil(4 * sigma)))
    return sums


def gaussian(rng):
    """The values between the axes have 24 bits, so sums close to a half may be rounded otherwise."""
    image = image_of(rng, size_of(rng))
    spacing = spacing_of(rng, image.ndim)
    sigma = float(rng.choice((0.4, 0.6, 1.0, 1.7, 3.2)))
    sums = gaussian_sums(image, in_voxels(sigma, spacing, image.ndim))
    if image.dtype.kind != "f":
        sums = np.floor(sums + 0.5)
    most = float(np.abs(image).max())
    return Case("gaussian", "SciPy", image, {"image": sums.astype(image.dtype)}, {"sigma": sigma},
                spacing=spacing, absolute=1.0 if image.dtype.kind != "f" else 2e-7 * max(1.0, most))


def median(rng):
    image = image_of(rng, size_of(rng))
    spacing = spacing_of(rng, image.ndim)
    radius = float(rng.choice((0.5, 1.0, 1.5, 2.0, 3.2)))
    reach = [int(r * (1 + 1e-6)) if n > 1 else 0
             for r, n in zip(in_voxels(radius, spacing, image.ndim), image.shape)]
    steps = np.ogrid[tuple(slice(-r, r + 1) for r in reach)]
    lengths = sum((step * s) ** 2 for step, s in zip(steps, spacing[::-1] or (1.0,) * image.ndim))
    footprint = np.broadcast_to(lengths <= radius**2 * (1 + 1e-6), [2 * r + 1 for r in reach])
    return Case("median", "SciPy", image,
                {"image": ndimage.median_filter(image, footprint=footprint, mode="nearest")},
                {"radius": radius}, spacing=spacing)


def gradient_magnitude(rng):
    image = image_of(rng, size_of(rng))
    spacing = spacing_of(rng, image.ndim)
    sigma = float(rng.choice((0.0, 0.6, 1.0, 1.7)))
    sums = image.astype(np.float64)
    if sigma > 0:
        sums = gaussian_sums(image, in_voxels(sigma, spacing, image.ndim))
    squares = np.zeros(image.shape)
    for axis, step in enumerate(in_voxels(1.0, spacing, image.ndim)):
        squares += (step * ndimage.correlate1d(sums, [-0.5, 0.0, 0.5], axis, mode="nearest")) ** 2
    most = float(np.abs(image.astype(np.float64)).max())
    return Case("gradient-magnitude", "SciPy", image, {"image": np.sqrt(squares).astype(np.float32)},
                {"sigma": sigma}, spacing=spacing, tolerance=2e-7, absolute=1e-6 * max(1.0, most))


def gradient_magnitude_unsmoothed(rng):
    """ITK reads integers of up to 24 bits exactly, and its border too is repeated."""
    image = rng.integers(0, 5000, size_of(rng)).astype(rng.choice(("uint16", "int32", "float32")))
    spacing = spacing_of(rng, image.ndim)
    read = sitk.GetImageFromArray(image.astype(np.float32))
    if spacing:
        read.SetSpacing(spacing)
    found = sitk.GetArrayFromImage(sitk.GradientMagnitude(read))
    return Case("gradient-magnitude", "ITK", image, {"image": found}, {"sigma": 0.0},
                spacing=spacing, tolerance=1e-6)


def parts_of(rng):
    """Labels and their connected parts, numbered by SciPy label by label, then by first voxel."""
    labels = rng.integers(0, rng.integers(2, 5), size_of(rng)).astype(rng.choice(("uint8", "uint16", "int32")))
    connectivity = int(rng.choice((4, 8) if labels.ndim == 2 else (6, 18, 26)))
    structure = ndimage.generate_binary_structure(labels.ndim, STEPS[connectivity])
    parts = np.zeros(labels.shape, np.int64)
    for label in np.unique(labels[labels > 0]):
        found, _ = ndimage.label(labels == label, structure)
        parts[found > 0] = found[found > 0] + parts.max()
    numbers, first = np.unique(parts[parts > 0], return_index=True)
    order = np.zeros(parts.max() + 1, np.int64)
    order[numbers[np.argsort(first)]] = 1 + np.arange(numbers.size)
    return labels, order[parts], connectivity


def components(rng):
    labels, parts, connectivity = parts_of(rng)
    return Case("components", "SciPy", labels, {"labels": parts.astype(np.uint16)},
                {"connectivity": connectivity})


def measure_objects(rng):
    labels, parts, connectivity = parts_of(rng)
    spacing = spacing_of(rng, labels.ndim)
    each = str(rng.choice(("part", "label")))
    read = parts if each == "part" else labels.astype(np.int64)
    columns = {name: [] for name in ("label", "voxels", "x", "y", "z", "left", "top", "front", "columns",
                                     "rows", "slices")}
    for found in measure.regionprops(read):
        z, y, x = found.centroid if labels.ndim == 3 else (0, *found.centroid)
        low, high = found.bbox[:labels.ndim], found.bbox[labels.ndim:]
        low, high = ((0, *low), (1, *high)) if labels.ndim == 2 else (low, high)
        steps = spacing or (1, 1, 1)
        row = (labels.flat[np.argmax(read == found.label)], found.area,
               *(at * steps[axis] for axis, at in enumerate((x, y, z)[:labels.ndim])),
               *((0,) if labels.ndim == 2 else ()),
               low[2], low[1], low[0], high[2] - low[2], high[1] - low[1], high[0] - low[0])
        for column, value in zip(columns.values(), row):
            column.append(float(value))
    return Case("measure-objects", "scikit-image", labels, {"objects": columns},
                {"connectivity": connectivity, "each": each}, spacing=spacing, tolerance=1e-12)


CASES = {
    "reconstruct": reconstruct,
    "open-by-reconstruction": open_by_reconstruction,
    "close-by-reconstruction": close_by_reconstruction,
    "h-maxima": peaks("h-maxima", lambda image, domes, basins: image - domes),
    "h-minima": peaks("h-minima", lambda image, domes, basins: image + basins),
    "h-domes": peaks("h-domes", lambda image, domes, basins: domes),
    "fill-holes": fill_holes,
    "clear-border": clear_border,
    "regional-maxima": extrema("regional-maxima", morphology.local_maxima),
    "regional-minima": extrema("regional-minima", morphology.local_minima),
    "distance": distance,
    "distance-squared": squared_distance,
    "distance-nearest": nearest,
    "influence-zones": influence_zones,
    "linear-opening": linear("linear-opening", "bright"),
    "linear-closing": linear("linear-closing", "dark"),
    "orientation": orientation,
    "granulometry": granulometry,
    "threshold": threshold,
    "connectedness": connectedness,
    "connectedness-outlier": connectedness_outlier,
    "connectedness-smoothed": connectedness_smoothed,
    "tpcf": two_points,
    "gaussian": gaussian,
    "median": median,
    "gradient-magnitude": gradient_magnitude,
    "gradient-magnitude-unsmoothed": gradient_magnitude_unsmoothed,
    "clean-labels": clean_labels,
    "components": components,
    "measure-objects": measure_objects,
}
