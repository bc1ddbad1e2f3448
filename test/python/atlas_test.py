# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/atlas: generated, whole, and readable without scripts."""

import re
import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import numpy as np

import qfuse
from support import ROOT, run

ATLAS = ROOT / "docs/atlas"


def picture_cells(text):
    """Returns (column, row, address) of the first grid of a picture, by its labels."""
    root = xml.etree.ElementTree.fromstring(text)
    texts = [(e.get("class"), float(e.get("x")), float(e.get("y")), e.text)
             for e in root.iter("{http://www.w3.org/2000/svg}text")]
    second = [y for kind, _, y, _ in texts if kind == "t"][1:2] or [np.inf]
    texts = [t for t in texts if t[2] < second[0]]
    columns = {x: int(t.split("=")[1]) for kind, x, _, t in texts if kind == "h"}
    rows = {y: int(t.split("=")[1]) for kind, _, y, t in texts if kind == "r"}
    return [(rows[y], columns[x], int(t)) for kind, x, y, t in texts if kind == "c"]


def packed_order(index, name, layout):
    """Returns the numbers of `index` in the order of a layout."""
    if "f32" in layout.elements:
        return qfuse.pack(index.astype(np.float32), name).astype(int).tolist()
    kind = np.uint16 if "bf16" in layout.elements else np.uint8
    low = qfuse.pack((index & 255).astype(kind), name).astype(int)
    return (low | qfuse.pack((index >> 8).astype(kind), name).astype(int) << 8).tolist()


class Atlas(unittest.TestCase):

    def test_is_generated(self):
        done = run(sys.executable, "docs/generate_atlas.py", "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_edits_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            for name in ("docs/atlas", "docs/atlas_pages", "python/qfuse"):
                shutil.copytree(ROOT / name, copy / name)
            shutil.copy(ROOT / "docs/generate_atlas.py", copy / "docs")
            page = copy / "docs/atlas/rules/aiter_mxfp4_even.md"
            page.write_text(page.read_text().replace("half up", "half down"))
            (copy / "docs/atlas/layouts/col.svg").unlink()
            (copy / "docs/atlas/rules/gone.md").write_text("old")
            done = run(sys.executable, copy / "docs/generate_atlas.py", "--check")
            self.assertEqual(done.returncode, 1)
            self.assertIn("-amax  = amax rounded to 1 mantissa bit, half down", done.stdout)
            self.assertIn("--- docs/atlas/layouts/col.svg", done.stdout)
            self.assertIn("docs/atlas/rules/gone.md is left over", done.stdout)

    def test_links_lead_somewhere(self):
        count = 0
        for page in ATLAS.rglob("*.md"):
            for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
                self.assertTrue((page.parent / link).is_file(), (page, link))
                count += 1
        self.assertGreater(count, 300)

    def test_pictures_have_the_addresses_of_pack(self):
        for name, layout in qfuse.layouts().items():
            text = (ATLAS / f"layouts/{name}.svg").read_text()
            self.assertNotRegex(text, "<script|href|onload")
            cells = picture_cells(text)
            rows = 1 + max(row for row, _, _ in cells)
            columns = 1 + max(column for _, column, _ in cells)
            shape = (rows, columns)
            if layout.rank == 3:
                shape = (2, *shape) if name == "gate_up_interleave" else (rows, 1, columns)
            nibbles = layout.elements == ("f4E2M1FN",)
            shape = (*shape[:-1], shape[-1] // 2) if nibbles else shape
            index = np.arange(np.prod(shape)).reshape(shape)
            order = packed_order(index, name, layout)
            first = index[0] if name == "gate_up_interleave" else index.reshape(rows, -1)
            for row, column, address in cells:
                item = first[row, column // 2 if nibbles else column]
                self.assertEqual(order[address // 2 if nibbles else address], item,
                                 (name, row, column))


if __name__ == "__main__":
    unittest.main()
