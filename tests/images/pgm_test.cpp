// PGM files, plain and binary, of 8 to 16 bits.
#include <fermata/stimuli/images/pgm.h>

#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

namespace fermata::images {
namespace {

using Levels = std::vector<std::uint16_t>;

const SourceLocation kHere{"f.toml", 3, 1};

class Files {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    folder_.put(name, text);
    return path(name);
  }
  Image read(const std::string& text) const { return readPgm(write("x.pgm", text), kHere); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  test::TemporaryFolder folder_;
};

BOOST_AUTO_TEST_SUITE(pgm)

BOOST_AUTO_TEST_CASE(is_read_plain_and_binary) {
  const Files files;
  const Image plain = files.read("P2 # by hand\n# a comment\n3 2\n9\n0 1 2\n7 8 # last\n9\n");
  BOOST_TEST(plain.width == 3U);
  BOOST_TEST(plain.height == 2U);
  BOOST_TEST(plain.largest == 9U);
  BOOST_TEST(plain.bits() == 4U);
  BOOST_TEST((plain.pixels == Levels{0, 1, 2, 7, 8, 9}));
  BOOST_TEST(plain.at(0, 1) == 7U);
  // The byte after the one white space is a pixel, even if it looks like white space or a comment.
  const Image binary = files.read("P5\n2 2\n255\n\n# \xff");
  BOOST_TEST((binary.pixels == Levels{10, 35, 32, 255}));
  BOOST_TEST(binary.bits() == 8U);
}

BOOST_AUTO_TEST_CASE(of_more_than_8_bits_has_two_bytes_a_pixel_the_upper_one_first) {
  const Files files;
  const std::string head = "P5 # a camera's\n2 2\n4095\n";
  const Image twelve = files.read(head + std::string("\x0f\xff\x00\x01\x01\x00\x0a\x23", 8));
  BOOST_TEST((twelve.pixels == Levels{4095, 1, 256, 0xa23}));
  BOOST_TEST(twelve.largest == 4095U);
  BOOST_TEST(twelve.bits() == 12U);
  const Image sixteen = files.read(std::string("P5\n1 1\n65535\n\xff\xfe", 15));
  BOOST_TEST((sixteen.pixels == Levels{65534}));
  BOOST_TEST(sixteen.bits() == 16U);
  const Image nine = files.read(std::string("P5\n1 1\n256\n\x01\x00", 13));
  BOOST_TEST((nine.pixels == Levels{256}));
  BOOST_TEST(nine.bits() == 9U);
  BOOST_TEST((files.read("P2\n2 1\n4095\n4095 77").pixels == Levels{4095, 77}));
}

BOOST_AUTO_TEST_CASE(that_is_none_is_refused_with_file_and_reason) {
  const Files files;
  const std::pair<std::string, std::string> bad[] = {
      {"", "no PGM"},
      {"P6\n1 1\n255\nabc", "no PGM; expected a file that begins P2 or P5"},
      {"P5", "does not say the width at byte 2"},
      {"P5\n#", "does not say the width"},
      {"P5\n0 1\n255\na", "the width at byte 3; expected 1 to 65536"},
      {"P5\n1 99999999999999999999\n255\na", "the height"},
      {"P5\n-1 1\n255\na", "the width"},
      {"P5\n1 1\n0\na", "the largest level"},
      {"P5\n1 1\n65536\nab", "the largest level at byte 7; expected 1 to 65535"},
      {"P5\n2 2\n255\nabc", "ends after 3 of 4 pixels"},
      {"P5\n2 2\n4095\n\x01\x01\x01\x01\x01\x01\x01", "ends after 3 of 4 pixels"},
      {"P5\n65536 65536\n255\n", "expected 2147483648 at most"},
      {"P5\n1 1\n255", "no white space"},
      {"P5\n2 1\n9\n\x01\x0a", "level 10 in pixel 1; expected 9 at most"},
      {"P5\n2 1\n4095\n\x01\x01\x10\x01", "level 4097 in pixel 1; expected 4095 at most"},
      {"P2\n2 2\n9\n1 2 3", "ends after 3 of 4 pixels"},
      {"P2\n2 1\n9\n1 x", "pixel 1"},
      {"P2\n2 1\n9\n1 10", "level 10 in pixel 1"},
  };
  const std::string path = files.path("x.pgm");
  for (const auto& [text, expected] : bad)
    BOOST_CHECK_EXCEPTION(files.read(text), InputError,
                          test::beginsWith("f.toml:3:1: '" + path + "' ", expected));
  const std::string none = files.path("none.pgm");
  test::refuses([&] { readPgm(none, kHere); },
                "'" + none + "' cannot be read; expected a picture in PGM");
  test::refuses([&] { readPgm(files.path(""), kHere); }, "is a folder; expected a picture in PGM");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::images
