//===- ArtifactTest.cpp - Good and bad manifests --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestArtifact.h"

using namespace mlir::qfuse;
using namespace mlir::qfuse::test;

/// Returns the error of loading `text`, without the path of the manifest.
static std::string getError(const std::string &text) {
  Directory directory(text);
  Result<Artifact> artifact = Artifact::load(directory.path);
  if (artifact)
    return "";
  std::string message = artifact.getError().message;
  std::string prefix = directory.path + "/manifest.json: ";
  EXPECT_EQ(message.substr(0, prefix.size()), prefix);
  return message.substr(prefix.size());
}

TEST(Artifact, Loads) {
  Directory directory;
  Result<Artifact> artifact = Artifact::load(directory.path);
  ASSERT_TRUE(bool(artifact)) << artifact.getError().message;
  EXPECT_EQ(artifact->target, "sm_90");
  EXPECT_EQ(artifact->objects.size(), 1u);
  EXPECT_EQ(artifact->kernels[0].vgprs, 8);
  const Function &function = **artifact->getFunction("f");
  EXPECT_EQ(function.dims.at("M").most, 64);
  EXPECT_FALSE(function.inputs[0].isWeight);
  EXPECT_TRUE(function.inputs[1].isWeight);
  EXPECT_EQ(function.outputs[1].donated, 1u);
  EXPECT_EQ(function.steps[0].arguments.size(), 7u);
  EXPECT_EQ(artifact->getFunction("g").getError().message,
            "the artifact has no function 'g'; it has f");
}

TEST(Artifact, ReportsSchema) {
  EXPECT_EQ(getError(edit("\"schema\": 1", "\"schema\": 2")),
            "$.schema: expected 1, got 2");
  EXPECT_EQ(getError("{}"), "$.schema: missing");
  EXPECT_EQ(getError("[]"), "$: expected an object, got array");
  EXPECT_EQ(getError("{"), "$: not valid JSON");
  EXPECT_EQ(getError(""), "$: not valid JSON");
}

TEST(Artifact, ReportsMissingAndMistypedValues) {
  EXPECT_EQ(getError(edit("\"target\": \"sm_90\"", "\"target\": 9")),
            "$.target: expected a string, got number");
  EXPECT_EQ(getError(edit("\"workspace\": {", "\"other\": {")),
            "$.functions.f.workspace: missing");
  EXPECT_EQ(getError(edit("\"layout\": null", "\"layout\": 3")),
            "$.functions.f.inputs[0].layout: expected a string, got number");
  EXPECT_EQ(getError(edit("[0, 64]", "[0]")),
            "$.functions.f.dims.M: expected an array of 2 elements, got 1");
  EXPECT_EQ(getError(edit("[0, 64]", "[65, 64]")),
            "$.functions.f.dims.M[1]: expected an integer from 65 to "
            "9223372036854775807, got 64");
  EXPECT_EQ(getError(edit("\"vgprs\": 8", "\"vgprs\": 18446744073709551615")),
            "$.kernels[0].vgprs: expected an integer of 64 bits, got "
            "18446744073709551615");
  EXPECT_EQ(getError(edit("\"vgprs\": 8", "\"vgprs\": 1.5")),
            "$.kernels[0].vgprs: expected an integer, got number");
  EXPECT_EQ(getError(edit("\"element\": \"f32\"", "\"element\": \"f33\"")),
            "$.functions.f.inputs[0].element: expected an element type, got "
            "'f33'");
  EXPECT_EQ(getError(edit("\"role\": \"weight\"", "\"role\": \"bias\"")),
            "$.functions.f.inputs[1].role: expected 'weight' or 'activation', "
            "got 'bias'");
  EXPECT_EQ(getError(edit("\"strides\": [1]", "\"strides\": [1, 1]")),
            "$.functions.f.inputs[1].strides: expected 1 strides, got 2");
}

TEST(Artifact, ReportsReferences) {
  EXPECT_EQ(getError(edit("\"donated\": 1", "\"donated\": 2")),
            "$.functions.f.outputs[1].donated: expected an integer from 0 to "
            "1, got 2");
  EXPECT_EQ(getError(edit("\"index\": 0", "\"index\": 2")),
            "$.functions.f.steps[0].args[1].index: expected an integer from 0 "
            "to 1, got 2");
  EXPECT_EQ(getError(edit("\"kernel\": \"k\"", "\"kernel\": \"q\"")),
            "$.functions.f.steps[0].kernel: expected the name of a kernel, got "
            "'q'");
  EXPECT_EQ(getError(edit("\"bytes\": 16", "\"bytes\": \"N\"")),
            "$.functions.f.inputs[1].bytes: expected the name of an extent or "
            "stride of an input, got 'N'");
  EXPECT_EQ(getError(edit("\"M\": [0, 64]", "\"M\": [0, 64], \"N\": [0, 1]")),
            "$.functions.f.dims.N: expected an extent of an input, got a dim "
            "that none has");
  EXPECT_EQ(getError(edit("\"k.ptx\"", "\"../k.ptx\"")),
            "$.kernels[0].object: expected the name of a file in the artifact, "
            "got '../k.ptx'");
}

TEST(Artifact, ReportsSteps) {
  EXPECT_EQ(getError(edit("\"kind\": \"launch\"", "\"kind\": \"external\"")),
            "$.functions.f.steps[0].kind: expected 'launch', which is all that "
            "this version executes, got 'external'");
  EXPECT_EQ(getError(edit("\"block\": [64", "\"block\": [0")),
            "$.functions.f.steps[0].block[0]: expected an integer from 1 to "
            "1024, got 0");
  EXPECT_EQ(getError(edit("\"type\": \"i32\"", "\"type\": \"i33\"")),
            "$.functions.f.steps[0].args[0].type: expected i32, i64, f32 or "
            "f64, got 'i33'");
  EXPECT_EQ(getError(edit("\"buffer\": \"input\"", "\"buffer\": \"in\"")),
            "$.functions.f.steps[0].args[1].buffer: expected 'input', 'output' "
            "or 'workspace', got 'in'");
  EXPECT_EQ(getError(edit("\"kind\": \"equal\"", "\"kind\": \"less\"")),
            "$.functions.f.checks[0].kind: expected 'equal', got 'less'");
}

TEST(Artifact, ReportsExpressions) {
  EXPECT_EQ(getError(edit("\"ceildiv\"", "\"div\"")),
            "$.functions.f.steps[0].grid[0].op: expected an operator, got "
            "'div'");
  EXPECT_EQ(getError(edit("\"args\": [\"M\", 24]", "\"args\": [24]")),
            "$.functions.f.outputs[0].bytes.args: expected an array of 2 "
            "elements, got 1");
  EXPECT_EQ(getError(edit("\"bytes\": 16", "\"bytes\": true")),
            "$.functions.f.inputs[1].bytes: expected an integer, a symbol or "
            "an operator, got boolean");
  std::string deep, ends;
  for (int i = 0; i < 100000; ++i) {
    deep += "{\"op\": \"add\", \"args\": [0, ";
    ends += "]}";
  }
  deep += "1" + ends;
  EXPECT_NE(getError(edit("\"bytes\": 16", "\"bytes\": " + deep))
                .find("expected at most 100 nested operators, got more"),
            std::string::npos);
}

TEST(Artifact, ReportsFiles) {
  Result<Artifact> none = Artifact::load("/nonesuch");
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(none.getError().message,
            "/nonesuch/manifest.json: No such file or directory");

  Directory directory;
  std::filesystem::remove(directory.path + "/k.ptx");
  EXPECT_EQ(Artifact::load(directory.path).getError().message,
            directory.path + "/k.ptx: No such file or directory");
  directory.write("k.ptx", "");
  EXPECT_EQ(Artifact::load(directory.path).getError().message,
            directory.path + "/k.ptx: the file is empty");

  Directory elf(edit("k.ptx", "k.hsaco"));
  std::string header("\177ELF\2\1", 6);
  header.resize(64);
  header[40] = 64; // One section of 64 bytes behind the header.
  header[58] = 64;
  header[60] = 1;
  elf.write("k.hsaco", header + std::string(63, '\0'));
  EXPECT_EQ(Artifact::load(elf.path).getError().message,
            elf.path + "/k.hsaco: not a whole ELF file; it is damaged or cut "
                       "off");
  elf.write("k.hsaco", header + std::string(64, '\0'));
  EXPECT_TRUE(bool(Artifact::load(elf.path)));
}

TEST(Artifact, SurvivesAnyCut) {
  for (size_t size = 0; size < manifest.size() - 2; size += 7)
    EXPECT_NE(getError(manifest.substr(0, size)), "") << size;
}
