# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times add + rms_norm + fp8 quantization of K = 7168 on rotating buffers that are larger than the L2, in a
CUDA graph, beside a copy of the same number of bytes and, if asked for, beside other kernels."""

import ctypes
import pathlib
import re
import subprocess
import tempfile
import time

import numpy as np

from artifact import Artifact

K, ROWS = 7168, (1, 64, 1024, 4096, 16384)
HERE = pathlib.Path(__file__).resolve().parent
# More than twice an L2 of 60 MB between two uses of a buffer.
ROTATED_BYTES, MOST_BUFFERS = 160 << 20, 1024

COPY = b"""
.version 8.4
.target sm_90
.address_size 64
.visible .entry copy(.param .u64 .ptr .align 16 from, .param .u64 .ptr .align 16 to, .param .u32 count) {
  .reg .b32 %r<8>;
  .reg .b64 %p<8>;
  .reg .pred %q;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.s32 %r2, %r0, 512, %r1;
  ld.param.u32 %r3, [count];
  setp.ge.u32 %q, %r2, %r3;
  @%q ret;
  ld.param.u64 %p0, [from];
  ld.param.u64 %p1, [to];
  mul.wide.u32 %p2, %r2, 16;
  add.u64 %p3, %p0, %p2;
  add.u64 %p4, %p1, %p2;
  ld.global.L1::no_allocate.v4.b32 {%r4, %r5, %r6, %r7}, [%p3];
  st.global.cs.v4.b32 [%p4], {%r4, %r5, %r6, %r7};
  ret;
}
\0"""


def count_bytes(rows, block):
    """Bytes that have to be moved: two rows in, a row and its codes and scales out, the weight once."""
    scales = -(-K // block) if block else 1
    return rows * (3 * 2 * K + K + 4 * scales) + 2 * K


class Buffers:
    """Sets of inputs and outputs that are used one after the other."""

    def __init__(self, cuda, rows, block):
        scales = -(-K // block) if block else 1
        sizes = [2 * K * rows, 2 * K * rows, K * rows, 4 * scales * rows, 2 * K * rows]
        self.count = max(2, min(MOST_BUFFERS, -(-ROTATED_BYTES // sum(sizes))))
        self.launches = self.count * max(1, 64 // self.count)
        self.cuda, random = cuda, np.random.default_rng(rows)
        self.weight = cuda.allocate(2 * K)
        values = random.integers(0x3F00, 0x4000, (min(rows, 256), K)).astype(np.uint16)
        cuda.upload(self.weight, values[0])
        self.sets = []
        for _ in range(self.count):
            buffers = [cuda.allocate(size) for size in sizes]
            for pointer in buffers[:2]:
                for row in range(0, rows, 256):
                    cuda.upload(pointer + 2 * K * row, values)
            self.sets.append(buffers)

    def enqueue(self, launches):
        """Returns a function that makes all launches, of the sets in turn."""
        def run():
            for index in range(self.launches):
                launches[index % self.count]()
        return run

    def free(self):
        for pointer in (self.weight, *(pointer for buffers in self.sets for pointer in buffers)):
            self.cuda.free(pointer)


def time_ours(artifact, buffers, rows):
    launches = []
    for x, residual, codes, scales, total in buffers.sets:
        symbols = artifact.bind("chain", [(rows, K), (rows, K), (K,)], [(K, 1), (K, 1), (1,)])
        launches.append(artifact.prepare("chain", symbols, [x, residual, buffers.weight], [codes, scales, total]))
    return artifact.cuda.time_graph(buffers.enqueue(launches), buffers.launches)


def time_plain(cuda, function, buffers, rows):
    """Times the kernel of h200_peer.cu."""
    def launch(x, residual, codes, scales, total):
        arguments = [ctypes.c_uint64(p) for p in (x, residual, buffers.weight, codes, scales, total)]
        return lambda: cuda.launch(function, (rows, 1, 1), (448, 1, 1), arguments)
    return cuda.time_graph(buffers.enqueue([launch(*each) for each in buffers.sets]), buffers.launches)


def time_copy(cuda, size):
    """Returns the time in us of a copy that reads and writes `size` bytes in all."""
    function, *_ = cuda.load(COPY, "copy")
    count = max(size // 32, 1)
    sets = max(2, min(MOST_BUFFERS, -(-ROTATED_BYTES // size)))
    pointers = [(cuda.allocate(16 * count), cuda.allocate(16 * count)) for _ in range(sets)]
    launches = sets * max(1, 64 // sets)

    def enqueue():
        for index in range(launches):
            source, to = pointers[index % sets]
            cuda.launch(function, (-(-count // 512), 1, 1), (512, 1, 1),
                        [ctypes.c_uint64(source), ctypes.c_uint64(to), ctypes.c_int32(count)])
    elapsed = cuda.time_graph(enqueue, launches)
    for pair in pointers:
        for pointer in pair:
            cuda.free(pointer)
    return elapsed


def compile_plain():
    """Returns the PTX of h200_peer.cu and the version of nvcc."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "peer.ptx")
        subprocess.run(["nvcc", "-O3", "-arch=sm_90", "-ptx", HERE / "h200_peer.cu", "-o", path], check=True)
        text = path.read_bytes() + b"\0"
    version = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    return text, re.search(r"release ([\d.]+)", version)[1]


def time_torch(rows, block):
    """Returns the time in us of torch.compile's kernels for the same graph."""
    import torch

    torch._dynamo.reset()  # each shape is compiled by itself
    weight = torch.rand(K, device="cuda", dtype=torch.bfloat16)

    @torch.compile(dynamic=False)
    def chain(x, residual):
        total = x + residual
        wide = total.float()
        norm = (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)).bfloat16() * weight
        groups = norm.float().view(x.shape[0], -1, block or K)
        scales = groups.abs().amax(-1, keepdim=True).clamp(min=1e-10) / 448.0
        codes = (groups / scales).clamp(-448.0, 448.0).to(torch.float8_e4m3fn)
        return codes.view(x.shape), scales.squeeze(-1), total

    size = count_bytes(rows, block)
    sets = max(2, min(256, -(-ROTATED_BYTES // size)))
    inputs = [torch.randn(2, rows, K, device="cuda", dtype=torch.bfloat16) for _ in range(sets)]
    launches = sets * max(1, 64 // sets)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for each in inputs[:2]:
            chain(*each)
    torch.cuda.synchronize()
    graph, kept = torch.cuda.CUDAGraph(), []
    with torch.cuda.graph(graph):
        for index in range(launches):
            # The results of one round stay, so that the buffers rotate too.
            kept = kept[-sets:] + [chain(*inputs[index % sets])]
    times, warm = [], time.monotonic() + 0.2
    while time.monotonic() < warm:
        graph.replay()
        torch.cuda.synchronize()
    for _ in range(40):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e3 / launches)
    return float(np.median(times))


def print_torch():
    import torch
    import triton
    print(f"torch {torch.__version__}, triton {triton.__version__}")


def time_block(cuda, folder, block, plain):
    """Returns, for each number of rows, the times of the compiled kernel, of the plain one and of the copy."""
    artifact = Artifact(folder / f"plain-{K}-{block}" / "plain", cuda)
    for name, (_, registers, local) in artifact.kernels.items():
        print(f"{name}: {registers} registers, {local} bytes of local memory")
    for rows in ROWS:
        buffers = Buffers(cuda, rows, block)
        times = [time_ours(artifact, buffers, rows), None]
        if plain:
            times[1] = time_plain(cuda, cuda.load(plain, f"chain_{block}")[0], buffers, rows)
        buffers.free()
        yield block, rows, [*times, time_copy(cuda, count_bytes(rows, block))]


def time_all(cuda, folder, with_plain, with_torch):
    plain = None
    if with_plain:
        plain, version = compile_plain()
        print(f"nvcc {version}")
    lines = [line for block in (0, 128) for line in time_block(cuda, folder, block, plain)]
    # Last, so that nothing of PyTorch is in the times of the others.
    if with_torch:
        print_torch()
    print("| scales | M | us | plain CUDA | torch.compile | copy | GB/s | GB/s of copy |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for block, rows, (ours, other, copy) in lines:
        torch = time_torch(rows, block) if with_torch else None
        times = " | ".join("-" if time is None else f"{time:.2f}" for time in (ours, other, torch, copy))
        size = count_bytes(rows, block)
        print(f"| {f'1x{block}' if block else 'per token'} | {rows} | {times} | {size / ours / 1e3:.0f} | "
              f"{size / copy / 1e3:.0f} |", flush=True)
