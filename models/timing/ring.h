// A first-in first-out queue in a flat ring. It allocates only when it holds more elements than
// ever before.
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
  /// front() returns the oldest element, operator[] the element that came `i` after it.
  /// Precondition: size() > i.
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& operator[](std::size_t i) { return slots_[(first_ + i) & (slots_.size() - 1)]; }
  const T& operator[](std::size_t i) const { return slots_[(first_ + i) & (slots_.size() - 1)]; }
  void push(T what) {
    if (size_ == slots_.size()) grow();
    slots_[(first_ + size_++) & (slots_.size() - 1)] = std::move(what);
  }
  /// Removes the oldest element and returns it. Precondition: not empty.
  T pop() {
    T what = std::move(slots_[first_]);
    first_ = (first_ + 1) & (slots_.size() - 1);
    --size_;
    return what;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 8 : 2 * slots_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
    slots_.swap(larger);
    first_ = 0;
  }

  std::vector<T> slots_;  ///< its size is a power of two, or 0
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace fermata
