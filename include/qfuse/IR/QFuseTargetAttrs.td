// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSETARGETATTRS_TD
#define QFUSE_IR_QFUSETARGETATTRS_TD

include "qfuse/IR/QFuseAttrs.td"

/// A string that is not printed when it is empty.
class QFuse_OptionalStringParam<string desc = "">
    : StringRefParameter<desc, "::std::string()">;

def QFuse_Provider : QFuse_Enum<"Provider", "who has the kernel of a matmul row", [
    I32EnumCase<"generated", 0>, I32EnumCase<"blaslt", 1>, I32EnumCase<"aiter", 2>]>;

def QFuse_OperandAttr : QFuse_Attr<"Operand", "operand"> {
  let summary = "what a matmul row reads as A or B";
  let description = [{
    Without a layout, the codes or scales are row-major.

    ```mlir
    #operand = #qfuse.operand<type = f4E2M1FN, format = #mxfp4, scale_layout = #mx_shuffle>
    ```
  }];
  let parameters = (ins
    "::mlir::Type":$type,
    OptionalParameter<"::mlir::qfuse::LayoutAttr">:$layout,
    "::mlir::qfuse::FormatAttr":$format,
    OptionalParameter<"::mlir::qfuse::LayoutAttr">:$scale_layout
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def QFuse_MatmulRowAttr : QFuse_Attr<"MatmulRow", "matmul_row"> {
  let summary = "a matmul kernel that a target has";
  let description = [{
    `when` says for which (m, n, k) the kernel may be called; `needs`, which
    version of the provider; `source`, who says so. A kernel with two modes is
    two rows.

    The set of `when` is written under an alias, as a dialect attribute ends at
    the first `>` that nothing opens:

    ```mlir
    #from_32_rows = affine_set<(m, n, k) : (k mod 256 == 0, m - 32 >= 0)>
    #row = #qfuse.matmul_row<name = "gemm",
        a = <type = f4E2M1FN, format = #mxfp4>,
        b = <type = f4E2M1FN, format = #mxfp4>,
        results = [bf16], when = #from_32_rows, source = "a made-up library">
    ```
  }];
  let parameters = (ins
    StringRefParameter<>:$name,
    "::mlir::qfuse::OperandAttr":$a,
    "::mlir::qfuse::OperandAttr":$b,
    ArrayRefParameter<"::mlir::Type">:$results,
    OptionalParameter<"::mlir::IntegerSetAttr">:$when,
    QFuse_EnumParam<QFuse_Provider>:$provider,
    QFuse_OptionalStringParam<>:$needs,
    QFuse_OptionalStringParam<>:$source
  );
  let assemblyFormat = [{
    `<` struct($name, $a, $b, custom<TypeList>($results), $when, $provider,
               $needs, $source) `>`
  }];
  let genVerifyDecl = 1;
}

def QFuse_TargetAttr : QFuse_Attr<"Target", "target"> {
  let summary = "a device, and the matmul kernels that exist for it";
  let description = [{
    The value of `qfuse.target` of a module. `device` is the `#rocdl.target` or
    `#nvvm.target`. Rows are tried in their order.

    ```mlir
    #target = #qfuse.target<device = #rocdl.target<chip = "gfx950">,
        features = {subgroup = 64, lds_bytes = 163840, fp8 = "ocp"},
        costs = {bytes_per_second = 8.0e12, launch_us = 2.0}>
    ```
  }];
  let parameters = (ins
    "::mlir::Attribute":$device,
    "::mlir::DictionaryAttr":$features,
    "::mlir::DictionaryAttr":$costs,
    OptionalArrayRefParameter<"::mlir::qfuse::MatmulRowAttr">:$rows
  );
  let assemblyFormat = [{
    `<` struct($device, $features, $costs, custom<RowList>($rows)) `>`
  }];
  let genVerifyDecl = 1;
}

#endif // QFUSE_IR_QFUSETARGETATTRS_TD
