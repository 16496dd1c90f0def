#include <fermata/stimuli/launch/kernel_file_reader.h>

namespace fermata::launch {

KernelFile readKernelFile(ExpressionTable& root) {
  KernelFile kernel;
  kernel.file = root.pattern("kernel");
  kernel.addressBits = root.optionalExpression("address_bits");
  if (root.has("arch")) kernel.arch = root.pattern("arch");
  kernel.includes = root.patterns("include");
  kernel.defines = root.patterns("define");
  return kernel;
}

}  // namespace fermata::launch
