// Grey and coloured images (PGM, PPM) and comparisons, in the interface of the CUDA samples. A
// function that loads allocates the pixels with malloc if *data is null.
#pragma once
#define COMMON_HELPER_IMAGE_H_  // programs test whether it was included

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <vector>

#include "helper_string.h"

namespace fermata_cuda {

/// Returns the next number of a header, skipping comments; -1 if there is none.
inline int numberOfHeader(FILE* file) {
  for (;;) {
    int c = fgetc(file);
    if (c == '#') {
      while (c != '\n' && c != EOF) c = fgetc(file);
    } else if (c >= '0' && c <= '9') {
      ungetc(c, file);
      int number = -1;
      return fscanf(file, "%d", &number) == 1 ? number : -1;
    } else if (c == EOF || (c != ' ' && c != '\t' && c != '\r' && c != '\n')) {
      return -1;
    }
  }
}
/// Loads the bytes of a P5 or P6 of 8 bits.
inline bool loadImage(const char* path, std::vector<unsigned char>& bytes, unsigned* width,
                      unsigned* height, unsigned* channels) {
  FILE* const file = fopen(path, "rb");
  if (file == NULL) return false;
  char magic[3] = {};
  const bool named = fread(magic, 1, 2, file) == 2;
  *channels = strcmp(magic, "P5") == 0 ? 1 : strcmp(magic, "P6") == 0 ? 3 : 0;
  const int w = named && *channels != 0 ? numberOfHeader(file) : -1;
  const int h = w > 0 ? numberOfHeader(file) : -1;
  const int most = h > 0 ? numberOfHeader(file) : -1;
  bool read = false;
  if (most > 0 && most < 256) {
    fgetc(file);
    bytes.resize(static_cast<size_t>(w) * h * *channels);
    read = fread(bytes.data(), 1, bytes.size(), file) == bytes.size();
    *width = static_cast<unsigned>(w);
    *height = static_cast<unsigned>(h);
  }
  fclose(file);
  return read;
}
inline bool saveImage(const char* path, const unsigned char* bytes, unsigned width, unsigned height,
                      unsigned channels) {
  FILE* const file = fopen(path, "wb");
  if (file == NULL) return false;
  const size_t size = static_cast<size_t>(width) * height * channels;
  const bool written =
      fprintf(file, "P%d\n%u %u\n255\n", channels == 1 ? 5 : 6, width, height) > 0 &&
      fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && written;
}
inline unsigned char toByte(unsigned char pixel) { return pixel; }
inline unsigned char toByte(float pixel) { return static_cast<unsigned char>(pixel * 255.0f); }
inline void fromByte(unsigned char byte, unsigned char* pixel) { *pixel = byte; }
inline void fromByte(unsigned char byte, float* pixel) {
  *pixel = static_cast<float>(byte) / 255.0f;
}

}  // namespace fermata_cuda

template <class T>
inline bool sdkLoadPGM(const char* path, T** data, unsigned* width, unsigned* height) {
  std::vector<unsigned char> bytes;
  unsigned channels = 0;
  if (!fermata_cuda::loadImage(path, bytes, width, height, &channels) || channels != 1)
    return false;
  if (*data == NULL) *data = static_cast<T*>(malloc(bytes.size() * sizeof(T)));
  for (size_t i = 0; i < bytes.size(); ++i) fermata_cuda::fromByte(bytes[i], &(*data)[i]);
  return true;
}
template <class T>
inline bool sdkSavePGM(const char* path, T* data, unsigned width, unsigned height) {
  std::vector<unsigned char> bytes(static_cast<size_t>(width) * height);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = fermata_cuda::toByte(data[i]);
  return fermata_cuda::saveImage(path, bytes.data(), width, height, 1);
}
/// Loads an image with a fourth channel of 0.
inline bool sdkLoadPPM4ub(const char* path, unsigned char** data, unsigned* width,
                          unsigned* height) {
  std::vector<unsigned char> bytes;
  unsigned channels = 0;
  if (!fermata_cuda::loadImage(path, bytes, width, height, &channels)) return false;
  const size_t pixels = bytes.size() / channels;
  if (*data == NULL) *data = static_cast<unsigned char*>(malloc(pixels * 4));
  for (size_t i = 0; i < pixels; ++i) {
    for (unsigned c = 0; c < 3; ++c) (*data)[4 * i + c] = bytes[i * channels + c % channels];
    (*data)[4 * i + 3] = 0;
  }
  return true;
}
inline bool sdkSavePPM4ub(const char* path, unsigned char* data, unsigned width, unsigned height) {
  std::vector<unsigned char> bytes;
  for (size_t i = 0; i < static_cast<size_t>(width) * height; ++i)
    bytes.insert(bytes.end(), data + 4 * i, data + 4 * i + 3);
  return fermata_cuda::saveImage(path, bytes.data(), width, height, 3);
}

/// Returns true if at most the fraction `threshold` of the elements differ by more than `epsilon`.
template <class T, class S>
inline bool compareData(const T* reference, const T* data, const unsigned length, const S epsilon,
                        const float threshold) {
  unsigned differ = 0;
  for (unsigned i = 0; i < length; ++i) {
    const double difference = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
    if (!(fabs(difference) <= static_cast<double>(epsilon))) ++differ;
  }
  return threshold == 0.0f ? differ == 0
                           : static_cast<float>(differ) <= static_cast<float>(length) * threshold;
}
/// Compares the length of the difference with the reference's length.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned length,
                           const float epsilon) {
  double error = 0.0, square = 0.0;
  for (unsigned i = 0; i < length; ++i) {
    const double d = static_cast<double>(reference[i]) - data[i];
    error += d * d;
    square += static_cast<double>(reference[i]) * reference[i];
  }
  return square > 1e-7 && sqrt(error) / sqrt(square) < epsilon;
}
inline bool sdkComparePGM(const char* source, const char* reference, const float epsilon,
                          const float threshold) {
  std::vector<unsigned char> a, b;
  unsigned wa = 0, ha = 0, ca = 0, wb = 0, hb = 0, cb = 0;
  if (!fermata_cuda::loadImage(source, a, &wa, &ha, &ca) ||
      !fermata_cuda::loadImage(reference, b, &wb, &hb, &cb) || wa != wb || ha != hb || ca != cb)
    return false;
  return compareData(b.data(), a.data(), static_cast<unsigned>(a.size()), epsilon, threshold);
}
inline bool sdkComparePPM(const char* source, const char* reference, const float epsilon,
                          const float threshold, bool = false) {
  return sdkComparePGM(source, reference, epsilon, threshold);
}
