// Defaults are spelled out.
#tiles = #qfuse.layout<map = (m, k) -> (m floordiv 16, k, m mod 16)>
module attributes {qfuse.groups = {dp = 2, tp = 4}} {
  func.func @collectives(%x: tensor<?x64xbf16>, %p: !qfuse.packed<32x8xf8E8M0FNU, #tiles>)
      -> (tensor<?x64xbf16>, tensor<?x64xbf16>, !qfuse.packed<128x8xf8E8M0FNU, #tiles>) {
    %0 = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>, reduction = #qfuse.reduction<sum>} : tensor<?x64xbf16>
    %1 = qfuse.all_reduce %0 {group = "dp", algorithm = #qfuse.algorithm<two_stage>, reduction = #qfuse.reduction<max>} : tensor<?x64xbf16>
    %2 = qfuse.reduce_scatter %1 {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<two_stage>, reduction = #qfuse.reduction<sum>}
        : tensor<?x64xbf16> -> tensor<?x64xbf16>
    %3 = qfuse.all_gather %p {dim = 0 : i64, group = "tp"} : !qfuse.packed<32x8xf8E8M0FNU, #tiles> -> !qfuse.packed<128x8xf8E8M0FNU, #tiles>
    return %1, %2, %3 : tensor<?x64xbf16>, tensor<?x64xbf16>, !qfuse.packed<128x8xf8E8M0FNU, #tiles>
  }
}
