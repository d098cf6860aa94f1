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
  /// The whole JSON text as read: keys that this version does not know are kept when it is saved.
  std::string original;
  std::vector<std::string> warnings;
};

/// Writes NAME.json, and beside it one label file a run (NAME-run-3.nii.gz), all atomically, the
/// JSON last. Paths are stored relative to the file and absolute. The three last versions stay as
/// NAME.json.1 to .3. Throws OutputError; the old file is whole then.
void save_session(const std::filesystem::path& path, const SessionFile& session);

/// Throws InputError in the user's words with the place; missing label files are warnings.
[[nodiscard]] SessionFile load_session(const std::filesystem::path& path);

/// True when the content is a session file.
[[nodiscard]] bool is_session_file(const std::filesystem::path& path);

}  // namespace seedwave
