// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json_place.h"
#include "core/engine/run_history.h"
#include "core/session/document.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

namespace seedwave {

/// The folder that the paths of a session are relative to. A folder that was moved as a whole then
/// still opens. Absolute paths are stored as well, and tried second.
struct SessionPlace {
  std::filesystem::path folder;
};

[[nodiscard]] nlohmann::json to_json(const Document& document, const SessionPlace& place);
/// Throws InputError with the place. Paths are returned absolute; a missing file keeps its path.
[[nodiscard]] Document document_from_json(const JsonPlace& in, const SessionPlace& place);

/// The strokes of all runs, each block once. A run refers to its strokes by places in this list.
class RunStrokes {
 public:
  /// Returns [[first, count], ...] for the strokes of `seeds`, and adds those that are new.
  [[nodiscard]] nlohmann::json places_of(const SharedSeeds& seeds);
  /// Returns the list.
  [[nodiscard]] nlohmann::json to_json() const;

 private:
  std::vector<SharedSeeds::Block> blocks_;
  /// Index in the list at which each block begins.
  std::map<const std::vector<Stroke>*, std::size_t> first_;
  std::size_t size_ = 0;
};

/// Reads such a list. Throws InputError with the place.
[[nodiscard]] SharedSeeds::Block run_strokes_from_json(const JsonPlace& in);

/// Writes a run without its label map, which is in a separate file, and without its strokes, which
/// are added to `strokes`.
enum class Counts { Written, LeftOut };  // the voxels of each label
[[nodiscard]] nlohmann::json to_json(const Run& run, const SessionPlace& place, RunStrokes& strokes,
                                     Counts counts = Counts::Written);
/// `strokes`: the list that the run's places refer to; a run of an older file has its own.
[[nodiscard]] Run run_from_json(const JsonPlace& in, const SessionPlace& place,
                                const SharedSeeds::Block& strokes);

}  // namespace seedwave
