// Properties of the searches on the 22 benchmarks of van den Braak et al., IEEE TC 2016, table 5.
#include <fermata/models/search/search.h>
#include <fermata/platforms/program/study/study_accesses.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::platforms;
using search::MappingClass;
using search::Method;

namespace {

const std::vector<std::string> kBenchmarks{
    "conv1",  "conv2",   "dct1",   "dct2", "dwt",       "fft1",       "fft2", "fwt",
    "hist64", "hist256", "lavamd", "lud1", "lud2",      "matrixscan", "mri1", "mri2",
    "mri3",   "mri4",    "nw1",    "nw2",  "reduction", "transpose"};

bool isHistogram(const std::string& name) {
  return name.rfind("hist", 0) == 0;
}

StudyAccesses accessesOf(const std::string& name) {
  StudyWorkload workload;
  workload.label = workload.name = name;
  workload.platform = "gtx480";
  return studyAccesses(workload);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(benchmarks)

// Section 7.1: only the histograms keep conflicts. The test recounts every reported figure.
BOOST_DATA_TEST_CASE(minimum_imbalance_clears_all_but_the_histograms, bdata::make(kBenchmarks),
                     name) {
  const StudyAccesses accesses = accessesOf(name);
  const search::Found found = search::search(MappingClass::Pairs, Method::MinimumImbalance,
                                             {accesses.collected.sets, accesses.shape});
  BOOST_TEST(found.before == accesses.conflicts("mod 32"));
  BOOST_TEST(found.before > 0U);
  BOOST_TEST(found.after == accesses.conflicts(found.mapping));
  BOOST_TEST((found.after != 0) == isHistogram(name));
  BOOST_TEST(found.rank == 5U);
}

BOOST_DATA_TEST_CASE(the_general_search_is_never_worse_than_a_published_one,
                     bdata::make(kBenchmarks), name) {
  const StudyAccesses accesses = accessesOf(name);
  const search::Problem problem{accesses.collected.sets, accesses.shape};
  const search::Found general = search::search(MappingClass::Matrix, Method::General, problem);
  std::uint64_t published = accesses.conflicts("fixed-xor");
  for (const auto& [mappingClass, method] : std::vector<std::pair<MappingClass, Method>>{
           {MappingClass::Perm, Method::Exhaustive},
           {MappingClass::Xor, Method::Exhaustive},
           {MappingClass::Bits, Method::Exhaustive},
           {MappingClass::Bits, Method::Givargis},
           {MappingClass::Bits, Method::MinimumImbalance},
           {MappingClass::Pairs, Method::Givargis},
           {MappingClass::Pairs, Method::MinimumImbalance}}) {
    published = std::min(published, search::search(mappingClass, method, problem).after);
  }
  BOOST_TEST(general.after <= published);
  BOOST_TEST(general.after == accesses.conflicts(general.mapping));
  if (general.after == 0) BOOST_TEST((general.proof == search::Proof::ConflictFree));
  if (name == "hist64") BOOST_TEST(general.after < published);
}

BOOST_AUTO_TEST_SUITE_END()
