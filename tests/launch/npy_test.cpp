// Arrays of NumPy: headers read and written, and what is refused.
#include <fermata/stimuli/launch/npy.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const SourceLocation kPlace{"f.toml", 3, 8};

/// Returns a file of version 1.0 with this dictionary and elements.
std::string fileOf(const std::string& dictionary, const std::string& elements, char version = 1) {
  std::string text = dictionary + '\n';
  std::string file = "\x93NUMPY";
  file +=
      {version, '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  if (version > 1) file += {'\0', '\0'};
  return file + text + elements;
}

std::string dictionaryOf(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

const std::string kLaunch = launchOf("k", "{ buffer = 'b' }");

/// Opens a launch whose buffer is filled from a.npy and dumped.
std::unique_ptr<LaunchWorkload> openWith(const Scratch& scratch, const std::string& buffer) {
  scratch.put("k.cu", "extern \"C\" __global__ void k(float* b) { b[threadIdx.x] += 1; }");
  return open(scratch, "kernel = 'k.cu'\n[buffers]\nb = { " + buffer +
                           ", fill = { file = 'a.npy' } }\n" + kLaunch +
                           "[[dump]]\nbuffer = 'b'\nfile = 'b.npy'\n");
}

BOOST_FIXTURE_TEST_SUITE(npy, Scratch)

// An array of 2 x 3 floats as numpy.save writes it, byte for byte.
BOOST_AUTO_TEST_CASE(writes_the_header_of_numpy) {
  const std::string header = npyHeader(ElementType::F32, {2, 3});
  BOOST_TEST(header.size() == 128U);
  BOOST_TEST(header.substr(0, 8) == std::string("\x93NUMPY\1\0", 8));
  BOOST_TEST(header.substr(8, 2) == std::string("v\0", 2));
  BOOST_TEST(header.substr(10, 60) ==
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } ");
  BOOST_TEST(header.back() == '\n');
  BOOST_TEST(npyHeader(ElementType::U8, {5}).substr(10, 55) ==
             "{'descr': '|u1', 'fortran_order': False, 'shape': (5,),");
}

BOOST_AUTO_TEST_CASE(reads_what_it_writes) {
  for (const Shape& shape : {Shape{}, Shape{4}, Shape{2, 3}, Shape{1, 2, 2}}) {
    for (const ElementType type : {ElementType::U8, ElementType::S16, ElementType::F16,
                                   ElementType::U32, ElementType::F64}) {
      const std::string elements(elementsOf(shape, kPlace) * elementBytes(type), 'x');
      const std::string file = write("a.npy", npyHeader(type, shape) + elements);
      const NpyArray array = readNpy(file, kPlace);
      BOOST_TEST((array.type == type && array.shape == shape));
      BOOST_TEST(std::string(array.bytes.begin(), array.bytes.end()) == elements);
      BOOST_TEST(readNpyHeader(file, kPlace).bytes.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(reads_other_forms) {
  const std::string order = "{\"shape\": (2,), \"fortran_order\": False, \"descr\": \"<i2\"}";
  BOOST_TEST(readNpy(write("a.npy", fileOf(order, "abcd")), kPlace).bytes.size() == 4U);
  const std::string later = fileOf(dictionaryOf("<u2", "(2,)"), "abcd", 2);
  BOOST_TEST(readNpy(write("a.npy", later), kPlace).shape.size() == 1U);
  const NpyArray boolean =
      readNpy(write("a.npy", fileOf(dictionaryOf("|b1", "(4,)"), "abcd")), kPlace);
  BOOST_TEST((boolean.type == ElementType::U8));
}

BOOST_AUTO_TEST_CASE(refuses_other_files) {
  const std::vector<Refusal> table{
      {"", {"a.npy' is no array of NumPy; expected a file of numpy.save"}},
      {"\x93NUMPY", {"is no array of NumPy"}},
      {std::string("\x93NUMPY\x09\0v\0", 10), {"has version 9 of the format; expected 1 to 3"}},
      {std::string("\x93NUMPY\1\0v\0", 10), {"ends in its header"}},
      {fileOf(dictionaryOf(">f4", "(1,)"), "abcd"),
       {"is big-endian (>f4); expected '<f4', little-endian"}},
      {fileOf(dictionaryOf("<c8", "(1,)"), "abcdefgh"), {"elements of type '<c8'; expected bool"}},
      {fileOf("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", "abcd"),
       {"is in Fortran order; expected C order"}},
      {fileOf("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd"),
       {"holds records; expected numbers of one type"}},
      {fileOf(dictionaryOf("<f4", "(2,)"), "abcd"),
       {"has 4 bytes of elements; expected 2 elements of 4 bytes, its shape (2,)"}},
      {fileOf(dictionaryOf("<f4", "(1,)"), "abcdef"), {"has 6 bytes of elements"}},
      {fileOf(dictionaryOf("<f4", "(-1,)"), "abcd"), {"a header that is not NumPy's"}},
      {fileOf("{'descr': '<f4', 'shape': (1,), }", "abcd"), {"a header that is not NumPy's"}},
      {fileOf("nonsense", "abcd"), {"a header that is not NumPy's"}},
      {fileOf(dictionaryOf("<f8", "(4294967296, 4294967296, 4294967296)"), ""),
       {"(4294967296, 4294967296, 4294967296) is too large"}}};
  refusesAll(table, [&](const std::string& bytes) {
    put("a.npy", bytes);
    (void)readNpy(path("a.npy"), kPlace);
  });
  refuses([&] { (void)readNpy(path("absent.npy"), kPlace); }, "f.toml:3:8: ", "cannot be read");
}

BOOST_AUTO_TEST_CASE(fills_and_dumps_a_buffer) {
  const std::vector<float> values(32, 2.5F);
  const std::string bytes(reinterpret_cast<const char*>(values.data()), 128);
  put("a.npy", npyHeader(ElementType::F32, {4, 8}) + bytes);
  for (const char* size : {"count = 32", "shape = [4, 8]", "shape = ['2 * 2', 8]"}) {
    const auto workload = openWith(*this, std::string("type = 'f32', ") + size);
    files::OutputSet outputs;
    workload->openDumps(outputs, path("."));
    workload->runFunctionally();
    workload->dump();
    outputs.commit();
    const NpyArray made = readNpy(path("b.npy"), kPlace);
    BOOST_TEST((made.shape == Shape{4, 8}));
    BOOST_TEST(launch::elementsOf<float>(made.bytes) == std::vector<float>(32, 3.5F),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(refuses_an_array_that_does_not_fit) {
  put("a.npy", npyHeader(ElementType::F32, {4, 8}) + std::string(128, '\0'));
  refuses([&] { openWith(*this, "type = 's32', count = 32"); },
          "elements of float32; expected int32, the type of buffer 'b'");
  refuses([&] { openWith(*this, "type = 'f32', shape = [8, 4]"); },
          "has the shape (4, 8); expected (8, 4), the shape of buffer 'b'");
  refuses([&] { openWith(*this, "type = 'f32', count = 31"); },
          "has 32 elements, its shape (4, 8); expected 31, the count of buffer 'b'");
  refuses([&] { openWith(*this, "type = 'f32', count = 32, shape = [32]"); },
          "count and shape; expected one of the two");
  refuses([&] { openWith(*this, "type = 'f32', shape = [0]"); }, "a size of the shape is 0");
  refuses([&] { openWith(*this, "type = 'f32', shape = ['1 << 40', '1 << 40']"); }, "too large");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
