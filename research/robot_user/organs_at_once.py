#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several organs at once, and one by one: Dice by organ.

    python3 organs_at_once.py --cli seedwave-cli --data DATA

One stroke in each organ and three in the rest, as the robot of robot_user.py paints its first ones (in the middle of
the region along its main direction, 3 voxels wide, in one axial slice); those in the rest lie in the middle of what is
left of it. One by one: the same strokes, those of the other organs as background.
Needs numpy, scipy and nibabel. research/show organs_at_once prints the table of the documents."""
import argparse, json, os, subprocess, sys, tempfile
import numpy as np, nibabel as nib
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from robot_user import largest, stroke

ORGANS = {'liver': (5,), 'spleen': (1,), 'kidneys': (2, 3), 'aorta': (52,), 'gallbladder': (4,), 'muscle': (86, 87)}

def parts_of(mask):
    """The sides of a paired organ, each with a stroke of its own; else the organ."""
    first, size = largest(mask)
    second, other = largest(mask & ~first)
    return [first, second] if other > size // 2 else [first]

def segment(cli, operation, ct, grid, seeds, folder, flags):
    nib.save(nib.Nifti1Image(seeds.transpose(2, 1, 0), grid), f'{folder}/seeds.nii')
    done = subprocess.run([cli, 'run', operation, '--image', ct, '--seeds', f'{folder}/seeds.nii', '--out',
                           f'{folder}/out.nii', '--overwrite', '--json', *flags], capture_output=True, text=True)
    if done.returncode: raise SystemExit(done.stderr)
    labels = np.asarray(nib.load(f'{folder}/out.nii').dataobj).transpose(2, 1, 0)
    return labels, json.loads(done.stdout)['ms']['total']

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--cli', default='seedwave-cli'); ap.add_argument('--data', required=True)
    a = ap.parse_args()
    ct = f'{a.data}/R2_ct_organs/ct.nii.gz'
    image = nib.load(ct)
    truth = np.asarray(nib.load(f'{a.data}/R2_ct_organs/labels.nii.gz').dataobj).transpose(2, 1, 0)
    masks = {name: np.isin(truth, ids) for name, ids in ORGANS.items()}
    seeds = np.zeros(truth.shape, np.uint8)
    for number, name in enumerate(ORGANS, 1):
        for part in parts_of(masks[name]):
            seeds[stroke(part)] = number
    rest = ~np.any(list(masks.values()), axis=0)
    background = len(ORGANS) + 1
    for _ in range(3):
        painted = stroke(largest(rest)[0])
        seeds[painted] = background
        z, y, x = (int(np.median(c)) for c in painted)
        rest[max(z-6, 0):z+7, max(y-20, 0):y+21, max(x-20, 0):x+21] = False
    dice = lambda p, t: 2 * (p & t).sum() / max(1, p.sum() + t.sum())
    with tempfile.TemporaryDirectory() as folder:
        at_once, ms = segment(a.cli, 'segment', ct, image.affine, seeds, folder, [])
        irfc, irfc_ms = segment(a.cli, 'irfc', ct, image.affine, seeds, folder, ['--object', 'all'])
        print('| organ | `segment`, all at once | one by one | `irfc --object all`, at once |\n|---|---|---|---|')
        for number, name in enumerate(ORGANS, 1):
            alone = np.where(seeds == number, 1, np.where(seeds > 0, 2, 0)).astype(np.uint8)
            one, _ = segment(a.cli, 'segment', ct, image.affine, alone, folder, [])
            print('| %s | %.2f | %.2f | %.2f |' % (name, dice(at_once == number, masks[name]), dice(one == 1, masks[name]),
                                                   dice(irfc == number, masks[name])))
        print('\n%d strokes; all at once in %.0f ms, irfc %.0f ms' % (len(ORGANS) + 5, ms, irfc_ms))

main()
