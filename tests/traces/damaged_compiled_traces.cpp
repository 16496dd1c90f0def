// A compiled trace that is truncated, damaged, foreign or forged is never used and never crashes.
#include <fermata/stimuli/patterns/patterns.h>
#include "tests/traces/compiled_files.h"

using namespace fermata;
using namespace fermata::test;

namespace {

/// A small trace and its compiled form.
struct Compiled {
  Scratch scratch;
  std::string path = scratch.file("trace.csv");
  std::string file = path + ".compiled";
  RunResult recorded;
  std::string whole;

  Compiled() {
    FakeWorkload fake({2, 70, 12, 3});
    recorded = recordTo(fake, path, anyOrder());
    replay(path);
    whole = bytesOf(file);
  }
  /// Checks that `bytes`, not written by a replay, are not used.
  void checkRefused(const std::string& bytes, std::size_t where) {
    put(file, bytes);
    BOOST_TEST(!isReplayedCompiled(path), "at " << where);
  }
  /// Checks that `bytes` make a replay read the text and write the whole form anew.
  void checkReplaced(const std::string& bytes, std::size_t where) {
    checkRefused(bytes, where);
    BOOST_TEST((replay(path).streams == recorded.streams), "at " << where);
    BOOST_TEST((bytesOf(file) == whole), "at " << where);
  }
};

class Dice {
 public:
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_ = 7;
};

/// Returns the bytes with the right hash at their end.
std::string sealed(std::string bytes) {
  bytes.resize(bytes.size() - sizeof(traces::ContentHash));
  traces::ContentHasher hasher;
  hasher.add(bytes.data(), bytes.size());
  const traces::ContentHash hash = hasher.hash();
  return bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(damaged_compiled_traces)

BOOST_AUTO_TEST_CASE(every_cut_is_replaced) {
  Compiled compiled;
  BOOST_TEST(isReplayedCompiled(compiled.path));
  for (std::size_t size = 0; size < compiled.whole.size(); ++size) {
    compiled.checkRefused(compiled.whole.substr(0, size), size);
    if (size % 100 == 0) compiled.checkReplaced(compiled.whole.substr(0, size), size);
  }
}

BOOST_AUTO_TEST_CASE(every_changed_byte_is_noticed) {
  Compiled compiled;
  Dice dice;
  for (std::size_t at = 0; at < compiled.whole.size(); ++at) {
    std::string bytes = compiled.whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1U << dice.below(8)));
    compiled.checkRefused(bytes, at);
    if (at % 100 == 0) compiled.checkReplaced(bytes, at);
  }
}

BOOST_AUTO_TEST_CASE(bytes_behind_the_end_are_noticed) {
  Compiled compiled;
  compiled.checkReplaced(compiled.whole + '\0', compiled.whole.size());
  compiled.checkReplaced(compiled.whole + compiled.whole, compiled.whole.size());
}

BOOST_AUTO_TEST_CASE(foreign_files_are_replaced) {
  Compiled compiled;
  compiled.checkReplaced(bytesOf(compiled.path), 0);
  compiled.checkReplaced(std::string(1 << 18, 'f'), 0);
  FakeWorkload other({2, 70, 12, 4});
  const std::string path = compiled.scratch.file("other.csv");
  recordTo(other, path, anyOrder());
  replay(path);
  compiled.checkReplaced(bytesOf(path + ".compiled"), 0);
}

BOOST_AUTO_TEST_CASE(another_version_is_replaced) {
  Compiled compiled;
  traces::CompiledHeader header;
  std::memcpy(&header, compiled.whole.data(), sizeof header);
  ++header.version;
  std::string bytes = compiled.whole;
  std::memcpy(bytes.data(), &header, sizeof header);
  compiled.checkReplaced(sealed(bytes), 0);
}

// The hash fits, which no accident achieves: only the reader's own checks remain.
BOOST_AUTO_TEST_CASE(forged_records_are_read_or_refused_but_never_crash) {
  Compiled compiled;
  BOOST_TEST(sealed(compiled.whole) == compiled.whole);
  Dice dice;
  unsigned refused = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    std::string bytes = compiled.whole;
    for (std::size_t changes = 1 + dice.below(3); changes != 0; --changes) {
      const std::size_t header = sizeof(traces::CompiledHeader);
      const std::size_t at = header + dice.below(bytes.size() - header);
      bytes[at] = static_cast<char>(dice.below(256));
    }
    if (dice.below(4) == 0) bytes.resize(bytes.size() - dice.below(200));
    put(compiled.file, sealed(bytes));
    BOOST_REQUIRE(isReplayedCompiled(compiled.path));
    const std::string wrong = errorOf(compiled.path, always());
    if (wrong == "none") continue;
    BOOST_TEST(wrong.find(compiled.file) == 0U);
    ++refused;
  }
  BOOST_TEST(refused > 1500U);
}

BOOST_AUTO_TEST_CASE(one_that_shrinks_while_it_is_read_is_refused) {
  const Scratch scratch;
  const std::string path = scratch.file("trace.csv");
  const auto pattern =
      patterns::openPattern("pattern-random", {{"ctas", "4"}, {"repeat", "2000"}, {"fill", "0"}});
  recordTo(*pattern, path, anyOrder());
  replay(path);
  const auto trace = traces::openTrace(path, always());
  fs::resize_file(path + ".compiled", 2 * traces::CompiledInput::kBufferBytes);
  try {
    record(*trace, anyOrder());
    BOOST_FAIL("it was replayed");
  } catch (const InputError& error) {
    BOOST_TEST(error.where().file == path + ".compiled");
  }
  BOOST_TEST(errorOf(path, always()) == "none");
}

BOOST_AUTO_TEST_SUITE_END()
