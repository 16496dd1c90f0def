// Only regular files are replaced. The tests classify devices and never write to them.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fermata/results/files/output_file.h>
#include "tests/files/support.h"

namespace fermata::files::test {
namespace {

void writeTo(const fs::path& path, const std::string& bytes, Streams streams = Streams::InPlace) {
  OutputFile file(path, streams);
  file.write(bytes);
  file.commit();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(destination, InFolder)

BOOST_AUTO_TEST_CASE(a_link_stays_and_what_it_names_is_replaced) {
  fs::create_directory(folder / "far");
  folder.put("far/target", "old");
  fs::create_symlink("far/target", folder / "near");
  fs::create_symlink(folder / "near", folder / "first");
  writeTo(folder / "first", "new", Streams::Refused);
  BOOST_TEST(fs::is_symlink(folder / "first"));
  BOOST_TEST(fs::is_symlink(folder / "near"));
  BOOST_TEST(!fs::is_symlink(folder / "far/target"));
  BOOST_TEST(bytesOf(folder / "far/target") == "new");
  BOOST_TEST(folder.entries() == 3U);
}

BOOST_AUTO_TEST_CASE(a_dangling_link_makes_the_file_that_it_names) {
  fs::create_symlink("target", folder / "link");
  writeTo(folder / "link", "new");
  BOOST_TEST(fs::is_symlink(folder / "link"));
  BOOST_TEST(bytesOf(folder / "target") == "new");
  fs::create_symlink("none/target", folder / "lost");
  BOOST_CHECK_THROW(OutputFile(folder / "lost"), OutputRefused);
}

BOOST_AUTO_TEST_CASE(links_in_a_circle_are_refused) {
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  BOOST_CHECK_THROW(OutputFile(folder / "a"), OutputRefused);
}

BOOST_AUTO_TEST_CASE(a_fifo_is_written_in_place_and_stays_one) {
  BOOST_REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  fs::create_symlink("fifo", folder / "link");
  for (const char* name : {"fifo", "link"}) {
    const int reader = ::open((folder / "fifo").c_str(), O_RDONLY | O_NONBLOCK);
    writeTo(folder / name, "bytes");
    char got[16];
    BOOST_TEST(::read(reader, got, sizeof got) == 5);
    ::close(reader);
    BOOST_TEST(fs::is_fifo(folder / "fifo"));
  }
  BOOST_TEST(folder.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(a_fifo_among_results_is_refused) {
  BOOST_REQUIRE(::mkfifo((folder / "runs.csv").c_str(), 0600) == 0);
  const std::string error = errorOf<OutputRefused>([&] { OutputFile file(folder / "runs.csv"); });
  BOOST_TEST(error == "cannot write '" + (folder / "runs.csv").string() +
                          "': it is a FIFO; expected a regular file or none yet");
  BOOST_TEST(fs::is_fifo(folder / "runs.csv"));
}

BOOST_AUTO_TEST_CASE(a_folder_and_a_socket_are_refused) {
  fs::create_directory(folder / "folder");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(), sizeof address.sun_path - 1);
  BOOST_REQUIRE(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  ::close(socket);
  for (const char* name : {"folder", "socket", "folder/", "folder/.", "socket/a"}) {
    BOOST_CHECK_THROW(OutputFile(folder / name, Streams::InPlace), OutputRefused);
  }
  BOOST_CHECK_THROW(OutputFile(""), OutputRefused);
  BOOST_CHECK_THROW(OutputFile(fs::path(std::string("a\0b", 3))), OutputRefused);
  BOOST_TEST(folder.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(a_character_device_is_a_stream) {
  const Destination null = destinationOf("/dev/null", Streams::InPlace);
  BOOST_TEST((null.kind == Destination::Kind::Stream));
  BOOST_CHECK_THROW(destinationOf("/dev/null", Streams::Refused), OutputRefused);
}

// The shell shares the file that it redirects to: it is neither replaced nor overwritten from its
// start.
BOOST_AUTO_TEST_CASE(an_open_descriptor_is_written_where_it_stands) {
  const int file = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  BOOST_REQUIRE(::write(file, "begun ", 6) == 6);
  struct stat before {};
  ::fstat(file, &before);
  fs::create_symlink("/proc/self/fd/" + std::to_string(file), folder / "link");
  writeTo("/proc/self/fd/" + std::to_string(file), "one ");
  writeTo(folder / "link", "two ");
  BOOST_REQUIRE(::write(file, "end", 3) == 3);
  ::close(file);
  BOOST_TEST(bytesOf(folder / "out") == "begun one two end");
  struct stat after {};
  ::stat((folder / "out").c_str(), &after);
  BOOST_TEST(before.st_ino == after.st_ino);
  BOOST_CHECK_THROW(OutputFile(folder / "link"), OutputRefused);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::files::test
