// Tables survive the program that writes them, and appear whole.
#include <fermata/platforms/exec/table_sink.h>

#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>

#include "tests/support/program.h"

namespace fermata::test {
namespace {

class Memory : public exec::TableSink {
 public:
  void append(const std::string& file, std::string_view text) override { files[file] += text; }
  void finish() override {}
  std::map<std::string, std::string> files;
};

/// A file that is open and gone.
int openSpool(const Folder& folder) {
  const std::string path = folder.path / "spool";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  ::unlink(path.c_str());
  return descriptor;
}

const std::string kLong(100000, 'x');

}  // namespace

BOOST_AUTO_TEST_SUITE(table_sink)

BOOST_AUTO_TEST_CASE(passes_on_what_was_spooled) {
  const Folder folder;
  const int spool = openSpool(folder);
  const auto sink = exec::makeSpoolSink(spool);
  sink->append("runs.csv", "a\n");
  sink->append("banks.csv", kLong);
  sink->append("runs.csv", std::string("b\0c\n", 4));
  Memory memory;
  exec::readSpool(spool, memory);
  ::close(spool);
  const std::map<std::string, std::string> expected{{"runs.csv", std::string("a\nb\0c\n", 6)},
                                                    {"banks.csv", kLong}};
  BOOST_TEST((memory.files == expected));
}

// The program was killed while it wrote.
BOOST_AUTO_TEST_CASE(leaves_out_what_is_cut_off) {
  const Folder folder;
  const int spool = openSpool(folder);
  const auto sink = exec::makeSpoolSink(spool);
  sink->append("runs.csv", "a\n");
  const off_t whole = ::lseek(spool, 0, SEEK_END);
  sink->append("runs.csv", kLong);
  const off_t both = ::lseek(spool, 0, SEEK_END);
  for (off_t end = both - 1; end >= whole; end -= end > whole + 40 ? 1009 : 1) {
    BOOST_TEST_REQUIRE(::ftruncate(spool, end) == 0);
    Memory memory;
    exec::readSpool(spool, memory);
    BOOST_TEST(memory.files["runs.csv"] == "a\n");
  }
  ::close(spool);
}

BOOST_AUTO_TEST_CASE(makes_a_folder_or_nothing) {
  const Folder folder;
  {
    const auto sink = exec::makeFolderSink(folder.path / "gone");
    sink->append("runs.csv", "a\n");
  }
  BOOST_TEST(!std::filesystem::exists(folder.path / "gone"));
  const auto sink = exec::makeFolderSink(folder.path / "kept");
  sink->append("runs.csv", "a\n");
  sink->append("runs.csv", "b\n");
  BOOST_TEST(!std::filesystem::exists(folder.path / "kept" / "runs.csv"));
  sink->finish();
  BOOST_TEST(readFile(folder.path / "kept" / "runs.csv") == "a\nb\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
