# SPDX-License-Identifier: Apache-2.0
"""Exact fuzzy connectedness (IRFC by optimal predecessors) and other maximal-path methods, for trying out affinities.
An edge's affinity is a number 0..4096 or a float; everything here works on flat 3-D arrays with 6 neighbours."""
import numpy as np, numba as nb

@nb.njit(cache=True)
def _strength(K, shape, seeds, levels):
    # K: (3, n) uint16, K[a][c] = affinity between c and its next along axis a (z, y, x); bucket queue with linked lists
    n = shape[0]*shape[1]*shape[2]
    st = (shape[1]*shape[2], shape[2], 1)
    h = np.zeros(n, np.int32)
    head = np.full(levels+1, -1, np.int64)
    cap = 16*n + 16; node = np.empty(cap, np.int32); nxt = np.empty(cap, np.int64); used = 0
    for c in range(n):
        if seeds[c] != 0:
            h[c] = levels; node[used] = c; nxt[used] = head[levels]; head[levels] = used; used += 1
    done = np.zeros(n, np.uint8)
    lev = levels
    while lev > 0:
        if head[lev] < 0:
            lev -= 1; continue
        i = head[lev]; head[lev] = nxt[i]; c = node[i]
        if done[c] or h[c] != lev: continue
        done[c] = 1
        z = c // st[0]; y = (c // st[1]) % shape[1]; x = c % shape[2]
        pos = (z, y, x)
        for a in range(3):
            for d in range(2):
                if d == 0:
                    if pos[a]+1 >= shape[a]: continue
                    e = c+st[a]; k = K[a, c]
                else:
                    if pos[a] == 0: continue
                    e = c-st[a]; k = K[a, e]
                v = min(lev, np.int32(k))
                if v > h[e]:
                    h[e] = v; node[used] = e; nxt[used] = head[v]; head[v] = used; used += 1
    return h

@nb.njit(cache=True)
def _labels(K, shape, seeds, h):
    n = h.size
    st = (shape[1]*shape[2], shape[2], 1)
    bits = np.zeros(n, np.uint8)
    q = np.empty(n*4+16, np.int32); b = 0; t = 0; cap = q.size
    inq = np.zeros(n, np.uint8)
    for c in range(n):
        if seeds[c]:
            bits[c] = 1 << (seeds[c]-1); q[t % cap] = c; t += 1; inq[c] = 1
    while b < t:
        c = q[b % cap]; b += 1; inq[c] = 0
        z = c // st[0]; y = (c // st[1]) % shape[1]; x = c % shape[2]; pos = (z, y, x)
        for a in range(3):
            for d in range(2):
                if d == 0:
                    if pos[a]+1 >= shape[a]: continue
                    e = c+st[a]; k = K[a, c]
                else:
                    if pos[a] == 0: continue
                    e = c-st[a]; k = K[a, e]
                if h[e] > 0 and h[c] >= h[e] and k >= h[e] and (bits[e] | bits[c]) != bits[e]:
                    bits[e] |= bits[c]
                    if not inq[e]: q[t % cap] = e; t += 1; inq[e] = 1
    return bits

def edges(f, fn):
    """(3, n) array: fn(values here, values there) for each axis; f is (..., z, y, x)."""
    shp = f.shape[-3:]; out = np.zeros((3,)+shp, np.uint16)
    for a in range(3):
        if shp[a] < 2: continue
        lo = [slice(None)]*3; hi = [slice(None)]*3; lo[a] = slice(0, -1); hi[a] = slice(1, None)
        k = fn(f[(...,)+tuple(lo)], f[(...,)+tuple(hi)])
        out[a][tuple(lo)] = np.floor(k)
    return out.reshape(3, -1)

def irfc(K, shape, seeds):
    s = seeds.reshape(-1).astype(np.uint8)
    h = _strength(K, shape, s, 4096)
    bits = _labels(K, shape, s, h)
    lab = np.where(bits == 1, 1, np.where(bits == 2, 2, 0)).astype(np.uint8)
    lab[s > 0] = s[s > 0]
    return lab.reshape(shape), h.reshape(shape)

@nb.njit(cache=True)
def _geodesic(W, shape, seeds):
    # shortest path: W (3, n) float32 edge lengths; the nearest seed's label. Binary heap.
    n = shape[0]*shape[1]*shape[2]; st = (shape[1]*shape[2], shape[2], 1)
    dist = np.full(n, np.inf, np.float32); lab = np.zeros(n, np.uint8)
    cap = 8*n+16; hk = np.empty(cap, np.float32); hv = np.empty(cap, np.int32); m = 0
    for c in range(n):
        if seeds[c]:
            dist[c] = 0; lab[c] = seeds[c]; hk[m] = 0; hv[m] = c; m += 1   # equal keys: already a heap
    while m > 0:
        d0 = hk[0]; c = hv[0]; m -= 1
        k = hk[m]; v = hv[m]; i = 0
        while True:
            j = 2*i+1
            if j >= m: break
            if j+1 < m and hk[j+1] < hk[j]: j += 1
            if hk[j] >= k: break
            hk[i] = hk[j]; hv[i] = hv[j]; i = j
        hk[i] = k; hv[i] = v
        if d0 > dist[c]: continue
        z = c // st[0]; y = (c // st[1]) % shape[1]; x = c % shape[2]; pos = (z, y, x)
        for a in range(3):
            for d in range(2):
                if d == 0:
                    if pos[a]+1 >= shape[a]: continue
                    e = c+st[a]; w = W[a, c]
                else:
                    if pos[a] == 0: continue
                    e = c-st[a]; w = W[a, e]
                nd = d0 + w
                if nd < dist[e]:
                    dist[e] = nd; lab[e] = lab[c]
                    i = m; m += 1
                    while i > 0:
                        p = (i-1)//2
                        if hk[p] <= nd: break
                        hk[i] = hk[p]; hv[i] = hv[p]; i = p
                    hk[i] = nd; hv[i] = e
    return lab, dist

def geodesic(W, shape, seeds):
    lab, dist = _geodesic(W, shape, seeds.reshape(-1).astype(np.uint8)); return lab.reshape(shape), dist.reshape(shape)

def float_edges(f, fn):
    shp = f.shape[-3:]; out = np.zeros((3,)+shp, np.float32)
    for a in range(3):
        if shp[a] < 2: continue
        lo = [slice(None)]*3; hi = [slice(None)]*3; lo[a] = slice(0, -1); hi[a] = slice(1, None)
        out[a][tuple(lo)] = fn(f[(...,)+tuple(lo)], f[(...,)+tuple(hi)])
    return out.reshape(3, -1)
