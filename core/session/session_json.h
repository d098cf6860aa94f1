// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json_place.h"
#include "core/engine/run_history.h"
#include "core/session/document.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
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

/// The strokes and edits of all runs, each once. A run refers to them by their places in these
/// lists.
class RunLists {
 public:
  /// Returns [[first, count], ...] for the strokes of `seeds`, and adds those that are new.
  [[nodiscard]] nlohmann::json places_of(const SharedSeeds& seeds);
  /// Returns the place of the edits, and adds them if they are new.
  [[nodiscard]] std::size_t place_of(const Edits& edits);
  [[nodiscard]] nlohmann::json strokes() const;
  [[nodiscard]] nlohmann::json edits() const;

 private:
  std::vector<SharedSeeds::Block> blocks_;
  /// Index in the list at which each block begins.
  std::map<const std::vector<Stroke>*, std::size_t> first_;
  std::size_t size_ = 0;
  std::vector<Edits> edits_;
};

/// These lists as they were read.
struct ReadRunLists {
  SharedSeeds::Block strokes = std::make_shared<const std::vector<Stroke>>();
  std::vector<Edits> edits{};
};
/// Reads "run_strokes" and "run_edits" of a session. Throws InputError with the place.
[[nodiscard]] ReadRunLists run_lists_from_json(const JsonPlace& session);

enum class Counts { Written, LeftOut };  // the voxels of each label
/// Writes a step; its strokes and edits are added to `lists`, and of the steps that it reads only
/// the numbers are written.
[[nodiscard]] nlohmann::json to_json(const Step& step, const SessionPlace& place, RunLists& lists,
                                     Counts counts);
/// Writes a run without its label map, which is in a separate file.
[[nodiscard]] nlohmann::json to_json(const Run& run, const SessionPlace& place, RunLists& lists,
                                     Counts counts = Counts::Written);
/// Steps that it reads are lost (is_lost()) until they are linked. `lists`: what its places
/// refer to; a run of an older file has its own strokes.
[[nodiscard]] Step step_from_json(const JsonPlace& in, const SessionPlace& place,
                                  const ReadRunLists& lists);
[[nodiscard]] Run run_from_json(const JsonPlace& in, const SessionPlace& place,
                                const ReadRunLists& lists);

}  // namespace seedwave
