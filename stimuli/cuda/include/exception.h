// Exceptions of the CUDA samples, which name the place of the error.
#pragma once
#define COMMON_EXCEPTION_H_  // programs test whether it was included

#include <stdlib.h>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

template <class Std>
class Exception : public Std {
 public:
  explicit Exception(const std::string& what) : Std(what) {}
  static void throw_it(const char* file, const int line, const char* detail) {
    throw Exception(std::string("Exception in file '") + file + "' in line " +
                    std::to_string(line) + "\nDetailed description: " + detail + "\n");
  }
  static void throw_it(const char* file, const int line, const std::string& detail) {
    throw_it(file, line, detail.c_str());
  }
};
template <class Std>
inline void handleException(const Std& exception) {
  std::cerr << exception.what() << std::endl;
  exit(EXIT_FAILURE);
}
#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text) Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)
