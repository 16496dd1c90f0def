// Addresses of the patterns against their closed forms and the papers' examples.
#include "tests/patterns/accesses.h"

using namespace fermata;
using namespace fermata::test;

namespace {

using Addresses = std::vector<std::uint64_t>;

/// Returns the words of warp 0's only access.
Addresses words(const std::string& name, const std::map<std::string, std::string>& parameters) {
  const auto accesses = accessesOf(name, parameters);
  const auto first = std::find_if(accesses.begin(), accesses.end(),
                                  [](const Access& access) { return access.warp == 0; });
  BOOST_REQUIRE((first != accesses.end()));
  Addresses words = first->address;
  for (auto& word : words) {
    BOOST_TEST(word % 4 == 0U);
    word /= 4;
  }
  return words;
}

/// Returns the largest number of distinct words on one bank.
std::size_t degree(const Addresses& words, std::uint64_t banks) {
  std::map<std::uint64_t, std::set<std::uint64_t>> by;
  for (const auto word : words) by[word % banks].insert(word);
  std::size_t most = 0;
  for (const auto& [bank, distinct] : by) most = std::max(most, distinct.size());
  return most;
}

Addresses range(std::uint64_t first, std::uint64_t count, std::uint64_t step = 1) {
  Addresses values;
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(first + i * step);
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(addresses)

BOOST_AUTO_TEST_CASE(genindex_as_in_the_paper) {
  Addresses expected{0, 32, 64, 96};
  for (std::uint64_t i = 4; i < 32; ++i) expected.push_back(i);
  BOOST_TEST(words("genindex", {{"way", "4"}, {"stride", "32"}}) == expected, tt::per_element());
  BOOST_TEST(words("genindex", {{"way", "0"}}) == range(0, 32), tt::per_element());
}

BOOST_AUTO_TEST_CASE(genindex_every_way_and_stride) {
  for (std::uint64_t way = 1; way <= 32; ++way) {
    for (const std::uint64_t stride : {1U, 2U, 3U, 32U, 33U}) {
      const auto got =
          words("genindex", {{"way", std::to_string(way)}, {"stride", std::to_string(stride)}});
      for (std::uint64_t tid = 0; tid < 32; ++tid) {
        BOOST_TEST(got[tid] == (tid < way ? tid * stride : tid));
      }
      if (stride == 32) BOOST_TEST(degree(got, 32) == way);
    }
  }
}

BOOST_AUTO_TEST_CASE(genindex_repeats_its_address_because_the_array_holds_its_indices) {
  const auto accesses = accessesOf("genindex", {{"repeat", "40"}, {"way", "7"}});
  BOOST_TEST(accesses.size() == 40U);
  for (const auto& access : accesses) BOOST_TEST((access.address == accesses[0].address));
}

BOOST_AUTO_TEST_CASE(strides) {
  BOOST_TEST(words("pattern-stride", {}) == range(0, 32), tt::per_element());
  BOOST_TEST(words("pattern-stride", {{"stride", "33"}, {"offset", "5"}}) == range(5, 32, 33),
             tt::per_element());
  auto falling = range(0, 32);
  std::reverse(falling.begin(), falling.end());
  BOOST_TEST(words("pattern-stride", {{"stride", "-1"}, {"offset", "31"}}) == falling,
             tt::per_element());
  // A stride's degree on 32 banks is gcd(stride, 32).
  for (const std::uint64_t stride : {1U, 2U, 4U, 6U, 8U, 16U, 32U, 48U, 33U}) {
    std::uint64_t gcd = 32;
    while (stride % gcd != 0) gcd /= 2;
    BOOST_TEST(degree(words("pattern-stride", {{"stride", std::to_string(stride)}}), 32) == gcd);
  }
}

// Two CTAs of two warps on 96 words: a walk turns round where its first lane would leave them.
BOOST_AUTO_TEST_CASE(walks) {
  std::map<std::pair<std::uint64_t, unsigned>, Addresses> first;
  for (const auto& access : accessesOf("pattern-walk", {{"words", "96"},
                                                        {"step", "64"},
                                                        {"apart", "32"},
                                                        {"cta_apart", "1000"},
                                                        {"offset", "7"},
                                                        {"threads", "64"},
                                                        {"ctas", "2"},
                                                        {"repeat", "4"}})) {
    BOOST_TEST(access.address.back() == access.address.front() + 4 * 31);
    first[{access.cta, access.warp}].push_back(access.address.front() / 4);
  }
  BOOST_TEST((first[{0, 0}] == Addresses{7, 71, 39, 7}));
  BOOST_TEST((first[{0, 1}] == Addresses{39, 7, 71, 39}));
  BOOST_TEST((first[{1, 1}] == Addresses{1039, 1007, 1071, 1039}));
}

BOOST_AUTO_TEST_CASE(threads_of_later_warps_go_on) {
  const auto accesses = accessesOf("pattern-stride", {{"threads", "70"}, {"stride", "3"}});
  BOOST_REQUIRE(accesses.size() == 3U);
  for (const auto& access : accesses) {
    const std::uint64_t lanes = access.warp == 2 ? 6 : 32;
    BOOST_TEST(access.active == (access.warp == 2 ? 0x3fU : kAllLanes));
    BOOST_TEST(access.address == range(access.warp * 32U * 12U, lanes, 12), tt::per_element());
  }
}

BOOST_AUTO_TEST_CASE(block_loads_and_stores_of_a_transpose) {
  // Section 3.2.1: rows; no conflict. Section 3.2.2: columns; an 8-way conflict.
  const auto rows =
      words("pattern-block", {{"m00", "1"}, {"m01", "0"}, {"m10", "0"}, {"m11", "1"}});
  BOOST_TEST(rows == range(0, 32), tt::per_element());
  const auto columns = words("pattern-block", {});
  Addresses expected = range(0, 16, 16);
  const auto second = range(1, 16, 16);
  expected.insert(expected.end(), second.begin(), second.end());
  BOOST_TEST(columns == expected, tt::per_element());
  BOOST_TEST(degree(columns, 32) == 8U);
  BOOST_TEST(degree(words("pattern-block", {{"cols", "17"}}), 32) == 2U);  // padded
}

BOOST_AUTO_TEST_CASE(block_fast_walsh_transform_with_stride_8) {
  // Section 3.2.4: s = 32 ty + tx, sub-warps of 8 threads; 4-way.
  const auto got = words(
      "pattern-block",
      {{"m00", "0"}, {"m01", "0"}, {"m10", "32"}, {"m11", "1"}, {"width", "8"}, {"cols", "1"}});
  Addresses expected;
  for (const std::uint64_t first : {0U, 32U, 64U, 96U}) {
    for (const auto word : range(first, 8)) expected.push_back(word);
  }
  BOOST_TEST(got == expected, tt::per_element());
  BOOST_TEST(degree(got, 32) == 4U);
}

BOOST_AUTO_TEST_CASE(block_is_equation_4) {
  std::uint64_t state = 5;
  const auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % below;
  };
  for (unsigned round = 0; round < 200; ++round) {
    std::map<std::string, std::string> parameters{{"threads", "128"}};
    std::map<std::string, std::uint64_t> m;
    for (const char* const name : {"m00", "m01", "m10", "m11", "o0", "o1"}) {
      m[name] = random(6);
      parameters[name] = std::to_string(m[name]);
    }
    const auto cols = 1 + random(40);
    const auto width = 1 + random(40);
    parameters["cols"] = std::to_string(cols);
    parameters["width"] = std::to_string(width);
    for (const auto& access : accessesOf("pattern-block", parameters)) {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        const std::uint64_t tx = (access.warp * 32 + lane) % width;
        const std::uint64_t ty = (access.warp * 32 + lane) / width;
        const std::uint64_t s = (m["m00"] * ty + m["m01"] * tx + m["o0"]) * cols + m["m10"] * ty +
                                m["m11"] * tx + m["o1"];
        BOOST_TEST(access.address[lane] == 4 * s);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(conflict_has_exactly_its_degree) {
  for (std::size_t wanted = 1; wanted <= 32; ++wanted) {
    for (const std::uint64_t banks : {32U, 33U, 64U}) {
      const auto got = words("pattern-conflict", {{"degree", std::to_string(wanted)},
                                                  {"banks", std::to_string(banks)}});
      BOOST_TEST(degree(got, banks) == wanted);
      BOOST_TEST(std::set<std::uint64_t>(got.begin(), got.end()).size() == 32U);
    }
  }
}

BOOST_AUTO_TEST_CASE(broadcast_has_exactly_its_words) {
  for (std::size_t wanted = 1; wanted <= 32; ++wanted) {
    const auto got = words("pattern-broadcast", {{"distinct", std::to_string(wanted)}});
    BOOST_TEST(std::set<std::uint64_t>(got.begin(), got.end()).size() == wanted);
    BOOST_TEST(degree(got, 32) == 1U);
  }
  const auto pairs = words("pattern-broadcast", {{"distinct", "16"}, {"neighbours", "1"}});
  for (std::size_t lane = 0; lane < 32; ++lane) BOOST_TEST(pairs[lane] == pairs[lane ^ 1]);
  BOOST_TEST(std::set<std::uint64_t>(pairs.begin(), pairs.end()).size() == 16U);
}

BOOST_AUTO_TEST_CASE(random_is_uniform_and_goes_by_its_seed) {
  const std::map<std::string, std::string> base{
      {"words", "64"}, {"repeat", "200"}, {"ctas", "4"}, {"threads", "64"}};
  const auto with = [&](const std::string& seed) {
    auto parameters = base;
    parameters["seed"] = seed;
    return accessesOf("pattern-random", parameters);
  };
  const auto first = with("1");
  const auto again = with("1");
  const auto other = with("2");
  BOOST_REQUIRE(first.size() == 1600U);
  std::vector<unsigned> seen(64);
  std::size_t equalToOther = 0;
  std::set<Addresses> distinct;
  for (std::size_t i = 0; i < first.size(); ++i) {
    BOOST_TEST((first[i].address == again[i].address));
    distinct.insert(first[i].address);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      BOOST_REQUIRE(first[i].address[lane] < 256U);
      ++seen[first[i].address[lane] / 4];
      equalToOther += first[i].address[lane] == other[i].address[lane];
    }
  }
  BOOST_TEST(distinct.size() == first.size());  // all accesses differ
  // 51200 draws over 64 words: 800 each, standard deviation 28. 1 in 64 equals the other by chance.
  for (const unsigned count : seen) BOOST_TEST((count > 640 && count < 960));
  BOOST_TEST((equalToOther > 600 && equalToOther < 1000));
}

BOOST_AUTO_TEST_CASE(random_does_not_depend_on_the_order_of_execution) {
  const std::map<std::string, std::string> parameters{
      {"repeat", "30"}, {"ctas", "6"}, {"threads", "96"}, {"seed", "9"}};
  const auto sorted = [&](Order order, unsigned residents) {
    RunOptions options;
    options.order = order;
    options.residentCtas = residents;
    auto accesses = accessesOf("pattern-random", parameters, options);
    std::stable_sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
      return std::tie(a.cta, a.warp) < std::tie(b.cta, b.warp);
    });
    std::vector<Addresses> addresses;
    for (const auto& access : accesses) addresses.push_back(access.address);
    return addresses;
  };
  const auto expected = sorted(Order::Greedy, 1);
  BOOST_TEST((sorted(Order::Random, 4) == expected));
  BOOST_TEST((sorted(Order::Reverse, 6) == expected));
}

BOOST_AUTO_TEST_CASE(wider_elements) {
  for (const unsigned bytes : {4U, 8U, 16U}) {
    const auto accesses =
        accessesOf("pattern-stride", {{"bytes", std::to_string(bytes)}, {"stride", "3"}});
    BOOST_TEST(accesses[0].address == range(0, 32, 3 * bytes), tt::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()
