// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace seedwave::io {

/// The method that keeps a replaced file: LinkedOrCopied copies it on file systems without hard
/// links.
enum class OldFile { Linked, LinkedOrCopied };

/// A file that appears completely or not at all.
///
/// Bytes go to a file without a name in the target's folder, so a killed program leaves nothing. If
/// the file system has no such files, they go to a temporary name, ".seedwave-" and digits, which
/// is locked while its program runs (see remove_stale_temporaries()). commit() flushes the bytes to
/// disk and renames, so that a full disk, an error or a crash leaves the old file. The destructor
/// removes a file that was not committed. A link is followed: its target is replaced, not the link.
/// A target that is not a regular file (a pipe, /dev/null) is written to directly.
///
/// stage(), keep_old(), publish() and withdraw() are the steps of commit(), for OutputSet, which
/// applies them to several files together.
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
  /// Makes the file of an array (core/base/scratch_files.h) this one, with `front`, of kRoomBefore
  /// bytes, before its bytes. Nothing may have been written. The array may still be read, and must
  /// not be written any more. Returns false if the array has no such file, or the file can get no
  /// name and permissions like those of another beside the target: then the array must be copied.
  [[nodiscard]] bool take_over(std::string_view front, std::span<const std::byte> array);
  void commit();

  /// Flushes to disk: the file is complete but not yet visible. A pipe or device is closed.
  void stage();
  /// Gives the file to be replaced a second, temporary name. Does nothing if there is none; the
  /// destructor removes the name.
  void keep_old(OldFile how);
  /// Returns the temporary name of the old file; empty if there is none.
  [[nodiscard]] const std::filesystem::path& old() const noexcept { return old_; }
  /// Gives the old file its final name, replacing any file of that name. Returns false if that
  /// fails.
  [[nodiscard]] bool keep_old_as(const std::filesystem::path& name) noexcept;
  /// Replaces the target by the staged file.
  void publish();
  /// Undoes publish(): restores the old file, or its absence. Without a kept old file nothing can
  /// be undone.
  void withdraw() noexcept;

  /// For libraries that write to a descriptor themselves; this object keeps ownership.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// Returns whether the target is not a regular file and was written to directly.
  [[nodiscard]] bool is_direct() const noexcept { return direct_; }

 private:
  [[noreturn]] void fail(int error) const;
  void create();
  [[nodiscard]] bool create_unnamed();
  [[nodiscard]] bool can_become(int other) const;
  /// Returns a temporary name that the file has got beside the target; nothing, with errno set, if
  /// it can get none there.
  [[nodiscard]] std::optional<std::filesystem::path> linked_beside(int descriptor) const;
  void create_named();
  void give_temporary_name();

  std::filesystem::path target_;
  /// Empty while the file has no name, and once it has its final name.
  std::filesystem::path temporary_;
  std::filesystem::path old_;
  int descriptor_ = -1;
  /// Holds the lock on `old_`.
  int old_descriptor_ = -1;
  bool direct_ = false;
  /// Set if the target existed when publish() replaced it.
  bool replaced_ = false;
};

/// Makes the names in a folder durable. Some file systems cannot; the files are complete all the
/// same.
void flush_folder(const std::filesystem::path& folder) noexcept;

/// Age from which an unlocked temporary file is stale. The lock alone would suffice if all programs
/// saw it, which not every network file system grants.
inline constexpr std::chrono::seconds kStaleAge = std::chrono::hours(1);

/// Removes temporary files that killed programs left in a folder: those with a name of Seedwave
/// that belong to this user, are not locked and are older than `age`. Never fails; keeps files in
/// doubt.
void remove_stale_temporaries(const std::filesystem::path& folder,
                              std::chrono::seconds age = kStaleAge) noexcept;

}  // namespace seedwave::io
