#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Carries out a saved recipe on eleven tiles of P2 to P4 and on the slide P10, in three ways.

    research/peers/chain_on_tiles.py CLI DATA RECIPE.json

CLI: seedwave-cli, which is also on the PATH. Step by step with `run`; with `apply`; with Snakemake and two jobs,
where the job of the slide is killed once. Then --resume after one case was removed, verify of each case, and a sweep
over values of two steps on P1. Prints a line for each; ends with 1 when a digest differs or a line is wrong.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image

SOURCES = ("P2_nuclei_dense", "P3_nuclei_he", "P4_nuclei_aligned")
SLIDE = "P10_slide_svs/CMU-1-Small-Region.svs"
failures = 0


def tell(what, good, detail=""):
    global failures
    failures += not good
    print(f"   {'ok    ' if good else 'FAILED'}  {what}{': ' + detail if detail else ''}", flush=True)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr.strip()


def make_tiles(data, folder):
    """Eleven quarters of the three pictures, and the slide."""
    os.makedirs(folder)
    quarters = []
    for source in SOURCES:
        picture = np.asarray(Image.open(os.path.join(data, source, "image.png")).convert("RGB"))
        height, width = picture.shape[0] // 2, picture.shape[1] // 2
        for number in range(4):
            top, left = number // 2 * height, number % 2 * width
            quarters.append((f"{source[:2]}_{number + 1}.png", picture[top:top + height, left:left + width]))
    for name, pixels in quarters[:11]:
        Image.fromarray(pixels).save(os.path.join(folder, name))
    os.symlink(os.path.join(data, SLIDE), os.path.join(folder, os.path.basename(SLIDE)))
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def digest_step_by_step(cli, recipe, image, folder):
    """Returns the digest of the last of the calls of `run`, each of which reads the files of those before."""
    suffix = ".ome.tif" if image.endswith(".svs") else ".nrrd"
    digest = ""
    for step in recipe["steps"]:
        words = [cli, "run", step["operation"], "--json", "--quiet", "--overwrite"]
        for name, source in step["inputs"].items():
            if source == "case":
                words += ["--" + name, image]
                words += ["--channel", step["channel"]] if "channel" in step else []
                continue
            words += ["--" + name, os.path.join(folder, source.split(".")[0] + suffix)]
        for name, value in step.get("values", {}).items():
            words += [f"--{name.replace('_', '-')}={value}"]
        code, out, error = run(*words, "--out", os.path.join(folder, step["id"] + suffix))
        if code:
            sys.exit(f"{' '.join(words)}: {error}")
        outputs = json.loads(out)["outputs"]
        digest = outputs.get("labels", next(iter(outputs.values())))["digest"]
    return digest


def digests_in(folder):
    found = {}
    for case in sorted(os.listdir(folder)):
        path = os.path.join(folder, case, "result.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found[case] = json.load(file)["digests"]["labels"]
    return found


def kill_once(text, job):
    """Kills the first process of this program whose command line has `text`, while the job runs."""
    while job.poll() is None:
        _, out, _ = run("pgrep", "-f", f"^seedwave-cli apply.*{text}")
        for number in out.split():
            try:
                os.kill(int(number), signal.SIGKILL)
                return True
            except ProcessLookupError:
                pass
        time.sleep(0.02)
    return False


def snakemake(recipe, tiles, out):
    """Runs the shipped Snakefile; returns its exit code, what it said, and whether a process was killed."""
    command = ["snakemake", "-s", "resources/recipes/Snakefile", "-j", "2", "--config", f"recipe={recipe}",
               f"images={tiles}/*", f"out={out}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
        killed = kill_once("CMU-1", job)
        said = job.communicate()[0]
    return job.returncode, said, killed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("cli", "data", "recipe"):
        parser.add_argument(name)
    options = parser.parse_args()
    cli, data = options.cli, os.path.abspath(options.data)
    with open(options.recipe, encoding="utf-8") as file:
        recipe = json.load(file)
    steps = [step["id"] for step in recipe["steps"]]
    tell("the recipe has the five steps of the window", len(steps) == 5, " ".join(steps))
    with tempfile.TemporaryDirectory() as folder:
        tiles = make_tiles(data, os.path.join(folder, "tiles"))
        one_by_one = {}
        for image in tiles:
            work = os.path.join(folder, "steps")
            os.makedirs(work, exist_ok=True)
            one_by_one[os.path.splitext(os.path.basename(image))[0]] = digest_step_by_step(cli, recipe, image, work)
        tell("eleven tiles and a slide, step by step", len(one_by_one) == 12, f"{len(set(one_by_one.values()))} digests")

        out = os.path.join(folder, "applied")
        code, lines, error = run(cli, "apply", options.recipe, *tiles, "--out", out, "--jobs", "2", "--quiet", "--table",
                                 os.path.join(folder, "table.csv"))
        tell("apply gives the same digests", code == 0 and digests_in(out) == one_by_one,
             f"{len(lines.splitlines())} lines {error}")

        by_snakemake = os.path.join(folder, "by_snakemake")
        code, said, killed = snakemake(options.recipe, os.path.dirname(tiles[0]), by_snakemake)
        tries = said.count("Trying to restart job")
        tell("Snakemake with two jobs, one killed by kill -9: the same digests",
             code == 0 and killed and tries > 0 and digests_in(by_snakemake) == one_by_one,
             f"exit code {code}, {tries} restarted")

        removed = sorted(one_by_one)[0]
        before = {case: os.stat(os.path.join(out, case, "result.json")).st_mtime_ns for case in one_by_one}
        shutil.rmtree(os.path.join(out, removed))
        code, _, error = run(cli, "apply", options.recipe, *tiles, "--out", out, "--resume", "--quiet")
        after = {case: os.stat(os.path.join(out, case, "result.json")).st_mtime_ns for case in one_by_one}
        again = [case for case in one_by_one if after[case] != before[case]]
        tell("--resume does only what is missing", code == 0 and again == [removed] and digests_in(out) == one_by_one,
             f"again: {' '.join(again)} {error}")

        said = [run(cli, "verify", os.path.join(out, case, "result.json")) for case in one_by_one]
        tell("verify on each", all(code == 0 and "same" in text for code, text, _ in said), f"{len(said)} results")

        tile = os.path.join(data, "P1_nuclei_glands")
        threshold = next(step for step in recipe["steps"] if step["operation"] == "threshold")
        low = threshold["values"]["low"]
        code, text, error = run(cli, "sweep", options.recipe, "--image", os.path.join(tile, "image.png"), "--reference",
                                os.path.join(tile, "nuclei_instances.png"), "--vary",
                                f"{threshold['id']}.low={low * 0.8:.4g},{low:.4g},{low * 1.2:.4g}", "--vary",
                                f"{steps[-1]}.h=0.5,0.75,1,2,4")
        tell("a sweep over values of two steps", code == 0 and "F1 of objects" in text, error)
        print(text)
    sys.exit(1 if failures else 0)


main()
