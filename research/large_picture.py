#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A large picture, a tile mirrored on and on, through an operation: memory, progress, cancel.

    research/large_picture.py CLI TILE SIDE BYTES BACKEND,.. OPERATION FLAGS...

Runs OPERATION on SIDE x SIDE pixels with each backend and prints times, the digests and the most memory
that was in use, which must be no more than BYTES a pixel and half a gigabyte, on cuda one for the driver. Then interrupts it
at several times: it must end by itself with 130 and leave no output. Exit code 1 where one of this fails.
"""

import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np


def mirrored(tile, side):
    for axis in (-3, -2):
        length = tile.shape[axis]
        place = np.arange(side) % (2 * length)
        tile = np.take(tile, np.where(place < length, place, 2 * length - 1 - place), axis)
    return tile


def run(cli, flags, output, interrupt_after=None):
    """Exit code, standard output, the shares of progress that were shown, seconds from the interrupt to the end."""
    screen, terminal = pty.openpty()
    process = subprocess.Popen([cli, "run", *flags, "--out", str(output), "--json"],
                               stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    sent = None
    if interrupt_after is not None:
        time.sleep(interrupt_after)
        process.send_signal(signal.SIGINT)
        sent = time.time()
    answer = process.stdout.read().decode()
    code = process.wait()
    seconds = time.time() - sent if sent else None
    shown = b""
    while True:
        try:
            part = os.read(screen, 1 << 16)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(screen)
    return code, answer, sorted({int(n) for n in re.findall(rb"(\d+) ?%", shown)}), seconds


def main():
    cli, tile, side, bytes_each, backends, *operation = sys.argv[1:]
    side = int(side)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        small = folder / "tile.npy"
        subprocess.run([cli, "convert", tile, str(small)], check=True, capture_output=True)
        large = folder / "large.npy"
        np.save(large, mirrored(np.load(small), side))
        operation = [operation[0], "--image", str(large), *operation[1:]]
        output = folder / "result.nrrd"
        for backend in backends.split(","):
            flags = [*operation, "--backend", backend]
            start = time.time()
            code, answer, shares, _ = run(cli, flags, output)
            wall = time.time() - start
            most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
            if code != 0:
                print(f"   FAILED: exit code {code}")
                failed = True
                continue
            report = json.loads(answer)
            allowed = int(bytes_each) * side * side + 500_000_000 * (2 if backend == "cuda" else 1)
            held = most <= allowed
            told = len(shares) >= 3
            failed |= not (held and told)
            digests = " ".join(f"{name} {out['digest']}" for name, out in sorted(report["outputs"].items())
                               if "digest" in out)
            print(f"{side} x {side}, {backend}: {report['ms']['total'] / 1000:.1f} s, {digests}")
            print(f"   {'ok' if held else 'FAILED'}: most memory {most / 1e9:.2f} GB, allowed {allowed / 1e9:.2f} GB")
            print(f"   {'ok' if told else 'FAILED'}: progress shown at {len(shares)} different percentages")
            output.unlink()
            for share in (0.05, 0.2, 0.4, 0.6, 0.8):
                after = share * wall
                code, _, _, seconds = run(cli, flags, output, after)
                if code == 0:
                    output.unlink()
                    continue
                good = code == 130 and not output.exists()
                failed |= not good
                print(f"   {'ok' if good else 'FAILED'}: interrupted after {after:.1f} s: exit code {code}, "
                      f"ended {1000 * seconds:.0f} ms later, nothing written")
    sys.exit(1 if failed else 0)


main()
