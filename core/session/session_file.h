// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/session/document.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace seedwave {

/// The content of a session file.
struct SessionFile {
  Document document;
  std::vector<Run> runs;
  std::vector<std::string> warnings;
};

/// A program's knowledge of a session's files since it read or wrote them.
struct SessionOnDisk {
  /// Digest of the bytes of the JSON file; "" if there is none.
  std::string digest;
  /// Names of label files beside it that hold what their names say.
  std::set<std::string> label_files;
};

/// Treatment of a file's last versions, which can be kept beside it.
enum class LastVersions { Kept, NotKept };
/// Treatment of labels that are in no file yet. Runs without a file are recomputed when needed.
enum class NewLabels { Written, LeftOut };

struct SaveOptions {
  LastVersions last = LastVersions::Kept;
  NewLabels labels = NewLabels::Written;
};

/// Writes NAME.json, and beside it the labels of the runs (NAME-0123456789abcdef.nii.gz, named by
/// digest and shared by equal labels). All files are written atomically, the JSON last. Paths are
/// stored relative to the file and absolute. If versions are kept, the last three are NAME.json.1
/// to .3. They are renamed once the new file is durable.
///
/// on_disk: the known state of the files; updated. Throws OutputError; all files and versions are
/// then as they were, and no new ones are left.
void save_session(const std::filesystem::path& path, const SessionFile& session,
                  const SaveOptions& options, SessionOnDisk& on_disk);
/// The same without knowledge of the files.
void save_session(const std::filesystem::path& path, const SessionFile& session,
                  LastVersions last = LastVersions::Kept);

/// Throws InputError, which states the place in the file in the user's terms. Label files that are
/// missing or differ from what the session states (read_labels_of) give warnings. on_disk: set,
/// unless null.
[[nodiscard]] SessionFile load_session(const std::filesystem::path& path,
                                       SessionOnDisk* on_disk = nullptr);

/// The digest of the bytes of a session file; "" if there is none. Throws InputError if it cannot
/// be read.
[[nodiscard]] std::string session_digest(const std::filesystem::path& path);

/// Returns whether the content is that of a session file.
[[nodiscard]] bool is_session_file(const std::filesystem::path& path);

}  // namespace seedwave
