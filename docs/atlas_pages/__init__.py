# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the pages of docs/atlas are made."""
