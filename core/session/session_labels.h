// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json_place.h"
#include "core/engine/run_history.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

// The label files beside a session: NAME-0123456789abcdef.nii.gz, named after the digest of the
// labels, so that equal ones share a file. In the session's JSON a run has "labels_file" with the
// name and "labels_grid" with size, spacing, origin, direction and unit.
namespace seedwave {

/// Label files that are known to hold what their names state, because this program has read or
/// written them. Other files with such a name are rewritten when needed.
using KnownLabelFiles = std::set<std::string>;

/// Writes the label files of a session before its JSON names them. Unless keep() is called, the
/// destructor removes the new ones, so that a failure leaves no unused files.
class LabelFileWriter {
 public:
  /// `known` must outlive this; keep() adds to it.
  LabelFileWriter(std::filesystem::path session, KnownLabelFiles& known)
      : session_(std::move(session)), known_(known) {}
  ~LabelFileWriter();
  LabelFileWriter(const LabelFileWriter&) = delete;
  LabelFileWriter& operator=(const LabelFileWriter&) = delete;

  /// Returns the JSON members of a run that locate its labels; writes the file if it is not known.
  /// Throws OutputError.
  [[nodiscard]] nlohmann::json add(const PackedLabels& labels);
  /// Returns the same if the file is known; null otherwise.
  [[nodiscard]] nlohmann::json find(const PackedLabels& labels) const;
  void keep();

 private:
  [[nodiscard]] bool is_known(const std::string& name) const;

  std::filesystem::path session_;
  KnownLabelFiles& known_;
  std::set<std::string> written_;
  /// Those of `written_` that replaced no file.
  std::vector<std::filesystem::path> new_;
};

/// Reads the labels of a run that has them in a file. They are accepted only if the file has a name
/// as LabelFileWriter gives it, and digest and grid are those that the session states. Otherwise
/// the run stays without labels, is recomputed when needed, and a warning says so. `known`: the
/// file is added if it is accepted.
void read_labels_of(Run& run, const JsonPlace& in, const std::filesystem::path& folder,
                    KnownLabelFiles& known, std::vector<std::string>& warnings);

/// Removes labels on a different grid than the image from their runs, with a warning: the image has
/// changed since they were computed.
void drop_labels_on_other_grids(std::vector<Run>& runs, const Geometry& image,
                                std::vector<std::string>& warnings);

/// Removes label files of a session that are not named in `text`, which is the session and its kept
/// versions. Ignores failures.
void remove_unused_labels(const std::filesystem::path& session, const std::string& text);

}  // namespace seedwave
