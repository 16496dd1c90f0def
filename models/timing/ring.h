// First in, first out, in a flat ring that grows when it must: nothing is allocated unless it holds
// more than ever before.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace fermata {

template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// The oldest, and the one `i` younger than it. Precondition: there are more than `i`.
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& operator[](std::size_t i) { return slots_[(first_ + i) & (slots_.size() - 1)]; }
  const T& operator[](std::size_t i) const { return slots_[(first_ + i) & (slots_.size() - 1)]; }
  void push(T what) {
    if (size_ == slots_.size()) grow();
    slots_[(first_ + size_++) & (slots_.size() - 1)] = std::move(what);
  }
  /// Precondition: not empty.
  T pop() {
    T what = std::move(slots_[first_]);
    first_ = (first_ + 1) & (slots_.size() - 1);
    --size_;
    return what;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 8 : 2 * slots_.size());
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = std::move((*this)[i]);
    }
    slots_.swap(larger);
    first_ = 0;
  }

  std::vector<T> slots_;  ///< a power of two, or none
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace fermata
