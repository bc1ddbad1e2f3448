# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a checkpoint has and what it declares, linear by linear."""

from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Iterator

import numpy as np

from qfuse.files import TYPES, TensorInfo, parse_json, read_header, read_tensor
from qfuse.formats import decode
from qfuse.schemes import Declaration, Scheme, read_config

# Endings of tensors of weights, and of what belongs to them.
WEIGHTS = (".weight_packed", ".weight", "_blocks")
SCALES = (".weight_scale", ".weight_scale_inv", "_scales")
OTHERS = (".weight_global_scale", ".weight_scale_2", ".input_scale", ".input_global_scale",
          ".activation_scale")
QUANTIZED = ("F8_E4M3", "F8_E4M3FNUZ", "F8_E5M2", "F8_E5M2FNUZ", "I8", "U8", "F4")
MOST_NAMES = 8  # of absent tensors in a message
NAN_FLAVORS = {"F8_E4M3": ((0x7F, 0xFF), "f8E4M3FN", "f8E4M3FNUZ"),
               "F8_E4M3FNUZ": ((0x80,), "f8E4M3FNUZ", "f8E4M3FN")}


@dataclasses.dataclass(frozen=True)
class Linear:
    """One quantized weight, or a shard without what the index says it has; such a
    one has no tensors.

    Args:
      name: that of the module, or of the shard.
      format: what it is, by its tensors.
      shape: logical, `N x K`, with what comes before.
      tensors: weight, scales and others.
      problems: what is inconsistent, in words.
    """

    name: str
    format: str
    shape: tuple[int, ...]
    tensors: tuple[TensorInfo, ...]
    problems: tuple[str, ...]

    def __str__(self) -> str:
        if not self.tensors:
            return "\n".join([f"{self.name}: {self.format}",
                              *(f"  problem: {problem}" for problem in self.problems)])
        parts = [f"{info.name.removeprefix(self.name).lstrip('._')} {info.dtype} "
                 f"{extents(info.shape)}" for info in self.tensors]
        lines = [f"{self.name}: {self.format}, {extents(self.shape)}; {', '.join(parts)}"]
        return "\n".join([*lines, *(f"  problem: {problem}" for problem in self.problems)])


def extents(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) if shape else "scalar"


def read_declaration(folder: pathlib.Path) -> Declaration | None:
    """Returns what `config.json` in a folder declares; None without one.

    Raises:
      ValueError: it is not what it should be.
    """
    path = folder / "config.json"
    if not path.is_file():
        return None
    return read_config(parse_json(path.read_bytes(), str(path)))


def read_index(folder: pathlib.Path) -> dict[str, str]:
    """Returns in which file each tensor is by the index; empty without one.

    Raises:
      ValueError: it is not what it should be.
    """
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.safetensors.index.json")):
        index = parse_json(path.read_bytes(), str(path))
        places = index.get("weight_map") if isinstance(index, dict) else None
        if not isinstance(places, dict) or not all(isinstance(f, str) for f in places.values()):
            raise ValueError(f"{path}: expected a weight_map from tensors to files")
        found |= places
    return found


def _absent_shards(folder: pathlib.Path, tensors: dict[str, TensorInfo]) -> Iterator[Linear]:
    """Yields the shards that lack tensors which the index says they have."""
    lacking: dict[str, list[str]] = {}
    for name, file in read_index(folder).items():
        if name not in tensors:
            lacking.setdefault(file, []).append(name)
    for file, names in sorted(lacking.items()):
        kind = "an incomplete shard" if (folder / file).is_file() else "an absent shard"
        more = f" and {len(names) - MOST_NAMES} others" if len(names) > MOST_NAMES else ""
        yield Linear(file, kind, (), (), (
            f"the index says that it has {', '.join(sorted(names)[:MOST_NAMES])}{more}",))


def read_checkpoint(path: str | pathlib.Path) -> tuple[Declaration | None, dict[str, TensorInfo]]:
    """Returns what a folder or file declares, and the tensors that it has.

    Raises:
      ValueError: there is no safetensors file, or one is broken.
      OSError: something cannot be read.
    """
    path = pathlib.Path(path)
    if path.is_dir():
        files, folder = sorted(path.glob("*.safetensors")), path
        if not files:
            named = len(set(read_index(path).values()))
            hint = f"; the index names {named}, fetch these" if named else ""
            raise ValueError(f"{path}: expected .safetensors files, got none{hint}")
    else:
        files, folder = [path], path.parent
    tensors: dict[str, TensorInfo] = {}
    for file in files:
        tensors |= read_header(file)
    return read_declaration(folder), tensors


def _logical_shape(weight: TensorInfo, scale: TensorInfo | None,
                   declared: Scheme | None) -> tuple[tuple[int, ...], str]:
    """Returns the shape of the values of a weight, and their element type."""
    if weight.name.endswith("_blocks") and len(weight.shape) >= 3:
        return (*weight.shape[:-2], weight.shape[-2] * weight.shape[-1] * 2), "f4E2M1FN"
    element = TYPES[weight.dtype][2]
    if weight.dtype == "U8":
        is_fp4 = weight.name.endswith(".weight_packed") or (
            declared is not None and declared.element == "f4E2M1FN") or (
            scale is not None and scale.shape[-1:] and weight.shape[-1] * 2 == 32 * scale.shape[-1])
        if is_fp4:
            return (*weight.shape[:-1], weight.shape[-1] * 2), "f4E2M1FN"
        element = declared.element if declared else "u8"
    return weight.shape, element


def _found_scheme(element: str, shape: tuple[int, ...], scale: TensorInfo | None) -> str:
    """Says of which strategy the scales are, by their shape."""
    if scale is None:
        return f"{element} without scales"
    rows, columns = math.prod(shape[:-1]), shape[-1]
    if scale.numel == 1:
        return str(Scheme(element, "tensor"))
    if scale.numel == rows and scale.shape[-1:] in ((1,), (rows,)):
        return str(Scheme(element, "channel"))
    width = columns // scale.shape[-1] if scale.shape[-1] else 0
    # A ragged last block.
    width = 1 << max(width - 1, 0).bit_length()
    if scale.shape[:-1] == shape[:-1] and width and -(-columns // width) == scale.shape[-1]:
        return str(Scheme(element, "group", (0, width)))
    if len(scale.shape) == len(shape) and len(shape) >= 2 and scale.shape[-2]:
        height = 1 << max(-(-shape[-2] // scale.shape[-2]) - 1, 0).bit_length()
        scheme = Scheme(element, "block", (height, width))
        if width and height and scheme.scale_shape(*shape[-2:]) == scale.shape[-2:]:
            return str(scheme)
    return f"{element} with scales of {extents(scale.shape)}"


def _scale_problem(scheme: Scheme, shape: tuple[int, ...], scale: TensorInfo) -> str | None:
    """Returns what is wrong with the shape of scales for a declared scheme."""
    rows, columns = shape[-2:] if len(shape) > 1 else (1, shape[-1])
    name = scale.name.rpartition(".")[2]
    wanted = (*shape[:-2], *scheme.scale_shape(rows, columns))
    fits = scale.numel == 1 if scheme.strategy == "tensor" else (
        scale.shape == wanted or (scheme.strategy == "channel" and
                                  scale.shape in ((*shape[:-2], rows), (rows,))))
    if fits:
        return None
    if scheme.strategy == "channel" and scale.numel == 1:
        return f"declared per channel, but {name} has 1 element, expected N = {rows}"
    if scheme.strategy == "channel" and scale.numel == columns:
        return (f"{name} has K = {columns} elements, expected N = {rows}: a scale belongs to an "
                "output row")
    if scale.shape == (*wanted[:-2], *wanted[:-3:-1]) and len(wanted) > 1:
        return f"{name} is transposed: expected {extents(wanted)}, got {extents(scale.shape)}"
    return (f"declared {scheme}, so {name} is expected to be {extents(wanted)}, got "
            f"{extents(scale.shape)}")


def _declared_problems(declared: Scheme, element: str, shape: tuple[int, ...],
                       scale: TensorInfo | None) -> Iterator[str]:
    if element != declared.element:
        what = f"declared {declared.element}, but the weight is {element}"
        if {element, declared.element} == {"f8E4M3FN", "f8E4M3FNUZ"}:
            what += ": the same byte is half as much in f8E4M3FNUZ"
        yield what
    if declared.strategy in ("group", "block") and not declared.block[1]:
        yield f"declared per {declared.strategy}, but without its size"
    elif scale is not None and declared.strategy in ("tensor", "channel", "group", "block"):
        problem = _scale_problem(declared, shape, scale)
        if problem:
            yield problem


def _own_problems(element: str, scale: TensorInfo | None) -> Iterator[str]:
    """Yields what is inconsistent whatever is declared."""
    if scale is None:
        yield "there are no scales: expected a tensor named weight_scale or weight_scale_inv"
        return
    if element == "f4E2M1FN" and scale.dtype not in ("U8", "F8_E8M0", "F8_E4M3"):
        yield f"expected scales of E8M0 (U8) or F8_E4M3 for f4E2M1FN, got {scale.dtype}"
    if element.startswith("f8") and scale.dtype not in ("F32", "BF16", "F16", "U8", "F8_E8M0"):
        yield f"expected scales of F32, BF16 or E8M0 for {element}, got {scale.dtype}"


def _size_problem(shape: tuple[int, ...], scale: TensorInfo) -> Iterator[str]:
    """Yields what is wrong with the number of scales where nothing is declared."""
    rows = math.prod(shape[:-1])
    if scale.numel in (1, rows) or len(scale.shape) == len(shape):
        return
    hint = f", but K = {shape[-1]}: a scale belongs to an output row" if (
        scale.numel == shape[-1]) else ""
    yield (f"{scale.name.rpartition('.')[2]} has {scale.numel} elements, which is neither 1 nor "
           f"N = {rows}{hint}")


def _loaded_problems(weight: TensorInfo, scale: TensorInfo | None) -> Iterator[str]:
    """Yields what is wrong with the numbers; reads the data."""
    if weight.dtype in NAN_FLAVORS:
        codes, own, other = NAN_FLAVORS[weight.dtype]
        data = read_tensor(weight).array
        count = int(np.isin(data, codes).sum())
        if count:
            names = " and ".join(f"0x{code:02x}" for code in codes)
            yield (f"{count} codes are {names}, which are NaN in {own} and numbers in {other}: "
                   f"bytes of {other} under the name {weight.dtype}")
    if scale is None or TYPES[scale.dtype][2] is None and scale.dtype != "U8":
        return
    plain = read_tensor(scale)
    element = plain.element or "f8E8M0FNU"
    values = (plain.array if element in ("f32", "f16") else decode(element, plain.array))
    name = scale.name.rpartition(".")[2]
    if not np.isfinite(values).all():
        count = int((~np.isfinite(values)).sum())
        yield f"{count} of {values.size} elements of {name} are not finite"
    elif (values <= 0).any():
        yield f"{int((values <= 0).sum())} of {values.size} elements of {name} are not positive"


def _module_of(name: str, tensors: dict[str, TensorInfo]) -> str | None:
    """Returns the module whose weight a tensor is, or None."""
    for ending in WEIGHTS:
        module = name.removesuffix(ending)
        if module != name and module:
            has_scale = any(module + scale in tensors for scale in SCALES)
            is_float = tensors[name].dtype not in QUANTIZED
            return module if has_scale or not is_float else None
    return None


def inspect(path: str | pathlib.Path, load: bool = False) -> list[Linear]:
    """Returns each quantized weight of a checkpoint, with what is inconsistent, then
    the shards that lack what the index names.

    Args:
      path: a folder with config.json and safetensors files, or one such file.
      load: also reads the data: NaN under a wrong name, scales that are no scales.

    Raises:
      ValueError: a file is not what it should be.
      OSError: a file cannot be read.
    """
    declaration, tensors = read_checkpoint(path)
    found = []
    for name in sorted(tensors):
        module = _module_of(name, tensors)
        if module is not None and tensors[name].shape:
            found.append(_inspect_linear(module, tensors[name], tensors, declaration, load))
    if pathlib.Path(path).is_dir():
        found += _absent_shards(pathlib.Path(path), tensors)
    return found


def _inspect_linear(module: str, weight: TensorInfo, tensors: dict[str, TensorInfo],
                    declaration: Declaration | None, load: bool) -> Linear:
    scale = next((tensors[module + end] for end in SCALES if module + end in tensors), None)
    others = [tensors[module + end] for end in OTHERS if module + end in tensors]
    declared = declaration.find(module) if declaration else None
    shape, element = _logical_shape(weight, scale, declared)
    element = element or weight.dtype
    problems = []
    excluded = declaration.excludes(module) if declaration else None
    if excluded is not None:
        problems.append(f"config.json excludes it ('{excluded}'), but it is quantized")
    elif declared is not None:
        problems += _declared_problems(declared, element, shape, scale)
    elif declaration is not None:
        problems.append("config.json declares no quantization for it")
    problems += _own_problems(element, scale)
    if scale is not None and (declared is None or excluded is not None):
        problems += _size_problem(shape, scale)
    if load:
        problems += _loaded_problems(weight, scale)
    parts = tuple(info for info in (weight, scale, *others) if info is not None)
    return Linear(module, _found_scheme(element, shape, scale), shape, parts, tuple(problems))
