// Large pages of the host for the program's heap.
#pragma once

namespace fermata::platforms {

/// Lets the heap take 512 MB of address space from the host, and asks for large pages there. The
/// multiprocessors of a chip have 1.4 MB of state each, all of which a run looks at again and
/// again: small pages of so much miss the host's table of pages. Call it before the heap is used.
/// Without effect where the host or the allocator has none.
void growHeapByLargePages();

}  // namespace fermata::platforms
