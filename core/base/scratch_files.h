// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>

/// Arrays that lie in files: the part of ScratchMemory (scratch_memory.h) that knows the files. It
/// allocates no memory itself, as it serves `operator new`. Linux only. Pages: mapped_pages.h.
namespace seedwave::scratch {

/// Sets the folder in which new files are made. Returns 0, or a code of errno if none can be made
/// there, and then changes nothing. "" stands for no folder.
[[nodiscard]] int set_folder(const char* folder);

/// Returns an array of zeros in a new file, kRoomBefore bytes behind an address at which a large
/// page may start, as in the file; null if there are too many arrays. Throws ScratchFull.
[[nodiscard]] void* take(std::size_t bytes);
/// Frees an array. Returns whether it is one of take(). Costs next to nothing if it is not.
[[nodiscard]] bool give_back(void* array) noexcept;

/// Returns whether an array is one of take(). Costs next to nothing if there are none.
[[nodiscard]] bool holds(const void* array) noexcept;

/// Writes bytes into an array by a system call, which is faster than to touch pages that are not in
/// memory, and leaves them out of it. Returns false, and does nothing, if `to` is not in an array
/// of take(). Throws ScratchFull if the disk refuses them.
[[nodiscard]] bool write(void* to, const void* from, std::size_t bytes);
/// Copies numbers, into an array of take() by write().
template <typename T>
void copy(const T* from, std::size_t count, T* to) {
  if (!write(to, from, count * sizeof(T))) std::copy_n(from, count, to);
}

/// The bytes of a file before its array: the header of an output fits in.
inline constexpr std::int64_t kRoomBefore = 4096;
/// Returns the descriptor of an array's file, which stays the array's; -1 if there is none.
[[nodiscard]] int file_of(const void* array) noexcept;
/// The same, but from now on it is the caller's. The array may still be read, until the file is
/// cut.
[[nodiscard]] int hand_over(const void* array) noexcept;

/// The bytes of an array from `begin` to `end` are final: they go into its digest now, while they
/// are in memory, if all before them have. Ranges of the same array come one after the other.
void finish(const void* array, std::size_t begin, std::size_t end);
/// Returns XXH64 with seed 0 over an array of that many bytes, all of which are final; nothing if
/// they are not, or came out of order.
[[nodiscard]] std::optional<std::uint64_t> digest_of(const void* array, std::size_t bytes) noexcept;

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
