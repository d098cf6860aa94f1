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

/// Where the paths of a session are seen from: they are stored relative to its folder first, so
/// that a folder that was moved as a whole still opens, and absolute second.
struct SessionPlace {
  std::filesystem::path folder;
};

[[nodiscard]] nlohmann::json to_json(const Document& document, const SessionPlace& place);
/// Throws InputError with the place. Paths come back absolute; a file that is gone keeps its path.
[[nodiscard]] Document document_from_json(const JsonPlace& in, const SessionPlace& place);

/// The strokes of all runs, each block of them once: a run says which it has by places in this
/// list.
class RunStrokes {
 public:
  /// [[first, count], ...] of the strokes of `seeds`, which are added where they are new.
  [[nodiscard]] nlohmann::json places_of(const SharedSeeds& seeds);
  /// The list.
  [[nodiscard]] nlohmann::json to_json() const;

 private:
  std::vector<SharedSeeds::Block> blocks_;
  /// Where each begins in the list.
  std::map<const std::vector<Stroke>*, std::size_t> first_;
  std::size_t size_ = 0;
};

/// Such a list. Throws InputError with the place.
[[nodiscard]] SharedSeeds::Block run_strokes_from_json(const JsonPlace& in);

/// A run without its label map, which lies in a file of its own, and without its strokes, which go
/// to `strokes`.
[[nodiscard]] nlohmann::json to_json(const Run& run, const SessionPlace& place,
                                     RunStrokes& strokes);
/// `strokes`: the list that the run's places are in; a run of an older file has its own.
[[nodiscard]] Run run_from_json(const JsonPlace& in, const SessionPlace& place,
                                const SharedSeeds::Block& strokes);

}  // namespace seedwave
