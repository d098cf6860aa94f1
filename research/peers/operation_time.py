#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs an operation several times and prints the milliseconds of the median run, files not counted.

    research/peers/operation_time.py CLI OPERATION FLAGS...

For programs that time other programs beside their own: the last word is the time. RUNS says how often (5).
"""

import json
import os
import subprocess
import sys

command = [sys.argv[1], "run", *sys.argv[2:], "--backend", "cpu", "--repeat", os.environ.get("RUNS", "5"),
           "--json", "--quiet"]
done = subprocess.run(command, capture_output=True, text=True, check=False)
if done.returncode != 0:
    sys.exit(done.stderr.strip())
print(json.loads(done.stdout)["ms"]["total"])
