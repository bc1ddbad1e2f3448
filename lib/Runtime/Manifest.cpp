//===- Manifest.cpp - Reads manifest.json ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Manifest.h"
#include "JsonCursor.h"
#include <algorithm>
#include <limits>
#include <set>

using namespace mlir::qfuse;

constexpr int64_t schemaVersion = 1;
constexpr int64_t maxInt64 = std::numeric_limits<int64_t>::max();
/// Operators within operators; more would be a threat to the stack.
constexpr unsigned maxDepth = 100;

/// The symbols that the arguments of a function give a value.
using Scope = std::set<std::string>;

static Expression readSymbol(const JsonCursor &json, const Scope &scope) {
  std::string name = json.getString();
  if (!scope.count(name))
    json.fail("the name of an extent or stride of an input", "'" + name + "'");
  return Expression::symbol(name);
}

static Expression readExpression(const JsonCursor &json, const Scope &scope,
                                 unsigned depth = 0) {
  if (json.isInteger())
    return json.getInteger();
  if (json.isString())
    return readSymbol(json, scope);
  std::optional<JsonCursor> name = json.find("op");
  if (!name) {
    json.fail("an integer, a symbol or an operator");
    return 0;
  }
  std::optional<Operator> op = parseOperator(name->getString());
  if (!op)
    name->fail("an operator", "'" + name->getString() + "'");
  if (depth == maxDepth) {
    json.fail("at most " + std::to_string(maxDepth) + " nested operators",
              "more");
    return 0;
  }
  std::vector<JsonCursor> sides = json["args"].getElements(2);
  return Expression::binary(op.value_or(Operator::add),
                            readExpression(sides[0], scope, depth + 1),
                            readExpression(sides[1], scope, depth + 1));
}

static std::vector<Expression> readExpressions(const JsonCursor &json,
                                               const Scope &scope) {
  std::vector<Expression> expressions;
  for (const JsonCursor &element : json.getElements())
    expressions.push_back(readExpression(element, scope));
  return expressions;
}

/// Collects the extents and strides of inputs that are symbols and nothing
/// else. The shape of a packed value binds none.
static Scope readScope(const JsonCursor &inputs) {
  Scope scope;
  for (const JsonCursor &input : inputs.getElements()) {
    if (JsonCursor layout = input["layout"]; !layout.isNull()) {
      (void)layout.getString(); // An error here explains those that follow.
      continue;
    }
    for (const char *key : {"shape", "strides"})
      for (const JsonCursor &element : input[key].getElements())
        if (element.isString())
          scope.insert(element.getString());
  }
  return scope;
}

static Port readPort(const JsonCursor &json, const Scope &scope) {
  Port port;
  port.name = json["name"].getString();
  JsonCursor element = json["element"];
  std::optional<Element> type = parseElement(element.getString());
  if (!type)
    element.fail("an element type", "'" + element.getString() + "'");
  port.element = type.value_or(Element::f32);
  port.shape = readExpressions(json["shape"], scope);
  port.strides = readExpressions(json["strides"], scope);
  if (JsonCursor layout = json["layout"]; !layout.isNull())
    port.layout = layout.getString();
  if (!port.layout && port.strides.size() != port.shape.size())
    json["strides"].fail(std::to_string(port.shape.size()) + " strides",
                         std::to_string(port.strides.size()));
  port.bytes = readExpression(json["bytes"], scope);
  return port;
}

static bool readIsWeight(const JsonCursor &json) {
  std::string role = json.getString();
  if (role != "weight" && role != "activation")
    json.fail("'weight' or 'activation'", "'" + role + "'");
  return role == "weight";
}

static std::vector<Port> readPorts(const JsonCursor &json, const Scope &scope) {
  std::vector<Port> ports;
  for (const JsonCursor &element : json.getElements())
    ports.push_back(readPort(element, scope));
  return ports;
}

static std::vector<Port> readInputs(const JsonCursor &json,
                                    const Scope &scope) {
  std::vector<Port> ports = readPorts(json, scope);
  std::vector<JsonCursor> elements = json.getElements();
  for (size_t i = 0; i < ports.size(); ++i)
    ports[i].isWeight = readIsWeight(elements[i]["role"]);
  return ports;
}

static int64_t getLast(size_t count) { return int64_t(count) - 1; }

/// Reads which inputs the outputs share memory with.
static void readDonations(const JsonCursor &json, Function &function) {
  std::vector<JsonCursor> elements = json.getElements();
  for (size_t i = 0; i < elements.size() && i < function.outputs.size(); ++i)
    if (std::optional<JsonCursor> donated = elements[i].find("donated"))
      function.outputs[i].donated =
          donated->getInteger(0, getLast(function.inputs.size()));
}

static LaunchArgument::Type readValueType(const JsonCursor &json) {
  using Type = LaunchArgument::Type;
  static const std::pair<const char *, Type> types[] = {{"i32", Type::i32},
                                                        {"i64", Type::i64},
                                                        {"f32", Type::f32},
                                                        {"f64", Type::f64}};
  for (const auto &[name, type] : types)
    if (json.getString() == name)
      return type;
  json.fail("i32, i64, f32 or f64", "'" + json.getString() + "'");
  return Type::i64;
}

static LaunchArgument readValue(const JsonCursor &json, const Scope &scope) {
  LaunchArgument argument;
  argument.kind = LaunchArgument::Kind::value;
  argument.type = readValueType(json["type"]);
  JsonCursor value = json["value"];
  bool isFloat = argument.type == LaunchArgument::Type::f32 ||
                 argument.type == LaunchArgument::Type::f64;
  if (isFloat && value.isNumber())
    argument.constant = value.getNumber();
  else
    argument.expression = readExpression(value, scope);
  return argument;
}

static LaunchArgument readArgument(const JsonCursor &json,
                                   const Function &function,
                                   const Scope &scope) {
  std::optional<JsonCursor> buffer = json.find("buffer");
  if (!buffer)
    return readValue(json, scope);
  using Kind = LaunchArgument::Kind;
  LaunchArgument argument;
  std::string name = buffer->getString();
  if (name == "workspace") {
    argument.kind = Kind::workspace;
    argument.expression = readExpression(json["offset"], scope);
    return argument;
  }
  if (name != "input" && name != "output")
    buffer->fail("'input', 'output' or 'workspace'", "'" + name + "'");
  argument.kind = name == "output" ? Kind::output : Kind::input;
  size_t count =
      name == "output" ? function.outputs.size() : function.inputs.size();
  argument.index = json["index"].getInteger(0, getLast(count));
  return argument;
}

static LaunchStep readStep(const JsonCursor &json, const Function &function,
                           const std::vector<KernelInfo> &kernels,
                           const Scope &scope) {
  LaunchStep step;
  JsonCursor kind = json["kind"];
  if (kind.getString() != "launch") {
    kind.fail("'launch', which is all that this version executes",
              "'" + kind.getString() + "'");
    return step;
  }
  JsonCursor name = json["kernel"];
  auto kernel =
      std::find_if(kernels.begin(), kernels.end(), [&](const KernelInfo &info) {
        return info.name == name.getString();
      });
  if (kernel == kernels.end())
    name.fail("the name of a kernel", "'" + name.getString() + "'");
  step.kernel = kernel - kernels.begin();
  std::vector<JsonCursor> grid = json["grid"].getElements(3);
  std::vector<JsonCursor> block = json["block"].getElements(3);
  for (int i = 0; i < 3; ++i) {
    step.grid[i] = readExpression(grid[i], scope);
    step.block[i] = block[i].getInteger(1, 1024);
  }
  for (const JsonCursor &argument : json["args"].getElements())
    step.arguments.push_back(readArgument(argument, function, scope));
  step.leastRead = readExpression(json["least_read"], scope);
  step.leastWritten = readExpression(json["least_written"], scope);
  return step;
}

static EqualCheck readCheck(const JsonCursor &json, const Scope &scope) {
  JsonCursor kind = json["kind"];
  if (kind.getString() != "equal")
    kind.fail("'equal'", "'" + kind.getString() + "'");
  return {readExpression(json["lhs"], scope),
          readExpression(json["rhs"], scope), json["message"].getString()};
}

static Function readFunction(const std::string &name, const JsonCursor &json,
                             const std::vector<KernelInfo> &kernels) {
  Function function;
  function.name = name;
  Scope scope = readScope(json["inputs"]);
  for (const auto &[dim, range] : json["dims"].getMembers()) {
    std::vector<JsonCursor> ends = range.getElements(2);
    int64_t least = ends[0].getInteger(0, maxInt64);
    function.dims[dim] = {least, ends[1].getInteger(least, maxInt64)};
    if (!scope.count(dim))
      range.fail("an extent of an input", "a dim that none has");
  }
  function.inputs = readInputs(json["inputs"], scope);
  function.outputs = readPorts(json["outputs"], scope);
  readDonations(json["outputs"], function);
  for (const JsonCursor &check : json["checks"].getElements())
    function.checks.push_back(readCheck(check, scope));
  function.workspace = readExpression(json["workspace"], scope);
  (void)json["intervals"].getElements();
  for (const JsonCursor &step : json["steps"].getElements())
    function.steps.push_back(readStep(step, function, kernels, scope));
  return function;
}

static KernelInfo readKernel(const JsonCursor &json,
                             std::vector<std::string> &objects) {
  KernelInfo kernel;
  kernel.name = json["name"].getString();
  JsonCursor object = json["object"];
  std::string file = object.getString();
  // A file beside the manifest, nothing elsewhere.
  if (file.empty() || file.find('/') != std::string::npos || file[0] == '.')
    object.fail("the name of a file in the artifact", "'" + file + "'");
  auto known = std::find(objects.begin(), objects.end(), file);
  kernel.object = known - objects.begin();
  if (known == objects.end())
    objects.push_back(file);
  auto read = [&](const char *key) {
    return json[key].getInteger(0, maxInt64);
  };
  kernel.vgprs = read("vgprs");
  kernel.sgprs = read("sgprs");
  kernel.ldsBytes = read("lds_bytes");
  kernel.scratchBytes = read("scratch_bytes");
  kernel.spills = read("spills");
  kernel.threads = read("threads");
  return kernel;
}

Result<Manifest> mlir::qfuse::readManifest(const std::string &text) {
  nlohmann::json parsed = nlohmann::json::parse(text, /*cb=*/nullptr,
                                                /*allow_exceptions=*/false);
  if (parsed.is_discarded())
    return Error{"$: not valid JSON"};
  std::optional<Error> error;
  JsonCursor root(parsed, "$", error);
  Manifest manifest;
  // First, because another schema may differ in everything else.
  int64_t schema = root["schema"].getInteger();
  if (schema != schemaVersion)
    root["schema"].fail(std::to_string(schemaVersion), std::to_string(schema));
  manifest.artifact.target = root["target"].getString();
  if (auto bytes = root.find("module_bytes"))
    manifest.moduleBytes = bytes->getInteger();
  for (const JsonCursor &kernel : root["kernels"].getElements())
    manifest.artifact.kernels.push_back(readKernel(kernel, manifest.objects));
  for (const auto &[name, function] : root["functions"].getMembers())
    manifest.artifact.functions[name] =
        readFunction(name, function, manifest.artifact.kernels);
  if (error)
    return *error;
  return manifest;
}
