# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""QFuse, a compiler for the quantized parts of language models, in Python.

What needs numpy is imported when it is first used: the importer does without.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "presets": "qfuse.table", "layouts": "qfuse.table",
    "quantize": "qfuse.api", "dequantize": "qfuse.api",
    "pack": "qfuse.packing", "unpack": "qfuse.packing",
    "identify": "qfuse.identification", "Candidate": "qfuse.report",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'qfuse' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
