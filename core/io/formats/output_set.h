// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/atomic_file.h"

#include <deque>
#include <filesystem>
#include <string_view>

namespace seedwave::io {

/// Files that appear together or not at all.
///
/// commit() flushes all of them to disk before it renames the first one. A failure, even in the
/// middle of the renames, leaves all files as they were, and no temporary names. The exceptions are
/// a kill or power failure between two renames, and a failing rename on a file system without hard
/// links. A pipe or device among the files gets its bytes as soon as they are written.
class OutputSet {
 public:
  /// Begins a file; the reference is valid as long as the set. Throws OutputError.
  AtomicFile& create(const std::filesystem::path& target);
  /// Begins a file that holds `bytes`. Throws OutputError.
  void add(const std::filesystem::path& target, std::string_view bytes);
  /// Makes all files visible, once. Throws OutputError that names the file, and InputError if an
  /// input that lies in its file was changed meanwhile (core/base/mapped_input.h). With
  /// LinkedOrCopied the replaced files keep their temporary names (AtomicFile::old) as long as the
  /// set exists.
  void commit(OldFile old = OldFile::Linked);

 private:
  std::deque<AtomicFile> files_;
};

}  // namespace seedwave::io
