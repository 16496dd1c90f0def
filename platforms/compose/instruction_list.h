// Instructions of kernels, named in a parameter of a platform. The parameter is a list separated by
// blanks; instructions.csv shows names and numbers in its columns:
//
//   KERNEL            every instruction of a kernel
//   KERNEL:PC         one instruction
//   KERNEL:FIRST-LAST a range of PCs, both included
//   FILE@LINE         what a source line was compiled to, in every kernel
//   FILE@FIRST-LAST   a range of lines
//
// An instruction whose line the compiler does not give can be named by its PC only. A parameter
// that gives numbers as marks has =N behind each name. An instruction that is not named has mark 0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

class InstructionList {
 public:
  enum class Marks { Ones, Numbers };

  /// Parses the list. `parameter`: its path, for messages. Throws InputError with `place`, the
  /// text, the column in it and what was expected.
  InstructionList(const char* parameter, Marks marks, const std::string& text,
                  const SourceLocation& place);

  /// True if the list names nothing.
  bool empty() const { return entries_.empty(); }
  /// Returns the mark of each instruction of a program. Throws InputError for a PC that the kernel
  /// does not have, and for an instruction named twice with different marks.
  std::vector<std::uint8_t> resolve(const Workload& workload, std::uint32_t program);
  /// Throws InputError if a part of the list named nothing in any resolved program: a typing error.
  void checkUsed() const;

 protected:
  struct Entry {
    std::string text;  ///< as it was given
    std::string name;  ///< name of the kernel or the file
    bool lines = false;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint8_t mark = 0;
    bool everything = false;  ///< no range was given
    bool used = false;
  };

  const std::vector<Entry>& entries() const { return entries_; }
  [[noreturn]] void fail(const std::string& what, std::size_t column = 0) const;

 private:
  Entry read(const std::string& word, std::size_t column) const;
  void readMark(Entry& entry, std::size_t equals, std::size_t column) const;
  void readPlace(Entry& entry, const std::string& where, std::size_t column) const;
  std::string syntax() const;
  bool names(const Entry& entry, const std::string& kernel, const InstructionText& text,
             std::uint32_t pc) const;

  const char* parameter_;
  Marks marks_;
  std::string text_;
  SourceLocation place_;
  std::vector<Entry> entries_;
};

}  // namespace fermata::platforms
