// Formulas of layout pages: the C of each mapping is compiled, and gives the banks that the mapping
// gives.
#include <map>
#include <regex>
#include <set>

#include "tests/support/program.h"

using namespace fermata::test;

namespace {

constexpr unsigned kWords = 4096;

/// A mapping of a page, and the lines behind it, by the name of their notation.
struct Formula {
  std::string mapping;
  std::map<std::string, std::string> lines;
};

std::string plainText(std::string text) {
  const std::pair<const char*, const char*> marks[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
  for (const auto& [mark, plain] : marks) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; ++at)
      text.replace(at, std::string(mark).size(), plain);
  }
  return text;
}

std::vector<Formula> formulasOf(const std::string& page) {
  std::vector<Formula> formulas;
  const std::regex heading("<h2>[^<]*<code>([^<]*)</code></h2>");
  const std::regex line("(?:<pre>)?  (\\w+) +(.*?)(?:</pre>)?");
  for (const std::string& text : linesOf(page)) {
    std::smatch found;
    if (std::regex_match(text, found, heading)) {
      formulas.push_back({plainText(found[1]), {}});
    } else if (!formulas.empty() && std::regex_match(text, found, line)) {
      formulas.back().lines[found[1]] = plainText(found[2]);
    }
  }
  return formulas;
}

/// Runs a command that writes page.html, and returns its formulas.
std::vector<Formula> formulasOf(const Folder& folder, const std::string& command) {
  runProgram(command + " --html page.html", folder.path).ok();
  return formulasOf(readFile(folder.path / "page.html"));
}

/// Returns the banks of words 0 to kWords - 1.
std::vector<unsigned> banksOf(const std::string& mapping) {
  std::vector<unsigned> banks;
  const Outcome map = runProgram("map '" + mapping + "' --words 8192 --csv");
  for (const std::string& line : linesOf(map.ok().text)) {
    unsigned word = 0, bank = 0;
    if (banks.size() == kWords || std::sscanf(line.c_str(), "%u,%u,", &word, &bank) != 2) continue;
    BOOST_REQUIRE(word == banks.size());
    banks.push_back(bank);
  }
  BOOST_REQUIRE(banks.size() == kWords);
  return banks;
}

bool hasCompiler() {
  if (runShell("command -v cc").code == 0) return true;
  BOOST_TEST_MESSAGE("not compiled: there is no C compiler, cc");
  return false;
}

/// Returns the values of C expressions of an unsigned `variable` of 0 to kWords - 1.
std::vector<std::vector<unsigned>> compiled(const Folder& folder, const std::string& variable,
                                            const std::vector<std::string>& expressions) {
  std::string program = "#include <stdio.h>\nint main(void) {\n  unsigned " + variable + ";\n";
  for (const std::string& expression : expressions) {
    program += "  for (" + variable + " = 0; " + variable + " < " + std::to_string(kWords) +
               "; ++" + variable + ") printf(\"%u\\n\", " + expression + ");\n";
  }
  folder.write("formulas.c", program + "  return 0;\n}\n");
  const Outcome values =
      runShell("cd '" + folder.path.string() +
               "' && cc -std=c99 -Wall -Wextra -Werror -o formulas formulas.c && "
               "./formulas");
  const std::vector<std::string> lines = linesOf(values.ok().text);
  BOOST_REQUIRE(lines.size() == expressions.size() * kWords);
  std::vector<std::vector<unsigned>> all(expressions.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    all[i / kWords].push_back(static_cast<unsigned>(std::stoul(lines[i])));
  return all;
}

void checkBanks(const Folder& folder, const std::vector<Formula>& formulas) {
  std::vector<std::string> expressions;
  for (const Formula& formula : formulas) expressions.push_back(formula.lines.at("bank"));
  const std::vector<std::vector<unsigned>> values = compiled(folder, "w", expressions);
  for (std::size_t i = 0; i < formulas.size(); ++i)
    BOOST_TEST((values[i] == banksOf(formulas[i].mapping)),
               formulas[i].mapping << ": " << expressions[i]);
}

const char* const kFamilies[] = {"mod 32",
                                 "ami 32",
                                 "ami 33",
                                 "ami 27 form=array",
                                 "seznec 24",
                                 "perm k=3",
                                 "xor k1=0 k2=5 mask=7",
                                 "xor k1=4 k2=1 mask=21",
                                 "bits 9,4,0,1,2",
                                 "pairs 3,4,0^5,1^6,2^7",
                                 "matrix 0x21,0x842,0x84,0x1108,0x210",
                                 "fixed-xor",
                                 "fixed-xor digit=1",
                                 "add",
                                 "add digit=1",
                                 "xor-ami",
                                 "xor-ami shifts=5,11",
                                 "swizzle b=2 m=3 s=4",
                                 "swizzle b=0 m=4 s=3",
                                 "tma 128",
                                 "pad row=33 words=3",
                                 "pad row=32 words=0",
                                 "regions at=10 | mod 32 | fixed-xor",
                                 "regions at=0 | mod 32 | add | pad row=8 words=1 | perm k=2"};

/// Returns the tensor index at each place of a SharedLinearLayout of Triton.
std::vector<unsigned> indicesOf(const std::string& layout) {
  std::vector<unsigned> bases;
  const std::regex base("\\[(\\d+)\\]");
  for (std::sregex_iterator at(layout.begin(), layout.end(), base), end; at != end; ++at)
    bases.push_back(static_cast<unsigned>(std::stoul((*at)[1])));
  BOOST_TEST(has(layout, "for " + std::to_string(1U << bases.size()) + " elements"), layout);
  std::vector<unsigned> indices(std::size_t{1} << bases.size(), 0);
  for (std::size_t place = 0; place < indices.size(); ++place) {
    for (std::size_t bit = 0; bit < bases.size(); ++bit)
      if ((place >> bit & 1) != 0) indices[place] ^= bases[bit];
  }
  return indices;
}

/// Returns the place of an index under a flat layout of CuTe, "(256,32):(32,1) of index i".
unsigned placeUnder(const std::string& layout, unsigned index) {
  std::vector<unsigned> numbers;
  const std::regex number("\\d+");
  for (std::sregex_iterator at(layout.begin(), layout.end(), number), end; at != end; ++at)
    numbers.push_back(static_cast<unsigned>(std::stoul(at->str())));
  unsigned place = 0;
  const std::size_t modes = numbers.size() / 2;
  for (std::size_t mode = 0; mode < modes; ++mode) {
    place += index % numbers[mode] * numbers[modes + mode];
    index /= numbers[mode];
  }
  return place;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(layout_formulas)

BOOST_AUTO_TEST_CASE(every_family_has_its_bank_in_c) {
  const Folder folder;
  std::vector<Formula> formulas;
  std::set<std::string> names;
  for (const std::string mapping : kFamilies) {
    names.insert(mapping.substr(0, mapping.find(' ')));
    for (const Formula& formula :
         formulasOf(folder, "map '" + mapping + "' --words 8192 --warp 'stride 2'"))
      formulas.push_back(formula);
  }
  for (const std::string& row : linesOf(runProgram("map --csv").ok().text)) {
    const std::string name =
        row.substr(row.front() == '"', row.find_first_of(" ,") - (row.front() == '"'));
    if (name != "text") BOOST_TEST(names.count(name) == 1U, row);
  }
  if (hasCompiler()) checkBanks(folder, formulas);
}

BOOST_AUTO_TEST_CASE(found_mappings_have_their_bank_in_c) {
  if (!hasCompiler()) return;
  const Folder folder;
  for (const char* classes : {"all,swizzle,tma", "pairs,tma", "xor", "bits"})
    checkBanks(folder, formulasOf(folder,
                                  "search --platform sm_80 --layout '(8,4):(64,8)' --atom "
                                  "ldmatrix.x4 --element 2 --class " +
                                      std::string(classes)));
}

// Index i of an element of 2 bytes: the word of its place has the bank of the mapping modulo 32.
BOOST_AUTO_TEST_CASE(an_index_of_a_kernel_has_the_banks_of_its_mapping) {
  if (!hasCompiler()) return;
  const Folder folder;
  const std::string search =
      "search --platform sm_80 --layout '(8,4):(64,8)' --atom ldmatrix.x4 --element 2 --class ";
  std::vector<Formula> formulas = formulasOf(folder, search + "xor,swizzle,padding");
  formulas.push_back(formulasOf(folder, search + "ami --max-banks 31").back());
  BOOST_TEST(has(formulas.back().mapping, "ami"));
  BOOST_TEST(formulas.back().lines.count("C") == 1U);
  unsigned compared = 0;
  for (const Formula& formula : formulas) {
    if (formula.lines.count("C") == 0) continue;
    const std::vector<unsigned> indices = compiled(folder, "i", {formula.lines.at("C")}).front();
    const std::vector<unsigned> banks = banksOf(formula.mapping);
    for (unsigned i = 0; i < kWords; ++i) BOOST_REQUIRE(indices[i] / 2 % 32 == banks[i / 2]);
    ++compared;
  }
  BOOST_TEST(compared >= 3U);
}

BOOST_AUTO_TEST_CASE(notations_say_what_they_can) {
  const Folder folder;
  const auto lines = [&](const std::string& mapping) {
    return formulasOf(folder, "map '" + mapping + "' --words 8192 --warp 'stride 2'").back().lines;
  };
  const std::map<std::string, std::string> hash = lines("xor k1=0 k2=5 mask=7");
  BOOST_TEST(hash.at("CuTe") == "cute::Swizzle<3,0,5>");
  BOOST_TEST(hash.at("C") == "i ^ ((i >> 5) & 0x7)");
  BOOST_TEST(hash.at("bank") == "((w & 0x1f) ^ ((w >> 5) & 0x7))");
  const std::map<std::string, std::string> padding = lines("pad row=32 words=1");
  BOOST_TEST(padding.at("CuTe") == "(32,n):(1,33) of index i");
  BOOST_TEST(has(padding.at("Triton"), "PaddedSharedLayout.with_identity_for([[32, 1]]"));
  BOOST_TEST(has(lines("pad row=33 words=3").at("Triton"), "cannot say it"));
  const std::map<std::string, std::string> modulus = lines("ami 33");
  BOOST_TEST(modulus.at("CuTe") == "cannot say it: no index of a kernel makes 33 banks");
  BOOST_TEST(modulus.at("Triton") == modulus.at("CuTe"));
  BOOST_TEST(lines("ami 32").at("bank") == "(w & 0x1f)");
  const Formula before =
      formulasOf(folder, "search --platform sm_80 --banks 24 --layout 32:2 --atom ld.32").front();
  BOOST_TEST(before.lines.at("no") == "swizzle: the index stays as it is");
  BOOST_TEST(before.lines.at("bank") == "(w % 24)");
  BOOST_TEST(lines("perm k=8").at("CuTe") == "(256,32):(32,1) of index i");
  BOOST_TEST(has(lines("matrix 0x21,0x842,0x84,0x1108,0x210").at("CuTe"), "cannot say it"));
  BOOST_TEST(has(lines("add").at("Triton"), "cannot say it: not one swizzle or layout"));
}

// A linear layout of Triton takes each element to a place of the bank that the mapping gives.
BOOST_AUTO_TEST_CASE(a_linear_layout_has_the_banks_of_its_mapping) {
  const Folder folder;
  for (const std::string mapping : {"matrix 0x21,0x842,0x84,0x1108,0x210", "perm k=3",
                                    "bits 9,4,0,1,2", "pairs 3,4,0^5,1^6,2^7"}) {
    const Formula formula =
        formulasOf(folder, "map '" + mapping + "' --words 5000 --warp 'stride 2'").back();
    const std::vector<unsigned> indices = indicesOf(formula.lines.at("Triton"));
    BOOST_REQUIRE(indices.size() == kWords);
    const std::vector<unsigned> banks = banksOf(mapping);
    for (unsigned place = 0; place < kWords; ++place)
      BOOST_REQUIRE(banks[indices[place]] == place % 32);
    const std::string cute = formula.lines.at("CuTe");
    BOOST_TEST(has(cute, "cannot say it") == (mapping[0] == 'm' || mapping[1] == 'a'));
    for (unsigned i = 0; i < kWords && !has(cute, "cannot say it"); ++i)
      BOOST_REQUIRE(indices[placeUnder(cute.substr(0, cute.find(" of ")), i)] == i);
  }
}

BOOST_AUTO_TEST_SUITE_END()
