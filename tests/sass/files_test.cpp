// Files of traces: compressed ones, lists of kernels, and the compiled form.
#include <lzma.h>
#include <zstd.h>

#include "tests/sass/sass_texts.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(files)

namespace {

/// Returns a trace of several blocks, with rows of every shape.
std::string largeTrace(unsigned blocks) {
  Head head;
  head.grid = "(" + std::to_string(blocks) + ",1,1)";
  std::mt19937 random(3);
  std::string text = head.text();
  for (unsigned block = 0; block < blocks; ++block) {
    std::string warps;
    for (unsigned warp = 0; warp < 2; ++warp) {
      std::string rows;
      for (unsigned k = 0; k < 60; ++k) {
        std::ostringstream row;
        row << std::hex << std::setw(4) << std::setfill('0') << k * 16
            << " ffffffff 1 R1 LDS 1 R2 4 0 ";
        for (unsigned lane = 0; lane < 32; ++lane) row << "0x" << random() % 2048 * 4 << ' ';
        rows += row.str() +
                "\n0400 0000ffff 1 R4 FFMA 3 R1 R2 R3 0 0 \n0410 ffffffff 0 BAR.SYNC 0 0 0 \n";
      }
      warps += warpText(warp, rows + "0420 ffffffff 0 EXIT 0 0 0 \n");
    }
    text += blockText(std::to_string(block) + ",0,0", warps);
  }
  return text;
}

std::string facts(const Executed& one) {
  std::ostringstream text;
  text << one.block << ' ' << one.warp << ' ' << one.opcode << ' ' << one.row.active;
  for (unsigned lane = 0; lane < 32 && one.instruction.instructionClass == InstructionClass::Memory;
       ++lane)
    text << ' ' << ((one.row.active >> lane & 1U) != 0 ? one.at(lane) : 0);
  return text.str();
}
std::vector<std::string> factsOf(sass::SassWorkload& workload) {
  std::vector<std::string> all;
  for (const Executed& one : runAll(workload)) all.push_back(facts(one));
  return all;
}

sass::SassOptions optionsFor(std::uint64_t compileFrom) {
  sass::SassOptions options;
  options.opcodeFile = opcodeFile();
  options.compileFrom = compileFrom;
  return options;
}
std::vector<std::string> factsOfFile(const fs::path& path,
                                     std::uint64_t compileFrom = sass::SassOptions::kNever) {
  sass::SassWorkload workload(path.string(), optionsFor(compileFrom));
  return factsOf(workload);
}

std::string xz(const std::string& text) {
  std::string packed(text.size() + 4096, '\0');
  std::size_t size = 0;
  BOOST_REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr,
                                        reinterpret_cast<const std::uint8_t*>(text.data()),
                                        text.size(), reinterpret_cast<std::uint8_t*>(packed.data()),
                                        &size, packed.size()) == LZMA_OK);
  packed.resize(size);
  return packed;
}

template <class Value>
void put(std::string& to, Value value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Writes a trace of one block as .tracez, each warp in chunks of two rows.
std::string tracez(const std::string& head, const std::vector<std::vector<std::string>>& warps) {
  std::string file = head;
  put(file, '\0');
  put(file, std::uint32_t{0});
  put(file, std::uint32_t{2});
  std::string footer;
  put(footer, std::uint32_t{1});
  for (unsigned k = 0; k < 10; ++k) put(footer, std::uint32_t{0});
  put(footer, static_cast<std::uint32_t>(warps.size()));
  for (const auto& rows : warps) {
    const auto count = static_cast<std::uint32_t>(rows.size());
    const std::uint32_t chunks = (count + 1) / 2;
    put(footer, count);
    put(footer, chunks);
    put(footer, std::uint64_t{file.size()});
    put(file, count);
    put(file, chunks);
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      const std::uint32_t last = std::min(count, 2 * chunk + 2);
      put(footer, last - 2 * chunk);
      std::string plain;
      for (std::uint32_t row = 2 * chunk; row < last; ++row)
        plain += (plain.empty() ? "" : "\n") + rows[row];
      std::string packed(ZSTD_compressBound(plain.size()), '\0');
      packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
      put(file, static_cast<std::uint32_t>(packed.size()));
      file += packed;
    }
  }
  const std::uint64_t place = file.size();
  file += footer;
  put(file, place);
  return file;
}

const std::vector<std::vector<std::string>> kWarps{
    {"0000 ffffffff 1 R1 LDS 1 R2 4 1 0x0 4 ", "0010 ffffffff 1 R1 MOV 1 R2 0 ",
     "0020 ffffffff 0 EXIT 0 0 "},
    {"0020 ffffffff 0 EXIT 0 0 "}};

}  // namespace

BOOST_AUTO_TEST_CASE(an_xz_file_holds_the_same_trace) {
  const TemporaryFolder folder;
  const std::string text = largeTrace(3);
  folder.put("k.traceg", text);
  folder.put("k.traceg.xz", xz(text));
  BOOST_TEST((factsOfFile(folder / "k.traceg.xz") == factsOfFile(folder / "k.traceg")));
  folder.put("cut.traceg.xz", xz(text).substr(0, 500));
  BOOST_CHECK_EXCEPTION(factsOfFile(folder / "cut.traceg.xz"), InputError,
                        says("is cut off; expected a trace compressed by xz"));
  folder.put("bad.traceg.xz", "hello, this is text");
  BOOST_CHECK_EXCEPTION(factsOfFile(folder / "bad.traceg.xz"), InputError, says("is no .xz file"));
  folder.put("zeros.traceg.xz", xz(std::string(std::size_t{64} << 20, '\0')));
  BOOST_CHECK_EXCEPTION(factsOfFile(folder / "zeros.traceg.xz"), InputError,
                        says("the line is too long"));
}

BOOST_AUTO_TEST_CASE(a_sparse_file_is_refused_at_once) {
  const TemporaryFolder folder;
  folder.put("k.traceg", "");
  fs::resize_file(folder / "k.traceg", std::uintmax_t{10} << 30);
  BOOST_CHECK_EXCEPTION(factsOfFile(folder / "k.traceg", 1), InputError,
                        says("k.traceg:1: the line is too long"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_while_it_is_read_is_refused) {
  const TemporaryFolder folder;
  folder.put("k.traceg", largeTrace(3));
  const sass::PlacedFile file((folder / "k.traceg").string());
  const std::uint64_t size = file.size();
  fs::resize_file(folder / "k.traceg", size - 1);
  BOOST_CHECK_EXCEPTION(file.hash(size), InputError,
                        says("k.traceg: was cut while it was read; expected the", "bytes"));
}

BOOST_AUTO_TEST_CASE(a_tracez_file_holds_the_same_trace) {
  const TemporaryFolder folder;
  std::string warps;
  for (unsigned warp = 0; warp < 2; ++warp) {
    std::string rows;
    for (const std::string& row : kWarps[warp]) rows += row + "\n";
    warps += warpText(warp, rows);
  }
  folder.put("k.traceg", Head{}.text() + blockText("0,0,0", warps));
  const std::string packed = tracez(Head{}.text(), kWarps);
  folder.put("k.tracez", packed);
  const auto expected = factsOfFile(folder / "k.traceg");
  BOOST_TEST(expected.size() == 4U);
  BOOST_TEST((factsOfFile(folder / "k.tracez") == expected));
  for (std::size_t size = 0; size < packed.size(); size += 7) {
    folder.put("cut.tracez", packed.substr(0, size));
    BOOST_CHECK_THROW(factsOfFile(folder / "cut.tracez"), InputError);
  }
  for (std::size_t at = 0; at < packed.size(); at += 3) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    folder.put("bad.tracez", damaged);
    errorOf<InputError>([&] { factsOfFile(folder / "bad.tracez"); });  // refused, or another trace
  }
}

BOOST_AUTO_TEST_CASE(a_list_runs_its_kernels_and_knows_copies) {
  const TemporaryFolder folder;
  folder.put("kernel-1.traceg", largeTrace(1));
  folder.put("kernel-2.traceg.xz", xz(largeTrace(2)));
  folder.put("kernelslist.g",
             "MemcpyHtoD,0x00007f6233c00000,512\nkernel-1.traceg\nMemcpyHtoD,0x00007f6233c00600,"
             "16\nkernel-2.traceg\nkernel-3.traceg\n");
  sass::SassWorkload workload((folder / "kernelslist.g").string(),
                              optionsFor(sass::SassOptions::kNever));
  workload.setWarpSlots(64);
  BOOST_TEST_REQUIRE(workload.nextGrid() != nullptr);
  BOOST_TEST(workload.deviceMemory().size() == 1U);
  const Grid* const second = workload.nextGrid();
  BOOST_TEST(second->ctas == 2U);
  BOOST_TEST(second->program == 0U);
  BOOST_TEST(workload.deviceMemory().size() == 2U);
  BOOST_TEST(workload.deviceMemory()[1].address == 0x7f6233c00600U);
  BOOST_TEST(workload.deviceMemory()[1].bytes == 16U);
  BOOST_TEST(workload.nextGrid() == nullptr);
  BOOST_TEST(has(
      workload.warning(),
      "1 of 3 kernels of the list have no file and are left out, the first is kernel-3.traceg"));
  folder.put("kernelslist", "MemcpyHtoD,512\n");
  BOOST_CHECK_EXCEPTION(sass::readKernelList((folder / "kernelslist").string()), InputError,
                        says("kernelslist:1:11:", "expected MemcpyHtoD,0xADDRESS,BYTES"));
  folder.put("kernelslist", "kernel-9.traceg\n");
  BOOST_CHECK_EXCEPTION(sass::readKernelList((folder / "kernelslist").string()), InputError,
                        says("no kernel of the list is there"));
}

BOOST_AUTO_TEST_CASE(names_of_traces) {
  for (const char* const name :
       {"a/kernel-1.traceg", "a.mem", "a.memtrace.xz", "k.trace", "k.tracez", "k.traceg.xz",
        "k.trace.xz", "x/kernelslist", "kernelslist.g", "kernelslist_ctx_0x5.g"})
    BOOST_TEST(sass::isSassName(name), name);
  for (const char* const name :
       {"k.csv", "k.csv.zst", "k.xz", "trace", ".traceg", "matmul", "k.toml"})
    BOOST_TEST(!sass::isSassName(name), name);
  BOOST_TEST(sass::withoutSassSuffix("a/kernel-1.traceg.xz") == "a/kernel-1");
}

BOOST_AUTO_TEST_CASE(the_compiled_form_replays_the_same) {
  const TemporaryFolder folder;
  folder.put("k.traceg", largeTrace(20));
  const fs::path form = folder / "k.traceg.compiled";
  const auto expected = factsOfFile(folder / "k.traceg");
  BOOST_TEST(!fs::exists(form));
  BOOST_TEST((factsOfFile(folder / "k.traceg", 1) == expected));
  BOOST_TEST_REQUIRE(fs::exists(form));
  const auto written = fs::last_write_time(form);
  BOOST_TEST((factsOfFile(folder / "k.traceg", 1) == expected));
  BOOST_TEST((fs::last_write_time(form) == written));  // read, not made anew
  BOOST_TEST(!fs::exists(folder / "none.traceg.compiled"));
}

BOOST_AUTO_TEST_CASE(a_form_of_another_text_is_made_anew) {
  const TemporaryFolder folder;
  folder.put("k.traceg", largeTrace(2));
  const auto before = factsOfFile(folder / "k.traceg", 1);
  folder.put("k.traceg", largeTrace(3));
  const auto after = factsOfFile(folder / "k.traceg", 1);
  BOOST_TEST(after.size() > before.size());
  BOOST_TEST((factsOfFile(folder / "k.traceg", 1) == after));
}

BOOST_AUTO_TEST_CASE(a_damaged_form_is_not_read) {
  const TemporaryFolder folder;
  folder.put("k.traceg", largeTrace(1));
  const auto expected = factsOfFile(folder / "k.traceg", 1);
  std::ostringstream read;
  read << std::ifstream(folder / "k.traceg.compiled", std::ios::binary).rdbuf();
  const std::string form = read.str();
  for (std::size_t at = 0; at < form.size(); at += 1 + form.size() / 60) {
    std::string damaged = form;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    folder.put("k.traceg.compiled", damaged);
    BOOST_TEST((factsOfFile(folder / "k.traceg", 1) == expected), "byte " << at);
    folder.put("k.traceg.compiled", form.substr(0, at));
    BOOST_TEST((factsOfFile(folder / "k.traceg", 1) == expected), "cut at " << at);
  }
}

BOOST_AUTO_TEST_CASE(a_form_does_not_hide_a_refusal) {
  const TemporaryFolder folder;
  folder.put("k.traceg", largeTrace(1));
  factsOfFile(folder / "k.traceg", 1);
  sass::SassOptions small = optionsFor(1);
  small.settings.shared = 1024;
  const std::string message = errorOf<InputError>([&] {
    sass::SassWorkload workload((folder / "k.traceg").string(), small);
    runAll(workload);
  });
  BOOST_TEST(has(message, "expected it within the 1024 bytes of a CTA"), message);
}

BOOST_AUTO_TEST_SUITE_END()
