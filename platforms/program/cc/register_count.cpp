#include <fermata/platforms/program/cc/register_count.h>

namespace fermata::platforms {

std::string withRegisterCount(const std::string& ptx, unsigned most) {
  const std::string directive = "\n.maxnreg " + std::to_string(most);
  std::string made;
  std::size_t copied = 0;
  for (std::size_t at = 0; (at = ptx.find(".entry", at)) != std::string::npos;) {
    const std::size_t body = ptx.find('{', at);
    const std::size_t close = ptx.find(')', at);
    if (body == std::string::npos || close > body) break;
    const std::string bounds = ptx.substr(close, body - close);
    const bool bounded =
        bounds.find(".maxn") != std::string::npos || bounds.find(".reqntid") != std::string::npos;
    if (!bounded) {
      made += ptx.substr(copied, close + 1 - copied) + directive;
      copied = close + 1;
    }
    at = body;
  }
  return made + ptx.substr(copied);
}

}  // namespace fermata::platforms
