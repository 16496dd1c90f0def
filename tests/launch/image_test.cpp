// Images in launch files: filled buffers, the images' sizes in expressions, and parameters that are
// words or file names.
#include <fermata/stimuli/images/edges.h>
#include <fermata/stimuli/images/natural.h>
#include <fermata/stimuli/images/picture.h>
#include <fermata/stimuli/launch/fill.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

/// Returns the contents of a buffer of `count` elements.
std::vector<std::uint8_t> contents(const std::string& fill, unsigned count,
                                   const std::string& folder = "", const std::string& type = "u8") {
  const auto description = parseLaunchFile(
      "kernel = 'k.cu'\n[buffers.b]\ntype = '" + type + "'\ncount = " + std::to_string(count) +
          "\nfill = " + fill + "\n[[launch]]\nentry = 'k'\ngrid = 1\nblock = 1\n",
      "f.toml");
  const Plan plan = planLaunches(description, {});
  return fillBuffer(plan.buffers[0], plan.scope, folder);
}

const std::string kParameters = R"(kernel = 'k.cu'
[parameters]
image = { default = 'natural', allowed = ['natural'], file = true, description = 'an image' }
layout = { default = 'rows', allowed = ['rows', 'columns'] }
seed = 5
)";
const std::string kImage = R"([images.photo]
source = '{image}'
seed = 'seed'
width = 40
height = 30
bits = 12
threshold = 200
[buffers.levels]
type = 'u16'
count = 'width(photo) * height(photo)'
fill = { image = 'photo' }
[buffers.edges]
type = 'u32'
count = 'edges(photo)'
fill = { edges = 'photo' }
)";
const std::string kLaunch = R"([[launch]]
entry = 'k_{layout}'
grid = 'bits(photo)'
block = "layout == 'columns' ? 64 : 32"
)";

using Chosen = std::map<std::string, std::string>;

Plan plan(const std::string& text, const Chosen& chosen = {}, const std::string& path = "f.toml") {
  return planLaunches(parseLaunchFile(text, path), chosen);
}

template <class T>
std::vector<T> filled(const Plan& plan, std::size_t buffer) {
  return elementsOf<T>(fillBuffer(plan.buffers[buffer], plan.scope, ""));
}

BOOST_FIXTURE_TEST_SUITE(images_of_launch_files, Scratch)

BOOST_AUTO_TEST_CASE(a_launch_file_asks_for_a_picture) {
  images::PictureRequest request;
  request.seed = 7;
  request.width = 64;
  request.contrast = 20;
  request.slope = 90;
  BOOST_TEST((contents("{ picture = { seed = 7, width = 64, contrast = 20, slope = 90 } }", 300) ==
              images::picture(request, 300)));
  images::PictureRequest usual;
  usual.seed = 7;
  BOOST_TEST((contents("{ picture = { seed = 7 } }", 300) == images::picture(usual, 300)));
  const auto refused = [](const std::string& keys) {
    return refusal([&] { contents("{ picture = { " + keys + " } }", 10); });
  };
  BOOST_TEST(has(refused("width = 64"), "f.toml:5:"));
  BOOST_TEST(has(refused("seed = 1, width = 1"), "expected 2 to 32768"));
  BOOST_TEST(has(refused("seed = 1, contrast = 128"), "expected 0 to 127"));
  BOOST_TEST(has(refused("seed = 1, slope = 10"), "expected 50 to 200"));
  BOOST_TEST(has(refused("seed = 1, height = 10"), "unknown key 'height'"));
}

BOOST_AUTO_TEST_CASE(a_picture_has_a_source) {
  images::PictureRequest noise;
  noise.seed = 7;
  noise.width = 64;
  images::NaturalRequest natural;
  natural.seed = 7;
  natural.width = 64;
  natural.height = 5;  // 300 pixels and 20 more
  const images::Image photograph = images::naturalImage(natural);
  const std::vector<std::uint8_t> seen(photograph.pixels.begin(), photograph.pixels.begin() + 300);
  const auto from = [&](const std::string& source, unsigned count = 300) {
    return contents("{ picture = { source = '" + source + "', seed = 7, width = 64 } }", count,
                    path(""));
  };
  BOOST_TEST((from("noise") == images::picture(noise, 300)));
  BOOST_TEST((from("natural") == seen));
  BOOST_TEST((from("noise") != seen));
  write("own.pgm", "P2\n2 2\n255\n7 9 200 1\n");
  BOOST_TEST((from("own.pgm", 3) == std::vector<std::uint8_t>{7, 9, 200}));
  refuses([&] { from("own.pgm"); }, "2 x 2 = 4 pixels; expected 300 or more");
  refuses([&] { from("none.pgm"); }, "cannot be read");
  refuses([&] { from("natural", 64 * 8192 + 1); }, "64 x 8193 pixels; expected 8192 or fewer");
}

BOOST_AUTO_TEST_CASE(a_launch_file_names_a_pgm) {
  write("plain.pgm", "P2\n3 2\n9\n0 1 2\n7 8 9\n");
  write("binary.pgm", "P5\n2 2\n255\n\n# \xff");
  write("deep.pgm", "P2\n2 1\n4095\n4095 256\n");
  const std::string folder = path("");
  BOOST_TEST((contents("{ pgm = 'plain.pgm' }", 4, folder) ==
              std::vector<std::uint8_t>{0, 1, 2, 7}));  // the first 4 pixels, row by row
  BOOST_TEST((elementsOf<float>(contents("{ pgm = 'plain.pgm' }", 2, folder, "f32")) ==
              std::vector<float>{0, 1}));
  BOOST_TEST((elementsOf<std::uint16_t>(contents("{ pgm = 'deep.pgm' }", 2, folder, "u16")) ==
              std::vector<std::uint16_t>{4095, 256}));
  refuses([&] { contents("{ pgm = 'plain.pgm' }", 7, folder); },
          "3 x 2 = 6 pixels; expected 7 or more");
  refuses([&] { contents("{ pgm = 'binary.pgm' }", 4, folder, "s8"); },
          "255, which does not fit s8");
  refuses([&] { contents("{ pgm = 'deep.pgm' }", 1, folder); }, "4095, which does not fit u8");
}

BOOST_AUTO_TEST_CASE(a_generated_one_fills_buffers_and_sizes_them) {
  images::NaturalRequest request;
  request.seed = 9;
  request.width = 40;
  request.height = 30;
  request.bits = 12;
  const images::Image image = images::naturalImage(request);
  const Plan made = plan(kParameters + kImage + kLaunch, {{"seed", "9"}});
  BOOST_TEST((filled<std::uint16_t>(made, 0) == image.pixels));
  BOOST_TEST((filled<std::uint32_t>(made, 1) == images::edgePixels(image, 200)));
  BOOST_TEST(made.launches[0].grid[0] == 12U);
}

BOOST_AUTO_TEST_CASE(a_file_is_named_from_where_its_name_was_written) {
  fs::create_directory(path("here"));
  const std::string two = "P2\n4 3\n900\n0 0 900 900\n0 0 900 900\n0 0 900 900\n";
  write("default.pgm", two);
  write("here/mine.pgm", "P2\n3 3\n900\n0 0 900 0 0 900 0 0 800\n");
  std::string text = kParameters + kImage + kLaunch;
  const std::string file = path("f.toml");
  const auto before = fs::current_path();
  fs::current_path(path("here"));
  const Plan chosen = plan(text, {{"image", "mine.pgm"}}, file);
  text.replace(text.find("default = 'natural'"), 19, "default = 'default.pgm'");
  const Plan standard = plan(text, {}, file);
  fs::current_path(before);
  BOOST_TEST((filled<std::uint16_t>(chosen, 0) ==
              std::vector<std::uint16_t>{0, 0, 900, 0, 0, 900, 0, 0, 800}));
  BOOST_TEST((filled<std::uint32_t>(chosen, 1) == std::vector<std::uint32_t>{1 << 16 | 1}));
  BOOST_TEST(chosen.launches[0].grid[0] == 10U);
  BOOST_TEST(standard.buffers[0].count == 12U);
  BOOST_TEST(standard.buffers[1].count == 2U);
}

BOOST_AUTO_TEST_CASE(words_stand_in_names_and_are_compared) {
  const Plan rows = plan(kParameters + kImage + kLaunch);
  BOOST_TEST(rows.launches[0].entry == "k_rows");
  BOOST_TEST(rows.launches[0].block[0] == 32U);
  const Plan columns = plan(kParameters + kImage + kLaunch, {{"layout", "columns"}});
  BOOST_TEST(columns.launches[0].entry == "k_columns");
  BOOST_TEST(columns.launches[0].block[0] == 64U);
  const auto parameters = parseLaunchFile(kParameters + kImage + kLaunch, "f.toml").parameters;
  BOOST_TEST(parameters[0].allowedText() == "natural, or a file");
  BOOST_TEST(parameters[1].allowedText() == "rows or columns");
  BOOST_TEST(parameters[1].defaultText() == "rows");
  BOOST_TEST(parameters[2].defaultText() == "5");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused_with_its_place) {
  write("flat.pgm", "P2\n3 3\n9\n5 5 5 5 5 5 5 5 5\n");
  const std::string good = kParameters + kImage + kLaunch;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  struct Case {
    std::string text;
    Chosen chosen;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {good,
       {{"layout", "row"}},
       "f.toml:4:10: parameter 'layout' is 'row'; expected rows or columns"},
      {good, {{"image", ""}}, "f.toml:3:9: parameter 'image' is ''; expected natural, or a file"},
      {good,
       {{"image", path("none.pgm")}},
       "f.toml:7:10: '" + path("none.pgm") + "' cannot be read"},
      {good,
       {{"image", path("flat.pgm")}},
       "f.toml:12:13: image 'photo' has no edge of 200 levels"},
      {with("width = 40", "width = 0"), {}, "f.toml:9:9: width is 0; expected 1 to 8192"},
      {with("bits = 12", "bits = 7"), {}, "bits is 7; expected 8 to 16"},
      {with("threshold = 200", "threshold = 0"), {}, "threshold is 0; expected 1 to 65535"},
      {with("threshold = 200\n", ""), {}, "unknown name 'edges(photo)'"},
      {with("count = 'edges(photo)'", "count = 100000"),
       {},
       "expected 100000 or more, one for each element"},
      {with("edges = 'photo'", "edges = 'foto'"), {}, "no image 'foto'; expected one of photo"},
      {with("source =", "depth = 3\nsource ="), {}, "unknown key 'depth'"},
      {with("== 'columns'", "== 'colums'"), {}, "unknown name ''colums'' in the expression"},
      {with("allowed = ['rows', 'columns']", "allowed = ['rows', 2]"), {}, "f.toml:4:"},
      {with("allowed = ['rows', 'columns']", "allowed = ['columns']"),
       {},
       "the default of 'layout' is not allowed; expected columns"},
      {with(", allowed = ['rows', 'columns']", ""),
       {},
       "'layout' is a word but nothing says which"},
      {with("allowed = ['rows', 'columns']", "from = 3"), {}, "unknown key 'from'"},
  };
  for (const Case& one : cases) {
    refuses(
        [&] {
          const Plan made = plan(one.text, one.chosen);
          for (const PlannedBuffer& buffer : made.buffers) fillBuffer(buffer, made.scope, "");
        },
        one.expected);
  }
  const std::string plain =
      "kernel = 'k.cu'\n[images.a]\nsource = 'natural'\n[buffers.b]\n"
      "type = 'u8'\ncount = 1\nfill = { edges = 'a' }\n[[launch]]\nentry = 'k'\n"
      "grid = 1\nblock = 1\n";
  refuses([&] { plan(plain); }, "image 'a' has no edges; expected a threshold in [images.a]");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
