# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests share: tools, and programs in the shape of torch.export's."""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import subprocess
import sys
from types import SimpleNamespace

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = ROOT / "test" / "inputs"
BIN = ROOT / "build" / "bin"


def run(*command, text: str | None = None) -> subprocess.CompletedProcess:
    """Runs a program; `text` is its standard input."""
    return subprocess.run([str(part) for part in command], input=text,
                          capture_output=True, text=True, cwd=ROOT)


def qfuse_opt(text: str, *options: str) -> str:
    """Returns what qfuse-opt prints for a module.

    Raises:
      AssertionError: it refuses the module.
    """
    done = run(BIN / "qfuse-opt", *options, text=text)
    assert done.returncode == 0, f"{done.stderr}\n{text}"
    return done.stdout


def qfuse_import(*options: str) -> subprocess.CompletedProcess:
    """Runs `python -m qfuse import` with the interpreter of the tests."""
    return run(sys.executable, "-m", "qfuse", "import", *options)


@contextlib.contextmanager
def stderr_text():
    """Gives an object whose `getvalue` is what was written to stderr."""
    with contextlib.redirect_stderr(io.StringIO()) as stream:
        yield stream


class FakeTensor:
    """Shape, type and strides, as `meta["val"]` of a node has them."""

    def __init__(self, dtype: str, *shape, strides=None):
        self.dtype, self.shape = f"torch.{dtype}", shape
        steps = [1]
        for extent in reversed(shape[1:]):
            steps.insert(0, steps[0] * extent if isinstance(extent, int) else "s")
        self._strides = strides or tuple(steps[-len(shape):] if shape else ())

    def stride(self):
        return self._strides


class FakeNode:
    """A node of an FX graph."""

    def __init__(self, op, name, target, args, value, trace):
        self.op, self.name, self.target, self.args = op, name, target, args
        self.kwargs, self.meta = {}, {"val": value, "stack_trace": trace}


class FakeOp:
    """An overload of a library op."""

    def __init__(self, name: str, parameters: str, mutable: bool = False):
        self._name = name
        self._schema = SimpleNamespace(is_mutable=mutable, arguments=[
            SimpleNamespace(name=p, default_value=None) for p in parameters.split()])

    def __call__(self):
        raise NotImplementedError

    def __str__(self):
        return self._name


class FakeProgram:
    """A program in the shape of `torch.export.ExportedProgram`, M symbolic."""

    def __init__(self):
        self.nodes, self._inputs = [], []
        self.graph_module = SimpleNamespace(graph=SimpleNamespace(nodes=self.nodes))
        self.range_constraints = {"s0": SimpleNamespace(lower=1, upper=64)}
        self.graph_signature = SimpleNamespace(input_specs=self._inputs)

    def argument(self, name: str, value, kind: str = "USER_INPUT") -> FakeNode:
        self._inputs.append(SimpleNamespace(
            arg=SimpleNamespace(name=name), kind=SimpleNamespace(name=kind)))
        return self._add("placeholder", name, name, (), value, "")

    def call(self, target: FakeOp, args, value) -> FakeNode:
        line = len(self.nodes) + 1
        return self._add("call_function", f"n{line}", target, tuple(args), value,
                         f'File "{os.getcwd()}/model.py", line {line}, in forward')

    def results(self, *nodes) -> FakeProgram:
        self.graph_signature.output_specs = [SimpleNamespace(
            kind=SimpleNamespace(name="USER_OUTPUT"), target=None) for _ in nodes]
        self._add("output", "output", "output", (nodes,), None, "")
        return self

    def _add(self, *parts) -> FakeNode:
        self.nodes.append(FakeNode(*parts))
        return self.nodes[-1]
