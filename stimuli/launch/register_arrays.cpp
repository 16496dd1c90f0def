#include <fermata/stimuli/launch/register_arrays.h>

#include <cstdlib>

namespace fermata::launch {

std::size_t localBytes(const std::string& ptx) {
  static const std::string kName = "__local_depot";
  std::size_t bytes = 0;
  for (std::size_t at = ptx.find(kName); at != std::string::npos; at = ptx.find(kName, at)) {
    at = ptx.find_first_not_of("0123456789", at + kName.size());
    // A declaration has the size behind the name; uses of the name have none.
    if (at != std::string::npos && ptx[at] == '[')
      bytes += std::strtoull(ptx.c_str() + at + 1, nullptr, 10);
  }
  return bytes;
}

std::vector<std::string> unrollingOptions() {
  return {"-mllvm", "-unroll-threshold=2750"};
}

const std::string& withFewerLocalBytes(const std::string& first, const std::string& second) {
  return localBytes(second) < localBytes(first) ? second : first;
}

}  // namespace fermata::launch
