// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/document.h"
#include "core/session/run_history.h"

#include <filesystem>
#include <string>
#include <vector>

namespace seedwave {

/// What a session file holds.
struct SessionFile {
  Document document;
  std::vector<Run> runs;
  std::vector<std::string> warnings;
};

/// Whether a file's last versions are kept beside it.
enum class LastVersions { Kept, NotKept };

/// Writes NAME.json, and beside it the labels of the runs (NAME-0123456789abcdef.nii.gz by their
/// digest, shared by equal ones), all atomically, the JSON last. Paths are stored relative to the
/// file and absolute. The three last versions stay as NAME.json.1 to .3, if they are to be kept.
/// Throws OutputError; the old file and the kept versions are whole then.
void save_session(const std::filesystem::path& path, const SessionFile& session,
                  LastVersions last = LastVersions::Kept);

/// Throws InputError in the user's words with the place; missing label files are warnings.
[[nodiscard]] SessionFile load_session(const std::filesystem::path& path);

/// True when the content is a session file.
[[nodiscard]] bool is_session_file(const std::filesystem::path& path);

}  // namespace seedwave
