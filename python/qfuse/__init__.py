# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Front end of QFuse, a compiler for the quantized parts of language models."""

__version__ = "0.1.0"
