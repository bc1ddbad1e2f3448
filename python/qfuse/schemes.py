# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `quantization_config` in config.json declares for the weights of a module.

Read are those of Quark, compressed-tensors, fp8 (as DeepSeek's checkpoints have
it) and MXFP4 (as gpt-oss has it). Sources: the checkpoints and the documentation
of these.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import re
from typing import Any


@dataclasses.dataclass(frozen=True)
class Scheme:
    """How weights `N x K` are quantized.

    `strategy` is tensor, channel (a scale a row), group (`block[1]` values of a
    row) or block (`block` of rows and values).
    """

    element: str
    strategy: str
    block: tuple[int, int] = (0, 0)

    def scale_shape(self, rows: int, columns: int) -> tuple[int, ...]:
        """Returns the shape of the scales of weights."""
        if self.strategy == "tensor":
            return (1,)
        if self.strategy == "channel":
            return (rows, 1)
        height, width = self.block
        return (-(-rows // height) if height else rows, -(-columns // width))

    def __str__(self) -> str:
        if self.strategy == "group":
            return f"{self.element} per group of {self.block[1]}"
        if self.strategy == "block":
            return f"{self.element} per block of {self.block[0]} x {self.block[1]}"
        return f"{self.element} per {self.strategy}"


@dataclasses.dataclass(frozen=True)
class Declaration:
    """What a config declares: `method`, schemes by patterns of module names, the
    first that fits counting, and patterns of modules that are left alone."""

    method: str
    schemes: tuple[tuple[str, Scheme], ...] = ()
    excluded: tuple[str, ...] = ()

    def find(self, module: str) -> Scheme | None:
        """Returns the scheme of a module, were it not excluded."""
        return next((scheme for pattern, scheme in self.schemes if _fits(pattern, module)), None)

    def excludes(self, module: str) -> str | None:
        """Returns the pattern that excludes a module."""
        return next((p for p in self.excluded if _fits(p, module)), None)


def _fits(pattern: str, module: str) -> bool:
    if pattern.startswith("re:"):
        try:
            return re.match(pattern[3:], module) is not None
        except re.error:
            raise ValueError(f"config.json: expected a regular expression, got "
                             f"'{pattern[3:]}'") from None
    if pattern == "Linear":
        return True
    return fnmatch.fnmatchcase(module, pattern) or module.startswith(f"{pattern}.")


_QUARK_ELEMENTS = {"fp4": "f4E2M1FN", "mxfp4": "f4E2M1FN", "fp8_e4m3": "f8E4M3FN",
                   "fp8_e5m2": "f8E5M2", "fp8_e4m3fnuz": "f8E4M3FNUZ", "int8": "i8", "int4": "i4"}
_QUARK_STRATEGIES = {"per_tensor": "tensor", "per_channel": "channel", "per_group": "group",
                     "per_block": "block"}


def _read_block(value: Any) -> tuple[int, int]:
    """Returns the extents of a block: a list of two, a string as `128x128`, or the
    width of a group."""
    if isinstance(value, str) and re.fullmatch("[0-9]{1,9}x[0-9]{1,9}", value):
        value = [int(extent) for extent in value.split("x")]
    block = value if isinstance(value, list) else [0, value]
    if len(block) != 2 or any(type(extent) is not int or extent < 0 for extent in block):
        raise ValueError(f"expected a block of 2 extents or a group size, got {value!r}")
    return tuple(block)


def _read_names(value: Any) -> tuple[str, ...]:
    """Returns patterns of module names."""
    names = value or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"expected a list of names of modules, got {value!r}")
    return tuple(names)


def _quark_scheme(config: Any) -> Scheme | None:
    weight = (config or {}).get("weight")
    weight = weight[0] if isinstance(weight, list) and weight else weight
    if not weight:
        return None
    strategy = _QUARK_STRATEGIES.get(weight.get("qscheme"), str(weight.get("qscheme")))
    size = weight.get("group_size") or weight.get("block_size") or 0
    block = _read_block(size if strategy in ("group", "block") else 0)
    return Scheme(_QUARK_ELEMENTS.get(weight.get("dtype"), str(weight.get("dtype"))), strategy,
                  block)


def _quark(config: dict) -> Declaration:
    layers = [(pattern, _quark_scheme(layer))
              for pattern, layer in (config.get("layer_quant_config") or {}).items()]
    layers.append(("*", _quark_scheme(config.get("global_quant_config"))))
    return Declaration("quark", tuple((p, s) for p, s in layers if s),
                       _read_names(config.get("exclude")))


def _compressed_scheme(weights: dict) -> Scheme:
    # Without them a weight is int8.
    kind, bits = weights.get("type", "int"), weights.get("num_bits", 8)
    if not isinstance(kind, str) or type(bits) is not int:
        raise ValueError(f"expected a type as a string and num_bits as an integer, got {kind!r} "
                         f"and {bits!r}")
    element = {("float", 8): "f8E4M3FN", ("float", 4): "f4E2M1FN", ("int", 8): "i8"}.get(
        (kind, bits), f"{kind}{bits}")
    strategy = {"tensor_group": "group"}.get(weights.get("strategy"), weights.get("strategy"))
    size = weights.get({"group": "group_size", "block": "block_structure"}.get(str(strategy)))
    block = _read_block(size or 0)
    return Scheme(element, str(strategy), block)


def _compressed(config: dict) -> Declaration:
    schemes = [(target, _compressed_scheme(group["weights"]))
               for group in (config.get("config_groups") or {}).values() if group.get("weights")
               for target in _read_names(group.get("targets")) or ("Linear",)]
    # Names of modules are more special than the class of all.
    schemes.sort(key=lambda entry: entry[0] == "Linear")
    return Declaration("compressed-tensors", tuple(schemes),
                       _read_names(config.get("ignore")))


def _fp8(config: dict) -> Declaration:
    block = config.get("weight_block_size")
    if block and not isinstance(block, list):
        raise ValueError(f"expected weight_block_size as a list of 2 extents, got {block!r}")
    scheme = (Scheme("f8E4M3FN", "block", _read_block(block)) if block else
              Scheme("f8E4M3FN", "tensor"))
    excluded = config.get("modules_to_not_convert") or config.get("ignored_layers")
    return Declaration("fp8", (("*", scheme),), _read_names(excluded))


def _mxfp4(config: dict) -> Declaration:
    return Declaration("mxfp4", (("*", Scheme("f4E2M1FN", "group", (0, 32))),),
                       _read_names(config.get("modules_to_not_convert")))


_READERS = {"quark": _quark, "compressed-tensors": _compressed, "fp8": _fp8, "mxfp4": _mxfp4}


def read_config(config: dict) -> Declaration | None:
    """Returns what the parsed config.json declares; None without quantization.

    Raises:
      ValueError: the method is none that is known here, or its parts have other
        types than it has.
    """
    if not isinstance(config, dict):
        raise ValueError("config.json: expected an object")
    # Models of several kinds of input have one for their text.
    text = config.get("text_config")
    quantization = config.get("quantization_config") or (
        text.get("quantization_config") if isinstance(text, dict) else None)
    if quantization is None:
        return None
    method = quantization.get("quant_method") if isinstance(quantization, dict) else None
    if not isinstance(method, str) or method not in _READERS:
        raise ValueError(f"config.json: expected a quant_method of {', '.join(_READERS)}, "
                         f"got '{method}'")
    try:
        return _READERS[method](quantization)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"config.json: quantization_config is not one of {method}: "
                         f"{error}") from None
