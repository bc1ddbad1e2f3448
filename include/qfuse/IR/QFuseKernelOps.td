// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSEKERNELOPS_TD
#define QFUSE_IR_QFUSEKERNELOPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "qfuse/IR/QFuseOpBase.td"

def QFuse_KernelOp : QFuse_Op<"kernel", [
    IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "a chain that is compiled to one device kernel";
  let description = [{
    Equals its body: inlining it gives back the unfused graph. Holds fusible
    ops only, of them at most one contraction and one collective. It has the
    effects of its body. Results that nobody reads, that equal an input or another
    result, and inputs that are not needed are dropped: no value changes.

    Shapes: those of the arguments of the body are the shapes of `inputs`, those
    that it yields the shapes of `outputs`.

    ```mlir
    %s = qfuse.kernel ins(%in = %x : tensor<?x4096xbf16>) -> (tensor<?x32xf32>) {
      %0 = qfuse.block_scale %in {format = #fp8_block, rule = #rule}
          : tensor<?x4096xbf16> -> tensor<?x32xf32>
      qfuse.yield %0 : tensor<?x32xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let assemblyFormat = [{
    attr-dict-with-keyword
    custom<KernelSignature>($inputs, type($inputs), type($outputs), $bodyRegion)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    // Adds the entry block, with one argument for each input.
    OpBuilder<(ins "::mlir::TypeRange":$outputs, "::mlir::ValueRange":$inputs)>
  ];
  let extraClassDeclaration = "YieldOp getYield();";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def QFuse_KernelDefOp : QFuse_Op<"kernel_def", [
    FunctionOpInterface, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "the body of kernels that are equal, under a name";
  let description = [{
    What a `qfuse.kernel` may hold, `qfuse.kernel_def` may hold.

    Shapes: any, as those of the arguments and of what the body yields.

    ```mlir
    qfuse.kernel_def @scales(%in: tensor<?x4096xbf16>) -> tensor<?x32xf32> {
      %0 = qfuse.block_scale %in {format = #fp8_block, rule = #rule}
          : tensor<?x4096xbf16> -> tensor<?x32xf32>
      qfuse.yield %0 : tensor<?x32xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    YieldOp getYield();

    // FunctionOpInterface.
    ::mlir::Region *getCallableRegion() { return &getBodyRegion(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
  let hasRegionVerifier = 1;
}

def QFuse_LaunchOp : QFuse_Op<"launch", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "a kernel whose body is that of a kernel_def";
  let description = [{
    Equals the body of `callee` with `inputs` as its arguments, and has its
    effects.

    Shapes: those of `inputs` are the shapes of the arguments of `callee`, those
    of `outputs` the shapes that it yields.

    ```mlir
    qfuse.kernel_def @scales(%in: tensor<?x4096xbf16>) -> tensor<?x32xf32> {
      %0 = qfuse.block_scale %in {format = #fp8_block, rule = #rule}
          : tensor<?x4096xbf16> -> tensor<?x32xf32>
      qfuse.yield %0 : tensor<?x32xf32>
    }
    func.func @scale(%x: tensor<?x4096xbf16>) -> tensor<?x32xf32> {
      %s = qfuse.launch @scales(%x) : (tensor<?x4096xbf16>) -> tensor<?x32xf32>
      return %s : tensor<?x32xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
}

def QFuse_YieldOp : QFuse_Op<"yield", [Pure, Terminator,
    ParentOneOf<["KernelOp", "KernelDefOp"]>]> {
  let summary = "the results of a kernel";
  let description = [{
    Shapes: those of `values` are the shapes of the results of the kernel.

    ```mlir
    qfuse.kernel_def @twice(%in: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %0 = arith.addf %in, %in : tensor<?x64xf32>
      qfuse.yield %0 : tensor<?x64xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // QFUSE_IR_QFUSEKERNELOPS_TD
