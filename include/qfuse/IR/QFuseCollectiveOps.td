// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSECOLLECTIVEOPS_TD
#define QFUSE_IR_QFUSECOLLECTIVEOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "qfuse/IR/QFuseOpBase.td"

def QFuse_Algorithm : QFuse_Enum<"Algorithm", "how ranks add up what they have", [
    I32EnumCase<"one_stage", 0>, I32EnumCase<"two_stage", 1>]>;
def QFuse_Reduction : QFuse_Enum<"Reduction", "what ranks do with what they have", [
    I32EnumCase<"sum", 0>, I32EnumCase<"max", 1>]>;

def QFuse_AlgorithmAttr : EnumAttr<QFuse_Dialect, QFuse_Algorithm, "algorithm"> {
  let summary = "how ranks add up what they have";
  let description = [{
    Fixes the order of a sum of several ranks. Of each element, the values are
    added one after the other in f32 (i32 wraps), and the sum is rounded once, to
    nearest even, to the element type. The values are taken

    - `one_stage`: in the order of the ranks, from rank 0 of the group on. Each
      rank adds up all elements;
    - `two_stage`: from the rank on that adds up the element, then that of the
      next ranks, with rank 0 behind the last one. One rank adds up each element
      and the others read the rounded sum. Of a `reduce_scatter`, it is the rank
      that gets the element. Of an `all_reduce` of n elements of b bytes, in
      row-major order, on R ranks: they are `u = ceil(n * b / 16)` units of 16
      bytes, of which rank r adds up those from `r * floor(u / R)` on to those of
      the next rank, and the last rank all that are left.

    This is how the kernels of vLLM (csrc/custom_all_reduce.cuh) and AITER add.
    A largest value does not depend on it.

    ```mlir
    #algorithm = #qfuse.algorithm<two_stage>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def QFuse_ReductionAttr : EnumAttr<QFuse_Dialect, QFuse_Reduction, "reduction"> {
  let summary = "what ranks do with what they have";
  let description = [{
    `sum` adds in the order of an `#qfuse.algorithm`; `max` is the largest value,
    as `arith.maximumf` or `arith.maxsi` finds it: a NaN wins, and +0 is above -0.

    ```mlir
    #reduction = #qfuse.reduction<max>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def QFuse_CollectiveResource : Resource<"::mlir::qfuse::CollectiveResource">;
def QFuse_Summand : AnyTypeOf<[F32, BF16, F16, I32]>;

/// An op that all ranks of a group execute together. It reads and writes one
/// resource that all collectives share: none is removed, merged, hoisted or
/// moved over another one.
class QFuse_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : QFuse_Op<mnemonic, !listconcat([
        MemoryEffects<[MemRead<QFuse_CollectiveResource>,
                       MemWrite<QFuse_CollectiveResource>]>,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>],
        traits)>;

def QFuse_AllReduceOp : QFuse_CollectiveOp<"all_reduce", [
    AllTypesMatch<["input", "result"]>,
    DeclareOpInterfaceMethods<QFuse_FusibleOpInterface>]> {
  let summary = "reduce the values of all ranks of a group, on each of them";
  let description = [{
    Each rank of `group` gets, element by element, the sum (or the largest) of
    the values that the ranks have. `algorithm` fixes the order of the sum, and
    so its value, which is the same on all ranks.

    `qfuse.groups` of the module has the number of ranks of each group. The
    ranks of the program form a grid with a dimension for each group, in the
    alphabetical order of their names, and are numbered in row-major order; the
    ranks of a group are those along its dimension, in that order.

    Shapes: those of `input` and `result` are equal.

    Equal extents on all ranks and the execution by all ranks of the group are up
    to the program. A collective reads and writes a resource that all of them
    share, so that nothing removes, merges, hoists or reorders it; it is no part
    of a fused kernel yet.

    ```mlir
    module attributes {qfuse.groups = {tp = 8}} {
      func.func @f(%x: tensor<?x7168xbf16>) -> tensor<?x7168xbf16> {
        %y = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>}
            : tensor<?x7168xbf16>
        return %y : tensor<?x7168xbf16>
      }
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[QFuse_Summand]>:$input, StrAttr:$group,
    DefaultValuedAttr<QFuse_ReductionAttr, "::mlir::qfuse::Reduction::sum">:$reduction,
    QFuse_AlgorithmAttr:$algorithm);
  let results = (outs RankedTensorOf<[QFuse_Summand]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let extraClassDefinition = [{
    ::mlir::qfuse::Role $cppClass::getRole() { return ::mlir::qfuse::Role::collective; }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mlir::qfuse::reifyExtents(builder, *this, shapes);
    }
  }];
}

def QFuse_ReduceScatterOp : QFuse_CollectiveOp<"reduce_scatter"> {
  let summary = "reduce the values of all ranks of a group, and give each a part";
  let description = [{
    As `all_reduce`, but rank r of the R ranks gets only the r-th of R equal parts
    along `dim`.

    Shapes: the extent of `result` along `dim` is that of `input` divided by R,
    which must leave no rest; all others are equal. A packed value is taken where
    the bytes of the parts follow one another: the outermost digit of its layout
    is of `dim`, and a part needs no padding there. With a dynamic extent, that
    holds for parts of any extent.

    ```mlir
    module attributes {qfuse.groups = {tp = 8}} {
      func.func @f(%x: tensor<?x7168xbf16>) -> tensor<?x7168xbf16> {
        %y = qfuse.reduce_scatter %x {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<two_stage>}
            : tensor<?x7168xbf16> -> tensor<?x7168xbf16>
        return %y : tensor<?x7168xbf16>
      }
    }
    ```
  }];
  let arguments = (ins QFuse_TensorOrPacked:$input,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$dim, StrAttr:$group,
    DefaultValuedAttr<QFuse_ReductionAttr, "::mlir::qfuse::Reduction::sum">:$reduction,
    QFuse_AlgorithmAttr:$algorithm);
  let results = (outs QFuse_TensorOrPacked:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def QFuse_AllGatherOp : QFuse_CollectiveOp<"all_gather"> {
  let summary = "concatenate the values of all ranks of a group, on each of them";
  let description = [{
    Each rank of `group` gets the values of its ranks, in their order, next to
    each other along `dim`. Nothing is rounded: elements of any type are taken.

    Shapes, for R ranks: the extent of `result` along `dim` is R times that of
    `input`; all others are equal. For packed values, the same holds as for
    `reduce_scatter`.

    ```mlir
    module attributes {qfuse.groups = {tp = 8}} {
      func.func @f(%s: !qfuse.packed<256x224xf8E8M0FNU, #mx_shuffle>)
          -> !qfuse.packed<2048x224xf8E8M0FNU, #mx_shuffle> {
        %t = qfuse.all_gather %s {dim = 0 : i64, group = "tp"}
            : !qfuse.packed<256x224xf8E8M0FNU, #mx_shuffle>
              -> !qfuse.packed<2048x224xf8E8M0FNU, #mx_shuffle>
        return %t : !qfuse.packed<2048x224xf8E8M0FNU, #mx_shuffle>
      }
    }
    ```
  }];
  let arguments = (ins QFuse_TensorOrPacked:$input,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$dim, StrAttr:$group);
  let results = (outs QFuse_TensorOrPacked:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

#endif // QFUSE_IR_QFUSECOLLECTIVEOPS_TD
