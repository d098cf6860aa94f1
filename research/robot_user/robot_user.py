#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A robot that paints strokes where the answer is most wrong, and counts them.

    python3 make_cases.py --out cases --data DATA
    python3 robot_user.py --cli seedwave-cli --cases cases --methods segment,irfc,graphcut --starts 0,1,2 --out result.csv
    python3 robot_user.py --table result.csv
    python3 robot_user.py --table result.csv --picture dice_by_stroke.svg

Needs numpy, scipy, scikit-image, nibabel, pillow, PyMaxflow and numba; itk-growcut for growcut-itk, scikit-learn for
forest. research/show strokes_needed prints the table of the documents.

Protocol. Stroke 1: in the object, stroke 2: in the background, each at the maximum of the distance to the border of
its region (the crop's edge counts as border). A stroke is a straight line in the axial slice, through that maximum,
along the region's main direction there, at most 21 voxels long, 3 wide, kept to where the region is (no wrong paint).
Then, up to 20 strokes: the largest connected region (6 neighbours) of wrongly labelled voxels, the maximum of the
distance inside it, a stroke of the true label. Undecided (0) counts as not object. Dice after each stroke. The robot
stops when 0.95 is reached and 10 strokes are done; later strokes keep the last Dice.
--starts: 0 as above; 1 and 3: the first stroke lies in the lower or upper half of the object's slices; 2 and 4: in its
right or left half; 5 and 6: in its back or front half; 7 to 10: in a quarter by slices and sides, lower right, lower left,
upper right, upper left.
Lost: steps after which Dice is lower by more than 0.02.
NoC@t: strokes until Dice >= t, 20+ when never (counted as 20). AUC: mean Dice over strokes 2..20.
"""
import argparse, csv, glob, os, sys, time
import numpy as np
from scipy import ndimage as ndi
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, '..', 'peers')]
import methods as M
import svg_chart

def stroke(region, reach=10):
    """Cells (z, y, x arrays) of the next stroke inside a boolean region."""
    sl = ndi.find_objects(region.astype(np.uint8))[0]; r = np.pad(region[sl], [(1, 1) if s > 1 else (0, 0) for s in region.shape])
    d = ndi.distance_transform_edt(r[0])[None] if region.shape[0] == 1 else ndi.distance_transform_edt(r)
    z, y, x = np.unravel_index(np.argmax(d), d.shape)
    lab, _ = ndi.label(r[z]); part = lab == lab[y, x]
    dz = ndi.distance_transform_edt(part); yy, xx = np.nonzero(part); w = dz[part]
    q = np.stack([yy-y, xx-x]); c = (q*w) @ q.T; v = np.linalg.eigh(c)[1][:, -1] if len(yy) > 1 else np.array([0., 1.])
    m = np.zeros_like(part); m[y, x] = True; keep = max(1.0, .35*dz[y, x])
    for sign in (1, -1):
        for t in range(1, reach+1):
            i, j = int(round(y+sign*t*v[0])), int(round(x+sign*t*v[1]))
            if not (0 <= i < part.shape[0] and 0 <= j < part.shape[1]) or dz[i, j] < keep: break
            m[i, j] = True
    m = ndi.binary_dilation(m, np.ones((3, 3))) & part
    iy, ix = np.nonzero(m); pad = 0 if region.shape[0] == 1 else 1
    return (np.full(len(iy), z-pad+sl[0].start), iy-1+sl[1].start, ix-1+sl[2].start)

def largest(wrong):
    lab, n = ndi.label(wrong)
    if n == 0: return None, 0
    c = np.bincount(lab.ravel()); c[0] = 0; k = int(c.argmax()); return lab == k, int(c[k])

# Where the first stroke lies, by --starts: halves of the object, as axes and whether with small indices.
HALVES = {0: [], 1: [(0, True)], 2: [(2, False)], 3: [(0, False)], 4: [(2, True)], 5: [(1, False)], 6: [(1, True)],
          7: [(0, True), (2, False)], 8: [(0, True), (2, True)], 9: [(0, False), (2, False)], 10: [(0, False), (2, True)]}

def start_in(obj, start):
    """The part of the object that the first stroke lies in."""
    r = obj.copy()
    for axis, small in HALVES[start]:
        at = np.nonzero(obj.any(tuple(a for a in range(3) if a != axis)))[0]; middle = (at[0]+at[-1])//2
        if axis == 0 and len(at) <= 2: continue
        cut = [slice(None)]*3; cut[axis] = slice(middle, None) if small else slice(middle)
        r[tuple(cut)] = False
    return r

def play(case, method, steps=20, budget=np.inf, trace=None, start=0):
    t = case.truth; ok = t != 255; obj = t == 1; bg = t == 0
    seeds = np.zeros(t.shape, np.uint8); dice = []; secs = []
    seeds[stroke(start_in(obj, start))] = 1; seeds[stroke(largest(bg)[0])] = 2
    began = time.time()
    for n in range(2, steps+1):
        t0 = time.perf_counter(); p0 = time.process_time(); lab = method.segment(seeds); secs.append((time.perf_counter()-t0, time.process_time()-p0))
        pred = (lab == 1) & ok; d = 2*(pred & obj).sum()/(pred.sum()+obj.sum()); dice.append(float(d))
        if trace: trace(n, d)
        if (d >= .95 and n >= 10) or n == steps or time.time()-began > budget: break
        fn, a = largest(obj & ~pred); fp, b = largest(bg & pred)
        if a == 0 and b == 0: break
        cells = stroke(fn if a >= b else fp); seeds[cells] = 1 if a >= b else 2
        method.newest = np.zeros(t.shape, bool); method.newest[cells] = True
    return dice, secs, n

def row(case, name, dice, secs, n, method, start=0):
    full = dice+[dice[-1]]*(19-len(dice)); noc = lambda t: next((i+2 for i, d in enumerate(full) if d >= t), 99)
    s = np.array(secs)
    return dict(case=case.name, group='white matter' if '-wm-' in case.name else 'nuclei' if 'nuclei' in case.name else 'textures' if case.name[0] == 'T' else 'organs', start=start, method=name, noc90=noc(.9), noc95=noc(.95), d2=full[0], d5=full[3], d10=full[8], d20=full[-1], lost=sum(b < a-.02 for a, b in zip(dice, dice[1:])),
                auc=float(np.mean(full)), sec=float(np.median(s[:, 0])), cpu=float(np.median(s[:, 1])),
                tool_ms=float(np.median(method.ms)) if getattr(method, 'ms', None) else '', strokes=n, curve=' '.join('%.4f' % d for d in dice))

def registry(cli):
    r = {
     'segment': lambda c: M.Cli(c, cli, 'segment'), 'segment-fixed': lambda c: M.Fixed(c, cli, 'segment'),
     'segment-correct': lambda c: M.Corrected(c, cli, 'segment', .9),
     'irfc': lambda c: M.Cli(c, cli, 'irfc'), 'rfc': lambda c: M.Cli(c, cli, 'rfc'), 'afc': lambda c: M.Cli(c, cli, 'afc'), 'porfc': lambda c: M.Cli(c, cli, 'porfc'),
     'irfc-all': lambda c: M.Cli(c, cli, 'irfc', '--object', 'all'),
     'irfc-refine': lambda c: M.Refine(c, cli, 'irfc', '--smooth', '0.6'), 'irfc-refine2': lambda c: M.Refine(c, cli, 'irfc', '--smooth', '0.6', lam=1.0, prior=2.0), 'irfc-refine3': lambda c: M.Refine(c, cli, 'irfc', '--smooth', '0.6', lam=1.0, weight=.3, prior=1.0),
     'irfc-clean': lambda c: M.Clean(c, cli, 'irfc'), 'irfc-clean1': lambda c: M.Clean(c, cli, 'irfc', sigma=1.0), 'irfc-s0.6-clean': lambda c: M.Clean(c, cli, 'irfc', '--smooth', '0.6'),
     'irfc-all-s0.6': lambda c: M.Cli(c, cli, 'irfc', '--object', 'all', '--smooth', '0.6'),
     'irfc-all-s1': lambda c: M.Cli(c, cli, 'irfc', '--object', 'all', '--smooth', '1'),
     'sw-watershed': lambda c: M.Cli(c, cli, 'watershed'), 'sw-tissue': lambda c: M.Cli(c, cli, 'tissue'),
     'py-irfc': lambda c: M.PyFc(c), 'py-irfc-all': lambda c: M.PyFc(c, 'all'), 'py-irfc-all-s0.6': lambda c: M.PyFc(c, 'all', smooth=.6), 'py-irfc-all-s1': lambda c: M.PyFc(c, 'all', smooth=1.),
     'best': __import__('best').Best,
     'oracle': M.Oracle,
     'growcut-itk': M.GrowCutItk, 'growcut': M.GrowCut, 'geodesic': M.Geodesic, 'randomwalker': M.RandomWalker, 'graphcut': M.GraphCut,
     'watershed': M.Watershed, 'forest': M.Forest}
    return r

def table(rows, by=None):
    ms = list(dict.fromkeys(r['method'] for r in rows))
    f = lambda v: float(v)
    out = ['| method | runs | NoC@.90 | failed .90 | Dice 2 | 5 | 10 | 20 | mean | lost | ms a step |', '|---|---|---|---|---|---|---|---|---|---|---|']
    for m in ms:
        rr = [r for r in rows if r['method'] == m]; cap = lambda k: np.mean([min(20, f(r[k])) for r in rr])
        steps = sum(int(f(r['strokes']))-2 for r in rr)
        out.append('| %s | %d | %.1f | %d | %.3f | %.3f | %.3f | %.3f | %.3f | %d of %d | %.0f |' % (m, len(rr), cap('noc90'), sum(f(r['noc90']) > 20 for r in rr),
                   *[np.mean([f(r[k]) for r in rr]) for k in ('d2', 'd5', 'd10', 'd20', 'auc')], sum(f(r['lost']) for r in rr), steps, 1000*np.median([f(r['sec']) for r in rr])))
    return '\n'.join(out)

def differences(rows, other):
    """The first method less another one, means and standard errors over runs from the same start."""
    first = rows[0]['method']; runs = {(r['case'], r['start'], r['method']): r for r in rows}
    pairs = [(runs[k], runs[k[:2]+(other,)]) for k in runs if k[2] == first and k[:2]+(other,) in runs]
    out = []
    for name in ('noc90', 'd2', 'd5', 'd10', 'd20', 'auc', 'lost'):
        d = np.array([min(20, float(a[name]))-min(20, float(b[name])) for a, b in pairs])
        out.append('%s %+.3f ± %.3f' % (name, d.mean(), d.std(ddof=1)/len(d)**.5))
    return f'{first} less {other}, {len(pairs)} pairs: '+', '.join(out)

def picture(rows, path):
    """Mean Dice over the runs after each stroke, a curve for each method."""
    names = {'segment': 'segment', 'segment-correct': 'corrected', 'best': 'prototype', 'irfc': 'irfc', 'growcut': 'GrowCut', 'graphcut': 'graph cut', 'watershed': 'watershed'}
    colours = dict(zip(names.values(), ('#c0392b', '#d98880', '#e8a13a', '#2563a8', '#2e8b57', '#8e5ba6', '#7a8794')))
    groups = {'organs': 'nine organs, CT and MR', 'white matter': 'white matter, 1 to 9 % noise'}
    def curve(method, group):
        runs = [[float(v) for v in r['curve'].split()] for r in rows if r['method'] == method and r['group'] == group]
        runs = [r+[r[-1]]*(19-len(r)) for r in runs]
        return [(n+2, float(np.mean([r[n] for r in runs]))) for n in range(19)] if runs else []
    panels = {title: {name: curve(m, g) for m, name in names.items() if curve(m, g)} for g, title in groups.items()}
    svg_chart.write(path, panels, svg_chart.Axis((2, 5, 10, 15, 20), 1.5, 20.5, float), svg_chart.Axis((.2, .3, .4, .5, .6, .7, .8, .9, 1), .2, 1, float),
                    'strokes', 'mean Dice', colours, (330, 240))

def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--cli', default='seedwave-cli'); ap.add_argument('--cases', default='cases'); ap.add_argument('--only', default='*', help='case names, comma and * allowed')
    ap.add_argument('--methods', default='irfc,irfc-all,irfc-all-s0.6,growcut,geodesic,graphcut,watershed'); ap.add_argument('--steps', type=int, default=20)
    ap.add_argument('--budget', type=float, default=np.inf, help='seconds a case and method may take (default: any)'); ap.add_argument('--starts', default='0'); ap.add_argument('--out', default='result.csv'); ap.add_argument('--table'); ap.add_argument('--picture'); ap.add_argument('--beside', help='with --table: differences to this method')
    a = ap.parse_args()
    if a.table:
        rows = [r for p in a.table.split(',') for r in csv.DictReader(open(p))]
        if a.picture: picture(rows, a.picture); return
        for g in sorted({r['group'] for r in rows}):
            of = [r for r in rows if r['group'] == g]; print('\n###', g); print(table(of))
            if a.beside: print(differences(of, a.beside))
        return
    import fnmatch
    reg = registry(a.cli); rows = []; new = not os.path.exists(a.out)
    done = set() if new else {(r['case'], r['method'], r['start']) for r in csv.DictReader(open(a.out))}
    for d in sorted(glob.glob(f'{a.cases}/*/')):
        name = os.path.basename(d.rstrip('/'))
        if not any(fnmatch.fnmatch(name, p) for p in a.only.split(',')): continue
        case = M.Case(d.rstrip('/'))
        for m, start in ((m, start) for m in a.methods.split(',') for start in a.starts.split(',')):
            if (name, m, start) in done or (case.flat and start != '0'): continue
            try:
                t0 = time.time(); method = reg[m](case); prep = time.time()-t0
                r = row(case, m, *play(case, method, a.steps, a.budget, start=int(start)), method, start)
            except Exception as e: print(f'{name} {m}: FAILED {e}', flush=True); continue
            with open(a.out, 'a') as f:
                w = csv.DictWriter(f, list(r))
                if f.tell() == 0: w.writeheader()
                w.writerow(r)
            print('%-14s %-14s start %s NoC90 %2s Dice2 %.3f 5 %.3f 10 %.3f 20 %.3f lost %d  %.2f s/step (prep %.1f)' % (name, m, start, r['noc90'] if r['noc90'] < 99 else '>', r['d2'], r['d5'], r['d10'], r['d20'], r['lost'], r['sec'], prep), flush=True)

if __name__ == '__main__': main()
