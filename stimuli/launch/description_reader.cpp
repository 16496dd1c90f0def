#include <fermata/stimuli/launch/description_reader.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/launch/expression_table.h>
#include <fermata/stimuli/launch/image_source_reader.h>
#include <fermata/stimuli/launch/parameter_choice.h>
#include <fermata/stimuli/launch/parameter_reader.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

constexpr unsigned kMaxLoopDepth = 8;
constexpr unsigned kMostDimensions = 32;  ///< of an array, as in NumPy

/// Turns a table into a description; `scope_` holds the names that expressions may use so far.
class Reader {
 public:
  Reader(const toml::table& root, const std::string& path)
      : root_(TomlTable(root, path, "the launch file"), scope_) {
    description_.path = path;
    description_.folder = std::filesystem::path(path).parent_path().string();
  }

  LaunchDescription read() {
    description_.description = root_.text("description", "");
    root_.require("kernel");  // so that its absence is the first error
    readParameters();
    readImages();
    for (ExpressionTable& table : root_.tables("require", "a requirement")) readRequirement(table);
    readBuffers();
    readKernelFile();
    readTextures();
    auto launches = root_.tables("launch", "a launch");
    if (launches.empty())
      refuse(root_.where(), "nothing is launched; expected at least one [[launch]]");
    for (ExpressionTable& table : launches) description_.launches.push_back(readStep(table, 0));
    for (ExpressionTable& table : root_.tables("check", "a check"))
      readCheck(table, readBufferName(table, "buffer"));
    for (ExpressionTable& table : root_.tables("dump", "a dump")) readDump(table);
    root_.refuseOtherKeys();
    return std::move(description_);
  }

 private:
  void readParameters() {
    auto tables = root_.table("parameters", "the parameters");
    if (!tables) return;
    for (const std::string& name : tables->keys()) {
      requireName(name, tables->where(name));
      if (name == "i")
        refuse(tables->where(name), "'i' is the index of a formula; expected another name");
      description_.parameters.push_back(readParameter(*tables, name));
    }
    scope_ = defaultsOf(description_.parameters);
    for (const Parameter& one : description_.parameters) {
      if (one.multiple == 1) continue;
      const std::string unit = std::to_string(one.multiple);
      description_.requirements.push_back(
          {Expression::parse(one.name + " % " + unit + " == 0", one.where),
           one.name + " must be a multiple of " + unit});
    }
  }

  void readImages() {
    auto tables = root_.table("images", "the images");
    if (!tables) return;
    for (const std::string& name : tables->keys())
      description_.images.push_back(readImageSource(*tables, name, scope_));
  }

  void readRequirement(ExpressionTable& table) {
    Requirement requirement{table.expression("that"), table.text("message")};
    table.refuseOtherKeys();
    description_.requirements.push_back(std::move(requirement));
  }

  void readBuffers() {
    auto tables = root_.table("buffers", "the buffers");
    if (!tables) return;
    for (const std::string& name : tables->keys()) {
      requireName(name, tables->where(name));
      readBuffer(*tables->table(name, "buffer '" + name + "'"), name);
      scope_["count(" + name + ")"] = 0;
    }
  }

  void readBuffer(ExpressionTable table, const std::string& name) {
    Buffer buffer;
    buffer.name = name;
    buffer.where = table.where();
    buffer.type = readType(table.text("type"), table.where("type"));
    if (table.has("shape")) {
      if (table.has("count"))
        refuse(table.where("count"), "a buffer with count and shape; expected one of the two");
      buffer.shape = table.expressions("shape", kMostDimensions);
    } else {
      buffer.count = table.expression("count");
    }
    buffer.symbol = table.text("symbol", "");
    buffer.when = table.optionalExpression("when");
    const toml::node* fill = table.find("fill");
    if (fill != nullptr) buffer.fill = readFill(table, *fill);
    if (auto check = table.table("check", "a check")) readCheck(*check, name, buffer.when);
    table.refuseOtherKeys();
    description_.buffers.push_back(std::move(buffer));
  }

  void readKernelFile() {
    KernelFile& kernel = description_.kernel;
    kernel.file = root_.pattern("kernel");
    kernel.addressBits = root_.optionalExpression("address_bits");
    if (root_.has("arch")) kernel.arch = root_.pattern("arch");
    kernel.includes = root_.patterns("include");
    kernel.defines = root_.patterns("define");
  }

  void readTextures() {
    auto tables = root_.table("textures", "the textures");
    if (!tables) return;
    for (const std::string& name : tables->keys()) {
      ExpressionTable table = *tables->table(name, "texture '" + name + "'");
      TextureBinding texture;
      texture.name = name;
      texture.where = table.where();
      texture.buffer = readBufferName(table, "buffer");
      texture.width = table.expression("width");
      texture.height = table.expression("height", 1);
      texture.depth = table.expression("depth", 1);
      texture.channels = table.expression("channels", 1);
      texture.normalised = table.flag("normalised", false);
      texture.when = table.optionalExpression("when");
      table.refuseOtherKeys();
      description_.textures.push_back(std::move(texture));
    }
  }

  static ElementType readType(const std::string& name, const SourceLocation& where) {
    const auto type = elementTypeFrom(name);
    if (!type) {
      refuse(where,
             "unknown element type '{}'; expected one of u8, s8, u16, s16, u32, s32, u64, s64, "
             "f16, f32, f64",
             name);
    }
    return *type;
  }

  Fill readFill(ExpressionTable& buffer, const toml::node& node) {
    Fill fill;
    fill.where = buffer.where("fill");
    if (node.is_string()) {
      if (node.as_string()->get() == "zero") {
        fill.kind = Fill::Kind::Zero;
        return fill;
      }
      refuse(fill.where, "unknown fill '{}'; expected \"zero\" or a table",
             node.as_string()->get());
    }
    auto table = buffer.table("fill", "a fill");
    readFillTable(*table, fill);
    table->refuseOtherKeys();
    return fill;
  }

  void readFillTable(ExpressionTable& table, Fill& fill) {
    if (table.has("constant")) {
      fill.kind = Fill::Kind::Constant;
      fill.first = table.number("constant");
    } else if (auto iota = table.table("iota", "iota")) {
      fill.kind = Fill::Kind::Iota;
      fill.first = iota->number("from", 0);
      fill.second = iota->number("step", 1);
      iota->refuseOtherKeys();
    } else if (auto random = table.table("random", "random")) {
      fill.kind = Fill::Kind::Random;
      fill.seed = random->expression("seed");
      fill.first = random->number("from");
      fill.second = random->number("to");
      random->refuseOtherKeys();
    } else if (table.has("file")) {
      fill.kind = Fill::Kind::File;
      fill.file = table.pattern("file");
    } else if (table.has("formula")) {
      fill.kind = Fill::Kind::Formula;
      scope_["i"] = 0;
      fill.formula = table.expression("formula");
      scope_.erase("i");
    } else if (table.has("pgm")) {
      fill.kind = Fill::Kind::Pgm;
      fill.file = table.pattern("pgm");
    } else if (auto picture = table.table("picture", "picture")) {
      fill.kind = Fill::Kind::Picture;
      fill.seed = picture->expression("seed");
      fill.first = picture->number("width", 512);
      fill.second = picture->number("contrast", 48);
      fill.third = picture->number("slope", 120);
      if (picture->has("source")) fill.file = picture->pattern("source");
      picture->refuseOtherKeys();
    } else if (table.has("reference")) {
      fill.kind = Fill::Kind::Reference;
      fill.reference = table.text("reference");
    } else if (table.has("image") || table.has("edges")) {
      readImageFill(table, description_.images, fill);
    } else {
      table.refuseOtherKeys();
      refuse(fill.where,
             "an empty fill; expected constant, iota, random, file, formula, pgm, picture, image, "
             "edges or reference");
    }
  }

  LaunchStep readStep(ExpressionTable& table, unsigned depth) {
    LaunchStep step;
    step.where = table.where();
    step.when = table.optionalExpression("when");
    if (table.has("for")) {
      readLoop(table, step, depth);
    } else {
      readKernel(table, step);
    }
    table.refuseOtherKeys();
    return step;
  }

  void readLoop(ExpressionTable& table, LaunchStep& step, unsigned depth) {
    if (depth == kMaxLoopDepth)
      refuse(step.where, "loops are nested too deeply; expected 8 levels or less");
    auto loop = table.table("for", "'for'");
    step.variable = loop->text("variable");
    requireName(step.variable, loop->where("variable"));
    step.from = loop->expression("from");
    step.to = loop->expression("to");
    step.step = loop->expression("step", 1);
    loop->refuseOtherKeys();
    if (scope_.count(step.variable) != 0)
      refuse(loop->where("variable"), "'{}' is a name already; expected a new one", step.variable);
    scope_[step.variable] = 0;
    auto body = table.tables("launch", "a launch");
    if (body.empty())
      refuse(step.where, "a loop without launches; expected [[launch.launch]] behind it");
    for (ExpressionTable& inner : body) step.body.push_back(readStep(inner, depth + 1));
    scope_.erase(step.variable);
  }

  void readKernel(ExpressionTable& table, LaunchStep& step) {
    step.entry = table.pattern("entry");
    step.grid = table.expressions("grid", 3);
    step.block = table.expressions("block", 3);
    if (table.has("cluster")) step.cluster = table.expressions("cluster", 3);
    step.shared = table.expression("shared", 0);
    step.carveout = table.optionalExpression("carveout");
    step.stream = table.optionalExpression("stream");
    step.priority = table.optionalExpression("priority");
    step.registers = table.optionalExpression("registers");
    for (ExpressionTable& argument : table.tables("arguments", "an argument")) {
      step.arguments.push_back(readArgument(argument, true));
    }
  }

  Argument readArgument(ExpressionTable& table, bool outermost) {
    Argument argument;
    argument.where = table.where();
    if (outermost && table.has("tensor")) {
      argument.kind = Argument::Kind::Tensor;
      argument.buffer = readBufferName(table, "tensor");
      argument.offset = table.expression("offset", 0);
      argument.tensor = readTensorArgument(table);
      return argument;
    }
    const auto names = table.keys();
    const std::string kind = names.empty() ? "" : names.front();
    const bool offset = names.size() == 2 && kind == "buffer" && names[1] == "offset";
    const auto type = elementTypeFrom(kind);
    if ((names.size() != 1 && !offset) ||
        (!type && kind != "buffer" && (!outermost || (kind != "bytes" && kind != "struct")))) {
      refuse(argument.where,
             "not an argument; expected {{ TYPE = value }} with a type of u8 .. f64, {{ buffer = "
             "name }}, {{ bytes = [..] }}, {{ struct = [..] }} or {{ tensor = name, dims = [..], "
             "box = [..] }}");
    }
    if (type) {
      argument.type = *type;
      argument.value = table.number(kind);
    } else if (kind == "buffer") {
      argument.kind = Argument::Kind::Buffer;
      argument.buffer = readBufferName(table, "buffer");
      argument.offset = table.expression("offset", 0);
    } else if (kind == "bytes") {
      argument.kind = Argument::Kind::Bytes;
      for (const std::int64_t byte : table.constants("bytes")) {
        if (byte < 0 || byte > 255)
          refuse(table.where("bytes"), "{} is not a byte; expected 0 to 255", byte);
        argument.bytes.push_back(static_cast<std::uint8_t>(byte));
      }
    } else {
      argument.kind = Argument::Kind::Struct;
      for (ExpressionTable& member : table.tables("struct", "a member")) {
        argument.members.push_back(readArgument(member, false));
      }
      if (argument.members.empty()) refuse(argument.where, "an empty struct; expected members");
    }
    return argument;
  }

  std::string readBufferName(ExpressionTable& table, const std::string& key) {
    const std::string name = table.text(key);
    return findNamed(description_.buffers, name, table.where(key), "buffer",
                     "a [buffers.NAME] in the file")
        .name;
  }

  /// `when`: the condition of the buffer that the check stands in.
  void readCheck(ExpressionTable& table, const std::string& buffer,
                 const std::optional<Expression>& when = {}) {
    Check check;
    check.where = table.where();
    check.buffer = buffer;
    check.reference = table.text("reference", "");
    if (table.has("file")) check.file = table.pattern("file");
    check.when = table.has("when") ? table.optionalExpression("when") : when;
    check.absolute = readTolerance(table, "absolute");
    check.relative = readTolerance(table, "relative");
    table.refuseOtherKeys();
    if (check.reference.empty() == check.file.empty())
      refuse(check.where, "a check without a source or with two; expected reference = or file =");
    description_.checks.push_back(std::move(check));
  }

  static double readTolerance(ExpressionTable& table, const std::string& key) {
    const double value = table.real(key, 0);
    if (!std::isfinite(value) || value < 0)
      refuse(table.where(key), "'{}' cannot be a tolerance; expected 0 or more", key);
    return value;
  }

  void readDump(ExpressionTable& table) {
    Dump dump;
    dump.where = table.where();
    dump.buffer = readBufferName(table, "buffer");
    dump.file = table.pattern("file");
    dump.when = table.optionalExpression("when");
    table.refuseOtherKeys();
    description_.dumps.push_back(std::move(dump));
  }

  Scope scope_;
  ExpressionTable root_;
  LaunchDescription description_;
};

}  // namespace

LaunchDescription parseLaunchFile(std::string_view text, const std::string& path) {
  const toml::table root = parseToml(text, path, "TOML 1.0");
  return Reader(root, path).read();
}

LaunchDescription readLaunchFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  refuseFolder(path, "a launch file");
  if (!file) refuse({path, 0, 0}, "cannot be read; expected a launch file");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return parseLaunchFile(text, path);
}

}  // namespace fermata::launch
