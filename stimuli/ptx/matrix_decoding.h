// Shared by the decoders of matrix instructions.
#pragma once

#include <vector>

#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>

namespace fermata::ptx {

void takeAligned(Decoding& d);

/// Returns the registers of a fragment, in braces unless there is one. Throws InputError if there
/// are not `count`.
std::vector<const Operand*> fragment(Decoding& d, const Operand& operand, unsigned count);

/// Types of a product; form.m and form.k are not set.
struct MatrixTypes {
  MatrixForm form;
  std::uint8_t flags = 0;  ///< kSignedA, kSignedB, kClampSum, kDiffer
};
/// Takes the types from the end of the opcode: those of d, a, b and c; for wmma with f16, of d and
/// c; for wgmma, of d, a and b.
MatrixTypes takeMatrixTypes(Decoding& d);

/// Return the type of factors or sums with this name ("f16", "s8"), or nothing.
std::optional<Factor> factorNamed(std::string_view name);
std::optional<Sum> sumNamed(std::string_view name);

Type typeOf(Sum sum);
/// Returns registers [first, first + count) of a fragment.
std::vector<const Operand*> part(const std::vector<const Operand*>& all, unsigned first,
                                 unsigned count);

struct MatrixOperands {
  std::vector<const Operand*> a, b, c, d;
  bool continues = false;             ///< c is the d of the product before; this one adds to it
  const Operand* metadata = nullptr;  ///< mma.sp
};
/// A product on fragments in mma's layout.
struct MatrixProduct {
  MatrixOperands operands;
  Handler handler = nullptr;
  ProductOperands fields{};  ///< but for `rows`
  std::uint8_t blocks = 1;   ///< Instruction::elements
  std::uint16_t work = 0;
};
/// Emits products one after another. `form` gives the types of their registers. No product sees
/// what earlier ones write, except the sum that it continues.
void emitProducts(Decoding& d, const MatrixForm& form, const std::vector<MatrixProduct>& products);

/// Takes .row.col. Throws InputError for other layouts.
void takeRowByColumn(Decoding& d);

/// Decode mma.m8n8k4 of f16 (quad_product.cpp) and mma.sp (sparse_product.cpp).
void decodeQuadProduct(Decoding& d);
void decodeSparseProduct(Decoding& d);

/// Returns StaticInstruction::tensorWork of a product. One multiply-add of f64 counts as 16 of f16
/// (assumption: 19.5 and 312 TFLOPS in NVIDIA's A100 whitepaper, 2020).
std::uint16_t workOf(const MatrixForm& form);

}  // namespace fermata::ptx
