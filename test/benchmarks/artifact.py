# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches the functions of an artifact, as docs/artifact.md states it, with numpy alone."""

import ctypes
import json
import pathlib

OPERATIONS = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b, "ceildiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b, "min": min, "max": max}


def evaluate(expression, symbols):
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return symbols[expression]
    return OPERATIONS[expression["op"]](*(evaluate(x, symbols) for x in expression["args"]))


class Artifact:
    def __init__(self, folder, cuda):
        folder = pathlib.Path(folder)
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.cuda, self.kernels = cuda, {}
        for kernel in self.manifest["kernels"]:
            # The driver takes text that ends with a zero.
            ptx = (folder / kernel["object"]).read_bytes() + b"\0"
            self.kernels[kernel["name"]] = cuda.load(ptx, kernel["name"])

    def bind(self, function, shapes, strides):
        """Returns the symbols of the extents and strides of the inputs."""
        symbols = {}
        inputs = self.manifest["functions"][function]["inputs"]
        for value, shape, stride in zip(inputs, shapes, strides, strict=True):
            if value["layout"] is not None:
                continue
            for expression, number in zip(value["shape"] + value["strides"], [*shape, *stride],
                                          strict=True):
                if isinstance(expression, str):
                    symbols[expression] = number
        return symbols

    def get_outputs(self, function):
        return self.manifest["functions"][function]["outputs"]

    def get_sizes(self, function, symbols):
        """Returns the bytes of the outputs and of the workspace."""
        plan = self.manifest["functions"][function]
        return ([evaluate(value["bytes"], symbols) for value in plan["outputs"]],
                evaluate(plan["workspace"], symbols))

    def prepare(self, function, symbols, inputs, outputs, workspace=0):
        """Returns a function that enqueues the launches of one call with these
        pointers."""
        launches = []
        for step in self.manifest["functions"][function]["steps"]:
            assert step["kind"] == "launch", f"expected a launch, got {step['kind']}"
            arguments = []
            for argument in step["args"]:
                if "value" in argument:
                    assert argument["type"] == "i32", f"expected an i32, got {argument}"
                    arguments.append(ctypes.c_int32(evaluate(argument["value"], symbols)))
                    continue
                if argument["buffer"] == "workspace":
                    pointer = workspace + evaluate(argument["offset"], symbols)
                else:
                    pointer = {"input": inputs, "output": outputs}[argument["buffer"]][
                        argument["index"]]
                arguments.append(ctypes.c_uint64(pointer))
            grid = [evaluate(extent, symbols) for extent in step["grid"]]
            launches.append((self.kernels[step["kernel"]][0], grid, step["block"], arguments))

        def enqueue():
            for launch in launches:
                self.cuda.launch(*launch)
        return enqueue
