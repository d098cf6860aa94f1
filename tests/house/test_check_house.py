#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sees to it that check_house.py finds what it should: small trees, each with one fault."""

import pathlib
import tempfile
import unittest

import check_house

HEADER = check_house.LICENCE + "\n#pragma once\n"
SOURCE = check_house.LICENCE + "\n"
GLOSSARY = """# Glossary

| Term | Meaning | Not |
|---|---|---|
| intensity | the value of a voxel | greys, grey value, grey (as a value) |
| result | given by a run | product (of a run, not of numbers) |
| voxel | one element | |
"""


def findings(files):
    """What the check says of a tree that holds `files` (name to text)."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        house = check_house.House(root)
        house.check()
        return house.errors


class TestCheckHouse(unittest.TestCase):
    def assert_finds(self, text, files):
        found = findings(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(text, found[0])

    def test_a_clean_tree_has_no_findings(self):
        self.assertEqual(findings({
            "core/base/error.h": HEADER,
            "core/image/volume.h": HEADER + '#include "core/base/error.h"\n#include <vector>\n',
            "core/image/volume.cpp": SOURCE + '#include "core/image/volume.h"\n',
            "core/image/CMakeLists.txt": "add_library(seedwave_image STATIC volume.cpp)\n",
            "README.md": "# One\n[there](docs/a.md#two-words) [out](https://example.org)\n",
            "docs/a.md": "## Two words\n[back](../README.md)\n",
        }), [])

    def test_an_include_that_points_back(self):
        self.assert_finds("core/image may not know core/parallel", {
            "core/parallel/context.h": HEADER,
            "core/image/volume.h": HEADER + '#include "core/parallel/context.h"\n'})

    def test_families_do_not_know_each_other(self):
        self.assert_finds("core/fuzzy may not know core/morphology", {
            "core/morphology/a.h": HEADER,
            "core/fuzzy/b.h": HEADER + '#include "core/morphology/a.h"\n'})

    def test_io_does_not_know_the_table(self):
        self.assert_finds("core/io may not know core/ops", {
            "core/ops/a.h": HEADER, "core/io/b.h": HEADER + '#include "core/ops/a.h"\n'})

    def test_the_window_does_not_know_the_gpu(self):
        self.assert_finds("ui/views may not know gpu", {
            "gpu/a.h": HEADER, "ui/views/b.h": HEADER + '#include "gpu/a.h"\n'})

    def test_views_do_not_know_panels(self):
        self.assert_finds("ui/views may not know ui/panels", {
            "ui/panels/a.h": HEADER, "ui/views/b.h": HEADER + '#include "ui/panels/a.h"\n'})

    def test_the_product_does_not_know_research(self):
        for own in ("core/ops", "gpu", "ui/panels"):
            self.assert_finds(f"{own} may not know research/bench", {
                "research/bench/a.h": HEADER, f"{own}/b.h": HEADER + '#include "research/bench/a.h"\n'})

    def test_the_programs_know_of_research_only_what_is_measured(self):
        self.assert_finds("app may not know research: research/gpu_check/b.h", {
            "research/bench/a.h": HEADER, "research/gpu_check/b.h": HEADER,
            "app/c.h": HEADER + '#include "research/bench/a.h"\n#include "research/gpu_check/b.h"\n'})

    def test_research_does_not_know_the_window(self):
        self.assert_finds("research may not know ui/views", {
            "ui/views/a.h": HEADER, "research/gpu_check/b.h": HEADER + '#include "ui/views/a.h"\n'})

    def test_core_has_no_qt(self):
        self.assert_finds("Qt is for ui and app", {
            "core/session/a.h": HEADER + "#include <QString>\n"})

    def test_the_window_has_no_dcmtk(self):
        self.assert_finds("DCMTK", {"ui/panels/a.h": HEADER + "#include <dcmtk/dcmdata/dctk.h>\n"})

    def test_vtk_stays_out_of_the_sources_of_io(self):
        self.assert_finds("VTK", {
            "core/io/a.cpp": SOURCE + "#include <vtkNew.h>\n", "core/io/CMakeLists.txt": "f(a.cpp)\n"})

    def test_vtk_stays_out_of_the_headers_of_io(self):
        self.assert_finds("VTK", {"core/io/a.h": HEADER + "#include <vtkNew.h>\n"})

    def test_cuda_stays_out_of_the_headers_of_gpu(self):
        self.assert_finds("CUDA", {"gpu/fuzzy/a.h": HEADER + "#include <cuda_runtime.h>\n"})

    def test_cuda_may_be_in_gpu_device(self):
        self.assertEqual(findings({"gpu/device/a.h": HEADER + "#include <cuda_runtime.h>\n"}), [])

    def test_an_include_that_is_not_from_the_root(self):
        self.assert_finds("not a path from the root", {
            "core/base/error.h": HEADER, "core/base/b.h": HEADER + '#include "error.h"\n'})

    def test_a_source_without_its_licence_line(self):
        self.assert_finds("first line", {"core/base/a.h": "#pragma once\n"})

    def test_a_header_without_pragma_once(self):
        self.assert_finds("#pragma once", {"core/base/a.h": SOURCE})

    def test_a_source_that_no_list_names(self):
        self.assert_finds("in no CMakeLists.txt", {"core/base/a.cpp": SOURCE})

    def test_a_source_listed_twice(self):
        self.assert_finds("listed by", {
            "core/base/a.cpp": SOURCE, "core/base/CMakeLists.txt": "f(a.cpp)\ng(a.cpp)\n"})

    def test_flags_for_a_source_are_no_second_listing(self):
        self.assertEqual(findings({
            "core/base/a.cpp": SOURCE,
            "core/base/CMakeLists.txt": "f(a.cpp)\nset_source_files_properties(a.cpp PROPERTIES X Y)\n"}), [])

    def test_a_source_may_be_found_by_a_pattern(self):
        self.assertEqual(findings({
            "core/base/a.cpp": SOURCE, "core/base/CMakeLists.txt": "file(GLOB sources CONFIGURE_DEPENDS *.cpp)\n"}), [])

    def test_a_test_program_is_listed_by_its_name(self):
        self.assertEqual(findings({
            "tests/core/test_a.cpp": SOURCE,
            "tests/core/CMakeLists.txt": "seedwave_test(test_a LIBS seedwave::base)\n"}), [])

    def test_a_catch_all_that_swallows(self):
        self.assert_finds("no door", {
            "core/base/a.h": HEADER + "inline void f() { try { g(); } catch (...) { h(); } }\n"})

    def test_a_catch_all_that_rethrows(self):
        self.assertEqual(findings({
            "core/base/a.h": HEADER + "try { g(); } catch (...) { if (x) { h(); } throw; }\n"}), [])

    def test_a_catch_all_at_a_door(self):
        self.assertEqual(findings({
            "app/a.h": HEADER + "try { g(); } catch (...) { h(); }\n"}), [])

    def test_a_dead_link(self):
        self.assert_finds("which is not there", {"README.md": "[gone](docs/gone.md)\n"})

    def test_a_dead_anchor(self):
        self.assert_finds("a heading that is not there", {"README.md": "# Here\n[x](#there)\n"})

    def assert_terms(self, found, files):
        """`found` are the places, "file:line", of forbidden synonyms and no others."""
        errors = findings({"docs/glossary.md": GLOSSARY, **files})
        self.assertEqual([error.split(": ")[0] for error in errors], found, errors)

    def test_a_forbidden_synonym_in_comments(self):
        self.assert_terms(["core/base/a.h:3", "core/base/a.h:4", "core/base/a.h:5"], {
            "core/base/a.h": HEADER + "/// The greys.\nint a;  // its Grey value\n/* greys */\n"})

    def test_a_forbidden_synonym_across_two_lines_of_a_comment(self):
        self.assert_terms(["core/base/a.h:3", "core/base/a.h:6"], {
            "core/base/a.h": HEADER + "/// The grey\n/// value.\nint a;\n  // a grey\n  // value\n"})

    def test_a_forbidden_synonym_in_a_translated_text(self):
        self.assert_terms(["core/base/a.h:3", "core/base/a.h:5"], {
            "core/base/a.h": HEADER + 'auto a = tr("%n greys");\nf(tr(\n  "a grey "\n  "value", n));\n'})

    def test_a_forbidden_synonym_in_a_document(self):
        self.assert_terms(["README.md:2", "docs/algorithms/a.md:1"], {
            "README.md": "# One\nOf all greys.\n", "docs/algorithms/a.md": "# Grey value\n"})

    def test_synonyms_in_code_are_not_read(self):
        self.assert_terms([], {
            "core/base/a.h": HEADER + '// `greys` as in\nint greys = f("// greys", "greys");\n',
            "README.md": "`greys` [a](docs/greys.md)\n```\nrun greys\n```\nagreys, grey-value\n",
            "docs/greys.md": ""})

    def test_synonyms_with_a_remark_are_not_read(self):
        self.assert_terms([], {
            "core/base/a.h": HEADER + "// A grey product of numbers\n", "README.md": "grey product\n"})

    def test_comments_with_code_between_them_are_no_phrase(self):
        self.assert_terms([], {
            "core/base/a.h": HEADER + "int a;  // is grey\nint value;  // value\n"})

    def test_a_comment_that_opens_with_a_fragment(self):
        for word in ("What", "Of", "Where", "Which", "Whether", "True", "False"):
            for mark in ("///", "//", "  ///"):
                self.assert_finds(f"core/base/a.h:3: a comment opens with {word}", {
                    "core/base/a.h": HEADER + f"{mark} {word} it is.\n"})

    def test_a_comment_beside_a_member_that_opens_with_a_fragment(self):
        self.assert_finds("core/base/a.h:3: a comment opens with What", {
            "core/base/a.h": HEADER + "int a;  ///< What it is.\n"})

    def test_each_comment_has_an_opening(self):
        self.assert_finds("core/base/a.h:4: a comment opens with Of", {
            "core/base/a.h": HEADER + "/// One thing.\n// Of another kind.\n"})

    def test_other_words_open_a_comment(self):
        self.assertEqual(findings({
            "core/base/a.h": HEADER + "/// Returns true.\n/// What follows goes on.\n"
                                      "// Often; Whatever; True-colour\nf(\"// What\");  // Where\n"}), [])

    def test_findings_are_counted_by_folder(self):
        self.assertEqual(check_house.by_folder([
            "core/base/a.h:1: x", "core/base/b/c.h:1: x", "README.md:2: y", "docs/a.md:1: y"]),
            {"core/base": 2, ".": 1, "docs": 1})


if __name__ == "__main__":
    unittest.main()
