// Tables survive the program that writes them, and appear whole. Several processes keep rows in one
// spool.
#include <fermata/platforms/exec/table_sink.h>

#include <fcntl.h>
#include <unistd.h>

#include <fermata/results/files/output_error.h>
#include <fermata/stimuli/input_error.h>
#include "tests/files/support.h"

namespace fermata::test {
namespace {

using files::OutputError;
using files::test::bytesOf;
using files::test::errorOf;
using files::test::FullDisk;

class Memory : public exec::TableSink {
 public:
  void begin(const std::string& file, std::string_view text) override { begun[file] = text; }
  void append(const std::string& file, std::string_view text) override { files[file] += text; }
  void put(const std::string& file, std::string_view text) override { files[file] = text; }
  void keep() override { ++kept; }
  void finish() override {}
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> begun;
  int kept = 0;
};

struct Spool {
  TemporaryFolder folder;
  std::string path = folder / "spool";
  exec::LaunchSpool spool = exec::LaunchSpool::create(path);

  std::map<std::string, std::string> files() const {
    Memory memory;
    exec::readSpool(spool, memory);
    return memory.files;
  }
};

using Files = std::map<std::string, std::string>;

const std::string kLong(100000, 'x');

}  // namespace

BOOST_FIXTURE_TEST_SUITE(table_sink, Spool)

BOOST_AUTO_TEST_CASE(passes_on_what_was_kept) {
  const auto sink = exec::makeSpoolSink(spool);
  BOOST_TEST(spool.isEmpty());
  sink->begin("runs.csv", "head\n");
  sink->append("runs.csv", "a\n");
  sink->append("banks.csv", kLong);
  BOOST_TEST(spool.isEmpty());
  sink->keep();
  sink->append("runs.csv", std::string("b\0c\n", 4));
  sink->put("power.gp", "old");
  sink->put("power.gp", "new");
  sink->finish();
  sink->append("runs.csv", "of a launch that never ended");
  Memory memory;
  exec::readSpool(spool, memory);
  const Files expected{
      {"runs.csv", std::string("a\nb\0c\n", 6)}, {"banks.csv", kLong}, {"power.gp", "new"}};
  BOOST_TEST((memory.files == expected));
  BOOST_TEST((memory.begun == Files{{"runs.csv", "head\n"}}));
  BOOST_TEST(memory.kept == 2);
}

// A program was killed while it wrote: its torn tail is left out, and rows that another process
// keeps later are read.
BOOST_AUTO_TEST_CASE(leaves_out_what_is_cut_off) {
  const auto sink = exec::makeSpoolSink(spool);
  sink->append("runs.csv", "a\n");
  sink->keep();
  {
    std::ofstream half(path, std::ios::binary | std::ios::app);
    half << "no start says that this is here";
  }
  BOOST_TEST(files()["runs.csv"] == "a\n");
  const auto other = exec::makeSpoolSink(exec::LaunchSpool(path));
  other->append("runs.csv", "b\n");
  other->keep();
  BOOST_TEST(files()["runs.csv"] == "a\nb\n");
}

BOOST_AUTO_TEST_CASE(a_full_disk_keeps_what_there_is) {
  const auto sink = exec::makeSpoolSink(spool);
  sink->append("runs.csv", "a\n");
  sink->keep();
  const auto size = std::filesystem::file_size(path);
  {
    const FullDisk full(4096);
    sink->append("runs.csv", "b\n");
    sink->append("banks.csv", kLong);
    const std::string error = errorOf<OutputError>([&] { sink->keep(); });
    BOOST_TEST(error ==
               "the results of the launches cannot be kept in " + path + ": File too large");
    spool.markFailed();
  }
  BOOST_TEST(std::filesystem::file_size(path) == size);
  BOOST_TEST((files() == Files{{"runs.csv", "a\n"}}));
  BOOST_TEST(exec::LaunchSpool(path).hasFailed());
}

BOOST_AUTO_TEST_CASE(gives_each_launch_number_once) {
  exec::LaunchSpool other(path);
  BOOST_TEST(spool.takeLaunch() == 0U);
  BOOST_TEST(other.takeLaunch() == 1U);
  const int status = files::test::inChild([&] { return static_cast<int>(spool.takeLaunch()); });
  BOOST_TEST(WEXITSTATUS(status) == 2);
  BOOST_TEST(other.takeLaunch() == 3U);
  BOOST_TEST(!spool.hasFailed());
}

// The path is now another file: nothing may be written into it.
BOOST_AUTO_TEST_CASE(writes_into_no_other_file) {
  const auto sink = exec::makeSpoolSink(spool);
  const std::string text = "mine, and more than the start of a spool has: " + std::string(64, '.');
  folder.put("other.txt", text);
  std::filesystem::rename(folder / "other.txt", path);
  sink->append("runs.csv", "a\n");
  BOOST_CHECK_THROW(sink->keep(), OutputError);
  BOOST_CHECK_THROW(spool.takeLaunch(), OutputError);
  BOOST_TEST(bytesOf(path) == text);
  std::filesystem::remove(path);
  BOOST_CHECK_THROW(spool.takeLaunch(), OutputError);
  BOOST_TEST(!std::filesystem::exists(path));
}

BOOST_AUTO_TEST_CASE(makes_a_folder_or_nothing) {
  {
    const auto sink = exec::makeFolderSink(folder / "gone");
    sink->append("runs.csv", "a\n");
  }
  BOOST_TEST(!std::filesystem::exists(folder / "gone"));
  const auto sink = exec::makeFolderSink(folder / "kept");
  for (const char* row : {"a\n", "b\n"}) {
    sink->begin("runs.csv", "head\n");
    sink->append("runs.csv", row);
    sink->put("power.gp", row);
    sink->keep();
  }
  BOOST_TEST(!std::filesystem::exists(folder / "kept" / "runs.csv"));
  BOOST_CHECK_THROW(sink->begin("runs.csv", "other\n"), InputError);
  sink->finish();
  BOOST_TEST(bytesOf(folder / "kept" / "runs.csv") == "head\na\nb\n");
  BOOST_TEST(bytesOf(folder / "kept" / "power.gp") == "b\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
