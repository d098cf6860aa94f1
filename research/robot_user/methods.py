# SPDX-License-Identifier: Apache-2.0
"""Every method: make(case, options) -> object with .segment(seeds) -> labels (1 object, 2 background, 0 undecided).
seeds: uint8, 0 none, 1 object, 2 background; volumes are (z, y, x), images have z = 1."""
import json, os, subprocess, tempfile
import numpy as np
from scipy import ndimage as ndi
import fc

MADN = 1.4826

def noise_of(f):
    """Robust noise: MAD of the second differences along x and y (1,-2,1: variance 6), the smaller half of the scene's texture counts."""
    f = f.astype(np.float32); d = []
    for ax in (-1, -2):
        s = np.diff(f, 2, axis=ax); d.append(np.abs(s[s != 0]) if (s != 0).any() else np.zeros(1))
    return max(MADN * np.median(np.concatenate(d)) / np.sqrt(6), 1e-6)

class Case:
    def __init__(self, d):
        self.dir = d; self.name = os.path.basename(d)
        self.info = json.load(open(f'{d}/case.json'))
        im = np.load(f'{d}/image.npy'); tr = np.load(f'{d}/truth.npy')
        self.flat = im.ndim == 2
        self.image = im[None] if self.flat else im; self.truth = tr[None] if self.flat else tr
        self.rgb = np.load(f'{d}/rgb.npy')[None] if os.path.exists(f'{d}/rgb.npy') else None
        self.group = self.info['group']

# ---------------------------------------------------------------- Seedwave
class Cli:
    """seedwave-cli as a user calls it. The step's time is the process's wall time and, apart, ms.total as it reports."""
    def __init__(self, case, cli, op, *flags):
        self.case, self.cli, self.op, self.flags = case, cli, op, flags
        self.tmp = tempfile.mkdtemp(prefix='robot_'); self.ms = []
    def segment(self, seeds):
        s = f'{self.tmp}/seeds.npy'; o = f'{self.tmp}/out.npy'
        np.save(s, seeds[0] if self.case.flat else seeds)
        role = '--marker' if self.op == 'watershed' else '--seeds'
        image = f'{self.case.dir}/image.npy'
        if self.op in ('watershed',):                      # a user floods the gradient; no operation makes it, so scipy does
            image = f'{self.tmp}/grad.npy'
            if not os.path.exists(image):
                f = self.case.image[0] if self.case.flat else self.case.image
                g = ndi.gaussian_gradient_magnitude(f.astype(np.float32), 1.0)
                np.save(image, np.rint(g / max(g.max(), 1e-6) * 65535).astype(np.uint16))
        if self.op == 'tissue': pass
        c = [self.cli, 'run', self.op, '--image', image, role, s, '--out', o, '--json', '--threads', '2', *self.flags]
        r = subprocess.run(c, capture_output=True, text=True)
        if r.returncode: raise RuntimeError(' '.join(c) + '\n' + r.stderr[-300:] + r.stdout[-300:])
        j = json.loads(r.stdout); self.ms.append(j['ms']['total']); self.values = j['values']
        l = np.load(o); l = (l[None] if self.case.flat else l)
        if self.op == 'afc': l = np.where(l == 1, 1, 2)
        return l

class Fixed(Cli):
    """The same, with what the first call (two strokes) estimated."""
    def segment(self, seeds):
        l = super().segment(seeds)
        if len(self.ms) == 1:
            self.flags = [*self.flags, *sum((['--'+k.replace('_', '-'), str(v)] for k, v in self.values.items() if k in ('windows', 'sigma_h', 'smooth_mm', 'smallest_stroke', 'evidence', 'evidence_weight', 'contrast')), [])]
        return l

class Corrected(Cli):
    """The same until the result's Dice is `good`, as a person would see; from then on each stroke corrects the last result, as
    *Correct this result* in the window before every stroke (--start, and that stroke alone)."""
    def __init__(self, case, cli, op, good):
        super().__init__(case, cli, op); self.good = good; self.start = None; self.newest = None  # the robot's last stroke
    def segment(self, seeds):
        flags = self.flags
        if self.start: self.flags = (*flags, '--start', self.start); seeds = np.where(self.newest, seeds, 0)
        l = super().segment(seeds); self.flags = flags
        t = self.case.truth; o = (l == 1) & (t != 255)
        if self.start or 2*(o & (t == 1)).sum() >= self.good*(o.sum()+(t == 1).sum()):
            self.start = f'{self.tmp}/start.npy'; labels = np.where(l == 1, 1, 2).astype(np.uint8)
            np.save(self.start, labels[0] if self.case.flat else labels)
        return l

# ---------------------------------------------------------------- fuzzy connectedness in Python (same result as irfc)
def box_sigma_h(f, seeds, margin=10):
    idx = np.argwhere(seeds > 0); lo = np.maximum(idx.min(0)-margin, 0); hi = np.minimum(idx.max(0)+1+margin, f.shape)
    b = f[tuple(slice(l, h) for l, h in zip(lo, hi))].astype(np.float64)
    n = s = 0
    for ax in range(3):
        d = np.diff(b, axis=ax); s += (d*d).sum(); n += d.size
    return max(np.sqrt(s/max(n, 1)), .5)

def label_stats(f, seeds, k):
    m = seeds == k; v = f[m]
    if len(np.unique(v)) < 8: v = f[ndi.binary_dilation(m, np.ones((3,)*3))]
    med = np.median(v); return med, max(MADN*np.median(np.abs(v-med)), .5)

def phi_irfc(f, seeds, phis, sigma_h):
    """kappa = psi * max_k min(phi_k(c), phi_k(d)); phis: (labels, z, y, x) float32."""
    c2 = np.float32(2*sigma_h*sigma_h)
    g = np.concatenate([phis, f[None].astype(np.float32)])
    def fn(a, b):
        return 4096*np.exp(-(a[-1]-b[-1])**2/c2)*np.minimum(a[:-1], b[:-1]).max(0)
    return fc.irfc(fc.edges(g, fn), f.shape, seeds)

class PyFc:
    """irfc with the affinity's values chosen here. o: object 1|all, so/sh factor on auto, smooth sigma."""
    def __init__(self, case, obj='1', so=1.0, sh=1.0, smooth=0.0):
        self.f = case.image.astype(np.float32); self.o, self.so, self.sh = obj, so, sh
        if smooth: self.f = np.rint(ndi.gaussian_filter(self.f, [0 if case.flat else smooth, smooth, smooth]))
    def segment(self, seeds):
        f = self.f; labels = (1,) if self.o == '1' else (1, 2)
        ph = []
        for k in labels:
            m, s = label_stats(f, seeds, k); s *= self.so; ph.append(np.exp(-(f-m)**2/(2*s*s)))
        return phi_irfc(f, seeds, np.array(ph, np.float32), box_sigma_h(f, seeds)*self.sh)[0]

class Oracle:
    """Best Dice of irfc over a grid of fixed values, chosen with the truth anew at each step (an upper bound for auto)."""
    def __init__(self, case):
        self.case = case; self.grid = []
        for sm in (0, .6, 1.0, 1.5):
            for o in ('1', 'all'):
                for so in (.35, .7, 1.4, 2.8):
                    for sh in (.5, 1.0, 2.0)[1:2] if o == '1' else (.5, 1.5):
                        self.grid.append(PyFc(case, o, so, sh, sm))
        self.t = case.truth
    def segment(self, seeds):
        best = None
        ok = self.t != 255; t = (self.t == 1) & ok
        for g in self.grid:
            l = g.segment(seeds); p = (l == 1) & ok
            d = 2*(p & t).sum()/max(1, p.sum()+t.sum())
            if best is None or d > best[0]: best = (d, l, g)
        self.best = best[2]; return best[1]

# ---------------------------------------------------------------- peers
def unit(f):
    lo, hi = np.percentile(f, [1, 99]); return np.clip((f.astype(np.float32)-lo)/max(hi-lo, 1e-6), 0, 1)

class GrowCutItk:
    """itk-growcut, which Slicer's Grow from seeds is."""
    def __init__(self, case): import itk; self.case = case; itk.FastGrowCut
    def segment(self, seeds):
        import itk
        c = self.case; f = np.ascontiguousarray(c.image.astype(np.int16)); s = np.ascontiguousarray(seeds)
        if c.flat: f = np.concatenate([f]*3); z = np.zeros_like(s); s = np.concatenate([z, s, z])
        im = itk.image_from_array(f); sd = itk.image_from_array(s)
        g = itk.FastGrowCut[type(im), type(sd)].New(); g.SetInput(im); g.SetSeedImage(sd); g.Update()
        o = itk.array_from_image(g.GetOutput()); return o[1:2] if c.flat else o

class GrowCut:
    """GrowCut's automaton at rest (Vezhnevets 2005): label of the seed whose path has the largest product of 1 - |df|/range."""
    def __init__(self, case):
        u = unit(case.image); self.shape = u.shape
        self.W = fc.float_edges(u, lambda a, b: -np.log(np.maximum(1-np.abs(a-b), 1e-4)) + 1e-6)
    def segment(self, seeds): return fc.geodesic(self.W, self.shape, seeds)[0]

class Geodesic:
    """Geodesic distance as GeodisTK / FastGeodis with lambda = 0.99 of intensities (units: voxel, range 0..1)."""
    def __init__(self, case, lam=0.99):
        u = unit(case.image)*20; self.shape = u.shape
        self.W = fc.float_edges(u, lambda a, b: np.sqrt((1-lam) + lam*(a-b)**2))
    def segment(self, seeds): return fc.geodesic(self.W, self.shape, seeds)[0]

class RandomWalker:
    def __init__(self, case, beta=130): self.u = unit(case.image); self.beta = beta
    def segment(self, seeds):
        from skimage.segmentation import random_walker
        import warnings; warnings.simplefilter('ignore')
        l = random_walker(self.u, seeds.astype(np.int32), beta=self.beta, mode='cg_mg', tol=1e-2); return np.asarray(l).reshape(seeds.shape)

def hist_phi(f, seeds, bins=64, smooth=2.0):
    """Smoothed histograms of the strokes, one a label: likelihoods, (2, z, y, x)."""
    lo, hi = np.percentile(f, [.5, 99.5]); q = np.clip((f-lo)/max(hi-lo, 1e-6)*(bins-1), 0, bins-1); i = np.rint(q).astype(int)
    p = []
    for k in (1, 2):
        h = np.bincount(i[seeds == k], minlength=bins).astype(float); h = ndi.gaussian_filter1d(h, smooth, mode='constant')
        h = h/h.sum()*.99 + .01/bins; p.append(h[i])
    return np.array(p)

def cut(u, phi, seeds, lam, sigma, flat):
    import maxflow
    g = maxflow.Graph[float](); n = g.add_grid_nodes(u.shape)
    for a in range(3):
        if u.shape[a] < 2: continue
        w = np.zeros(u.shape); lo = [slice(None)]*3; lo[a] = slice(0, -1)
        w[tuple(lo)] = lam*np.exp(-np.diff(u, axis=a)**2/(2*sigma*sigma))
        st = np.zeros((3, 3, 3), int); c = [1, 1, 1]; c[a] = 2; st[tuple(c)] = 1
        g.add_grid_edges(n, w, structure=st, symmetric=True)
    d1, d2 = -np.log(phi[0]), -np.log(phi[1])
    m = np.minimum(d1, d2); src, snk = d2-m, d1-m
    src[seeds == 1] = 1e6; snk[seeds == 1] = 0; src[seeds == 2] = 0; snk[seeds == 2] = 1e6
    g.add_grid_tedges(n, src, snk); g.maxflow()
    return np.where(g.get_grid_segments(n), 2, 1).astype(np.uint8)

class GraphCut:
    """Boykov-Jolly: histograms of the strokes and contrast-sensitive edges."""
    def __init__(self, case, lam=4.0):
        self.f = case.image.astype(np.float32); self.u = unit(case.image); self.lam = lam; self.flat = case.flat
        self.sigma = max(np.sqrt(np.mean([np.mean(np.diff(self.u, axis=a)**2) for a in range(3) if self.u.shape[a] > 1])), 1e-3)
    def segment(self, seeds): return cut(self.u, hist_phi(self.f, seeds), seeds, self.lam, self.sigma, self.flat)

class Watershed:
    def __init__(self, case):
        self.g = ndi.gaussian_gradient_magnitude(case.image.astype(np.float32), [0 if case.flat else 1, 1, 1])
    def segment(self, seeds):
        from skimage.segmentation import watershed
        return watershed(self.g, seeds.astype(np.int32)).astype(np.uint8)

def pixel_features(case, scales=(0.7, 1.6, 3.5)):
    """ilastik's: Gaussian, gradient magnitude, Laplacian, Hessian eigenvalues, at three scales; of each colour."""
    chans = [case.image] if case.rgb is None else [case.rgb[..., i] for i in range(3)]
    out = []
    for ch in chans:
        f = ch.astype(np.float32)
        out.append(f)
        for s in scales:
            sg = [0 if case.flat else s, s, s]; axes = (1, 2) if case.flat else (0, 1, 2)
            G = lambda order: ndi.gaussian_filter(f, sg, order=order, truncate=3)
            out += [G(0), ndi.gaussian_gradient_magnitude(f, sg, truncate=3)]
            H = np.empty(f.shape+(len(axes),)*2, np.float32)
            for i, p in enumerate(axes):
                for j, q in enumerate(axes[:i+1]):
                    o = [0, 0, 0]; o[p] += 1; o[q] += 1; H[..., i, j] = H[..., j, i] = G(o)
            ev = np.linalg.eigvalsh(H); out += [ev[..., i] for i in range(len(axes))] + [ev.sum(-1)]
    return np.stack(out, -1)

class Forest:
    """Pixel classifier as in ilastik: random forest on the features under the strokes."""
    def __init__(self, case, trees=50):
        self.X = pixel_features(case); self.shape = self.X.shape[:-1]; self.X = self.X.reshape(-1, self.X.shape[-1]); self.trees = trees
    def posterior(self, seeds):
        from sklearn.ensemble import RandomForestClassifier
        s = seeds.reshape(-1); m = s > 0
        r = RandomForestClassifier(self.trees, min_samples_leaf=1, max_features='sqrt', n_jobs=1, random_state=1, class_weight='balanced').fit(self.X[m], s[m])
        return r.predict_proba(self.X)[:, 0].reshape(self.shape)
    def segment(self, seeds):
        l = np.where(self.posterior(seeds) >= .5, 1, 2).astype(np.uint8); l[seeds > 0] = seeds[seeds > 0]; return l

class Clean(Cli):
    """What a clean-up after the run would give: Gaussian of the object mask at one half, parts without a stroke dropped, holes filled, strokes kept."""
    def __init__(self, case, cli, op, *flags, sigma=0.7, theta=0.0):
        super().__init__(case, cli, op, *flags); self.sigma = sigma
    def segment(self, seeds):
        l = super().segment(seeds); o = l == 1
        s = (0, self.sigma, self.sigma) if self.case.flat else self.sigma
        o = ndi.gaussian_filter(o.astype(np.float32), s) > 0.5
        o = (o | (seeds == 1)) & (seeds != 2)
        lab, n = ndi.label(o); keep = np.unique(lab[seeds == 1]); keep = keep[keep > 0]; o = np.isin(lab, keep)
        o = (ndi.binary_fill_holes(o[0])[None] if self.case.flat else ndi.binary_fill_holes(o)) & (seeds != 2)
        return np.where(o, 1, 2)

class Refine(Cli):
    """Fuzzy connectedness for where the object is, then an exact minimum cut in a band around its border for where the border lies.
    Outside the band the answer of connectedness stands; strokes are hard. Then parts without a stroke go and holes are filled."""
    def __init__(self, case, cli, op, *flags, band=3, lam=4.0, weight=1.0, prior=1.0):
        super().__init__(case, cli, op, *flags); self.band, self.lam, self.weight, self.prior = band, lam, weight, prior
        self.u = unit(case.image); self.f = case.image.astype(np.float32)
        self.sigma = max(np.sqrt(np.mean([np.mean(np.diff(self.u, axis=a)**2) for a in range(3) if self.u.shape[a] > 1])), 1e-3)
    def segment(self, seeds):
        import maxflow
        l = super().segment(seeds); o = l == 1
        o = ndi.gaussian_filter(o.astype(np.float32), (0, .7, .7) if self.case.flat else .7) > .5
        o = (o | (seeds == 1)) & (seeds != 2)
        lab, n = ndi.label(o); keep = np.unique(lab[seeds == 1]); o = np.isin(lab, keep[keep > 0])
        if not o.any() or o.all(): return np.where(o, 1, 2)
        samp = (1e9, 1, 1) if self.case.flat else (1, 1, 1)
        din, dout = ndi.distance_transform_edt(o, samp), ndi.distance_transform_edt(~o, samp)
        hard1 = (din > self.band) | (seeds == 1); hard2 = (dout > self.band) | (seeds == 2); hard1 &= ~hard2
        # densities of what connectedness is sure of, not of the strokes alone
        s = np.zeros(o.shape, np.uint8); s[hard1] = 1; s[(dout > 0) & (dout <= 3 * self.band)] = 2; s[seeds == 1] = 1; s[seeds == 2] = 2
        phi = hist_phi(self.f, s)
        signed = np.where(o, din - .5, -(dout - .5)) / self.band
        w = self.weight * np.clip(np.log(phi[0] / phi[1]), -4, 4) + self.prior * signed
        g = maxflow.Graph[float](); ids = g.add_grid_nodes(o.shape)
        for ax in range(3):
            if o.shape[ax] < 2: continue
            st = np.zeros((3, 3, 3)); st[tuple(2 if i == ax else 1 for i in range(3))] = 1
            d = np.zeros(o.shape, np.float32); sl = [slice(None)] * 3; sl[ax] = slice(0, -1); d[tuple(sl)] = np.diff(self.u, axis=ax)
            g.add_grid_edges(ids, self.lam * (.05 + np.exp(-d * d / (2 * self.sigma ** 2))), st, symmetric=True)
        src = np.where(hard1, 1e6, np.where(hard2, 0, np.maximum(w, 0))); snk = np.where(hard2, 1e6, np.where(hard1, 0, np.maximum(-w, 0)))
        g.add_grid_tedges(ids, src, snk); g.maxflow(); r = ~g.get_grid_segments(ids)
        lab, n = ndi.label(r); keep = np.unique(lab[seeds == 1]); r = np.isin(lab, keep[keep > 0])
        r = ndi.binary_fill_holes(r[0])[None] if self.case.flat else ndi.binary_fill_holes(r)
        return np.where(r & (seeds != 2), 1, 2)
