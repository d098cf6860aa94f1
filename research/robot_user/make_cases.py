#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases for robot_user.py: DIR/<case>/{image.npy,truth.npy[,rgb.npy],case.json}; arrays are [z][y][x] or [y][x].
truth: 1 object, 0 background, 255 not scored.   python3 make_cases.py --out cases --data DATA"""
import argparse, json, os, sys, importlib.util
import numpy as np, nibabel as nib
from PIL import Image

ap = argparse.ArgumentParser()
ap.add_argument('--out', default='cases')
ap.add_argument('--data', required=True)
a = ap.parse_args()

def nii(p):
    return np.ascontiguousarray(np.asanyarray(nib.load(p).dataobj).squeeze().transpose(2, 1, 0))

def crop(image, truth, margin):
    idx = np.argwhere(truth == 1)
    lo = np.maximum(idx.min(0) - margin, 0); hi = np.minimum(idx.max(0) + 1 + margin, truth.shape)
    s = tuple(slice(l, h) for l, h in zip(lo, hi))
    return image[s], truth[s]

def save(name, group, image, truth, note, rgb=None):
    d = os.path.join(a.out, name); os.makedirs(d, exist_ok=True)
    np.save(f'{d}/image.npy', np.ascontiguousarray(image)); np.save(f'{d}/truth.npy', np.ascontiguousarray(truth.astype(np.uint8)))
    if rgb is not None: np.save(f'{d}/rgb.npy', rgb)
    json.dump({'group': group, 'note': note, 'shape': list(image.shape), 'object': int((truth == 1).sum())}, open(f'{d}/case.json', 'w'))
    print(f'{name:16s} {group:8s} {str(image.shape):18s} {image.dtype} object {int((truth==1).sum())}')

D = a.data
# B1
im, lb = nii(f'{D}/B1_itksnap_brain/MRIcrop-orig.nii.gz').astype(np.int16), nii(f'{D}/B1_itksnap_brain/MRIcrop-seg.nii.gz')
for name, k in (('B1-ventricle', 1), ('B1-caudate', 7)):
    save(name, 'known', *crop(im, lb == k, 10), 'manual label')
# R1
im, lb = nii(f'{D}/R1_ct_aorta/ct.nii.gz').astype(np.int16), nii(f'{D}/R1_ct_aorta/label_aorta.nii.gz') > 0
i, t = crop(im, lb, 12); save('R1-aorta', 'known', i[20:70], t[20:70], 'network label, 50 slices')
# F1, F2
spec = importlib.util.spec_from_file_location('mk', f'{D}/F1_simulated_brain/make.py'); mk = importlib.util.module_from_spec(spec); spec.loader.exec_module(mk)
for case, lp, model in (('F1', f'{D}/F1_simulated_brain/phantom_labels.nii.gz', 'brainweb'), ('F2', f'{D}/F2_icbm_tissue/tissue_labels.nii.gz', 'icbm')):
    _, lab = mk.read_nii(lp); clean = mk.noiseless(lab, model)
    z0 = lab.shape[0] // 2
    for p in (1, 3, 5, 9) if case == 'F1' else (3, 9):
        rng = np.random.RandomState(20240501 + int(round(p * 100))); s = p / 100 * mk.BRIGHTEST
        v = np.hypot(clean + rng.normal(0, s, clean.shape), rng.normal(0, s, clean.shape))
        v = np.rint(np.clip(v, 0, 255)).astype(np.uint8)
        i, t = crop(v[z0-5:z0+5], (lab == 3)[z0-5:z0+5], 4)
        save(f'{case}-wm-n{p}', 'known', i, t, f'white matter, {p} % Rician noise, 10 slices')
# T1, T2
im = np.array(Image.open(f'{D}/T1_texture_mosaic/mosaic.png').convert('L')); lb = np.array(Image.open(f'{D}/T1_texture_mosaic/labels.png'))
save('T1-grass', 'known', im, lb == 2, 'texture, equal histograms')
rgb = np.array(Image.open(f'{D}/T2_skin_regions/image.jpg').convert('RGB'))[::2, ::2]; lb = np.array(Image.open(f'{D}/T2_skin_regions/regions.png'))[::2, ::2]
t = np.where(lb == 2, 1, np.where(lb == 0, 255, 0))
from skimage.color import rgb2hed
def hema(rgb):
    h = rgb2hed(rgb)[..., 0]; lo, hi = np.percentile(h, [.5, 99.5]); return np.rint(np.clip((h - lo) / (hi - lo), 0, 1) * 255).astype(np.uint8)
save('T2-epidermis', 'known', hema(rgb), t, 'hematoxylin channel, every second pixel', rgb)
# R2: organs of an abdominal CT, one at a time and several at once
im, lb = nii(f'{D}/R2_ct_organs/ct.nii.gz').astype(np.int16), nii(f'{D}/R2_ct_organs/labels.nii.gz')
for name, ks in (('R2-liver', (5,)), ('R2-spleen', (1,)), ('R2-kidneys', (2, 3)), ('R2-gallbladder', (4,)), ('R2-aorta', (52,)), ('R2-muscle', (86, 87))):
    save(name, 'known', *crop(im, np.isin(lb, ks), 10), f'network labels {ks}')
# P1..P4: all nuclei of a tile
for name in ('P1_nuclei_glands', 'P2_nuclei_dense', 'P4_nuclei_aligned'):
    import glob
    rgb = np.array(Image.open(f'{D}/{name}/image.png').convert('RGB')); m = [f for f in glob.glob(f'{D}/{name}/*mask*.png')]
    if m: save(name.split('_')[0] + '-nuclei', 'known', hema(rgb), np.array(Image.open(m[0]).convert('L')) > 0, 'all nuclei, haematoxylin channel', rgb)
