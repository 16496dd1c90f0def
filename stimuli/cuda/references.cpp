#include <fermata/stimuli/cuda/references.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fermata/stimuli/cuda/reference_functions.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::cuda {
namespace {

constexpr std::array<std::pair<std::string_view, Reference>, 67> kReferences = {{
    {"stride", stride},
    {"transpose", transpose},
    {"reduction_partial", reductionPartial},
    {"reduction_total", reductionTotal},
    {"fwt", walshTransform},
    {"hist64", histogram64},
    {"hist256", histogram256},
    {"atomicbench", addedWords},
    {"histogram", imageHistogram},
    {"hough", lineVotes},
    {"scan", scan},
    {"scan_total", scanTotal},
    {"matmul", matrixProduct},
    {"scalarprod", scalarProducts},
    {"lud", luFactors},
    {"nw", alignmentScores},
    {"conv1", convolvedRows},
    {"conv2", convolvedColumns},
    {"dct1", cosineTransform},
    {"dct2", inverseCosineTransform},
    {"dctshort", fixedPointTransform},
    {"idctshort", inverseFixedPointTransform},
    {"dwt", haarTransform},
    {"fft1", fourierRows},
    {"fft2", fourierColumns},
    {"matrixscan", matrixScan},
    {"backprop_partial", layerSums},
    {"backprop_weights", adjustedWeights},
    {"sgemm", scaledProduct},
    {"hotspot", chipTemperatures},
    {"srad", diffusedPicture},
    {"dxtc", compressedBlocks},
    {"lavamd", particleForces},
    {"lud1", luDiagonalBlocks},
    {"lud2", luPerimeter},
    {"nw1", alignmentUpper},
    {"nw2", alignmentLower},
    {"mri1", segmentScan},
    {"mri1_sums", segmentSums},
    {"mri2", treeSums},
    {"mri3", treePrefixes},
    {"mri4_keys", keysByDigit},
    {"mri4_values", valuesByDigit},
    {"cp", slicePotential},
    {"mriq_real", qMatrixReal},
    {"mriq_imaginary", qMatrixImaginary},
    {"mrifhd", reconstructionVector},
    {"sad", blockDifferences},
    {"tpacf", angleHistograms},
    {"rpes", repulsionIntegrals},
    {"pns", petriNets},
    {"heartwall_places", trackedPlaces},
    {"heartwall_templates", trackedTemplates},
    {"heartwall_correlations", trackedCorrelations},
    {"aes", encryptedBlocks},
    {"aesdec", decryptedBlocks},
    {"aes_round_keys", encryptionKeys},
    {"aesdec_round_keys", decryptionKeys},
    {"aes_tables", encryptionTables},
    {"aesdec_tables", decryptionTables},
    {"aesdec_substitutes", decryptionSubstitutes},
    {"hgemm", halfProduct},
    {"attention", attendedValues},
    {"ldtranspose", transposedHalves},
    {"cpasync", matrixTimesVector},
    {"softmax", softmaxRows},
    {"layernorm", normalisedRows},
}};

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

Reference findReference(std::string_view name) {
  const auto found = std::find_if(kReferences.begin(), kReferences.end(),
                                  [name](const auto& entry) { return entry.first == name; });
  return found == kReferences.end() ? nullptr : found->second;
}

std::vector<std::string> referenceNames() {
  std::vector<std::string> names;
  for (const auto& entry : kReferences) names.emplace_back(entry.first);
  return names;
}

}  // namespace fermata::cuda
