// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace seedwave::io {

/// A file that appears whole or not at all.
///
/// Bytes go to a temporary name in the same folder; commit() flushes them to the disk and renames,
/// so that a full disk, an error or a crash leaves the old file. What is not committed is removed
/// by the destructor. A link is followed: its target is replaced, not the link. What is not a
/// regular file (a pipe, /dev/null) is written to directly.
///
/// All functions throw OutputError that names the target.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

  /// For libraries that write to a descriptor themselves; stays ours.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path target_;
  /// Empty when the target is written to directly.
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

}  // namespace seedwave::io
