#include <fermata/stimuli/launch/arguments.h>

#include <algorithm>
#include <cstring>

#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

std::string describe(const ptx::KernelParameter& parameter, std::size_t index) {
  std::string text = "parameter " + std::to_string(index) + " (." + parameter.type;
  if (parameter.isArray) text += "[" + std::to_string(parameter.count) + "]";
  return text + ", " + std::to_string(parameter.bytes) + " bytes)";
}

std::size_t roundUp(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Returns the `size` little-endian bytes of an address.
std::vector<std::uint8_t> addressBytes(std::uint64_t address, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::memcpy(bytes.data(), &address, std::min(size, sizeof address));
  return bytes;
}

class Layout {
 public:
  Layout(std::size_t pointerBytes, const std::vector<std::uint64_t>& addresses)
      : pointerBytes_(pointerBytes), addresses_(addresses) {}

  std::vector<std::uint8_t> bytes(const PlannedArgument& argument) const {
    if (argument.isBuffer) {
      return addressBytes(addresses_[argument.buffer] + argument.offset, pointerBytes_);
    }
    if (argument.tensor) return mapBytes(argument);
    return argument.members.empty() ? argument.bytes : structBytes(argument);
  }

 private:
  std::vector<std::uint8_t> mapBytes(const PlannedArgument& argument) const {
    ptx::TensorMap map = *argument.tensor;
    map.address = addresses_[argument.buffer] + argument.offset;
    const std::string refusal = map.refusal();
    if (!refusal.empty()) refuse(argument.where, "a tensor map with {}", refusal);
    const ptx::TensorMap::Bytes bytes = map.encode();
    return {bytes.begin(), bytes.end()};
  }
  /// Returns the bytes in C's layout of a struct: each member aligned to its size, the whole to the
  /// largest.
  std::vector<std::uint8_t> structBytes(const PlannedArgument& argument) const {
    std::vector<std::uint8_t> result;
    std::size_t alignment = 1;
    for (const PlannedArgument& member : argument.members) {
      const auto contents = bytes(member);
      const std::size_t own = member.isBuffer ? pointerBytes_ : member.alignment;
      alignment = std::max(alignment, own);
      result.resize(roundUp(result.size(), own));
      result.insert(result.end(), contents.begin(), contents.end());
    }
    result.resize(roundUp(result.size(), alignment));
    return result;
  }

  std::size_t pointerBytes_;
  const std::vector<std::uint64_t>& addresses_;
};

bool isFloatText(const std::string& text) {
  return text == "f16" || text == "f32" || text == "f64";
}

void requireKind(const PlannedArgument& argument, const ptx::KernelParameter& parameter,
                 std::size_t index) {
  const bool scalar = !argument.isBuffer && argument.members.empty() && argument.text != "bytes";
  // Foreign PTX declares untyped bits as .b32 and .b64, which accept any kind of value.
  const bool mixed =
      scalar && parameter.type[0] != 'b' && isFloatText(argument.text) != parameter.isFloat;
  const bool pointer = argument.isBuffer && (parameter.isFloat || parameter.isArray);
  if (mixed || pointer) {
    refuse(argument.where, "{} for {}; expected a value of that type", argument.text,
           describe(parameter, index));
  }
}

}  // namespace

std::vector<std::uint8_t> layOutArguments(const PlannedLaunch& launch, const ptx::Module& module,
                                          const ptx::Kernel& kernel,
                                          const std::vector<std::uint64_t>& addresses) {
  const auto& parameters = kernel.parameters();
  if (parameters.size() != launch.arguments.size()) {
    refuse(launch.where, "kernel '{}' gets {} arguments; expected {}", kernel.name(),
           launch.arguments.size(), parameters.size());
  }
  const Layout layout(module.addressBits() / 8, addresses);
  const Layout wide(8, addresses);
  std::vector<std::uint8_t> block(kernel.parameterBytes());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const PlannedArgument& argument = launch.arguments[i];
    const ptx::KernelParameter& parameter = parameters[i];
    requireKind(argument, parameter, i);
    auto bytes = layout.bytes(argument);
    // PTX before 2.3 has no .address_size: only its parameters show that addresses have 64 bits.
    if (bytes.size() != parameter.bytes && wide.bytes(argument).size() == parameter.bytes)
      bytes = wide.bytes(argument);
    if (bytes.size() != parameter.bytes) {
      refuse(argument.where, "{} of {} bytes for {}; expected {} bytes", argument.text,
             bytes.size(), describe(parameter, i), parameter.bytes);
    }
    std::copy(bytes.begin(), bytes.end(), block.begin() + parameter.offset);
  }
  return block;
}

}  // namespace fermata::launch
