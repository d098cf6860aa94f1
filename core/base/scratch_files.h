// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

/// Arrays that lie in files: the part of ScratchMemory (scratch_memory.h) that knows the files. It
/// allocates no memory itself, as it serves `operator new`. Linux only.
namespace seedwave::scratch {

/// Sets the folder in which new files are made. Returns 0, or a code of errno if none can be made
/// there, and then changes nothing. "" stands for no folder.
[[nodiscard]] int set_folder(const char* folder);

/// Returns an array of zeros in a new file, at an address at which a large page may start; null if
/// there are too many arrays. Throws ScratchFull.
[[nodiscard]] void* take(std::size_t bytes);
/// Frees an array. Returns whether it is one of take(). Costs next to nothing if it is not.
[[nodiscard]] bool give_back(void* array) noexcept;

/// Returns whether an array is one of take(). Costs next to nothing if there are none.
[[nodiscard]] bool holds(const void* array) noexcept;

/// Takes the pages of all arrays out of the program's memory. Their contents stay in the files, and
/// come back when they are next used.
void drop_pages();

/// Returns the bytes of mapped files that are in memory, those of the program's own code included.
[[nodiscard]] std::int64_t mapped_in_memory() noexcept;

/// Sets how many bytes of mapped files may be in memory when keep_pace() returns; 0: any number.
void set_most_mapped(std::int64_t bytes) noexcept;
/// Drops pages if more are in memory. To be called now and then by threads that work on arrays,
/// since many bring in pages faster than one thread drops them. Costs next to nothing.
void keep_pace();

/// Bytes of all arrays: now, at most so far, and of all that there ever were.
struct Use {
  std::int64_t now = 0;
  std::int64_t most = 0;
  std::int64_t all = 0;
};
[[nodiscard]] Use use();

/// Returns the bytes that new arrays can take: the free room of the folder, 0 without one.
[[nodiscard]] std::int64_t room();

}  // namespace seedwave::scratch

namespace seedwave {

/// An array fits neither into memory nor into the folder of the files.
class ScratchFull : public std::bad_alloc {
 public:
  /// `why` is a code of errno.
  ScratchFull(std::size_t bytes, const char* folder, int why) noexcept;
  /// One line for the user.
  [[nodiscard]] const char* what() const noexcept override { return text_; }

 private:
  char text_[512] = {};
};

}  // namespace seedwave
