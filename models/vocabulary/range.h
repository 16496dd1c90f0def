// Legal values of a numeric parameter, and the check that a module makes of its own parameters. A
// range stands in one place, the description of the parameters: a function template that calls
//
//   visit(path, field, unit, range, meaning)   for a number
//   visit(path, field, meaning)                for a choice, a text or a flag
//
// Platform files, `--set`, printing and the modules' checks are visitors.
#pragma once

#include <optional>
#include <string>

namespace fermata {

/// Range of an integer or real parameter.
struct Range {
  double least;
  double most;
  bool powerOfTwo = false;

  bool holds(double value) const {
    return value >= least && value <= most && (!powerOfTwo || isPowerOfTwo(value));
  }

 private:
  static bool isPowerOfTwo(double value) {
    const auto n = static_cast<unsigned long long>(value);
    return n != 0 && (n & (n - 1)) == 0;
  }
};

/// Visitor that keeps what is wrong with the first number out of its range.
class RangeCheck {
 public:
  template <class Number>
  void operator()(const char* path, const Number& number, const char*, const Range& range,
                  const char*) {
    if (wrong_.empty() && !range.holds(static_cast<double>(number)))
      wrong_ = refusal(path, static_cast<double>(number), range);
  }
  template <class Number>
  void operator()(const char* path, const std::optional<Number>& number, const char* unit,
                  const Range& range, const char* meaning) {
    if (number) (*this)(path, *number, unit, range, meaning);
  }
  template <class Other>
  void operator()(const char*, const Other&, const char*) {}

  /// Returns "scheduler.schedulers = 9; expected 1 to 8"; empty: every number is in its range.
  const std::string& wrong() const { return wrong_; }

 private:
  static std::string text(double number) {
    const auto whole = static_cast<long long>(number);
    return static_cast<double>(whole) == number ? std::to_string(whole) : std::to_string(number);
  }
  static std::string refusal(const char* path, double number, const Range& range) {
    return path + (" = " + text(number)) + "; expected " +
           (range.powerOfTwo ? "a power of two from " : "") + text(range.least) + " to " +
           text(range.most);
  }

  std::string wrong_;
};

}  // namespace fermata
