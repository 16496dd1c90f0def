// The cache finds a compilation again only if nothing that it depends on has changed.
#include <fermata/stimuli/launch/compile_cache.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

struct Cache : Scratch {
  Cache() {
    fs::create_directories(path("src/a"));
    fs::create_directories(path("src/b"));
    put("src/k.cu", "#include \"h.h\"\n");
    put("src/b/h.h", "int x;\n");
    put("deps", "k.ptx: " + path("src/k.cu") + " \\\n  " + path("src/b/h.h") + "\n");
    // Any program is a compiler to the cache, which never starts one.
    job = {{"sh", "-I" + path("src/a"), "-I" + path("src/b"), path("src/k.cu")},
           path("src/k.cu"),
           true};
  }
  std::string found() const { return cache.find(job).value_or("none"); }
  void keep(const std::string& output) const { cache.keep(job, output, path("deps")); }
  std::size_t entries() const {
    std::size_t count = 0;
    for (const auto& each : fs::recursive_directory_iterator(path("cache")))
      count += each.is_regular_file() ? 1 : 0;
    return count;
  }

  CompileCache cache{path("cache")};
  CompileJob job;
};

BOOST_FIXTURE_TEST_SUITE(compile_cache, Cache)

BOOST_AUTO_TEST_CASE(finds_what_it_keeps) {
  BOOST_TEST(found() == "none");
  keep("made\nof lines\n\nand zeros" + std::string(2, '\0'));
  BOOST_TEST(found() == "made\nof lines\n\nand zeros" + std::string(2, '\0'));
}

BOOST_AUTO_TEST_CASE(a_change_is_seen) {
  keep("one");
  put("src/k.cu", "#include \"h.h\"\nint y;\n");
  BOOST_TEST(found() == "none");
  put("src/k.cu", "#include \"h.h\"\n");
  BOOST_TEST(found() == "one");
  put("src/b/h.h", "int z;\n");
  BOOST_TEST(found() == "none");
  fs::remove(path("src/b/h.h"));
  BOOST_TEST(found() == "none");
  put("src/b/h.h", "int x;\n");
  BOOST_TEST(found() == "one");
  job.words.push_back("-DMORE");
  BOOST_TEST(found() == "none");
}

// A header that appears in an earlier folder would be read in the place of the old one.
BOOST_AUTO_TEST_CASE(a_header_in_front_is_seen) {
  keep("one");
  put("src/a/h.h", "int shadow;\n");
  BOOST_TEST(found() == "none");
  fs::remove(path("src/a/h.h"));
  BOOST_TEST(found() == "one");
  put("src/h.h", "int shadow;\n");
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_CASE(another_folder_with_equal_files_is_served) {
  keep("one");
  fs::copy(path("src"), path("other"), fs::copy_options::recursive);
  fs::remove_all(path("src"));
  job = {{"sh", "-I" + path("other/a"), "-I" + path("other/b"), path("other/k.cu")},
         path("other/k.cu"),
         true};
  BOOST_TEST(found() == "one");
  job.anyFolder = false;
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_CASE(time_is_not_kept) {
  for (const char* text : {"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include(<x>)"}) {
    put("src/b/h.h", text);
    keep("one");
    BOOST_TEST(found() == "none");
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_entry_is_not_used) {
  keep("a long enough output");
  for (const auto& each : fs::recursive_directory_iterator(path("cache"))) {
    if (each.is_regular_file()) fs::resize_file(each.path(), fs::file_size(each.path()) - 1);
  }
  BOOST_TEST(found() == "none");
  keep("again");
  BOOST_TEST(found() == "again");
}

BOOST_AUTO_TEST_CASE(the_oldest_use_goes_first) {
  const CompileCache small(path("cache"), 6000);
  for (int i = 0; i < 8; ++i) {
    job.words.back() = path("src/k.cu");
    job.words.push_back("-D" + std::to_string(i));
    small.keep(job, std::string(1000, 'x'), path("deps"));
    for (const auto& each : fs::recursive_directory_iterator(path("cache"))) {
      if (!each.is_regular_file()) continue;  // older with each round
      fs::last_write_time(each.path(), fs::last_write_time(each.path()) - std::chrono::hours(1));
    }
  }
  BOOST_TEST(small.find(job).has_value());  // the last one
  BOOST_TEST(entries() < 6U);
  BOOST_TEST(entries() >= 2U);
}

BOOST_AUTO_TEST_CASE(no_folder_costs_nothing_but_time) {
  const CompileCache off{fs::path()};
  off.keep(job, "one", path("deps"));
  BOOST_TEST(!off.find(job).has_value());
  put("file", "");
  const CompileCache impossible(path("file") + "/below");
  impossible.keep(job, "one", path("deps"));
  BOOST_TEST(!impossible.find(job).has_value());
  job.words[0] = "no-such-compiler";
  keep("one");
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
