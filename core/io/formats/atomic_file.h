// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace seedwave::io {

/// The way to keep a file that is replaced: LinkedOrCopied copies it on file systems without hard
/// links.
enum class OldFile { Linked, LinkedOrCopied };

/// A file that appears whole or not at all.
///
/// Bytes go to a file without a name in the target's folder: a kill leaves nothing. Where the file
/// system has no such files, they go to a temporary name, ".seedwave-" and digits, which is locked
/// while its program lives (see remove_stale_temporaries()). commit() flushes the bytes to the disk
/// and renames, so that a full disk, an error or a crash leaves the old file. The destructor
/// removes what was not committed. A link is followed: its target is replaced, not the link. A
/// target that is not a regular file (a pipe, /dev/null) is written to directly.
///
/// stage(), keep_old(), publish() and withdraw() are the steps of commit(), for OutputSet, which
/// takes them for several files together.
///
/// All functions throw OutputError that names the target, unless they are noexcept.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

  /// Flushes to the disk: the file is whole, and nobody sees it yet. A pipe or device is closed.
  void stage();
  /// Gives the file that is to be replaced a second, temporary name. Does nothing where there is
  /// none; the destructor removes the name.
  void keep_old(OldFile how);
  /// The temporary name of the old file; empty where there is none.
  [[nodiscard]] const std::filesystem::path& old() const noexcept { return old_; }
  /// Gives the old file its final name, replacing what has it; false where that fails.
  [[nodiscard]] bool keep_old_as(const std::filesystem::path& name) noexcept;
  /// Puts the staged file in the target's place.
  void publish();
  /// Undoes publish(): the old file is back, or none where there was none. Without a kept old file
  /// nothing can be undone.
  void withdraw() noexcept;

  /// For libraries that write to a descriptor themselves; stays ours.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// The target is no regular file: it was written to as it stands.
  [[nodiscard]] bool is_direct() const noexcept { return direct_; }

 private:
  [[noreturn]] void fail(int error) const;
  void create();
  [[nodiscard]] bool create_unnamed();
  void create_named();
  void give_temporary_name();

  std::filesystem::path target_;
  /// Empty while the file has no name, and once it has its own.
  std::filesystem::path temporary_;
  std::filesystem::path old_;
  int descriptor_ = -1;
  /// Holds the lock on `old_`.
  int old_descriptor_ = -1;
  bool direct_ = false;
  /// The target existed when publish() replaced it.
  bool replaced_ = false;
};

/// Makes the names in a folder durable. Some file systems cannot: the files are whole all the same.
void flush_folder(const std::filesystem::path& folder) noexcept;

/// The age from which on an unlocked temporary file is stale. The lock alone would do where all
/// programs see it, which not every network file system grants.
inline constexpr std::chrono::seconds kStaleAge = std::chrono::hours(1);

/// Removes temporary files that killed programs left in a folder: those with a name of ours that
/// belong to this user, that nobody has locked and that are older than `age`. Never fails; keeps
/// what it is not sure of.
void remove_stale_temporaries(const std::filesystem::path& folder,
                              std::chrono::seconds age = kStaleAge) noexcept;

}  // namespace seedwave::io
