# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports the chains of chains.py with torch-mlir.

usage: python export_torch_mlir.py OUTDIR [NAME ...]
Needs torch 2.13, torch-mlir 20261001 and ml_dtypes. Writes NAME.torch.mlir (torch dialect,
generic form, readable with --allow-unregistered-dialect) and NAME.linalg.mlir
(linalg on tensors). torch-mlir has no lowering of _scaled_mm to linalg: it is
decomposed here into dequantize and matmul.
"""
import pathlib
import sys

import torch
from torch_mlir import fx
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

from chains import CHAINS, WeightsAsInputs

aten = torch.ops.aten


def scaled_mm(a, b, scale_a, scale_b, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False):
    """Tensor-wise and row-wise torch._scaled_mm: scales after an f32 matmul."""
    out = torch.mm(a.float(), b.float()) * scale_a * scale_b
    return out.to(out_dtype)


def convert(name, kind, table):
    make, inputs, dynamic = CHAINS[name]
    torch.manual_seed(0)
    module = WeightsAsInputs(make().eval())
    args, dyn = module.inputs(inputs(), dynamic)
    with torch.no_grad():
        return fx.export_and_import(module, *args, dynamic_shapes=dyn, output_type=kind, func_name=name,
                                    decomposition_table=table).operation


def main():
    outdir = pathlib.Path(sys.argv[1])
    plain = get_decomposition_table()
    dequant = {**plain, aten._scaled_mm.default: scaled_mm}
    for name in sys.argv[2:] or CHAINS:
        for kind, table, generic in (("torch", plain, True), ("linalg-on-tensors", dequant, False)):
            try:
                op = convert(name, kind, table)
                text = op.get_asm(print_generic_op_form=generic, large_elements_limit=16)
                (outdir / f"{name}.{kind.split('-')[0]}.mlir").write_text(text)
                print("ok  ", name, kind)
            except Exception as e:
                print("FAIL", name, kind, type(e).__name__, str(e)[:160].replace("\n", " "))


if __name__ == "__main__":
    main()
