// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/atomic_file.h"

#include <deque>
#include <filesystem>
#include <string_view>

namespace seedwave::io {

/// Files that appear together or not at all.
///
/// commit() flushes all of them to the disk before it renames the first one. A failure, also one in
/// the middle of the renames, leaves all files as they were, and no temporary names. What is left
/// to chance: a kill or power failure between two renames, and a failing rename on a file system
/// without hard links. A pipe or device among the files has its bytes as soon as they are written.
class OutputSet {
 public:
  /// Begins a file; the reference is good as long as the set. Throws OutputError.
  AtomicFile& create(const std::filesystem::path& target);
  /// Begins a file that holds `bytes`. Throws OutputError.
  void add(const std::filesystem::path& target, std::string_view bytes);
  /// Makes all files visible, once. Throws OutputError that names the file. With LinkedOrCopied the
  /// files that were replaced keep their temporary names (AtomicFile::old) as long as the set
  /// lives.
  void commit(OldFile old = OldFile::Linked);

 private:
  std::deque<AtomicFile> files_;
};

}  // namespace seedwave::io
