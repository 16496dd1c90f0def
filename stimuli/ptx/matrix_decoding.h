// What the decoders of instructions on matrices share.
#pragma once

#include <vector>

#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>

namespace fermata::ptx {

void takeAligned(Decoding& d);

/// The registers of a fragment, in braces where there are several; throws where they are not
/// `count`.
std::vector<const Operand*> fragment(Decoding& d, const Operand& operand, unsigned count);

/// The types of a product; form.m and form.k are not set.
struct MatrixTypes {
  MatrixForm form;
  std::uint8_t flags = 0;  ///< kSignedA, kSignedB, kClampSum, kDiffer
};
/// Takes the last parts of the opcode: types of d, a, b and c; of wmma with f16, of d and c; of
/// wgmma, of d, a and b.
MatrixTypes takeMatrixTypes(Decoding& d);

/// "f16", "s8" and others that factors and sums have.
std::optional<Factor> factorNamed(std::string_view name);
std::optional<Sum> sumNamed(std::string_view name);

Type typeOf(Sum sum);
/// Registers [first, first + count) of a fragment.
std::vector<const Operand*> part(const std::vector<const Operand*>& all, unsigned first,
                                 unsigned count);

struct MatrixOperands {
  std::vector<const Operand*> a, b, c, d;
  bool continues = false;  ///< c is d of the product before, which adds to it
};
/// Products of m x k by k x 8, on fragments as mma has them, one after another. None sees what
/// those before it write, but for a sum that it continues.
void emitProducts(Decoding& d, const MatrixTypes& types,
                  const std::vector<MatrixOperands>& products);

/// mma.m8n8k4 of f16 (decode_quad_product.cpp).
void decodeQuadProduct(Decoding& d);
/// mma.sp (decode_sparse_product.cpp).
void decodeSparseProduct(Decoding& d);

/// StaticInstruction::tensorWork. One of f64 counts as 16 of f16: assumption, as NVIDIA's A100
/// whitepaper (2020) has them: 19.5 and 312 TFLOPS.
std::uint16_t workOf(const MatrixForm& form);

}  // namespace fermata::ptx
