# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of the CUDA driver API that the H200 scripts use, through ctypes."""

import ctypes
import time
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

import numpy as np

# cuda.h, CUstreamCaptureMode and CUdevice_attribute.
CAPTURE_RELAXED = 2
MULTIPROCESSORS, L2_BYTES, CLOCK_KHZ = 16, 38, 13


class Cuda:
    """One device with its primary context, which PyTorch shares, and a stream."""

    def __init__(self, library="libcuda.so.1"):
        self.api = ctypes.CDLL(library)
        self.call("cuInit", c_uint(0))
        self.device = c_int()
        self.call("cuDeviceGet", byref(self.device), c_int(0))
        self.context = c_void_p()
        self.call("cuDevicePrimaryCtxRetain", byref(self.context), self.device)
        self.call("cuCtxSetCurrent", self.context)
        self.stream = c_void_p()
        self.call("cuStreamCreate", byref(self.stream), c_uint(1))  # waits for no other
        self.loaded = {}

    def call(self, name, *arguments):
        code = getattr(self.api, name)(*arguments)
        if code != 0:
            text = c_char_p()
            self.api.cuGetErrorName(c_int(code), byref(text))
            raise RuntimeError(f"{name} failed: {(text.value or b'?').decode()} ({code})")

    def get_attribute(self, attribute):
        value = c_int()
        self.call("cuDeviceGetAttribute", byref(value), c_int(attribute), self.device)
        return value.value

    def get_name(self):
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, c_int(256), self.device)
        return text.value.decode()

    def get_driver_version(self):
        value = c_int()
        self.call("cuDriverGetVersion", byref(value))
        return f"{value.value // 1000}.{value.value % 1000 // 10}"

    def load(self, ptx, name):
        """Returns the kernel `name` of the PTX text, and its registers and bytes
        of local memory as the driver assembled it."""
        if ptx not in self.loaded:
            module = c_void_p()
            self.call("cuModuleLoadData", byref(module), c_char_p(ptx))
            self.loaded[ptx] = module
        function = c_void_p()
        self.call("cuModuleGetFunction", byref(function), self.loaded[ptx], name.encode())
        values = []
        for attribute in (4, 3):  # CU_FUNC_ATTRIBUTE_NUM_REGS, _LOCAL_SIZE_BYTES
            value = c_int()
            self.call("cuFuncGetAttribute", byref(value), c_int(attribute), function)
            values.append(value.value)
        return function, *values

    def allocate(self, size):
        pointer = c_uint64()
        self.call("cuMemAlloc_v2", byref(pointer), c_size_t(max(size, 16)))
        return pointer.value

    def free(self, pointer):
        self.call("cuMemFree_v2", c_uint64(pointer))

    def upload(self, pointer, array):
        array = np.ascontiguousarray(array)
        if array.nbytes:
            self.call("cuMemcpyHtoD_v2", c_uint64(pointer), c_void_p(array.ctypes.data),
                      c_size_t(array.nbytes))

    def download(self, pointer, size):
        array = np.empty(size, np.uint8)
        if size:
            self.call("cuMemcpyDtoH_v2", c_void_p(array.ctypes.data), c_uint64(pointer),
                      c_size_t(size))
        return array

    def fill(self, pointer, byte, size):
        self.call("cuMemsetD8_v2", c_uint64(pointer), ctypes.c_ubyte(byte), c_size_t(size))

    def launch(self, function, grid, block, arguments):
        """`arguments`: values of ctypes. Nothing is launched if a grid is empty."""
        if 0 in grid:
            return
        pointers = (c_void_p * len(arguments))(
            *(ctypes.addressof(argument) for argument in arguments))
        self.call("cuLaunchKernel", function, *map(c_uint, grid), *map(c_uint, block), c_uint(0),
                  self.stream, pointers, None)

    def synchronize(self):
        self.call("cuStreamSynchronize", self.stream)

    def time_graph(self, enqueue, launches, repeats=40):
        """Returns the median time in us of one of the `launches` that `enqueue`
        puts on the stream, of `repeats` runs of a graph of them, after a fifth of
        a second of such runs: a GPU that was idle has a low clock."""
        graph, executable = c_void_p(), c_void_p()
        self.call("cuStreamBeginCapture_v2", self.stream, c_int(CAPTURE_RELAXED))
        enqueue()
        self.call("cuStreamEndCapture", self.stream, byref(graph))
        self.call("cuGraphInstantiateWithFlags", byref(executable), graph, c_uint64(0))
        begin, end = c_void_p(), c_void_p()
        self.call("cuEventCreate", byref(begin), c_uint(0))
        self.call("cuEventCreate", byref(end), c_uint(0))
        times = []
        warm = time.monotonic() + 0.2
        while time.monotonic() < warm:
            self.call("cuGraphLaunch", executable, self.stream)
            self.synchronize()
        for _ in range(repeats):
            self.call("cuEventRecord", begin, self.stream)
            self.call("cuGraphLaunch", executable, self.stream)
            self.call("cuEventRecord", end, self.stream)
            self.synchronize()
            elapsed = c_float()
            self.call("cuEventElapsedTime", byref(elapsed), begin, end)
            times.append(elapsed.value * 1e3 / launches)
        self.call("cuGraphExecDestroy", executable)
        self.call("cuGraphDestroy", graph)
        return float(np.median(times))
