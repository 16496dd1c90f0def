#include <fermata/stimuli/cuda/references.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <fermata/stimuli/cuda/reference_functions.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::cuda {
namespace {

constexpr std::pair<std::string_view, Reference> kReferences[] = {
#define FERMATA_REFERENCE(name, function) {#name, function},
#include <fermata/stimuli/cuda/reference_list.inl>
};

}  // namespace

std::size_t ReferenceInput::parameter(std::string_view name, std::int64_t least,
                                      std::int64_t greatest) const {
  const auto found = parameters.find(name);
  if (found == parameters.end() || found->second < least || found->second > greatest) {
    throw InputError("the reference needs a parameter '" + std::string(name) + "' of " +
                     std::to_string(least) + " to " + std::to_string(greatest));
  }
  return static_cast<std::size_t>(found->second);
}

const std::vector<std::uint8_t>& ReferenceInput::buffer(std::string_view name,
                                                        std::size_t bytes) const {
  const auto found = buffers.find(name);
  if (found == buffers.end() || found->second.size() != bytes) {
    throw InputError("the reference needs a buffer '" + std::string(name) + "' of " +
                     std::to_string(bytes) + " bytes");
  }
  return found->second;
}

std::vector<double> doubles(const ReferenceInput& input, std::string_view name, std::size_t count) {
  const auto values = input.elements<float>(name, count);
  return {values.begin(), values.end()};
}

Bytes floatBytes(const std::vector<double>& values) {
  return bytesOf(std::vector<float>(values.begin(), values.end()));
}

Reference findReference(std::string_view name) {
  const auto found = std::find_if(std::begin(kReferences), std::end(kReferences),
                                  [name](const auto& entry) { return entry.first == name; });
  return found == std::end(kReferences) ? nullptr : found->second;
}

std::vector<std::string> referenceNames() {
  std::vector<std::string> names;
  for (const auto& entry : kReferences) names.emplace_back(entry.first);
  return names;
}

}  // namespace fermata::cuda
