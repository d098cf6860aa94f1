// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <thread>

namespace seedwave {

struct ScratchSettings {
  /// Folder of the files, on a disk rather than in memory. They have no names, and vanish with the
  /// program however it ends.
  std::filesystem::path folder;
  /// Largest number of bytes of arrays that the program keeps in memory, pages of the files
  /// included. Blocks below a megabyte are not counted.
  std::int64_t memory = 0;
  /// Smaller arrays are always in memory.
  std::int64_t smallest = std::int64_t{1} << 24;
  /// Inputs from that size on that are stored as they are in memory are used where they lie
  /// (mapped_input.h). For programs that give nothing away before refuse_changed_inputs().
  bool maps_inputs = false;
};

/// While it lives, arrays of at least `smallest` bytes lie in files where they do not fit
/// into memory: three quarters of `memory` are for arrays as usual, and a quarter for the pages of
/// files that are in use. Every algorithm thus works on images that are larger than memory, with
/// the same bits; it is fast if it moves through them in order.
///
/// A program that makes one has an `operator new` of its own, which decides it for each array. A
/// file gets all of its blocks before it is mapped, so a full disk is an exception (ScratchFull,
/// scratch_files.h), and not a signal. Linux only.
///
/// At most one at a time. Arrays may outlive it.
class ScratchMemory {
 public:
  /// Throws UnavailableError if no file can be made in the folder.
  explicit ScratchMemory(const ScratchSettings& settings);
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

 private:
  std::jthread trimmer_;
  std::jthread fetcher_;
};

}  // namespace seedwave
