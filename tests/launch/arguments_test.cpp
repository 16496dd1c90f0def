// Arguments of a launch against the parameters that the kernel declares.
#include <fermata/stimuli/launch/arguments.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const char* const kModule = R"(.version 4.2
.target sm_20
.address_size 32
.visible .entry k(
  .param .u32 p,
  .param .f32 x,
  .param .align 8 .b8 s[24],
  .param .u8 c,
  .param .b64 bits
)
{
  ret;
}
)";

std::vector<std::uint8_t> layOut(const std::string& arguments) {
  const auto module = ptx::parse(kModule, "k.ptx");
  const auto description = parseLaunchFile(
      "kernel = 'k.ptx'\n[buffers.b]\ntype = 'u16'\ncount = 9\n[[launch]]\nentry = 'k'\ngrid = "
      "1\nblock = 1\n"
      "arguments = [" +
          arguments + "]\n",
      "f.toml");
  const Plan plan = planLaunches(description, {});
  return layOutArguments(plan.launches[0], *module, module->kernel("k"), {0x10000100});
}

BOOST_AUTO_TEST_SUITE(arguments)

BOOST_AUTO_TEST_CASE(lie_where_the_kernel_reads_them) {
  const auto block = layOut(
      "{ buffer = 'b', offset = 4 }, { f32 = 1.5 },"
      "{ struct = [{ u8 = 7 }, { f64 = 2.5 }, { buffer = 'b' }] }, { u8 = 9 }, { f64 = 1.0 }");
  const auto module = ptx::parse(kModule, "k.ptx");
  const auto& parameters = module->kernel("k").parameters();
  BOOST_REQUIRE(block.size() == module->kernel("k").parameterBytes());
  const auto at = [&](std::size_t index, std::size_t inside = 0) {
    return block.data() + parameters[index].offset + inside;
  };
  const auto read = [](const std::uint8_t* from, auto value) {
    std::memcpy(&value, from, sizeof value);
    return value;
  };
  BOOST_TEST(read(at(0), std::uint32_t{}) == 0x10000108U);
  BOOST_TEST(read(at(1), float{}) == 1.5F);
  BOOST_TEST(*at(2) == 7);
  BOOST_TEST(read(at(2, 8), double{}) == 2.5);
  BOOST_TEST(read(at(2, 16), std::uint32_t{}) == 0x10000100U);
  BOOST_TEST(*at(3) == 9);
  BOOST_TEST(read(at(4), double{}) == 1.0);
}

// PTX before 2.3 has no .address_size: a parameter of 64 bits takes an address.
BOOST_AUTO_TEST_CASE(of_old_modules_hold_addresses_of_64_bits) {
  const auto module = ptx::parse(
      ".version 2.2\n.target sm_20\n"
      ".entry k(.param .u64 p, .param .align 8 .b8 s[16], .param .u32 q) { ret; }\n",
      "k.ptx");
  const auto description = parseLaunchFile(
      "kernel = 'k.ptx'\n[buffers.b]\ntype = 'u16'\ncount = 9\n[[launch]]\nentry = 'k'\n"
      "grid = 1\nblock = 1\narguments = [{ buffer = 'b', offset = 4 },\n"
      "{ struct = [{ u32 = 7 }, { buffer = 'b' }] }, { buffer = 'b' }]\n",
      "f.toml");
  const Plan plan = planLaunches(description, {});
  const ptx::Kernel& kernel = module->kernel("k");
  const auto block = layOutArguments(plan.launches[0], *module, kernel, {0x10000100});
  std::uint64_t address = 0;
  std::memcpy(&address, block.data() + kernel.parameters()[0].offset, sizeof address);
  BOOST_TEST(address == 0x10000108U);
  std::memcpy(&address, block.data() + kernel.parameters()[1].offset + 8, sizeof address);
  BOOST_TEST(address == 0x10000100U);
  std::uint32_t narrow = 0;
  std::memcpy(&narrow, block.data() + kernel.parameters()[2].offset, sizeof narrow);
  BOOST_TEST(narrow == 0x10000100U);
}

BOOST_AUTO_TEST_CASE(must_suit_the_kernel) {
  const std::string structure =
      "{ bytes = [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23] }";
  const std::string rest = "{ u8 = 1 }, { u64 = 1 }";
  const std::vector<Refusal> cases = {
      {"", "f.toml:5:1: kernel 'k' gets 0 arguments; expected 5"},
      {"{ u64 = 1 }, { f32 = 1 }, " + structure + ", " + rest,
       "f.toml:9:14: u64 of 8 bytes for parameter 0 (.u32, 4 bytes); expected 4 bytes"},
      {"{ f32 = 1 }, { f32 = 1 }, " + structure + ", " + rest, "f32 for parameter 0"},
      {"{ u32 = 1 }, { s32 = 1 }, " + structure + ", " + rest,
       "s32 for parameter 1 (.f32, 4 bytes)"},
      {"{ u32 = 1 }, { buffer = 'b' }, " + structure + ", " + rest, "buffer 'b' for parameter 1"},
      {"{ u32 = 1 }, { f32 = 1 }, { bytes = [1] }, " + rest,
       "bytes of 1 bytes for parameter 2 (.b8[24], 24 bytes)"},
      {"{ u32 = 1 }, { f32 = 1 }, { struct = [{ u64 = 1 }] }, " + rest,
       "a struct of 8 bytes for parameter 2"},
      {"{ u32 = 1 }, { f32 = 1 }, " + structure + ", { buffer = 'b' }, { u64 = 1 }",
       "buffer 'b' of 4 bytes for parameter 3"},
  };
  refusesAll(cases, [&](const std::string& text) { layOut(text); });
}

// A tensor map of a buffer is what the driver would make of it.
BOOST_AUTO_TEST_CASE(tensor_maps) {
  const auto mapOf = [](const std::string& keys) {
    const auto module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .align 64 .b8 map[128]) { ret; }\n",
        "k.ptx");
    const auto description = parseLaunchFile(
        "kernel = 'k.ptx'\n[parameters]\nn = 64\n[buffers.b]\ntype = 'f16'\ncount = 'n * n'\n"
        "[[launch]]\nentry = 'k'\ngrid = 1\nblock = 1\narguments = [{ tensor = 'b', " +
            keys + " }]\n",
        "f.toml");
    const Plan plan = planLaunches(description, {});
    const auto block = layOutArguments(plan.launches[0], *module, module->kernel("k"), {0x20000});
    ptx::TensorMap::Bytes bytes;
    std::copy(block.begin(), block.end(), bytes.begin());
    return *ptx::TensorMap::decode(bytes);
  };
  const ptx::TensorMap dense = mapOf("dims = ['n', 'n'], box = [64, 8], swizzle = '{2 * n}B'");
  BOOST_TEST((dense.type == ptx::TensorType::F16 && dense.rank == 2 && dense.address == 0x20000));
  BOOST_TEST((dense.dims[0] == 64 && dense.dims[1] == 64 && dense.strides[0] == 128));
  BOOST_TEST((dense.swizzle == ptx::TensorSwizzle::Span128 && !dense.fillsNan));
  const ptx::TensorMap strided = mapOf(
      "dims = [8, 16], box = [8, 4], strides = [256], steps = [1, 2], type = 'bf16', fill = 'nan', "
      "offset = 64");
  BOOST_TEST((strided.type == ptx::TensorType::Bf16 && strided.address == 0x20080));
  BOOST_TEST((strided.strides[0] == 256 && strided.steps[1] == 2 && strided.fillsNan));
  const ptx::TensorMap sliced =
      mapOf("dims = [20, 4, 3, 2], box = [8, 2, 2, 1], interleave = '16B'");
  BOOST_TEST((sliced.interleave == ptx::TensorInterleave::Slices16));
  BOOST_TEST((sliced.strides[0] == 16 && sliced.strides[1] == 64 && sliced.strides[2] == 576));
  const auto refused = [&](const std::string& keys, const std::string& part) {
    try {
      mapOf(keys);
      BOOST_ERROR(keys);
    } catch (const InputError& error) {
      BOOST_TEST(std::string(error.what()).find(part) != std::string::npos, error.what());
    }
  };
  refused("dims = [64, 64], box = [64]", "box of 1 elements; expected 2");
  refused("dims = [64, 64], box = [64, 8], swizzle = '64B'", "at most the swizzle's 64");
  refused("dims = [64, 64], box = [64, 8], swizzle = '48B'",
          "unknown swizzle '48B'; expected one of");
  refused("dims = [64, 64], box = [64, 8], interleave = '8B'",
          "unknown interleave '8B'; expected one of none, 16B, 32B");
  refused("dims = [64, 64], box = [64, 8], interleave = '16B'", "rank 2 with an interleave");
  refused("dims = [64, 64], box = [64, 8], strides = [136]", "strides[0] = 136");
  refused("dims = [64, 64], box = [64, 8], offset = 4",
          "address 0x20008; expected a multiple of 16");
  refused("dims = [64, 64], box = [64, 8], colour = 1", "unknown key 'colour'");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
