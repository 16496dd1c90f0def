// Text of LLVM's intermediate language for the instructions of a warp. A row of registers is a
// vector of 32 lanes; values stay in registers of the host until another instruction may have
// changed the row. Each result goes to its row at once, so that the executor can take over at any
// instruction.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::native {

/// Names the vector type of 32 lanes whose values have this type: "<32 x i32>".
std::string vectorOf(ptx::Type type);
inline std::string vectorOfBits(unsigned bits) {
  return fmt::format("<32 x i{}>", bits);
}

class LaneCode {
 public:
  /// `whole`: the code is for warps all of whose lanes are active.
  LaneCode(const ptx::KernelCode& kernel, bool whole);

  const ptx::KernelCode& kernel() const { return kernel_; }
  bool whole() const { return whole_; }
  std::uint32_t pc() const { return pc_; }

  // Text.
  template <class... Text>
  void line(const char* text, const Text&... values) {
    body_ += "  " + fmt::format(fmt::runtime(text), values...) + "\n";
  }
  /// Adds a line that names a new value, and returns the name.
  template <class... Text>
  std::string def(const char* text, const Text&... values) {
    std::string name = fmt::format("%v{}", ++names_);
    line("{} = {}", name, fmt::format(fmt::runtime(text), values...));
    return name;
  }
  std::string newLabel() { return fmt::format("b{}", ++names_); }
  void label(const std::string& name) { body_ += name + ":\n"; }
  /// Ends a block with a branch by a condition, and begins the block `next`, one of both targets.
  void fork(const std::string& condition, const std::string& yes, const std::string& no,
            const std::string& next);
  /// Returns a vector whose lanes all have a value; computed once per call of the code.
  std::string splat(unsigned bits, std::uint64_t value);
  /// Returns the vector 0, step, 2 * step, ..., which begins again after `period` lanes.
  std::string ramp(unsigned bits, std::uint64_t step, unsigned period = kWarpLanes);
  /// Returns a scalar in all lanes.
  std::string spread(unsigned bits, const std::string& scalar);
  /// Returns one scalar in the first half of the lanes, another one in the second.
  std::string halves(unsigned bits, const std::string& low, const std::string& high);
  /// Returns the address of a byte behind a pointer.
  std::string address(const std::string& pointer, std::uint64_t offset);
  /// The text: lines before the first piece, then the pieces.
  const std::string& entry() const { return entry_; }
  const std::string& body() const { return body_; }

  // Lanes that execute the instruction.
  /// Begins the instruction at `pc`, behind which the piece has `behind` more.
  void beginInstruction(const ptx::Instruction& i, std::uint32_t pc, unsigned behind);
  bool all() const { return mask_.empty(); }
  std::string mask() const { return all() ? "-1" : mask_; }
  std::string lanes();  ///< the mask as a vector of bits
  std::string active() const { return whole_ ? "-1" : "%active"; }

  // Rows and predicates.
  void forget();
  void forget(ptx::Row row, bool wide);
  std::string word(ptx::Row row, bool wide);
  std::string value(ptx::Row row, ptx::Type type);
  /// Sets a row in the lanes of the mask.
  void set(ptx::Row row, ptx::Type type, const std::string& value);
  void setWord(ptx::Row row, bool wide, const std::string& value);
  /// Remembers that a row now has a value, which another store gave it.
  void know(ptx::Row row, bool wide, const std::string& value);
  /// Sets d to an f64 or, if a lane's result is no number, lets the executor do it.
  void setUnlessNan(const ptx::Instruction& i, const std::string& value);
  /// Lets the executor execute the instruction. Ends the code if the warp does not go on behind
  /// it. What is known of rows stays known: the caller forgets what has changed.
  void interpret();
  /// Lets the executor execute the instruction, which may change any row.
  void leaveToExecutor() {
    interpret();
    forget();
  }
  /// Values that rows are known to have. Each of several paths begins with those known before.
  using Rows = std::map<std::pair<ptx::Row, bool>, std::string>;
  const Rows& rows() const { return rows_; }
  void setRows(const Rows& rows) { rows_ = rows; }
  std::string predicate(const ptx::PredicateOperand& operand);
  void setPredicate(std::uint16_t number, const std::string& bits);
  /// Returns the value of a row of constants, if it is known before the launch.
  const ptx::ConstantRow* constantOf(ptx::Row row) const;

  // Operations.
  std::string op(const char* name, const std::string& type, const std::string& a,
                 const std::string& b) {
    return def("{} {} {}, {}", name, type, a, b);
  }
  std::string compare(const char* relation, const std::string& type, const std::string& a,
                      const std::string& b);
  std::string select(const std::string& condition, const std::string& type, const std::string& a,
                     const std::string& b) {
    return def("select <32 x i1> {}, {} {}, {} {}", condition, type, a, type, b);
  }
  std::string bitsOf(const std::string& lanes) { return def("bitcast <32 x i1> {} to i32", lanes); }
  std::string cast(const char* name, const std::string& value, const std::string& from,
                   const std::string& to);
  /// Calls a function of LLVM with arguments of types and values, and declares it.
  std::string call(const std::string& result, const std::string& name,
                   std::initializer_list<std::pair<std::string, std::string>> arguments);
  void callVoid(const std::string& name,
                std::initializer_list<std::pair<std::string, std::string>> arguments);
  /// Returns a mask with all lanes.
  static std::string allLanes();
  const std::set<std::string>& declarations() const { return declarations_; }

 private:
  std::string rowAddress(ptx::Row row);

  const ptx::KernelCode& kernel_;
  bool whole_;
  std::string entry_, body_;
  unsigned names_ = 0;
  std::uint32_t pc_ = 0;
  unsigned behind_ = 0;
  std::string mask_, lanes_;
  Rows rows_;
  std::map<std::uint16_t, std::string> predicates_;
  std::map<std::string, std::string> vectors_;  ///< by text: constants of the entry
  std::map<ptx::Row, const ptx::ConstantRow*> constants_;
  std::set<std::string> declarations_;
};

}  // namespace fermata::native
