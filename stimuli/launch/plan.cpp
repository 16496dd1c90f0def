#include <fermata/stimuli/launch/plan.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/stimuli/launch/parameter_choice.h>
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

/// Returns the type of tensors that a buffer's elements make.
ptx::TensorType tensorTypeOf(ElementType type) {
  constexpr ptx::TensorType kTensorOf[] = {
      ptx::TensorType::U8,  ptx::TensorType::U8,  ptx::TensorType::U16, ptx::TensorType::U16,
      ptx::TensorType::U32, ptx::TensorType::S32, ptx::TensorType::U64, ptx::TensorType::S64,
      ptx::TensorType::F16, ptx::TensorType::F32, ptx::TensorType::F64};  // order of ElementType
  return kTensorOf[static_cast<std::size_t>(type)];
}

template <class T>
void appendBytes(std::vector<std::uint8_t>& to, T value) {
  std::uint8_t bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  to.insert(to.end(), bytes, bytes + sizeof(T));
}

/// Evaluates launches, one after another, into a plan.
class Planner {
 public:
  Planner(const LaunchDescription& description, Plan& plan)
      : description_(description), plan_(plan) {}

  void planBuffers() {
    std::uint64_t total = 0;
    for (const Buffer& buffer : description_.buffers) {
      plan_.scope["count(" + buffer.name + ")"] = 0;
      if (!holds(buffer.when)) continue;
      std::vector<std::uint64_t> shape;
      const std::int64_t count = countOf(buffer, shape);
      const auto elements = static_cast<std::uint64_t>(count);
      if (elements > kMaxBufferBytes / elementBytes(buffer.type) ||
          (total += elements * elementBytes(buffer.type)) > kMaxBufferBytes) {
        refuse(shape.empty() ? buffer.count.where() : buffer.shape.front().where(),
               "buffer '{}' of {} elements is too large; expected 2 GiB or less in all",
               buffer.name, count);
      }
      plan_.buffers.push_back({buffer.name, buffer.type, elements, std::move(shape), buffer.symbol,
                               buffer.fill, buffer.where, imageOf(buffer)});
      plan_.scope["count(" + buffer.name + ")"] = count;
    }
  }

  void planTextures() {
    for (const TextureBinding& binding : description_.textures) {
      if (!holds(binding.when)) continue;
      PlannedTexture texture;
      texture.name = binding.name;
      texture.buffer = requireBuffer(binding.buffer, binding.where);
      texture.normalised = binding.normalised;
      texture.where = binding.where;
      texture.width = evaluate(binding.width, 1, 1 << 27, "width");
      texture.height = evaluate(binding.height, 1, 65536, "height");
      texture.depth = evaluate(binding.depth, 1, 65536, "depth");
      texture.channels = evaluate(binding.channels, 1, 4, "channels");
      const PlannedBuffer& buffer = plan_.buffers[texture.buffer];
      const std::uint64_t elements =
          std::uint64_t{texture.width} * texture.height * texture.depth * texture.channels;
      if (elements > buffer.count || texture.channels == 3 || elementBytes(buffer.type) == 8) {
        refuse(binding.where,
               "texture '{}' does not lie in buffer '{}'; expected at most {} elements of 32 bits "
               "or fewer, in 1, 2 or 4 channels",
               binding.name, buffer.name, buffer.count);
      }
      plan_.textures.push_back(std::move(texture));
    }
  }

  void planChecksAndDumps() {
    for (const Check& check : description_.checks) {
      if (!holds(check.when)) continue;
      requireBuffer(check.buffer, check.where);
      plan_.checks.push_back(check);
    }
    for (const Dump& dump : description_.dumps) {
      if (!holds(dump.when)) continue;
      requireBuffer(dump.buffer, dump.where);
      plan_.dumps.push_back(dump);
    }
  }

  void planSteps(const std::vector<LaunchStep>& steps) {
    for (const LaunchStep& step : steps) {
      if (!holds(step.when)) continue;
      if (step.variable.empty()) {
        planKernel(step);
      } else {
        planLoop(step);
      }
    }
  }

 private:
  /// Returns the number of elements, and the sizes of a shape.
  std::int64_t countOf(const Buffer& buffer, std::vector<std::uint64_t>& shape) const {
    if (buffer.shape.empty()) return buffer.count.evaluate(plan_.scope, 1, INT64_MAX, "count");
    std::int64_t count = 1;
    for (const Expression& each : buffer.shape) {
      const std::int64_t size = each.evaluate(plan_.scope, 1, INT64_MAX, "a size of the shape");
      shape.push_back(static_cast<std::uint64_t>(size));
      if (__builtin_mul_overflow(count, size, &count)) count = INT64_MAX;
    }
    return count;
  }

  std::shared_ptr<const PlannedImage> imageOf(const Buffer& buffer) const {
    for (const auto& image : plan_.images) {
      if (image->name == buffer.fill.image) return image;
    }
    return nullptr;
  }

  bool holds(const std::optional<Expression>& when) const {
    return !when || when->evaluate(plan_.scope) != 0;
  }

  std::size_t requireBuffer(const std::string& name, const SourceLocation& where) const {
    const std::size_t index = plan_.buffer(name);
    if (index == plan_.buffers.size()) {
      refuse(where,
             "buffer '{}' is not there with these parameters, by its `when`; expected a `when` "
             "here too",
             name);
    }
    return index;
  }

  std::uint32_t evaluate(const Expression& expression, std::int64_t least, std::int64_t greatest,
                         const char* what) const {
    return static_cast<std::uint32_t>(expression.evaluate(plan_.scope, least, greatest, what));
  }

  void countStep(const SourceLocation& where) {
    if (++steps_ > kMaxLaunches)
      refuse(where, "too many launches; expected {} or fewer", kMaxLaunches);
  }

  void planLoop(const LaunchStep& step) {
    const std::int64_t to = step.to.evaluate(plan_.scope);
    const std::int64_t stride = step.step.evaluate(plan_.scope);
    if (stride == 0) refuse(step.step.where(), "step is 0; expected a step that ends the loop");
    std::int64_t value = step.from.evaluate(plan_.scope);
    while (stride > 0 ? value < to : value > to) {
      countStep(step.where);
      plan_.scope[step.variable] = value;
      planSteps(step.body);
      if (__builtin_add_overflow(value, stride, &value)) break;
    }
    plan_.scope.erase(step.variable);
  }

  void planKernel(const LaunchStep& step) {
    countStep(step.where);
    PlannedLaunch launch;
    launch.where = step.where;
    launch.entryWhere = step.entry.where;
    launch.entry = step.entry.in(plan_.scope);
    constexpr std::array<std::int64_t, 3> kMostBlocks = {0x7fffffff, 65535, 65535};
    constexpr std::array<std::int64_t, 3> kMostThreads = {1024, 1024, 64};
    for (std::size_t i = 0; i < step.grid.size(); ++i) {
      launch.grid[i] = evaluate(step.grid[i], 1, kMostBlocks[i], "grid");
    }
    if (!step.cluster.empty()) launch.cluster = {1, 1, 1};
    for (std::size_t i = 0; i < step.cluster.size(); ++i) {
      (*launch.cluster)[i] = evaluate(step.cluster[i], 1, kMostClusterCtas, "cluster");
    }
    for (std::size_t i = 0; i < step.block.size(); ++i) {
      launch.block[i] = evaluate(step.block[i], 1, kMostThreads[i], "block");
    }
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    if (threads > 1024) {
      refuse(step.block[0].where(), "a block of {} threads; expected 1 to 1024 threads in all",
             threads);
    }
    launch.dynamicSharedBytes = evaluate(step.shared, 0, 1 << 24, "shared");
    if (step.carveout) {
      launch.carveout = static_cast<std::int32_t>(evaluate(*step.carveout, 0, 100, "carveout"));
    }
    if (step.stream) launch.stream = evaluate(*step.stream, 0, 1023, "stream");
    if (step.priority) {
      launch.priority =
          static_cast<std::int32_t>(step.priority->evaluate(plan_.scope, -100, 100, "priority"));
    }
    if (step.registers) {
      launch.registersPerThread = evaluate(*step.registers, 1, 255, "registers");
    }
    for (const Argument& argument : step.arguments)
      launch.arguments.push_back(planArgument(argument));
    plan_.launches.push_back(std::move(launch));
  }

  PlannedArgument planArgument(const Argument& argument) const {
    PlannedArgument planned;
    planned.where = argument.where;
    switch (argument.kind) {
      case Argument::Kind::Scalar:
        appendElement(planned.bytes, argument.type, argument.value, plan_.scope);
        planned.alignment = elementBytes(argument.type);
        planned.text = elementTypeName(argument.type);
        break;
      case Argument::Kind::Bytes:
        planned.bytes = argument.bytes;
        planned.text = "bytes";
        break;
      case Argument::Kind::Buffer:
      case Argument::Kind::Tensor: {
        planned.isBuffer = argument.kind == Argument::Kind::Buffer;
        planned.buffer = requireBuffer(argument.buffer, argument.where);
        planned.text = (planned.isBuffer ? "buffer '" : "tensor map of '") + argument.buffer + "'";
        const PlannedBuffer& buffer = plan_.buffers[planned.buffer];
        const auto most = static_cast<std::int64_t>(buffer.count) - 1;
        planned.offset =
            static_cast<std::uint64_t>(argument.offset.evaluate(plan_.scope, 0, most, "offset")) *
            elementBytes(buffer.type);
        if (argument.tensor)
          planned.tensor = planTensor(*argument.tensor, tensorTypeOf(buffer.type), plan_.scope);
        break;
      }
      case Argument::Kind::Struct:
        planned.text = "a struct";
        for (const Argument& member : argument.members)
          planned.members.push_back(planArgument(member));
        break;
    }
    return planned;
  }

  const LaunchDescription& description_;
  Plan& plan_;
  std::size_t steps_ = 0;
};

}  // namespace

float toFloat(double value, const SourceLocation& where) {
  const bool tooLarge = std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max();
  if (!tooLarge) return static_cast<float>(value);
  refuse(where, "a number does not fit f32; expected -3.4028235e38 to 3.4028235e38, or inf");
}

std::uint16_t toHalf(double value, const SourceLocation& where) {
  const std::uint16_t half = ptx::toHalf<ptx::F16Format>(value);
  const bool tooLarge = std::isfinite(value) && (half & 0x7fffU) == ptx::F16Format::kInfinity;
  if (!tooLarge) return half;
  refuse(where, "a number does not fit f16; expected -65504 to 65504, or inf");
}

void appendElement(std::vector<std::uint8_t>& to, ElementType type, const Number& number,
                   const Scope& scope) {
  if (type == ElementType::F32) return appendBytes(to, toFloat(number.real(scope), number.where));
  if (type == ElementType::F64) return appendBytes(to, number.real(scope));
  if (type == ElementType::F16) return appendBytes(to, toHalf(number.real(scope), number.where));
  const std::int64_t value = number.integer(scope);
  if (value < leastOf(type) || value > greatestOf(type)) {
    refuse(number.where, "{} does not fit {}; expected {} to {}", value, elementTypeName(type),
           leastOf(type), greatestOf(type));
  }
  std::vector<std::uint8_t> bytes;
  appendBytes(bytes, value);
  to.insert(to.end(), bytes.begin(), bytes.begin() + elementBytes(type));
}

std::size_t Plan::buffer(const std::string& name) const {
  std::size_t index = 0;
  while (index < buffers.size() && buffers[index].name != name) ++index;
  return index;
}

Plan planLaunches(const LaunchDescription& description,
                  const std::map<std::string, std::string>& chosen, const ImageMaker& make) {
  Plan plan;
  plan.chosen = chosen;
  plan.scope = chooseParameters(description, chosen);
  plan.images = planImages(description, plan.scope, make);
  for (const Requirement& requirement : description.requirements) {
    if (requirement.that.evaluate(plan.scope) == 0) {
      refuse(requirement.that.where(), "the parameters do not go together; expected that {}",
             requirement.message);
    }
  }
  Planner planner(description, plan);
  planner.planBuffers();
  plan.kernelFile = description.kernel.file.in(plan.scope);
  plan.kernelWhere = description.kernel.file.where;
  plan.compile = planCompilation(description.kernel, plan.scope, description.folder);
  planner.planTextures();
  planner.planSteps(description.launches);
  planner.planChecksAndDumps();
  if (plan.launches.empty())
    refuse({description.path, 0, 0},
           "nothing is launched with these parameters; expected a launch");
  return plan;
}

}  // namespace fermata::launch
