// The paths of a load or store, by the shape of its addresses.
#pragma once

#include <string>
#include <vector>

#include <fermata/stimuli/native/lane_code.h>
#include <fermata/stimuli/ptx/handlers.h>

namespace fermata::native {

/// A load or store, known by its handler.
struct Access {
  bool isLoad = false;
  MemorySpace space = MemorySpace::None;
  unsigned bytes = 4;  ///< of an element
  bool isSigned = false;
  bool isAtomic = false;
  ptx::AtomicOp op{};    ///< of an atomic
  bool isFloat = false;  ///< an atomic adds floats
};

/// Where the lanes access, as names of values: addresses, and the memory that holds them.
struct Place {
  unsigned bits = 32;  ///< of an address
  std::string at;      ///< by lane
  std::string base;    ///< address of the memory's first byte
  std::string bytes;   ///< its size
  std::string data;    ///< where the host has it
};

/// Places of the fields of an Allocation.
struct AllocationOffsets {
  std::size_t base, bytes, data;
};
AllocationOffsets allocationOffsets();

/// Sets the register of element `e` of a load to a vector of the element's width.
void setElement(LaneCode& code, const ptx::Instruction& i, const Access& access, unsigned e,
                const std::string& value);

class AccessPaths {
 public:
  /// Begins the access: lanes, if it has any.
  AccessPaths(LaneCode& code, const ptx::Instruction& i, const Access& access);

  /// Label of the path that leaves the access to the executor.
  const std::string& slow() const { return slow_; }
  void write(const Place& place);

 private:
  static constexpr unsigned kHalf = kWarpLanes / 2;

  /// Where a lane begins: its address, its offset in the memory, and whether the lane may access.
  struct Start {
    std::string address, offset, fits;
  };
  Start startOf(const Place& place, const std::string& lane);
  std::string fits(const std::string& offset);
  void writeHalves(const Place& place);
  void writeFromFirst(const Place& place);
  void writeApart(const Place& place);
  void writeHalfRows(const std::string& low, const std::string& high);
  void writePartOfRow(const std::string& pointer);
  void writeOnes(const std::string& low, const std::string& high);
  void writeLocalWords(const std::string& pointer);
  void each(const std::string& data, const std::string& offsets);
  void eachLocal(const std::string& data, const std::string& offsets);
  void writeUpdates(const std::string& data, const std::string& offsets);
  void writeLanes(const std::string& data, bool atOnce);
  std::string operandOf(unsigned which, const std::string& lane);
  std::string updated(const std::string& old, const std::string& lane);
  std::string replaced(const std::string& pointer, const std::string& lane);
  std::string gathered(unsigned bits, const std::string& data, const std::string& offsets);
  void scatter(unsigned bits, const std::string& value, const std::string& data,
               const std::string& offsets);
  std::string gatheredPart(const std::string& data, const std::string& offsets);
  std::string stored(unsigned e);
  std::string allOf(const std::string& lanes);
  void require(const std::string& condition);
  std::string aligned(const std::string& address);
  std::string joined(const std::string& low, const std::string& high);
  std::string part(const std::string& value, unsigned k);
  void begin(const std::string& label);
  void end();

  unsigned bits() const { return 8 * access_.bytes; }
  bool wide() const { return i_.wideData; }

  LaneCode& c_;
  const ptx::Instruction& i_;
  const Access& access_;
  LaneCode::Rows before_;
  std::string slow_, done_;
  std::string label_;  ///< of the path that is written
  struct End {
    std::string label;
    std::vector<std::string> values;
  };
  std::vector<End> ends_;
  std::string first_;              ///< first lane that executes
  std::string room_;               ///< highest offset of a lane
  std::vector<std::string> data_;  ///< of stores
};

}  // namespace fermata::native
