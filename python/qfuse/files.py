# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors in `.npy` and `.safetensors` files.

A safetensors file is the length of its header as 8 little-endian bytes, the header
as JSON, then the bytes of the tensors. It is read here, as its own package needs
other ones for fp8. Source: the format's description in the safetensors repository.
"""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
from typing import Any

import numpy as np

from qfuse.arrays import Plain

# Name: numpy's type of one item, bits of an element, our name of it.
TYPES = {
    "F64": ("f8", 64, None), "F32": ("f4", 32, "f32"), "F16": ("f2", 16, "f16"),
    "BF16": ("u2", 16, "bf16"), "I64": ("i8", 64, None), "I32": ("i4", 32, None),
    "I16": ("i2", 16, None), "I8": ("i1", 8, "i8"), "U64": ("u8", 64, None),
    "U32": ("u4", 32, None), "U16": ("u2", 16, None), "U8": ("u1", 8, None),
    "BOOL": ("u1", 8, None), "F8_E4M3": ("u1", 8, "f8E4M3FN"), "F8_E5M2": ("u1", 8, "f8E5M2"),
    "F8_E4M3FNUZ": ("u1", 8, "f8E4M3FNUZ"), "F8_E5M2FNUZ": ("u1", 8, "f8E5M2FNUZ"),
    "F8_E8M0": ("u1", 8, "f8E8M0FNU"), "F4": ("u1", 4, "f4E2M1FN"),
    "C64": ("c8", 64, None),
}
LONGEST_HEADER = 100_000_000  # bytes; the limit of the safetensors library


@dataclasses.dataclass(frozen=True)
class TensorInfo:
    """A tensor of a safetensors file: `begin` and `end` are offsets in the file."""

    path: pathlib.Path
    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int

    @property
    def numel(self) -> int:
        return math.prod(self.shape)


def parse_json(text: str | bytes, where: str) -> Any:
    """Returns what a JSON text says.

    Raises:
      ValueError: it is none, or nested too deep; says `where`.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{where}: expected JSON") from None


def _integers(values: Any) -> tuple[int, ...]:
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise TypeError
    return tuple(values)


def _read_info(path: pathlib.Path, name: str, entry: dict, start: int, size: int) -> TensorInfo:
    try:
        dtype, shape = entry["dtype"], _integers(entry["shape"])
        begin, end = (start + offset for offset in _integers(entry["data_offsets"]))
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{path}: tensor '{name}': expected dtype, shape and data_offsets, "
                         f"got {entry}") from None
    if not isinstance(dtype, str) or dtype not in TYPES:
        raise ValueError(f"{path}: tensor '{name}': expected a dtype of {', '.join(TYPES)}, "
                         f"got {dtype!r}")
    if not start <= begin <= end <= size:
        raise ValueError(f"{path}: tensor '{name}' ends at byte {end} of a file of {size}; "
                         "the file may be cut off")
    bits = TYPES[dtype][1]
    if min(shape, default=0) < 0 or 8 * (end - begin) != bits * math.prod(shape):
        raise ValueError(f"{path}: tensor '{name}': expected {bits * math.prod(shape) // 8} bytes "
                         f"of {dtype} {list(shape)}, got {end - begin}")
    return TensorInfo(path, name, dtype, shape, begin, end)


def read_header(path: str | pathlib.Path) -> dict[str, TensorInfo]:
    """Returns the tensors of a safetensors file by their names; reads no data.

    Raises:
      ValueError: it is no such file, or its parts contradict each other.
      OSError: it cannot be read.
    """
    path = pathlib.Path(path)
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, LONGEST_HEADER):
            raise ValueError(f"{path}: expected a header of at most {max(size - 8, 0)} bytes, "
                             f"got {length}; no safetensors file, or cut off")
        text = file.read(length)
    header = parse_json(text, f"{path}: header")
    if not isinstance(header, dict):
        raise ValueError(f"{path}: expected an object in the header")
    return {name: _read_info(path, name, entry, 8 + length, size)
            for name, entry in header.items() if name != "__metadata__"}


def read_tensor(info: TensorInfo) -> Plain:
    """Returns the data of a tensor; two codes of F4 in a byte, even k low.

    Raises:
      OSError: the file cannot be read.
    """
    kind, bits, element = TYPES[info.dtype]
    with info.path.open("rb") as file:
        file.seek(info.begin)
        data = file.read(info.end - info.begin)
    shape = info.shape if bits != 4 else (*info.shape[:-1], info.shape[-1] // 2)
    return Plain(np.frombuffer(data, np.dtype(kind).newbyteorder("<")).reshape(shape), element)


def _load_npy(path: str) -> np.ndarray:
    try:
        array = np.load(path, allow_pickle=False)
    except OSError:
        raise
    except Exception as error:  # whatever numpy's readers of headers and zip raise
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise ValueError(f"{path}: no .npy file of numbers: {reason[0]}") from None
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{path}: no .npy file of numbers: it is an archive")
    return array


def load(argument: str) -> Plain | np.ndarray:
    """Returns the tensor of `FILE.npy`, `FILE.safetensors` with one tensor, or
    `FILE.safetensors:NAME`.

    Raises:
      ValueError: there is no such tensor.
      OSError: the file cannot be read.
    """
    path, _, name = argument.partition(".safetensors")
    if argument.endswith(".npy"):
        return _load_npy(argument)
    if not _:
        raise ValueError(f"{argument}: expected a .npy or .safetensors file")
    tensors = read_header(path + ".safetensors")
    if not name and len(tensors) == 1:
        return read_tensor(next(iter(tensors.values())))
    if name[:1] != ":" or name[1:] not in tensors:
        raise ValueError(f"{path}.safetensors: expected :NAME of one of "
                         f"{', '.join(list(tensors)[:8])}, got '{name[1:]}'")
    return read_tensor(tensors[name[1:]])
