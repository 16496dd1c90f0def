// The references, one function per checked buffer. Parameters and buffers have the names of the
// launch file of the same name. Sums of floats are kept in double. See references.h.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/cuda/references.h>

namespace fermata::cuda {

using Bytes = std::vector<std::uint8_t>;

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// references_memory.cpp: kernels that move, count or add.
Bytes stride(const ReferenceInput& input);
Bytes transpose(const ReferenceInput& input);
Bytes reductionPartial(const ReferenceInput& input);
Bytes reductionTotal(const ReferenceInput& input);
Bytes histogram64(const ReferenceInput& input);
Bytes histogram256(const ReferenceInput& input);
Bytes scan(const ReferenceInput& input);
Bytes scanTotal(const ReferenceInput& input);
// references_atomics.cpp: atomics on words of the scratchpad.
Bytes addedWords(const ReferenceInput& input);
Bytes imageHistogram(const ReferenceInput& input);
Bytes lineVotes(const ReferenceInput& input);
// references_aes.cpp: AES-128, and inputs that a host program makes for its kernels.
Bytes encryptedBlocks(const ReferenceInput& input);
Bytes decryptedBlocks(const ReferenceInput& input);
Bytes encryptionKeys(const ReferenceInput& input);
Bytes decryptionKeys(const ReferenceInput& input);
Bytes encryptionTables(const ReferenceInput& input);
Bytes decryptionTables(const ReferenceInput& input);
Bytes decryptionSubstitutes(const ReferenceInput& input);
// references_algebra.cpp: transforms, products, factors, alignment.
Bytes walshTransform(const ReferenceInput& input);
/// Returns the product of two n x n matrices, by rows.
std::vector<double> squareProduct(const std::vector<double>& a, const std::vector<double>& b,
                                  std::size_t n);
Bytes matrixProduct(const ReferenceInput& input);
Bytes scalarProducts(const ReferenceInput& input);
Bytes luFactors(const ReferenceInput& input);
Bytes alignmentScores(const ReferenceInput& input);
// references_signal.cpp: convolutions and transforms of signals and images, scans of matrices.
Bytes convolvedRows(const ReferenceInput& input);
Bytes convolvedColumns(const ReferenceInput& input);
Bytes cosineTransform(const ReferenceInput& input);
Bytes inverseCosineTransform(const ReferenceInput& input);
Bytes fixedPointTransform(const ReferenceInput& input);
Bytes inverseFixedPointTransform(const ReferenceInput& input);
Bytes haarTransform(const ReferenceInput& input);
Bytes fourierRows(const ReferenceInput& input);
Bytes fourierColumns(const ReferenceInput& input);
Bytes matrixScan(const ReferenceInput& input);
// references_product.cpp: a layer of a neural network, a scaled matrix product.
Bytes layerSums(const ReferenceInput& input);
Bytes adjustedWeights(const ReferenceInput& input);
Bytes scaledProduct(const ReferenceInput& input);
// references_stencil.cpp: grids whose cells look at their neighbours.
Bytes chipTemperatures(const ReferenceInput& input);
Bytes diffusedPicture(const ReferenceInput& input);
// references_dxtc.cpp: compression of pictures.
Bytes compressedBlocks(const ReferenceInput& input);
// references_rodinia.cpp: after the Rodinia suite.
Bytes alignmentUpper(const ReferenceInput& input);
Bytes alignmentLower(const ReferenceInput& input);
Bytes luDiagonalBlocks(const ReferenceInput& input);
Bytes luPerimeter(const ReferenceInput& input);
Bytes particleForces(const ReferenceInput& input);
// references_mri.cpp: scans and sort of MRI gridding, after Parboil.
Bytes segmentScan(const ReferenceInput& input);
Bytes segmentSums(const ReferenceInput& input);
Bytes treeSums(const ReferenceInput& input);
Bytes treePrefixes(const ReferenceInput& input);
Bytes keysByDigit(const ReferenceInput& input);
Bytes valuesByDigit(const ReferenceInput& input);
// references_parboil.cpp: after the Parboil suite.
Bytes slicePotential(const ReferenceInput& input);
Bytes qMatrixReal(const ReferenceInput& input);
Bytes qMatrixImaginary(const ReferenceInput& input);
Bytes reconstructionVector(const ReferenceInput& input);
Bytes blockDifferences(const ReferenceInput& input);
Bytes angleHistograms(const ReferenceInput& input);
// references_simulation.cpp: after the Parboil suite.
Bytes repulsionIntegrals(const ReferenceInput& input);
Bytes petriNets(const ReferenceInput& input);
// references_heartwall.cpp: after the Rodinia suite.
Bytes trackedPlaces(const ReferenceInput& input);
Bytes trackedTemplates(const ReferenceInput& input);
Bytes trackedCorrelations(const ReferenceInput& input);
// references_tensor.cpp: kernels on tiles of 128-byte rows.
Bytes halfProduct(const ReferenceInput& input);
Bytes attendedValues(const ReferenceInput& input);
Bytes transposedHalves(const ReferenceInput& input);
Bytes matrixTimesVector(const ReferenceInput& input);
// references_rows.cpp: kernels that take a row at a time.
Bytes softmaxRows(const ReferenceInput& input);
Bytes normalisedRows(const ReferenceInput& input);

}  // namespace fermata::cuda
