# SPDX-License-Identifier: Apache-2.0
"""best: exact fuzzy connectedness -> densities -> exact minimum cut in a band -> clean-up."""
import numpy as np, maxflow
from scipy import ndimage as ndi
import fc, methods as M
MADN = 1.4826

def kde_tab(v, w, lo, step, nb, bw):
    h = np.bincount(np.clip(np.rint((v-lo)/step).astype(np.int32), 0, nb-1), weights=w, minlength=nb)
    h = ndi.gaussian_filter1d(h.astype(float), max(bw/step, .5), mode='constant', truncate=4); return h/max(h.sum(), 1e-12)

def wmed(v, w):
    i = np.argsort(v, kind='stable'); c = np.cumsum(w[i]); return float(v[i][min(np.searchsorted(c, c[-1]/2), len(v)-1)])

def keep_parts(o, seeds, flat):
    lab, n = ndi.label(o); k = np.unique(lab[(seeds == 1)]); k = k[k > 0]; t = np.zeros(n+1, bool); t[k] = True; return t[lab]

class Best:
    def __init__(self, case, smooth=.6, win='win', lam=.8, weight=.3, prior=1.0, band=3.0, base=.05, cutsmooth=0.0, it=1, clip=4.0, sw=0.0, ring=3.0,
                 wide=4.08, ens=None, local='dir', rho=.5, pur=2.0, two=True, adapt=(.3, 1.0, .5, .8), autos=(.65, .6, .8), tight=True, vote=.05):
        # the defaults are the recipe; the other switches are what was tried
        self.tvs = []
        self.__dict__.update({k: v for k, v in locals().items() if k not in ('self',)})
        self.f0 = case.image.astype(np.float32); self.flat = case.flat; self.n0 = max(M.noise_of(self.f0), .5); self.sc = {}
        self.u = M.unit(case.image)
        self.rms = max(np.sqrt(np.mean([np.mean(np.diff(self.u, axis=a)**2) for a in range(3) if self.u.shape[a] > 1])), 1e-3)
        self.last = None; self.prev = np.zeros(case.image.shape, np.uint8); self.sid = np.zeros(case.image.shape, np.int32); self.ns = 0; self.G = None
    def scene(self, s):
        if s not in self.sc:
            f = self.f0 if not s else np.rint(ndi.gaussian_filter(self.f0, [0 if self.flat else s, s, s])); self.sc[s] = (f, max(M.noise_of(f), .5))
        return self.sc[s]
    # ---- affinity table -> connectedness
    def track(self, seeds):
        new = (seeds != self.prev) & (seeds > 0)
        if new.any():
            if self.ns == 0:
                for k in (1, 2): self.ns += 1; self.sid[new & (seeds == k)] = self.ns
            else: self.ns += 1; self.sid[new] = self.ns
        self.prev = seeds.copy()
    def samples(self, f, n, seeds):
        """Values and weights of the object's and the background's samples."""
        a, b = seeds == 1, seeds == 2; va, vb = f[a], f[b]; wa, wb = np.ones(len(va)), np.ones(len(vb))
        if self.pur:
            if self.G is None: self.G = ndi.gaussian_gradient_magnitude(self.f0, (0, 1, 1) if self.flat else 1.0, truncate=3)
            ref = max(np.median(self.G[self.sid == 1]), .3*self.n0)*self.pur
            wa = np.where(self.sid[a] == 1, 1, 1/(1+(self.G[a]/ref)**2)); wb = np.where(self.sid[b] == 2, 1, 1/(1+(self.G[b]/ref)**2))
        if self.rho and self.last is not None:
            e = ndi.binary_erosion(self.last[0], np.ones((1, 3, 3)) if self.flat else None) & (seeds != 2); q = f[e]
            if len(q) >= 50:
                q = q[::max(1, len(q)//2000)]; va = np.concatenate([va, q]); wa = np.concatenate([wa, np.full(len(q), self.rho*wa.sum()/len(q)*min(1, len(q)/500))])
        return va, wa, vb, wb
    def window(self, f, n, seeds):
        va, wa, vb, wb = self.samples(f, n, seeds); m = wmed(va, wa); s = max(MADN*wmed(np.abs(va-m), wa), n)
        lo, hi = f.min(), f.max(); step = max((hi-lo)/2000, 1e-3); nb = 2001
        d = [kde_tab(v, w, lo, step, nb, max(n, s/2)) for v, w in ((va, wa), (vb, wb))]
        more = d[1] > np.maximum(d[0], 1e-9); i = int(round((m-lo)/step)); up = np.nonzero(more[i:])[0]; dn = np.nonzero(more[:i+1][::-1])[0]
        wide = self.wide if not self.tight else float(np.clip(4.08-(s/n-1), 3.0, 4.08))
        w = [float(np.clip(q[0]*step if len(q) else np.inf, 2*s, wide*s)) for q in (dn, up)]
        return m, s, w
    def connect(self, seeds, s, win=None):
        f, n = self.scene(s); win = win or self.win
        if win == 'gauss':
            m, so = M.label_stats(f, seeds, 1); phi = np.exp(-(f-m)**2/(2*so*so)); g = f; sh = M.box_sigma_h(f, seeds)
        else:
            m, so, w = self.window(f, n, seeds); g = f-m; g = np.clip(np.where(g < 0, g/w[0], g/w[1])*4.08, -30, 30).astype(np.float32)
            phi = np.exp(-g*g/2)
            if self.two:
                for j in range(3, self.ns+1):
                    v = f[(self.sid == j) & (seeds == 1)]
                    if len(v) < 12: continue
                    mj = np.median(v); uj = (mj-m)/(w[0] if mj < m else w[1])
                    if abs(uj) < 1: continue
                    if self.pur and np.median(self.G[self.sid == j]) > 3*max(np.median(self.G[self.sid == 1]), .3*self.n0): continue
                    sj = max(MADN*np.median(np.abs(v-mj)), n); phi = np.maximum(phi, np.exp(-((f-mj)/sj)**2/2))
            sh = max(M.box_sigma_h(g, seeds, ) if False else box_sh(g, seeds), .1)
        return M.phi_irfc(g.astype(np.float32), seeds, phi[None].astype(np.float32), sh)
    # ---- cut
    def cutband(self, o, seeds, f, n):
        samp = (1e9, 1, 1) if self.flat else (1, 1, 1); R = self.band
        din, dout = ndi.distance_transform_edt(o, samp), ndi.distance_transform_edt(~o, samp)
        hard1 = (din > R) | (seeds == 1); hard2 = (dout > R) | (seeds == 2); hard1 &= ~hard2
        lr = self.ratio(o, din, dout, hard1, seeds, f, n)
        signed = np.where(o, din-.5, -(dout-.5))/R
        wt = self.weight
        if self.adapt: wt = self.adapt[0]+(self.adapt[1]-self.adapt[0])*np.clip((self.tv-self.adapt[2])/(self.adapt[3]-self.adapt[2]), 0, 1); self.clam = self.lam*(1+wt)
        w = wt*np.clip(lr, -self.clip, self.clip)+self.prior*signed
        return self.solve(w, hard1, hard2)
    def ratio(self, o, din, dout, hard1, seeds, f, n):
        R = self.band; a = hard1; b = ((dout > 0) & (dout <= self.ring*R)) | (seeds == 2); b &= ~a
        lo, hi = np.percentile(f, [.5, 99.5]); nb = 64; step = max((hi-lo)/(nb-1), 1e-6); i = np.clip(np.rint((f-lo)/step), 0, nb-1).astype(np.int32)
        p = []
        for k, msk in ((1, a), (2, b)):
            h = np.bincount(i[msk], minlength=nb).astype(float)
            if self.sw:
                hs = np.bincount(i[seeds == k], minlength=nb).astype(float); h = h/max(h.sum(), 1)*(1-self.sw)+hs/max(hs.sum(), 1)*self.sw
            h = ndi.gaussian_filter1d(h, 2.0, mode='constant'); p.append(h/max(h.sum(), 1e-9)*.99+.01/nb)
        self.tv = .5*np.abs(p[0]-p[1]).sum(); return np.log(p[0]/p[1])[i]
    def solve(self, w, hard1, hard2):
        free = ~(hard1 | hard2); r = hard1.copy(); nf = int(free.sum())
        if nf == 0: return r
        ids = np.full(free.shape, -1, np.int32); ids[free] = np.arange(nf); g = maxflow.Graph[float](nf, 3*nf); g.add_nodes(nf)
        src = np.maximum(w[free], 0).astype(float); snk = np.maximum(-w[free], 0).astype(float); u = self.cu; sg = self.csig
        for ax in range(3):
            if free.shape[ax] < 2: continue
            lo = [slice(None)]*3; hi = [slice(None)]*3; lo[ax] = slice(0, -1); hi[ax] = slice(1, None); lo, hi = tuple(lo), tuple(hi)
            c = self.clam*(self.base+np.exp(-(u[hi]-u[lo])**2/(2*sg*sg))); A, Bq = free[lo], free[hi]; i, j = ids[lo], ids[hi]
            e = A & Bq; g.add_edges(i[e], j[e], c[e].astype(float), c[e].astype(float))
            for m, q, idx, h1, h2 in ((A & ~Bq, hi, i, hard1, hard2), (Bq & ~A, lo, j, hard1, hard2)):
                t = m & h1[q]; np.add.at(src, idx[t], c[t]); t = m & h2[q]; np.add.at(snk, idx[t], c[t])
        g.add_grid_tedges(np.arange(nf), src, snk); g.maxflow(); r[free] = ~g.get_grid_segments(np.arange(nf)); return r
    def params(self): self.cu, self.csig, self.clam = self.u, self.rms, self.lam
    def segment(self, seeds):
        self.track(seeds)
        fl = self.flat; sg = (0, .7, .7) if fl else .7
        if self.ens:
            v = 0
            for win, sm in self.ens:
                o = self.connect(seeds, sm, win)[0] == 1
                v = v+ndi.gaussian_filter(keep_parts(o, seeds, fl).astype(np.float32), sg)
            o = v > len(self.ens)/2
        else:
            sm = self.smooth
            if self.autos and self.tvs: sm = self.autos[1] if np.mean(self.tvs) > self.autos[0] else self.autos[2]
            l, h = self.connect(seeds, sm)
            if self.autos and not self.tvs:
                o = keep_parts(ndi.gaussian_filter((l == 1).astype(np.float32), sg) > .5, seeds, fl)
                if o.any() and not o.all():
                    din, dout = ndi.distance_transform_edt(o), ndi.distance_transform_edt(~o); self.ratio(o, din, dout, (din > self.band) | (seeds == 1), seeds, self.f0, self.n0)
                    if self.tv <= self.autos[0]: l, h = self.connect(seeds, self.autos[2])
            o = ndi.gaussian_filter((l == 1).astype(np.float32), sg) > .5
        o = (o | (seeds == 1)) & (seeds != 2); o = keep_parts(o, seeds, fl)
        if self.vote and self.last is not None:
            P = self.last[0]
            if (o ^ P).sum() > self.vote*P.sum():
                l2, h2 = self.connect(seeds, .6 if sm > .7 else .8); o2 = keep_parts(ndi.gaussian_filter((l2 == 1).astype(np.float32), sg) > .5, seeds, fl)
                o = (o & o2) | (o & P) | (o2 & P); o = keep_parts((o | (seeds == 1)) & (seeds != 2), seeds, fl)
        self.params(); f, n = self.scene(self.cutsmooth)
        for _ in range(self.it):
            if not o.any() or o.all(): break
            r = self.cutband(o, seeds, f, n); self.tvs.append(self.tv); r = keep_parts(r, seeds, fl)
            o = (ndi.binary_fill_holes(r[0])[None] if fl else ndi.binary_fill_holes(r)) & (seeds != 2)
        if self.local and self.last is not None:
            P, S = self.last; new = (seeds != S) & (seeds > 0); q = P.copy()
            for k, D in ((1, o & ~P), (2, P & ~o)):
                nk = new & (seeds == k)
                if not nk.any(): continue
                if self.local == 'conn':
                    D = D | nk; lab, c = ndi.label(D, None); t = np.zeros(c+1, bool); t[np.unique(lab[nk])] = True; t[0] = False; D = t[lab]
                q[D] = k == 1
            q = (q | (seeds == 1)) & (seeds != 2); q = keep_parts(q, seeds, fl)
            o = (ndi.binary_fill_holes(q[0])[None] if fl else ndi.binary_fill_holes(q)) & (seeds != 2)
        self.last = (o.copy(), seeds.copy())
        return np.where(o, 1, 2).astype(np.uint8)

def box_sh(g, seeds, margin=10):
    idx = np.argwhere(seeds > 0); lo = np.maximum(idx.min(0)-margin, 0); hi = np.minimum(idx.max(0)+1+margin, g.shape)
    b = g[tuple(slice(l, h) for l, h in zip(lo, hi))].astype(np.float64); n = s = 0
    for ax in range(3): d = np.diff(b, axis=ax); s += (d*d).sum(); n += d.size
    return np.sqrt(s/max(n, 1))
