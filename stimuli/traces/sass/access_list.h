// Lists of accesses: the text of NVBit's mem_trace, and HyFiSS' .mem. They have addresses and
// nothing else: no other instructions, no barriers, no order. Enough for conflicts, not for cycles.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <fermata/stimuli/traces/sass/trace_lines.h>

namespace fermata::sass {

/// Returns whether a path names a list: .memtrace (NVBit's mem_trace) or .mem (HyFiSS), each also
/// with .xz.
bool isAccessListName(const std::string& path);

/// Lines of the head that AccessListBytes writes before the first line of the list.
inline constexpr std::size_t kListHeadLines = 6;

/// Turns a list into the text of a raw trace. Each line gives one line, an empty one where it has
/// no access.
class AccessListBytes : public TraceBytes {
 public:
  AccessListBytes(std::unique_ptr<TraceBytes> list, const std::string& path);
  std::size_t read(char* to, std::size_t room) override;
  traces::ContentHash hash() override { return lines_.hash(); }

 private:
  void addMemTrace();
  void addHyFiss();
  void addRow(std::string_view place, std::string_view opcode, std::string_view mask,
              const std::string& addresses);
  [[noreturn]] void fail(const char* expected) const;

  TraceLines lines_;
  bool hyFiss_;
  std::map<std::string, unsigned, std::less<>> opcodes_;  ///< each has an address of its own
  std::string text_;
  std::size_t at_ = 0;  ///< bytes of `text_` that were handed out
};

}  // namespace fermata::sass
