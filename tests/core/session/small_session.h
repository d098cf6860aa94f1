// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::test {

/// Returns the grid of the image and of the labels of small_session().
inline Geometry small_grid() {
  Geometry grid;
  grid.size = {6, 5, 4};
  grid.spacing = {0.5, 0.75, 2.0};
  grid.origin = {-10, 20, 30};
  return grid;
}

/// Returns a session with strokes, and runs with different labels; `version` distinguishes it from
/// others.
inline SessionFile small_session(int version, int runs = 2) {
  SessionFile session;
  session.document.image.path = "/somewhere/study.nii.gz";
  session.document.labels = default_labels();
  session.document.channel = std::to_string(version);
  session.document.seeds.strokes = {Stroke{1, 1.0, {{1.0 * version, 0, 0}}, {}}};
  for (int i = 0; i < runs; ++i) {
    std::vector<std::uint16_t> voxels(120, 0);
    voxels[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(version);
    Run run;
    run.id = static_cast<std::uint64_t>(i + 1);
    run.recipe.operation = "irfc";
    run.labels = PackedLabels(LabelMap(small_grid(), std::move(voxels)));
    run.facts.digest = run.labels.digest();
    session.runs.push_back(std::move(run));
  }
  return session;
}

/// Returns the name and bytes of every file in a folder.
inline std::map<std::string, std::string> contents_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    contents[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return contents;
}

}  // namespace seedwave::test
