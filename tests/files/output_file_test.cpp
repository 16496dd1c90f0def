// One output file: it appears whole, or not at all.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fermata/results/files/output_file.h>
#include <fermata/results/files/output_folder.h>
#include "tests/files/support.h"

namespace fermata::files::test {
BOOST_FIXTURE_TEST_SUITE(output_file, InFolder)

BOOST_AUTO_TEST_CASE(appears_at_commit_and_not_before) {
  OutputFile file(folder / "a.csv");
  file.write("one,");
  file.write("two\n");
  BOOST_TEST(!fs::exists(folder / "a.csv"));
  file.commit();
  BOOST_TEST(bytesOf(folder / "a.csv") == "one,two\n");
  BOOST_TEST(folder.entries() == 1U);
}

BOOST_AUTO_TEST_CASE(an_older_file_stays_until_commit) {
  std::ofstream(folder / "a.csv") << "old";
  {
    OutputFile file(folder / "a.csv");
    file.write(std::string(1 << 20, 'x'));  // more than any buffer: bytes are on disk by now
    BOOST_TEST(bytesOf(folder / "a.csv") == "old");
  }
  BOOST_TEST(bytesOf(folder / "a.csv") == "old");
  BOOST_TEST(folder.entries() == 1U);  // the temporary file is gone
  OutputFile file(folder / "a.csv");
  file.write("new");
  file.commit();
  BOOST_TEST(bytesOf(folder / "a.csv") == "new");
}

BOOST_AUTO_TEST_CASE(permissions_follow_the_umask) {
  const mode_t before = ::umask(027);
  OutputFile file(folder / "a.csv");
  file.commit();
  ::umask(before);
  struct stat status {};
  BOOST_REQUIRE(::stat((folder / "a.csv").c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777U) == 0640U);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error_and_leaves_nothing) {
  std::ofstream(folder / "a.csv") << "old";
  {
    const FullDisk full(100000);
    OutputFile file(folder / "a.csv");
    const std::string error = errorOf<OutputError>([&] {
      for (int block = 0; block < 100; ++block) file.write(std::string(10000, 'x'));
      file.commit();
    });
    BOOST_TEST(error == "cannot write " + (folder / "a.csv").string() + ": File too large");
  }
  BOOST_TEST(bytesOf(folder / "a.csv") == "old");
  BOOST_TEST(folder.entries() == 1U);
}

// A program that knows nothing of the library may close every descriptor, and open files of its
// own.
BOOST_AUTO_TEST_CASE(no_byte_goes_to_a_file_that_took_its_descriptor) {
  const std::string part(100000, 'x');
  int other = -1;
  {
    OutputFile kept(folder / "kept.csv");
    OutputFile dropped(folder / "dropped.csv");
    kept.write(part);
    for (int number = ::dup(STDIN_FILENO); number > STDERR_FILENO; --number) ::close(number);
    other = ::open((folder / "other.txt").c_str(), O_RDWR | O_CREAT, 0600);
    for (int more = 0; more < 8; ++more) (void)!::dup(other);
    kept.write(part);
    kept.commit();
  }
  BOOST_TEST(::lseek(other, 0, SEEK_CUR) == 0);  // open and empty
  BOOST_TEST(bytesOf(folder / "kept.csv") == part + part);
  BOOST_TEST(folder.names() == (std::set<std::string>{"kept.csv", "other.txt"}), tt::per_element());
  BOOST_TEST(bytesOf(folder / "other.txt") == "");
  for (int number = other; number < other + 9; ++number) ::close(number);
}

BOOST_AUTO_TEST_CASE(a_stream_that_was_closed_is_an_error) {
  BOOST_REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  const int next = ::dup(reader);
  ::close(next);
  OutputFile file(folder / "pipe", Streams::InPlace);
  ::close(next);  // the descriptor number that `file` took
  const int other = ::open((folder / "other.txt").c_str(), O_RDWR | O_CREAT, 0600);
  BOOST_TEST(other == next);
  file.write("text");
  const std::string error = errorOf<OutputError>([&] { file.commit(); });
  BOOST_TEST(has(error, "closed its descriptor"), error);
  BOOST_TEST(bytesOf(folder / "other.txt") == "");
  ::close(other);
  ::close(reader);
}

// A place that cannot be written is the user's mistake (OutputRefused); a full disk is the
// machine's failure (OutputError).
BOOST_AUTO_TEST_CASE(a_missing_folder_is_refused) {
  const auto path = folder.path() / "none" / "a.csv";
  const std::string error = errorOf<OutputRefused>([&] { OutputFile file(path); });
  BOOST_TEST(error == "cannot write " + path.string() +
                          ": No such file or directory; expected a place that can be written to");
}

BOOST_AUTO_TEST_CASE(a_folder_without_permission_is_refused) {
  // Root writes anywhere: a file system that takes no files stands in.
  if (::geteuid() == 0) {
    const std::string error = errorOf<OutputRefused>([] { OutputFile file("/proc/self/a.csv"); });
    BOOST_TEST(begins(error, "cannot write /proc/self/a.csv: "));
    return;
  }
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string error = errorOf<OutputRefused>([&] { OutputFile file(folder / "a.csv"); });
  fs::permissions(folder.path(), fs::perms::owner_all);
  BOOST_TEST(error.find("cannot write " + (folder / "a.csv").string() + ": Permission denied") ==
             0U);
}

BOOST_AUTO_TEST_CASE(a_name_may_be_as_long_as_a_name_can_be) {
  const std::string name(255, 'n');
  OutputFile file(folder / name);
  file.write("x");
  file.commit();
  BOOST_TEST(folder.names() == std::set<std::string>{name}, tt::per_element());
}

BOOST_AUTO_TEST_CASE(folders_are_made_with_their_parents_and_go_when_they_are_not_kept) {
  fs::create_directory(folder / "x");
  { const OutputFolder made(folder / "x/y/z"); }
  BOOST_TEST(fs::is_empty(folder / "x"));
  {
    OutputFolder made(folder / "x/y/z");
    made.keep();
  }
  { const OutputFolder made(folder / "x/y/z"); }
  BOOST_TEST(fs::is_directory(folder / "x/y/z"));
}

BOOST_AUTO_TEST_CASE(a_folder_that_holds_something_stays) {
  {
    const OutputFolder made(folder / "x/y");
    std::ofstream(folder / "x/file") << "another's";
  }
  BOOST_TEST(bytesOf(folder / "x/file") == "another's");
  BOOST_TEST(!fs::exists(folder / "x/y"));
}

BOOST_AUTO_TEST_CASE(a_file_in_the_way_of_a_folder_is_refused) {
  folder.put("x", "file");
  for (const char* name : {"x", "x/y"}) {
    const std::string error = errorOf<OutputRefused>([&] { OutputFolder made(folder / name); });
    BOOST_TEST(error.find("cannot create folder " + (folder / "x").string()) == 0U);
  }
  BOOST_TEST(has(errorOf<OutputRefused>([] { OutputFolder made(""); }), "empty"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::files::test
