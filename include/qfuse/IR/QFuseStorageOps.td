// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSESTORAGEOPS_TD
#define QFUSE_IR_QFUSESTORAGEOPS_TD

include "qfuse/IR/QFuseOpBase.td"

def QFuse_PackOp : QFuse_FusibleOp<"pack", "view"> {
  let summary = "move a tensor into the byte order of a layout";
  let description = [{
    Puts the element at `d` at the offset that the layout gives it, and into the
    padding what `pad` says.

    Shapes: those of `input` and `result` are equal. The memory of `result` has
    the extents rounded up to the layout's `align`.

    `pack(unpack(p))` folds to `p` where the layouts are equal, `pad` included:
    the padding of `p` holds what its type says. Another layout moves data.

    ```mlir
    %p = qfuse.pack %s : tensor<?x224xf8E8M0FNU>
        -> !qfuse.packed<?x224xf8E8M0FNU, #mx_shuffle>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs QFuse_PackedType:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QFuse_UnpackOp : QFuse_FusibleOp<"unpack", "view"> {
  let summary = "move a packed value into row-major order, without padding";
  let description = [{
    Reads the element at `d` where the layout has it: `unpack(pack(x))` folds to
    `x`, as each element comes back and the padding is not read.

    Shapes: those of `input` and `result` are equal.

    ```mlir
    %s = qfuse.unpack %p : !qfuse.packed<?x224xf8E8M0FNU, #mx_shuffle>
        -> tensor<?x224xf8E8M0FNU>
    ```
  }];
  let arguments = (ins QFuse_PackedType:$input);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QFuse_FromStorageOp : QFuse_Op<"from_storage", [Pure,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "claim that bytes are a packed value or a tensor";
  let description = [{
    Moves no data. `sizes` are the dynamic extents of the result, in order: they
    cannot be recovered from the number of bytes, which includes padding.

    Shapes: `storage` has the bytes of the result, its padding included.

    `from_storage(to_storage(x))` folds to `x` where the types are equal and each
    of `sizes` is the extent of `x`: then it claims what the bytes are known to be.

    ```mlir
    %p = qfuse.from_storage %bytes sizes(%m)
        : tensor<?xi8> -> !qfuse.packed<?x224xf8E8M0FNU, #mx_shuffle>
    ```
  }];
  let arguments = (ins QFuse_Storage:$storage, Variadic<Index>:$sizes);
  let results = (outs QFuse_TensorOrPacked:$result);
  let assemblyFormat = [{
    $storage (`sizes` `(` $sizes^ `)`)? attr-dict
    `:` type($storage) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QFuse_ToStorageOp : QFuse_Op<"to_storage", [Pure,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "the bytes of a packed value, without moving them";
  let description = [{
    Moves no data: `from_storage(to_storage(x)) = x`.

    Shapes: `storage` has the bytes of `input`, its padding included.

    ```mlir
    %bytes = qfuse.to_storage %p : !qfuse.packed<?x224xf8E8M0FNU, #mx_shuffle>
        -> tensor<?xi8>
    ```
  }];
  let arguments = (ins QFuse_PackedType:$input);
  let results = (outs QFuse_Storage:$storage);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` type($storage)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def QFuse_DimOp : QFuse_Op<"dim", [Pure]> {
  let summary = "logical extent of a packed value";
  let description = [{
    As `tensor.dim`, which takes builtin tensors only.

    Shapes: `input` has any rank above `dim`.

    ```mlir
    %m = qfuse.dim %p, 0 : !qfuse.packed<?x224xf8E8M0FNU, #mx_shuffle>
    ```
  }];
  let arguments = (ins QFuse_PackedType:$input, ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Index:$extent);
  let assemblyFormat = "$input `,` $dim attr-dict `:` qualified(type($input))";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // QFUSE_IR_QFUSESTORAGEOPS_TD
