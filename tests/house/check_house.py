#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the tree and fails on what breaks a rule of the house (docs/architecture.md).

    tests/house/check_house.py [ROOT]

Prints one line a finding, "file:line: what is wrong". A file longer than advised is a
warning and does not fail.
"""

import collections
import pathlib
import re
import sys

FOLDERS = ("app", "core", "gpu", "research", "ui", "tests")
SOURCES = {".h", ".cpp", ".cu", ".cuh"}
LICENCE = "// SPDX-License-Identifier: Apache-2.0"

# Who may include whom, from the ground up; a folder always knows itself. Nothing points back.
ALGORITHMS = ["core/base", "core/image", "core/parallel", "core/wavefront"]
FAMILIES = ["core/border", "core/filters", "core/fuzzy", "core/morphology", "core/texture"]
TABLE = [*ALGORITHMS, *FAMILIES, "core/metrics", "core/ops"]
# Algorithms through the table alone, but for the Dice of a result that is there.
UI = ["core/base", "core/image", "core/parallel", "core/mesh", "core/io", "core/metrics", "core/ops",
      "core/engine", "core/recipes", "core/session", "ui/base"]
KNOWS = {
    "core/base": [],
    "core/image": ["core/base"],
    "core/parallel": ["core/base", "core/image"],
    "core/mesh": ["core/base", "core/image"],
    "core/wavefront": ALGORITHMS,
    "core/border": ALGORITHMS,
    "core/filters": ALGORITHMS,
    "core/fuzzy": [*ALGORITHMS, "core/filters"],
    "core/morphology": [*ALGORITHMS, "core/filters"],
    "core/texture": ["core/base", "core/image", "core/parallel"],
    "core/metrics": [*ALGORITHMS, *FAMILIES],
    "core/ops": TABLE,
    "core/io": ["core/base", "core/image", "core/parallel", "core/mesh"],
    "core/engine": [*TABLE, "core/io"],
    "core/recipes": [*TABLE, "core/io", "core/engine"],
    "core/session": [*TABLE, "core/io", "core/engine"],
    "gpu": [*TABLE],
    # Of ui, what the hand does and what is seen; then models and plots, panels, the window.
    "ui": UI,
    "ui/base": [],
    "ui/tools": UI,
    "ui/views": [*UI, "ui/tools"],
    "ui/models": UI,
    "ui/actions": UI,
    "ui/plots": [*UI, "ui/tools", "ui/views", "ui/models"],
    "ui/panels": [*UI, "ui/tools", "ui/views", "ui/models", "ui/plots", "ui/actions"],
    "ui/window": [*UI, "ui"],
    "app": ["core", "gpu", "ui", "research/bench"],
    # Uses the product, but for the window; of it only `seedwave-cli bench` uses research. Checks what
    # the tests check, where there is no Qt to run them.
    "research": ["app", "core", "gpu", "tests/support"],
    "research/bench": TABLE,
    # A test may look at what its own folder may look at, and at helpers for tests.
    "tests/core": ["core", "research/bench", "tests"],
    "tests/gpu": ["core", "gpu", "tests"],
    "tests/research": ["core", "gpu", "research", "tests"],
    "tests/ui": ["core", "ui", "tests"],
    "tests": ["core", "gpu", "research", "ui", "app"],
}

# Where a third party's headers may appear: its includes, files that may have them, why.
THIRD_PARTIES = [
    (r"Q[A-Z]\w*$|Q[A-Za-z]+/|qt", r"(ui|app|tests)/", "Qt is for ui and app"),
    (r"vtk", r"ui/(views|plots)/|tests/", "VTK is for ui/views and ui/plots"),
    (r"dcmtk/", r"core/io/(.*\.cpp|dicom/)|tests/", "DCMTK is for core/io"),
    (r"openjpeg", r"core/io/.*\.cpp|tests/", "OpenJPEG is for core/io (.cpp)"),
    (r"kissfft", r"core/texture/.*\.cpp", "KISS FFT is for core/texture (.cpp)"),
    (r"Eigen/", r"core/texture/.*\.cpp", "Eigen is for core/texture (.cpp)"),
    (r"cuda|cub/|thrust/|cooperative_groups|nvtx", r"gpu/(.*\.cuh?|device/)|tests/gpu/.*\.cu",
     "CUDA stays in the .cu files of gpu and in gpu/device"),
    (r"tbb/|oneapi/", r"core/parallel/.*\.cpp",
     "threads come from core/parallel"),
]

# The doors, where anything thrown must end: the job runner, the programs, Qt's event loop.
DOORS = r"app/|research/gpu_check/main|core/engine/job|ui/.*application"

ADVISED_LINES = {".h": 150, ".cuh": 150, ".cpp": 400, ".cu": 400}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')

# One term for each thing; the last column of its table has the synonyms that are not used.
GLOSSARY = "docs/glossary.md"
OPENERS = re.compile(r"(What|Of|Where|Which|Whether|True|False)(?![\w-])")

STRING = r'"(?:\\.|[^"\\\n])*"'
RAW_STRING = r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'
CHARACTER = r"(?<!\w)'(?:\\.|[^'\\\n])+'"
COMMENT = r"//[^\n]*|/\*.*?\*/"
# A string that begins with // is no comment, so strings and comments are read together.
TOKEN = re.compile(f"{RAW_STRING}|{STRING}|{CHARACTER}|(?P<comment>{COMMENT})", re.DOTALL)
TRANSLATED = re.compile(rf"\btr\(\s*((?:{STRING}\s*)+)")
CODE_IN_TEXT = re.compile(r"```.*?```|`[^`\n]+`|\]\([^)\s]+\)", re.DOTALL)


class House:
    """The tree under `root`, and what was found in it."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.errors = []
        self.warnings = []
        self.term_for = terms_by_synonym(self.root / GLOSSARY)
        self.synonym = any_of(self.term_for)
        self.pages = sorted([*self.root.glob("*.md"), *(self.root / "docs").rglob("*.md")])
        self.sources = sorted(
            path for folder in FOLDERS for path in (self.root / folder).rglob("*")
            if path.suffix in SOURCES)

    def name(self, path):
        return path.relative_to(self.root).as_posix()

    def error(self, path, line, text):
        self.errors.append(f"{self.name(path)}:{line}: {text}")

    def check(self):
        for path in self.sources:
            text = path.read_text(encoding="utf-8")
            self.check_form(path, text)
            self.check_includes(path, text)
            self.check_catches(path, text)
            self.check_openers(path, text)
            self.check_terms(path, comments_of(text))
            self.check_terms(path, translated_texts_of(text))
        self.check_lists()
        for page in self.pages:
            text = page.read_text(encoding="utf-8")
            self.check_links(page, text)
            if self.name(page) != GLOSSARY:
                self.check_terms(page, without_code(text))

    def check_form(self, path, text):
        lines = text.splitlines()
        if not lines or lines[0] != LICENCE:
            self.error(path, 1, f"the first line is not: {LICENCE}")
        if path.suffix in {".h", ".cuh"} and "#pragma once" not in lines:
            self.error(path, 1, "a header without #pragma once")
        if not re.fullmatch(r"[a-z0-9_]+\.\w+", path.name):
            self.error(path, 1, "file names are snake_case")
        if len(lines) > ADVISED_LINES[path.suffix] and not self.name(path).startswith("tests/"):
            self.warnings.append(f"{self.name(path)}: {len(lines)} lines; is this two things?")

    def check_includes(self, path, text):
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match[1] and not match[1].endswith(".moc"):
                self.check_own_include(path, number, match[1])
            elif match and match[2]:
                self.check_third_party(path, number, match[2])

    def check_own_include(self, path, number, included):
        if not (self.root / included).is_file():
            self.error(path, number, f'"{included}" is not a path from the root')
            return
        own = longest_prefix(self.name(path), KNOWS)
        folder = longest_prefix(included, KNOWS)
        allowed = [own, *KNOWS[own]]
        if not any(included.startswith(known + "/") for known in allowed):
            self.error(path, number, f"{own} may not know {folder}: {included}")

    def check_third_party(self, path, number, included):
        for pattern, places, reason in THIRD_PARTIES:
            if re.match(pattern, included) and not re.match(places, self.name(path)):
                self.error(path, number, f"{reason}: <{included}>")

    def check_catches(self, path, text):
        if re.match(DOORS, self.name(path)):
            return
        for match in re.finditer(r"catch\s*\(\s*\.\.\.\s*\)\s*\{", text):
            if not re.search(r"\bthrow;|current_exception", block_at(text, match.end())):
                line = text.count("\n", 0, match.start()) + 1
                self.error(path, line, "catch (...) without rethrow, and this is no door")

    def check_lists(self):
        """Every source stands in exactly one CMake list, or is found by a pattern: none forgotten,
        none built twice."""
        listed = {}
        for folder in FOLDERS:
            for lists in (self.root / folder).rglob("CMakeLists.txt"):
                for source in sources_in(lists.read_text(encoding="utf-8")):
                    path = (lists.parent / source).resolve()
                    listed.setdefault(path, []).append(self.name(lists))
        for folder in FOLDERS:
            for lists in (self.root / folder).rglob("CMakeLists.txt"):
                for pattern in re.findall(r"file\(GLOB [^)]*?(\S+)\)", lists.read_text(encoding="utf-8")):
                    for path in lists.parent.glob(pattern):
                        listed.setdefault(path.resolve(), [self.name(lists)])
        for path in self.sources:
            if path.suffix in {".cpp", ".cu"}:
                lists = listed.get(path.resolve(), [])
                if len(lists) != 1:
                    what = "in no CMakeLists.txt" if not lists else "listed by " + ", ".join(lists)
                    self.error(path, 1, what)

    def check_openers(self, path, text):
        """Comments begin with a noun or a verb, not with the opening of a fragment."""
        for number, comment in comment_openings(text):
            match = OPENERS.match(comment)
            if match:
                self.error(path, number, f"a comment opens with {match[1]}: {comment[:60]}")

    def check_terms(self, path, text):
        """Finds the synonyms that the glossary forbids. `text` is \\0 where it is not to be read."""
        for match in self.synonym.finditer(text) if self.term_for else []:
            line = text.count("\n", 0, match.start()) + 1
            found = " ".join(match[0].lower().split())
            self.error(path, line, f"'{found}' is not used for: {self.term_for[found]} ({GLOSSARY})")

    def check_links(self, page, text):
        for number, line in enumerate(text.splitlines(), 1):
            for target in re.findall(r"\]\(([^)\s]+)\)", line):
                self.check_link(page, number, target)

    def check_link(self, page, number, target):
        if re.match(r"[a-z]+:", target):
            return
        file, _, anchor = target.partition("#")
        path = page.parent / file if file else page
        if not path.exists():
            self.error(page, number, f"links to {target}, which is not there")
        elif anchor and path.suffix == ".md" and anchor not in anchors_of(path):
            self.error(page, number, f"links to {target}, a heading that is not there")


def longest_prefix(name, folders):
    return max((f for f in folders if name.startswith(f + "/")), key=len, default="?")


def block_at(text, start):
    """The text from just after an opening brace to the one that closes it."""
    depth = 1
    for end in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[start:end]
    return text[start:]


def sources_in(lists):
    lists = re.sub(r"#.*", "", lists)
    lists = re.sub(r"set_source_files_properties\([^)]*\)", "", lists)
    found = re.findall(r"[\w./-]+\.(?:cpp|cu)\b", lists)
    found += [f"{path}.cpp" for path in re.findall(r"seedwave_test\(\s*([\w/]+)[\s)]", lists)]
    return found


def anchors_of(page):
    """The anchors that GitHub makes of a page's headings."""
    headings = re.findall(r"^#+\s+(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def terms_by_synonym(glossary):
    """The synonyms without a remark in parentheses, each with the term to use."""
    found = {}
    for line in glossary.read_text(encoding="utf-8").splitlines() if glossary.is_file() else []:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 3 or cells[2] == "Not" or set(cells[2]) <= set("-: "):
            continue
        for synonym in re.findall(r"[^,()]+(?:\([^)]*\))?", cells[2]):
            if synonym.strip() and "(" not in synonym:
                found[" ".join(synonym.lower().split())] = cells[0]
    return found


def any_of(phrases):
    """A pattern of whole words, which may stand on two lines."""
    words = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in phrases)
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


def blank(text):
    """The same lines with \\0 for all that is no space: no pattern of a term matches across it."""
    return re.sub(r"\S+", lambda match: "\0" * len(match[0]), text)


def without_code(text):
    return CODE_IN_TEXT.sub(lambda match: blank(match[0]), text)


def comments_of(text):
    """The comments alone; their marks are spaces, since a phrase may go on in the next line."""
    kept, end = [], 0
    for match in TOKEN.finditer(text):
        if match["comment"]:
            mark = re.match(r"/[/*]+<?", match[0])[0]
            kept += [blank(text[end:match.start()]), " " * len(mark), match[0][len(mark):]]
            end = match.end()
    return without_code("".join([*kept, blank(text[end:])]))


def translated_texts_of(text):
    """The literals in tr(...) alone; those that the compiler joins are one text."""
    kept = list(blank(text))
    for call in TRANSLATED.finditer(text):
        literals = re.sub(r'"(\s*)"', r" \1 ", call[1])
        kept[call.start(1):call.end(1)] = literals
    return "".join(kept)


def comment_openings(text):
    """The first line of each /// and each whole-line // comment, with its number."""
    mark_before = ""
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"\s*(///?)(?!/)\s*(.*)", line)
        if match and match[1] != mark_before:
            yield number, match[2]
        elif not match and (beside := re.search(r"\s///<?\s+(.*)", line)):
            yield number, beside[1]
        mark_before = match[1] if match and line != LICENCE else ""


def by_folder(errors):
    """How many findings each folder has, two levels deep."""
    return collections.Counter("/".join(error.split(":")[0].split("/")[:-1][:2]) or "."
                               for error in errors)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    house = House(root)
    house.check()
    for line in house.warnings:
        print("advice:", line)
    for line in house.errors:
        print(line)
    for folder, count in sorted(by_folder(house.errors).items()):
        print(f"{folder}: {count} findings")
    print(f"{len(house.sources)} sources, {len(house.pages)} pages, {len(house.errors)} findings")
    return 1 if house.errors else 0


if __name__ == "__main__":
    sys.exit(main())
