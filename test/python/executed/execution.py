# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes imported functions and gives back PyTorch's tensors."""

from __future__ import annotations

import pathlib
import re
import tempfile

import numpy
import torch

from support import BIN, run

# What a `.npy` file holds of types that numpy does not have.
_RAW = {torch.bfloat16: (torch.int16, numpy.uint16)} | dict.fromkeys(
    (torch.float8_e4m3fn, torch.float8_e4m3fnuz, torch.float8_e5m2,
     torch.float8_e5m2fnuz), (torch.uint8, numpy.uint8))

_ARGUMENT = re.compile(r"^      %\w+: (?:tensor|!qfuse\.packed)<(.+)x\w+(>|, #)", re.M)


def arguments_of(program, inputs) -> list[torch.Tensor]:
    """Returns the values of a program's arguments, in its order."""
    values = {**program.state_dict, **program.constants}
    rest = iter(inputs)
    return [next(rest) if spec.kind.name == "USER_INPUT" else values[spec.target]
            for spec in program.graph_signature.input_specs]


def _in_memory_order(tensor: torch.Tensor) -> torch.Tensor:
    """Returns the elements of a tensor without holes, as its bytes lie."""
    order = sorted(range(tensor.dim()), key=tensor.stride, reverse=True)
    return tensor.detach().permute(order).contiguous().flatten()


def _write(path: pathlib.Path, tensor: torch.Tensor, shape: list[int]) -> None:
    bits, kind = _RAW.get(tensor.dtype, (None, None))
    flat = _in_memory_order(tensor)
    array = flat.view(bits).numpy().view(kind) if bits else flat.numpy()
    numpy.save(path, array.reshape(shape))


def _read(path: pathlib.Path, like: torch.Tensor) -> torch.Tensor:
    array = numpy.load(path)
    if like.dtype in _RAW:
        # PyTorch has no conversion from uint16 to bf16's bits.
        array = array.view(numpy.int16 if array.itemsize == 2 else numpy.uint8)
    return torch.from_numpy(array).view(like.dtype)


def _shapes(text: str, function: str, rows: int) -> list[list[int]]:
    """Returns the shapes that the files of a function's arguments have."""
    signature = text.partition(f"func.func @{function}(")[2].partition("\n      ->")[0]
    shapes = []
    for extents, end in _ARGUMENT.findall(signature):
        shape = [rows if e == "?" else int(e) for e in extents.split("x")]
        shapes.append(shape if end == ">" else [-1])
    return shapes


def execute(text: str, function: str, arguments: list[torch.Tensor], rows: int,
            like: list[torch.Tensor]) -> list[torch.Tensor]:
    """Executes a function on the interpreter.

    Args:
      text: the module.
      function: the symbol.
      arguments: the values of the program's arguments, in its order; their
        bytes are handed over as they lie in memory.
      rows: what M is.
      like: tensors of the types of the results.

    Raises:
      AssertionError: qfuse-run fails.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "in.mlir").write_text(text)
        inputs = []
        shapes = _shapes(text, function, rows)
        assert len(shapes) == len(arguments), (shapes, len(arguments))
        for index, (tensor, shape) in enumerate(zip(arguments, shapes)):
            path = folder / f"in{index}.npy"
            _write(path, tensor, shape)
            inputs.append(f"--input={path}")
        done = run(BIN / "qfuse-run", folder / "in.mlir", "--device=interpreter",
                   f"--function={function}", *inputs, f"--output-dir={folder}")
        assert done.returncode == 0, done.stderr
        return [_read(folder / f"out{i}.npy", each) for i, each in enumerate(like)]
