#include <fermata/results/output_file.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>

#include "tests/results/support.h"

namespace fermata::results::test {
namespace {

// The message of the OutputError that `act` throws; empty when it throws none.
template <class Act>
std::string errorOf(Act act) {
  try {
    act();
  } catch (const OutputError& error) {
    return error.what();
  }
  return "";
}

// While it lives no file of this process grows beyond `bytes`: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(output_file)

BOOST_AUTO_TEST_CASE(appears_at_commit_and_not_before) {
  const TemporaryFolder folder;
  OutputFile file(folder / "a.csv");
  file.write("one,");
  file.write("two\n");
  BOOST_TEST(!std::filesystem::exists(folder / "a.csv"));
  file.commit();
  BOOST_TEST(bytesOf(folder / "a.csv") == "one,two\n");
  BOOST_TEST(folder.entries() == 1U);
}

BOOST_AUTO_TEST_CASE(an_older_file_stays_until_commit) {
  const TemporaryFolder folder;
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

BOOST_AUTO_TEST_CASE(a_file_left_by_a_killed_process_is_stepped_over) {
  const TemporaryFolder folder;
  const std::string left = ".a.csv." + std::to_string(::getpid()) + ".0";
  std::ofstream(folder.path() / left) << "left";
  OutputFile file(folder / "a.csv");
  file.write("mine");
  file.commit();
  BOOST_TEST(bytesOf(folder / "a.csv") == "mine");
  BOOST_TEST(bytesOf(folder.path() / left) == "left");
}

BOOST_AUTO_TEST_CASE(permissions_follow_the_umask) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  OutputFile file(folder / "a.csv");
  file.commit();
  ::umask(before);
  struct stat status {};
  BOOST_REQUIRE(::stat((folder / "a.csv").c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777U) == 0640U);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error_and_leaves_nothing) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.csv") << "old";
  {
    const FullDisk full(100000);
    OutputFile file(folder / "a.csv");
    const std::string error = errorOf([&] {
      for (int block = 0; block < 100; ++block) file.write(std::string(10000, 'x'));
      file.commit();
    });
    BOOST_TEST(error == "cannot write " + (folder / "a.csv").string() + ": File too large");
  }
  BOOST_TEST(bytesOf(folder / "a.csv") == "old");
  BOOST_TEST(folder.entries() == 1U);
}

BOOST_AUTO_TEST_CASE(a_missing_folder_is_an_error) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "none" / "a.csv";
  const std::string error = errorOf([&] { OutputFile file(path); });
  BOOST_TEST(error == "cannot write " + path.string() + ": No such file or directory");
}

BOOST_AUTO_TEST_CASE(a_folder_of_that_name_is_an_error) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.csv");
  OutputFile file(folder / "a.csv");
  const std::string error = errorOf([&] { file.commit(); });
  BOOST_TEST(error == "cannot write " + (folder / "a.csv").string() + ": Is a directory");
  BOOST_TEST(folder.entries() == 1U);
}

BOOST_AUTO_TEST_CASE(a_folder_without_permission_is_an_error) {
  if (::geteuid() == 0) {  // root writes anywhere; a file system that nobody writes to stands in
    const std::string error = errorOf([] { OutputFile file("/proc/self/a.csv"); });
    BOOST_TEST(error.find("cannot write /proc/self/a.csv: ") == 0U);
    return;
  }
  const TemporaryFolder folder;
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const std::string error = errorOf([&] { OutputFile file(folder / "a.csv"); });
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  BOOST_TEST(error == "cannot write " + (folder / "a.csv").string() + ": Permission denied");
}

BOOST_AUTO_TEST_CASE(folders_are_created_with_their_parents) {
  const TemporaryFolder folder;
  createDirectory(folder / "x/y/z");
  createDirectory(folder / "x/y/z");
  BOOST_TEST(std::filesystem::is_directory(folder / "x/y/z"));
}

BOOST_AUTO_TEST_CASE(a_file_in_the_way_of_a_folder_is_an_error) {
  const TemporaryFolder folder;
  std::ofstream(folder / "x") << "file";
  BOOST_TEST(errorOf([&] { createDirectory(folder / "x"); }).find("cannot create directory ") ==
             0U);
  BOOST_TEST(errorOf([&] { createDirectory(folder / "x/y"); }).find("cannot create directory ") ==
             0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
