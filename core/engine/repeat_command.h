// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
#include "core/engine/source.h"
#include "core/image/geometry.h"
#include "core/image/seed_set.h"
#include "core/ops/operation_table.h"

#include <filesystem>
#include <map>
#include <string>

namespace seedwave {

/// The command line that repeats a step.
struct RepeatCommand {
  /// For a shell: calls of `seedwave-cli`.
  std::string text;
  /// Strokes that must be written for it, by the path of the seeds JSON that a call reads.
  std::map<std::filesystem::path, SeedSet> seeds;
  /// Edits that must be written for it as label images (as_labels()).
  std::map<std::filesystem::path, Edits> edits{};
  /// Recipes that must be written for it.
  std::map<std::filesystem::path, std::string> recipes{};
};

/// The files and folder that a command refers to.
struct CommandPlaces {
  /// The open image.
  Source image;
  Geometry grid;
  /// Folder for data without a file: strokes, and results passed from one call to the next. Strokes
  /// are named by their content, results by the call that writes them, so that a command keeps its
  /// meaning.
  std::filesystem::path folder;
  /// Flags that each call gets as well, as they are: " --quiet".
  std::string more{};
  /// Clear for another grid than that of the open image, on which edits by hand do not lie.
  bool with_edits = true;
};

/// Returns the file for strokes in a folder, named by their content.
[[nodiscard]] std::filesystem::path strokes_file(const std::filesystem::path& folder,
                                                 const SeedSet& seeds);
/// Returns half of the digest of a text, enough to name a file in a folder by its content.
[[nodiscard]] std::string short_digest_of(const std::string& text);

/// Returns the command that reproduces a step's digest, on any backend: a call of `run`, with the
/// devices that the step's recipe names. If the step reads results of others, their calls come
/// first, joined by "&&". `auto` is written as the number that was used. Initial values and exact
/// algorithms are omitted.
///
/// Throws InputError if the image has no file, or if a step that is read is lost.
[[nodiscard]] RepeatCommand command_repeating(const OperationTable& table, const Step& step,
                                              const CommandPlaces& places);

}  // namespace seedwave
