# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text, on programs that need no PyTorch."""

import unittest

from qfuse import importer
from qfuse.importer import attributes
from qfuse.importer.emit import reassociation
from support import FakeOp, FakeProgram, FakeTensor, qfuse_opt, stderr_text

ADD = FakeOp("aten.add.Tensor", "self other")
MUL = FakeOp("aten.mul.Tensor", "self other")
CAST = FakeOp("aten.to.dtype", "self dtype")
CLAMP = FakeOp("aten.clamp.default", "self min max")
VIEW = FakeOp("aten.view.default", "self size")
MYSTERY = FakeOp("lab.mystery.default", "x flavor")


def matrix(dtype="float32", columns=64):
    return FakeTensor(dtype, "s0", columns)


class Numbers(unittest.TestCase):

    def test_floats_have_a_point(self):
        self.assertEqual(attributes.float_text(448), "448.0")
        self.assertEqual(attributes.float_text(1e-10), "1.0e-10")
        self.assertEqual(attributes.float_text(2.5e-7), "2.5e-07")

    def test_epsilon_is_the_shortest_that_gives_the_same_f32(self):
        # What AOTAutograd makes of 1e-6.
        self.assertEqual(attributes.float_text(9.999999974752427e-07, True), "1.0e-06")
        self.assertEqual(attributes.float_text(0.1, True), "0.1")


class Views(unittest.TestCase):

    def test_groups(self):
        self.assertEqual(reassociation(("s", 256), ("s", 2, 128)), [[0], [1, 2]])
        self.assertEqual(reassociation((1, 128), (128,)), [[0, 1]])
        self.assertEqual(reassociation((6, 4), (2, 3, 4)), [[0, 1], [2]])

    def test_shapes_that_do_not_relate(self):
        self.assertIsNone(reassociation((6, 4), (4, 6)))
        self.assertIsNone(reassociation((6, 4), (4, 3, 2)))
        self.assertIsNone(reassociation(("s", 4), ("t", 2, 2)))


class Elementwise(unittest.TestCase):

    def test_one_op_a_line_with_locations(self):
        program = FakeProgram()
        x = program.argument("x", matrix())
        y = program.argument("y", matrix("bfloat16"))
        total = program.call(ADD, [x, y], matrix())
        text = importer.from_exported(program.results(total))
        self.assertIn("%wide = arith.extf %y : tensor<?x64xbf16> to tensor<?x64xf32> "
                      "loc(#loc0)", text)
        self.assertIn("%sum = arith.addf %x, %wide : tensor<?x64xf32> loc(#loc0)", text)
        self.assertIn('#loc0 = loc("model.py":3:0)', text)
        self.assertIn("attributes {qfuse.ranges = {M = [1, 64]}}", text)
        qfuse_opt(text)

    def test_clamp_and_saturating_cast(self):
        program = FakeProgram()
        x = program.argument("x", matrix())
        low = program.call(CLAMP, [x, -2.0, None], matrix())
        code = program.call(CAST, [low, None], matrix("float8_e4m3fn"))
        text = importer.from_exported(program.results(code))
        lines = [line.split(" : ")[0].split("%", 1)[1] for line in
                 qfuse_opt(text).splitlines() if "arith.m" in line or "truncf" in line]
        self.assertEqual([line.split(" = ")[1].split(" ")[0] for line in lines],
                         ["arith.maximumf", "arith.maximumf", "arith.minimumf", "arith.truncf"])

    def test_ranges_may_be_given(self):
        program = FakeProgram()
        text = importer.from_exported(
            program.results(program.argument("x", matrix())), ranges={"M": (0, 9)})
        self.assertIn("{M = [0, 9]}", text)

    def test_row_strides_are_stated(self):
        program = FakeProgram()
        x = program.argument("x", FakeTensor("float32", "s0", 64, strides=("s1", 1)))
        text = importer.from_exported(program.results(x))
        self.assertIn("qfuse.strides = strided<[?, 1]>", text)
        qfuse_opt(text)

    def test_unit_extents_in_front_go(self):
        program = FakeProgram()
        x = program.argument("x", FakeTensor("float32", 1, "s0", 64))
        text = importer.from_exported(program.results(program.call(
            MUL, [x, 2.0], FakeTensor("float32", 1, "s0", 64))))
        self.assertIn("%x: tensor<?x64xf32>", text)
        qfuse_opt(text)

    def test_views_become_reshapes(self):
        program = FakeProgram()
        x = program.argument("x", matrix())
        view = program.call(VIEW, [x, []], FakeTensor("float32", "s0", 2, 32))
        text = importer.from_exported(program.results(view, x))
        self.assertIn("tensor.expand_shape %x [[0], [1, 2]] output_shape [%extent, 2, 32]", text)
        qfuse_opt(text)


class UnknownOps(unittest.TestCase):

    def program(self, flavors=("salt",)):
        program = FakeProgram()
        value = program.argument("x", matrix())
        for flavor in flavors:
            value = program.call(MYSTERY, [value, flavor], matrix())
        return program.results(value)

    def test_opaque_call_and_remark(self):
        with stderr_text() as remarks:
            text = importer.from_exported(self.program())
        self.assertIn("func.call @lab.mystery.default(%x) : (tensor<?x64xf32>) -> "
                      "tensor<?x64xf32>", text)
        self.assertEqual(
            remarks.getvalue(),
            "model.py:2: remark: [Missed] UnknownOp | Category:qfuse:import | "
            'Reason="lab.mystery.default became an opaque call: the table has no '
            'builder for it"\n')
        self.assertIn('parameters = "flavor=salt"', qfuse_opt(text))

    def test_other_parameters_are_another_function(self):
        with stderr_text():
            text = importer.from_exported(self.program(("salt", "sour", "salt")))
        self.assertEqual(text.count("func.func private"), 2)
        self.assertEqual(text.count("func.call @lab.mystery.default("), 2)
        self.assertEqual(text.count("func.call @lab.mystery.default_1("), 1)

    def test_strict_refuses(self):
        with self.assertRaises(importer.ImportFailure) as caught:
            importer.from_exported(self.program(), strict=True)
        self.assertTrue(str(caught.exception).startswith(
            "model.py:2: unknown op lab.mystery.default: "))

    def test_registered_op_has_its_meaning(self):
        importer.register("lab::doubled(Tensor x) -> Tensor", lambda call: call.node(
            "add", [call["x"], call["x"]], call.results[0]))
        program = FakeProgram()
        x = program.argument("x", matrix())
        double = program.call(FakeOp("lab.doubled.default", "x"), [x], matrix())
        text = importer.from_exported(program.results(double), strict=True)
        self.assertIn("arith.addf %x, %x", text)

    def test_builder_that_gives_another_shape_is_refused(self):
        importer.register("lab::wrong", lambda call: call["x"])
        program = FakeProgram()
        x = program.argument("x", matrix())
        wrong = program.call(FakeOp("lab.wrong.default", "x"), [x], matrix(columns=32))
        with self.assertRaisesRegex(importer.ImportFailure, r"lab.wrong.*\['s0', 64\]"):
            importer.from_exported(program.results(wrong))

    def test_schema_without_a_library_is_refused(self):
        with self.assertRaisesRegex(ValueError, "library::op"):
            importer.register("mystery", lambda call: None)


class Refused(unittest.TestCase):

    def test_mutation(self):
        program = FakeProgram()
        x = program.argument("x", matrix())
        changed = program.call(FakeOp("lab.change.default", "x", mutable=True), [x], matrix())
        with self.assertRaisesRegex(importer.ImportFailure, "changes an argument in place"):
            importer.from_exported(program.results(changed))

    def test_element_type(self):
        program = FakeProgram()
        x = program.argument("x", FakeTensor("complex64", 4))
        with self.assertRaisesRegex(importer.ImportFailure, "torch.complex64"):
            importer.from_exported(program.results(x))

    def test_extent_that_is_an_expression(self):
        program = FakeProgram()
        x = program.argument("x", FakeTensor("float32", "2*s0", 64))
        with self.assertRaisesRegex(importer.ImportFailure, r"'2\*s0'"):
            importer.from_exported(program.results(x))


if __name__ == "__main__":
    unittest.main()
