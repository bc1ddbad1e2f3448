# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users hold, as plain numpy arrays and back.

numpy as in `.npy` files: bf16 as uint16 or two raw bytes, every fp8 and E8M0 as
uint8 or one raw byte, fp4 as uint8 with the last extent halved; the types of
ml_dtypes too, as they show themselves. torch with torch's types. Neither of these
packages is imported here before it is needed.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from qfuse.formats import decode

# Names of ml_dtypes and torch.
ELEMENTS = {
    "float32": "f32", "float16": "f16", "bfloat16": "bf16", "int8": "i8",
    "float8_e4m3fn": "f8E4M3FN", "float8_e4m3fnuz": "f8E4M3FNUZ", "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ", "float8_e8m0fnu": "f8E8M0FNU",
    "float4_e2m1fn_x2": "f4E2M1FN",
}
TORCH_NAMES = {element: name for name, element in ELEMENTS.items()}


@dataclasses.dataclass(frozen=True)
class Plain:
    """A plain array; `element` is the type that it declares, if any; `like` is the
    torch tensor that it comes from, if it does."""

    array: np.ndarray
    element: str | None
    like: Any = None


def is_torch(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "torch"


def _from_torch(tensor: Any) -> Plain:
    import torch
    name = str(tensor.dtype).removeprefix("torch.")
    plain = tensor.detach().cpu().contiguous()
    if name == "bfloat16":
        return Plain(plain.view(torch.int16).numpy().view(np.uint16), "bf16", tensor)
    if name.startswith("float8") or name.startswith("float4"):
        return Plain(plain.view(torch.uint8).numpy(), ELEMENTS.get(name), tensor)
    return Plain(plain.numpy(), ELEMENTS.get(name), tensor)


def to_plain(value: Any, expected: str = "f32, f16, int8, bf16 (uint16) or bytes (uint8)",
             ) -> Plain:
    """Returns the array of numpy or torch data, its raw bits where numpy has no
    such type, in the byte order of the machine. Plain data stay.

    Args:
      value: what a user has.
      expected: what the caller accepts, for the message.

    Raises:
      ValueError: the type is none that is known here.
    """
    if isinstance(value, Plain):
        return value
    if is_torch(value):
        return _from_torch(value)
    array = np.asarray(value, order="C")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    name = array.dtype.name
    if array.dtype in (np.float32, np.float16, np.int8):
        return Plain(array, ELEMENTS[name])
    if array.dtype in (np.uint8, np.uint16):
        return Plain(array, "bf16" if array.dtype == np.uint16 else None)
    if array.dtype in (np.dtype("V1"), np.dtype("V2")):
        return to_plain(array.view(f"u{array.dtype.itemsize}"), expected)
    if name in ELEMENTS:
        return Plain(array.view(f"u{array.dtype.itemsize}"), ELEMENTS[name])
    raise ValueError(f"expected {expected}, got {array.dtype}")


def to_values(x: Any) -> Plain:
    """Returns numbers as f32; `element` is the type that they had.

    Raises:
      ValueError: they are not f32, f16 or bf16, or have no last dimension.
    """
    expected = "values of f32, f16 or bf16 (uint16)"
    plain = to_plain(x, expected)
    if plain.element not in ("f32", "f16", "bf16"):
        raise ValueError(f"expected {expected}, got {plain.array.dtype}")
    if plain.array.ndim == 0:
        raise ValueError("expected values with a last dimension, got a scalar")
    array = (decode("bf16", plain.array) if plain.element == "bf16" else
             plain.array.astype(np.float32, copy=False))
    return dataclasses.replace(plain, array=array)


def to_rows(array: np.ndarray) -> np.ndarray:
    """Returns the array with all but its last dimension as one."""
    rows = int(np.prod(array.shape[:-1], dtype=np.int64))
    return array.reshape(rows, array.shape[-1])


def like_input(array: np.ndarray, element: str | None, like: Any) -> Any:
    """Returns `array` of `element` as it is, or as a tensor where `like` is one."""
    if like is None:
        return array
    import torch
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    # Other tensors of torch have types of numpy.
    if element not in (None, "f32", "f16", "i8"):
        tensor = tensor.view(getattr(torch, TORCH_NAMES[element]))
    return tensor.to(like.device)
