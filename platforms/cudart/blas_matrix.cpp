#include <fermata/platforms/cudart/blas_matrix.h>

#include <fermata/stimuli/ptx/float8.h>

#include <cmath>
#include <cstring>

namespace fermata::cudart {

namespace {

template <class T>
std::vector<double> plainNumbers(const void* bytes, std::size_t count) {
  std::vector<T> values(count);
  if (count != 0) std::memcpy(values.data(), bytes, count * sizeof(T));
  return {values.begin(), values.end()};
}

/// Returns of(word) for each word.
template <class T, class Of>
std::vector<double> smallNumbers(const void* bytes, std::size_t count, Of of) {
  std::vector<T> values(count);
  if (count != 0) std::memcpy(values.data(), bytes, count * sizeof(T));
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = of(values[i]);
  return numbers;
}

/// Writes of(number) for each number.
template <class T, class Of>
void writeEach(const std::vector<double>& numbers, void* bytes, Of of) {
  std::vector<T> values(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) values[i] = of(numbers[i]);
  if (!values.empty()) std::memcpy(bytes, values.data(), values.size() * sizeof(T));
}

/// Returns an integer, rounded to nearest, modulo 2^32.
std::int32_t wrapped(double number) {
  const double rest = std::fmod(std::nearbyint(number), 0x1p32);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(rest)));
}

Rows rowsOf(const BlasMatrix& matrix) {
  return {matrix.rows * blasSize(matrix.type), matrix.columns, 1};
}
Place placeOf(const BlasMatrix& matrix) {
  const std::size_t pitch = matrix.lead * blasSize(matrix.type);
  return {matrix.at, pitch, pitch * matrix.columns};
}

}  // namespace

std::size_t blasSize(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_64F:
      return 8;
    default:
      return 0;
  }
}

std::vector<double> numbersOf(cudaDataType type, const void* bytes, std::size_t count) {
  switch (type) {
    case CUDA_R_8I:
      return plainNumbers<std::int8_t>(bytes, count);
    case CUDA_R_16F:
      return smallNumbers<std::uint16_t>(bytes, count, ptx::fromHalf<ptx::F16Format>);
    case CUDA_R_16BF:
      return smallNumbers<std::uint16_t>(bytes, count, ptx::fromHalf<ptx::Bf16Format>);
    case CUDA_R_32F:
      return plainNumbers<float>(bytes, count);
    case CUDA_R_32I:
      return plainNumbers<std::int32_t>(bytes, count);
    case CUDA_R_8F_E4M3:
      return smallNumbers<std::uint8_t>(bytes, count, ptx::floatOfE4m3);
    case CUDA_R_8F_E5M2:
      return smallNumbers<std::uint8_t>(bytes, count, ptx::floatOfE5m2);
    default:
      return plainNumbers<double>(bytes, count);
  }
}

void writeNumbers(cudaDataType type, const std::vector<double>& numbers, void* bytes) {
  switch (type) {
    case CUDA_R_8I:
      return writeEach<std::int8_t>(numbers, bytes, [](double x) {
        return static_cast<std::int8_t>(std::fmin(std::fmax(std::nearbyint(x), -128), 127));
      });
    case CUDA_R_16F:
      return writeEach<std::uint16_t>(numbers, bytes,
                                      [](double x) { return ptx::toHalf<ptx::F16Format>(x); });
    case CUDA_R_16BF:
      return writeEach<std::uint16_t>(numbers, bytes,
                                      [](double x) { return ptx::toHalf<ptx::Bf16Format>(x); });
    case CUDA_R_32F:
      return writeEach<float>(numbers, bytes, [](double x) { return static_cast<float>(x); });
    case CUDA_R_32I:
      return writeEach<std::int32_t>(numbers, bytes, wrapped);
    case CUDA_R_8F_E4M3:
      return writeEach<std::uint8_t>(numbers, bytes,
                                     [](double x) { return ptx::toFloat8(x, ptx::kE4m3); });
    case CUDA_R_8F_E5M2:
      return writeEach<std::uint8_t>(numbers, bytes,
                                     [](double x) { return ptx::toFloat8(x, ptx::kE5m2); });
    default:
      return writeEach<double>(numbers, bytes, [](double x) { return x; });
  }
}

std::vector<double> readMatrix(Session& session, const BlasMatrix& matrix) {
  const Rows rows = rowsOf(matrix);
  std::vector<std::uint8_t> bytes(rows.width * rows.height);
  if (!bytes.empty())
    copy(session, Place{bytes.data(), rows.width, bytes.size()}, placeOf(matrix), rows,
         cudaMemcpyDeviceToHost);
  return numbersOf(matrix.type, bytes.data(), matrix.rows * matrix.columns);
}

void writeMatrix(Session& session, const BlasMatrix& matrix, const std::vector<double>& numbers) {
  const Rows rows = rowsOf(matrix);
  std::vector<std::uint8_t> bytes(rows.width * rows.height);
  if (bytes.empty()) return;
  writeNumbers(matrix.type, numbers, bytes.data());
  copy(session, placeOf(matrix), Place{bytes.data(), rows.width, bytes.size()}, rows,
       cudaMemcpyHostToDevice);
}

}  // namespace fermata::cudart
