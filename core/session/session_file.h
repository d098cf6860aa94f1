// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/session/document.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace seedwave {

/// What a session file holds.
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

/// Whether a file's last versions are kept beside it.
enum class LastVersions { Kept, NotKept };
/// The treatment of labels that are in no file yet. Runs without a file are recomputed when they
/// are needed.
enum class NewLabels { Written, LeftOut };

struct SaveOptions {
  LastVersions last = LastVersions::Kept;
  NewLabels labels = NewLabels::Written;
};

/// Writes NAME.json, and beside it the labels of the runs (NAME-0123456789abcdef.nii.gz by their
/// digest, shared by equal ones), all atomically, the JSON last. Paths are stored relative to the
/// file and absolute. The three last versions stay as NAME.json.1 to .3, if they are to be kept;
/// they move on once the new file is durable.
///
/// on_disk: what is known of the files, brought up to date. Throws OutputError; all files and
/// versions are as they were then, and no new ones are left.
void save_session(const std::filesystem::path& path, const SessionFile& session,
                  const SaveOptions& options, SessionOnDisk& on_disk);
/// The same where nothing is known of the files.
void save_session(const std::filesystem::path& path, const SessionFile& session,
                  LastVersions last = LastVersions::Kept);

/// Throws InputError in the user's words with the place. Label files that are missing or are not
/// what the session states (read_labels_of) are warnings. on_disk: set, unless it is null.
[[nodiscard]] SessionFile load_session(const std::filesystem::path& path,
                                       SessionOnDisk* on_disk = nullptr);

/// The digest of the bytes of a session file; "" where there is none. Throws InputError where it
/// cannot be read.
[[nodiscard]] std::string session_digest(const std::filesystem::path& path);

/// True when the content is a session file.
[[nodiscard]] bool is_session_file(const std::filesystem::path& path);

}  // namespace seedwave
