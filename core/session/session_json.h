// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json_place.h"
#include "core/session/document.h"
#include "core/session/run_history.h"

#include <filesystem>

namespace seedwave {

/// Where the paths of a session are seen from: they are stored relative to its folder first, so
/// that a folder that was moved as a whole still opens, and absolute second.
struct SessionPlace {
  std::filesystem::path folder;
};

[[nodiscard]] nlohmann::json to_json(const Document& document, const SessionPlace& place);
/// Throws InputError with the place. Paths come back absolute; a file that is gone keeps its path.
[[nodiscard]] Document document_from_json(const JsonPlace& in, const SessionPlace& place);

/// A run without its label map, which lies in a file of its own.
[[nodiscard]] nlohmann::json to_json(const Run& run, const SessionPlace& place);
[[nodiscard]] Run run_from_json(const JsonPlace& in, const SessionPlace& place);

}  // namespace seedwave
