// Memory that belongs to graphs: allocations of their nodes, and words of conditions.
#pragma once

#include <fermata/platforms/cudart/api_error.h>

#include <cstdint>
#include <memory>

namespace fermata::cudart {

/// Memory of an allocation node: reserved from the node's making on, at one address; valid between
/// its node's run and its free.
class GraphMemory {
 public:
  /// Reserves the bytes. Throws ApiError.
  explicit GraphMemory(std::size_t bytes);
  /// Gives the memory back. What a graph has left allocated is from then on the program's to free.
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  /// Throws ApiError if the memory is still allocated.
  void allocate();
  void free();

  void* const pointer;
  const std::size_t bytes;
  unsigned executables = 0;    ///< that hold the node
  bool freedOnLaunch = false;  ///< cudaGraphInstantiateFlagAutoFreeOnLaunch

 private:
  bool allocated_ = false;
};

/// Returns the memory of an allocation node that begins at the pointer, or null.
GraphMemory* graphMemoryAt(const void* pointer);
/// Forgets all, without giving anything back; called when the device begins anew.
void forgetGraphMemory();

/// A value that kernels set and conditional nodes read. Its handle is the address of its word.
class Condition {
 public:
  Condition(unsigned initial, bool assigned);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  cudaGraphConditionalHandle handle() const { return address_; }
  unsigned value() const;
  /// Called when a graph is launched.
  void assignDefault();

  bool used = false;  ///< a node has it

 private:
  std::uint64_t address_;
  unsigned initial_;
  bool assigned_;
};

}  // namespace fermata::cudart
