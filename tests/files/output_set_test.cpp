// Several output files: all appear, or none.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fermata/results/files/output_set.h>
#include "tests/files/support.h"

namespace fermata::files::test {
namespace {

const std::array<std::string, 4> kNames{"runs.csv", "instructions.csv", "banks.csv", "schema.csv"};

void writeSet(const fs::path& folder, const std::string& text) {
  OutputSet set;
  set.makeFolder(folder);
  for (const std::string& name : kNames) set.add(folder / name).write(text);
  set.commit();
}

/// Returns the contents that all four files share; nullopt if they differ.
std::optional<std::string> whatAllHold(const fs::path& folder) {
  const std::string first = bytesOf(folder / kNames.front());
  for (const std::string& name : kNames) {
    if (bytesOf(folder / name) != first) return std::nullopt;
  }
  return first;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(output_set, InFolder)

BOOST_AUTO_TEST_CASE(appears_at_commit) {
  OutputSet set;
  set.makeFolder(folder / "x/y");
  set.add(folder / "x/y/a").write("a");
  set.add(folder / "b").write("b");
  BOOST_TEST(!fs::exists(folder / "x/y/a"));
  set.commit();
  BOOST_TEST(bytesOf(folder / "x/y/a") == "a");
  BOOST_TEST(bytesOf(folder / "b") == "b");
  BOOST_TEST(folder.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(leaves_neither_files_nor_folders_without_commit) {
  {
    OutputSet set;
    set.makeFolder(folder / "x/y");
    set.makeFolder(folder / "x/z");
    set.add(folder / "x/y/a").write("a");
  }
  BOOST_TEST(folder.entries() == 0U);
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_old_set) {
  writeSet(folder.path(), "old");
  {
    const FullDisk full(10000);
    OutputSet set;
    set.add(folder / "runs.csv").write("new");
    set.add(folder / "instructions.csv").write(std::string(30000, 'x'));  // buffered until now
    set.add(folder / "banks.csv").write("new");
    const std::string error = errorOf<OutputError>([&] { set.commit(); });
    BOOST_TEST(error ==
               "cannot write " + (folder / "instructions.csv").string() + ": File too large");
  }
  BOOST_TEST(whatAllHold(folder.path()).value_or("") == "old");
  BOOST_TEST(folder.entries() == 4U);
}

// The rename of b, onto a folder, fails: the last moment at which an error can occur.
BOOST_AUTO_TEST_CASE(a_name_that_is_refused_brings_the_old_files_back) {
  folder.put("a", "old");
  folder.put("c", "old");
  {
    OutputSet set;
    for (const char* name : {"a", "new", "b", "c"}) set.add(folder / name).write("new");
    fs::create_directory(folder / "b");
    BOOST_CHECK_THROW(set.commit(), OutputRefused);
  }
  BOOST_TEST(bytesOf(folder / "a") == "old");
  BOOST_TEST(bytesOf(folder / "c") == "old");
  BOOST_TEST(folder.names() == (std::set<std::string>{"a", "b", "c"}), tt::per_element());
}

BOOST_AUTO_TEST_CASE(one_file_is_not_two) {
  fs::create_directory(folder / "x");
  fs::create_directory_symlink("x", folder / "other");
  fs::create_symlink("x/a", folder / "link");
  OutputSet set;
  set.add(folder / "x/a").write("first");
  for (const char* name : {"x/a", "x/../x/a", "x/./a", "other/a", "link"}) {
    BOOST_CHECK_THROW(set.add(folder / name), OutputRefused);
  }
  set.add(folder / "x/b").write("b");
  set.commit();
  BOOST_TEST(bytesOf(folder / "x/a") == "first");
}

BOOST_AUTO_TEST_CASE(a_stream_is_no_file_of_the_set) {
  BOOST_REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  const int reader = ::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
  OutputSet set;
  set.add(folder / "fifo", Streams::InPlace).write("streamed");
  set.add(folder / "a").write("a");
  set.commit();
  char got[16];
  BOOST_TEST(::read(reader, got, sizeof got) == 8);
  ::close(reader);
  BOOST_TEST(fs::is_fifo(folder / "fifo"));
  BOOST_TEST(bytesOf(folder / "a") == "a");
}

// Two programs write the same set again and again; between renames a reader finds the set whole.
BOOST_AUTO_TEST_CASE(two_writers_never_mix) {
  writeSet(folder.path(), "start");
  const auto writer = [&](const std::string& tag) {
    return startChild([this, tag] {
      for (unsigned i = 0; i < 150; ++i) writeSet(folder.path(), tag + std::to_string(i));
      return 0;
    });
  };
  std::array<pid_t, 2> writers{writer("a"), writer("b")};
  const int directory = ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY);
  unsigned mixed = 0;
  for (unsigned running = 2; running != 0;) {
    ::flock(directory, LOCK_SH);
    if (!whatAllHold(folder.path())) ++mixed;
    ::flock(directory, LOCK_UN);
    for (pid_t& child : writers) {
      int status = 0;
      if (child == 0 || ::waitpid(child, &status, WNOHANG) != child) continue;
      BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
      child = 0;
      --running;
    }
  }
  ::close(directory);
  BOOST_TEST(mixed == 0U);
  const std::string last = whatAllHold(folder.path()).value_or("mixed");
  BOOST_TEST((last == "a149" || last == "b149"));
  BOOST_TEST(folder.entries() == 4U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::files::test
