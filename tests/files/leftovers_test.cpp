// The next writer removes the temporary files of a killed process, and no others.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fermata/results/files/leftovers.h>
#include <fermata/results/files/output_file.h>
#include "tests/files/support.h"

namespace fermata::files::test {
namespace {

/// Returns the number of a process that has ended.
pid_t deadProcess() {
  const pid_t child = startChild([] { return 0; });
  waitFor(child);
  return child;
}

void write(const fs::path& path) {
  OutputFile file(path);
  file.write("new");
  file.commit();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(leftovers, InFolder)

BOOST_AUTO_TEST_CASE(of_a_killed_process_are_removed) {
  const int status = inChild([&] {
    OutputFile file(folder / "a.csv");
    file.write(std::string(1 << 20, 'x'));
    return ::raise(SIGKILL);
  });
  BOOST_REQUIRE(WIFSIGNALED(status));
  BOOST_TEST(folder.entries() == 1U);
  write(folder / "b.csv");
  BOOST_TEST(folder.entries() == 2U);  // the leftover is not b.csv's: it stays
  write(folder / "a.csv");
  BOOST_TEST(folder.names() == (std::set<std::string>{"a.csv", "b.csv"}), tt::per_element());
}

// In a container every run may have the same process number.
BOOST_AUTO_TEST_CASE(of_a_dead_process_of_our_number_are_removed) {
  folder.put(temporaryName("a.csv", 0).string(), "left");
  write(folder / "a.csv");
  BOOST_TEST(folder.entries() == 1U);
  BOOST_TEST(bytesOf(folder / "a.csv") == "new");
}

BOOST_AUTO_TEST_CASE(of_another_writer_of_this_process_stay) {
  OutputFile first(folder / "a.csv");
  first.write("first");
  write(folder / "a.csv");
  BOOST_TEST(folder.entries() == 2U);
  first.commit();
  BOOST_TEST(bytesOf(folder / "a.csv") == "first");
}

BOOST_AUTO_TEST_CASE(of_a_living_process_stay) {
  folder.put(".a.csv." + std::to_string(::getppid()) + ".0", "its");
  write(folder / "a.csv");
  BOOST_TEST(folder.entries() == 2U);
}

// Its process number may belong to another container or host: the lock says that it lives.
BOOST_AUTO_TEST_CASE(that_somebody_has_locked_stay) {
  const std::string name = ".a.csv." + std::to_string(deadProcess()) + ".0";
  const int descriptor = ::open((folder / name).c_str(), O_RDWR | O_CREAT, 0600);
  BOOST_REQUIRE(::flock(descriptor, LOCK_EX) == 0);
  write(folder / "a.csv");
  BOOST_TEST(folder.entries() == 2U);
  ::close(descriptor);
  write(folder / "a.csv");
  BOOST_TEST(folder.entries() == 1U);
}

BOOST_AUTO_TEST_CASE(are_known_by_their_whole_name_and_are_regular) {
  const std::string dead = std::to_string(deadProcess());
  std::set<std::string> others;
  for (const std::string& end : {dead, dead + ".", dead + ".x", dead + "x.0", "x" + dead + ".0",
                                 dead + ".0.bak", std::string("-") + dead + ".0", dead + ".-1"}) {
    folder.put(".a.csv." + end, "a user's");
    others.insert(".a.csv." + end);
  }
  fs::create_directory(folder / (".a.csv." + dead + ".1"));
  folder.put("target", "a user's");
  fs::create_symlink("target", folder / (".a.csv." + dead + ".2"));
  write(folder / "a.csv");
  const std::set<std::string> left = folder.names();
  for (const std::string& name : others) BOOST_TEST(left.count(name) == 1U, name);
  BOOST_TEST(left.size() == others.size() + 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::files::test
