// Writes the mutants of the RTL that mutants.txt lists, and a module that holds them all.
//   mutate LIST RTL_FOLDER OUTPUT_FOLDER
#include "tests/rtl/mutants/mutants.h"

#include <iostream>
#include <map>
#include <sstream>

namespace {

using fermata::rtl::test::Mutant;

/// Instantiation of a kind in the module; %I stands for the number of the mutant.
struct Kind {
  std::string module;
  std::string parameters;
  std::string ports;
};

const std::string kConfig =
    ".clk(clk), .config_we(config_we[%W]), .config_data(config_data[%B-1:0]), .word(word[13:0]), ";
const std::string kHash = ".word(word[13:0]), .bank(bank[%I]), .row(row[%I])";
const std::string kClock =
    ".clk(clk), .reset(reset), .request_valid(request_valid), .request_ready(ready[%I]), "
    ".response_valid(valid[%I]), ";
const std::string kPass =
    ".lanes(lanes), .bank(lane_bank), .row(lane_row), .open_valid(), .open_row(), "
    ".leaders(leaders[%I]), .served(served[%I]), .left(left[%I])";
const std::string kSizes = ".BANKS(33), .BANK_BITS(8), .ROW_BITS(32)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string config(unsigned number, unsigned bits, const std::string& output) {
  return replaced(replaced(kConfig, "%W", std::to_string(number)), "%B", std::to_string(bits)) +
         output;
}

const std::map<std::string, Kind>& kinds() {
  static const std::string ami = ".word(word), .bank(bank[%I]), .row(row[%I])";
  static const std::map<std::string, Kind> kinds{
      {"ami_divmod", {"ami_divmod", ".M(34), .FORM(1)", ami}},
      {"ami_array", {"ami_divmod", ".M(34), .FORM(0)", ami}},
      {"ami_raw_31", {"ami_divmod", ".M(31), .FORM(0), .EXACT(1'b0)", ami}},
      {"ami_raw_34", {"ami_divmod", ".M(34), .FORM(1), .EXACT(1'b0)", ami}},
      {"ami_raw_37", {"ami_divmod", ".M(37), .FORM(0), .EXACT(1'b0)", ami}},
      {"ami_raw_46", {"ami_divmod", ".M(46), .FORM(1), .EXACT(1'b0)", ami}},
      {"ami_raw_52", {"ami_divmod", ".M(52), .FORM(0), .EXACT(1'b0)", ami}},
      {"bit_vector_permutation", {"bit_vector_permutation", "", config(0, 4, ".bank(bank[%I])")}},
      {"bit_vector_xor", {"bit_vector_xor", "", config(1, 13, ".bank(bank[%I])")}},
      {"bitwise_permutation", {"bitwise_permutation", "", config(2, 20, ".bank(bank[%I])")}},
      {"bitwise_xor", {"bitwise_xor", "", config(3, 45, ".bank(bank[%I])")}},
      {"row_select", {"row_select", "", config(4, 20, ".row(row[%I])")}},
      {"fixed_xor", {"fixed_xor", "", kHash}},
      {"add_hash", {"add_hash", "", kHash}},
      {"pass_arbiter", {"pass_arbiter", kSizes, kClock + kPass}},
      {"crossbar",
       {"crossbar", kSizes, kClock + kPass + ", .bank_word(bank_word), .lane_word(lane_word[%I])"}},
      {"banked_scratchpad",
       {"banked_scratchpad", kSizes + ", .ROWS(373)",
        kClock + ".lanes(lanes), .write(write), .bank(lane_bank), .row(lane_row), .data(data), "
                 ".enable(enable), .word(lane_word[%I])"}},
      {"lock_unit",
       {"lock_unit", ".LOCKS(128), .NUMBER_BITS(16)",
        kClock + ".lock(lanes), .unlock(unlock), .number(number), .got(got[%I])"}},
  };
  return kinds;
}

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || text.str().empty()) throw std::runtime_error(path + " cannot be read");
  return text.str();
}

/// Returns the mutant's source. Throws unless the mutant's text occurs exactly once in `source`.
std::string mutated(const std::string& source, const Mutant& mutant) {
  if (mutant.isNone()) return source;
  const std::size_t at = source.find(mutant.from);
  if (at == std::string::npos || source.find(mutant.from, at + 1) != std::string::npos) {
    throw std::runtime_error("the text of a mutant of " + mutant.kind +
                             " does not occur once: " + mutant.from);
  }
  return std::string(source).replace(at, mutant.from.size(), mutant.to);
}

const char* const kHead = R"(module mutants (
    input  logic          clk,
    input  logic          reset,
    input  logic [31:0]   word,
    input  logic [4:0]    config_we,
    input  logic [63:0]   config_data,
    output logic [31:0]   bank[COUNT],
    output logic [31:0]   row[COUNT],
    input  logic          request_valid,
    input  logic [31:0]   lanes,
    input  logic [31:0]   write,
    input  logic [31:0]   unlock,
    input  logic [255:0]  lane_bank,
    input  logic [1023:0] lane_row,
    input  logic [1023:0] data,
    input  logic [127:0]  enable,
    input  logic [511:0]  number,
    input  logic [1055:0] bank_word,
    output logic          ready[COUNT],
    output logic          valid[COUNT],
    output logic [31:0]   leaders[COUNT],
    output logic [31:0]   served[COUNT],
    output logic [31:0]   left[COUNT],
    output logic [31:0]   got[COUNT],
    output logic [1023:0] lane_word[COUNT]
);
)";

void write(const std::vector<Mutant>& mutants, const std::string& rtl, const std::string& folder) {
  std::ofstream top(folder + "/mutants.sv");
  top << replaced(kHead, "COUNT", std::to_string(mutants.size()));
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const Kind& kind = kinds().at(mutants[i].kind);
    const std::string name = kind.module + "_" + std::to_string(i);
    std::ofstream(folder + "/" + name + ".sv")
        << replaced(mutated(read(rtl + "/" + kind.module + ".sv"), mutants[i]),
                    "module " + kind.module, "module " + name);
    top << "  " << name << (kind.parameters.empty() ? "" : " #(" + kind.parameters + ")") << " u"
        << i << " (" << replaced(kind.ports, "%I", std::to_string(i)) << ");\n";
  }
  top << "endmodule\n";
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("usage: mutate LIST RTL_FOLDER OUTPUT_FOLDER");
    write(fermata::rtl::test::readMutants(argv[1]), argv[2], argv[3]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
