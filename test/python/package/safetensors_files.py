# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes safetensors files for tests."""

import json


def write(path, tensors):
    """Writes (name of the type, shape, array) by their names."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, shape, array) in tensors.items():
        header[name] = {"dtype": dtype, "shape": list(shape),
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
