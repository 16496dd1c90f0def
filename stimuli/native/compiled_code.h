// Runs the code that was made for a kernel.
#pragma once

#include <fermata/stimuli/native/context.h>
#include <fermata/stimuli/native/kernel_writer.h>
#include <fermata/stimuli/ptx/compiled.h>

namespace fermata::native {

/// A library that the host has loaded. It is never unloaded: a thread may still run it.
struct Library {
  Code whole = nullptr;
  Code part = nullptr;
};

class CompiledCode : public ptx::CompiledKernel {
 public:
  CompiledCode(Pieces pieces, Library library) : pieces_(std::move(pieces)), library_(library) {}

  unsigned run(ptx::Warp& warp, unsigned most) const override;

 private:
  unsigned runPieces(Context& context, unsigned most) const;

  Pieces pieces_;
  Library library_;
};

}  // namespace fermata::native
