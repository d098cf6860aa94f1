#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/build on machines that are not here: with nvcc, with a GPU, with neither."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]

# Says what was asked of it, and what the project's CMakeLists.txt says of CUDA.
CMAKE = """#!/usr/bin/env bash
printf '%s ' "$@" >asked
printf -- '-- Seedwave: {cuda}\\n'
"""
ONE_ARCHITECTURE = "CUDA for 90-real (nvcc 13.0.88)"


class Machine:
    """A tree of its own with the script, and programs that only say what they were asked."""

    def __init__(self, top, cuda, gpus="", nvcc=True, **variables):
        self.top = top
        (self.top / "tools").mkdir()
        shutil.copy(TOP / "tools/build", self.top / "tools")
        programs = {"cmake": CMAKE.format(cuda=cuda), "ninja": "#!/bin/sh\n",
                    "nproc": "#!/bin/sh\necho 4\n",
                    "nvidia-smi": f"#!/bin/sh\nprintf '{gpus}'\n" if gpus else "#!/bin/sh\nexit 9\n"}
        for name, text in programs.items():
            self.write(self.top / "bin" / name, text)
        self.write(self.top / "tools/find_nvcc", "#!/bin/sh\necho /opt/nvcc\n" if nvcc else "#!/bin/sh\nexit 1\n")
        self.environment = {"PATH": f"{self.top}/bin:{os.environ['PATH']}", **variables}

    @staticmethod
    def write(path, text):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def build(self, preset, *targets):
        """What it says, and what it asks of CMake."""
        done = subprocess.run([self.top / "tools/build", preset, *targets], env=self.environment, text=True,
                              capture_output=True)
        assert done.returncode == 0, done.stderr
        asked = self.top / "asked"
        return " ".join(done.stderr.split()), asked.read_text() if asked.exists() else ""


class TestBuild(unittest.TestCase):
    def machine(self, *words, **options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Machine(Path(folder.name), *words, **options)

    def test_nvcc_without_a_gpu_builds_one_architecture_and_says_so(self):
        said, asked = self.machine(ONE_ARCHITECTURE).build("cuda")
        self.assertIn("about 6 min on the 4 cores", said)
        self.assertIn("CUDA is built for architecture 90 alone", said)
        self.assertIn("CUDAARCHS=80", said)
        self.assertNotIn("CMAKE_CUDA_ARCHITECTURES", asked)  # the preset's one
        self.assertIn("-DCMAKE_CUDA_COMPILER=/opt/nvcc", asked)

    def test_checks_without_machine_code(self):
        said, _ = self.machine("CUDA for 90-virtual (nvcc 13.0.88)").build("ci")
        self.assertIn("CUDA is built for architecture 90 alone", said)

    def test_builds_for_the_gpus_that_are_seen(self):
        said, asked = self.machine("CUDA for 80-real;90-real (nvcc 13.0.88)", gpus="9.0\\n8.0\\n9.0\\n").build("cuda")
        self.assertIn("-DCMAKE_CUDA_ARCHITECTURES=80-real;90-real ", asked)
        self.assertNotIn("No GPU is seen", said)

    def test_builds_for_what_is_asked(self):
        said, asked = self.machine("CUDA for 86 (nvcc 13.0.88)", CUDAARCHS="86").build("cuda")
        self.assertIn("-DCMAKE_CUDA_ARCHITECTURES=86 ", asked)
        self.assertNotIn("No GPU is seen", said)

    def test_a_release_is_for_all_and_takes_longer(self):
        said, asked = self.machine("CUDA for 80-real;90-virtual (nvcc 13.0.88)", gpus="9.0\\n").build("release")
        self.assertIn("about 10 min on the 4 cores", said)
        self.assertNotIn("CMAKE_CUDA_ARCHITECTURES", asked)

    def test_without_nvcc_says_the_time_alone(self):
        said, asked = self.machine("without CUDA", nvcc=False).build("cpu")
        self.assertIn("about 4 min on the 4 cores", said)
        self.assertNotIn("GPU", said)
        self.assertNotIn("CUDA_COMPILER", asked)

    def test_says_that_the_programs_alone_take_less(self):
        said, _ = self.machine("without CUDA", nvcc=False).build("cpu", "programs")
        self.assertIn("about 3 min on the 4 cores", said)

    def test_configures_once(self):
        machine = self.machine(ONE_ARCHITECTURE)
        machine.build("cuda")
        (machine.top / "asked").unlink()
        (machine.top / "build/build.ninja").touch()
        self.assertEqual(machine.build("cuda"), ("", ""))


if __name__ == "__main__":
    unittest.main()
