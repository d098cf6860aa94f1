// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/ops/operation.h"
#include "core/ops/values.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// A run-length encoded label map, as the history keeps it: a few per cent of the voxels.
class PackedLabels {
 public:
  PackedLabels() = default;
  explicit PackedLabels(const LabelMap& map);
  [[nodiscard]] LabelMap unpack() const;
  [[nodiscard]] LabelCounts counts() const;
  [[nodiscard]] bool empty() const noexcept { return runs_ == nullptr; }
  [[nodiscard]] const Geometry& geometry() const noexcept { return geometry_; }
  /// Digest of the labels, as in reports: equal for equal labels of any origin. "" if there are
  /// none.
  [[nodiscard]] const std::string& digest() const noexcept { return digest_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return empty() ? 0 : runs_->size() * sizeof(RunOfLabel);
  }

 private:
  struct RunOfLabel {
    Label label;
    std::uint32_t length;
  };
  Geometry geometry_;
  Label largest_ = 0;
  std::string digest_;
  /// Shared, so that copying a history for saving is fast.
  std::shared_ptr<const std::vector<RunOfLabel>> runs_;
};

/// Scores of objects that result and reference number differently (ObjectScores, at an IoU above
/// 0.5).
struct ObjectFigures {
  /// Number of objects in the reference and in the result, and of matched pairs.
  std::int64_t reference = 0;
  std::int64_t found = 0;
  std::int64_t matched = 0;
  double pq = 0.0;
  double aji = 0.0;

  [[nodiscard]] double f1() const;
  friend bool operator==(const ObjectFigures&, const ObjectFigures&) = default;
};

/// Agreement of a result with a reference: the Dice of each label, or of the foreground where
/// result and reference number their objects differently, and the scores of these objects.
struct Score {
  std::map<Label, double> labels{};
  std::optional<double> foreground{};
  std::optional<ObjectFigures> objects{};

  /// Returns the mean over the labels, or the Dice of the foreground.
  [[nodiscard]] std::optional<double> mean() const;
  friend bool operator==(const Score&, const Score&) = default;
};

/// A step of the history, with what is kept of its outputs.
struct Run : Step {
  Score score;
  /// Empty if evicted: the run is then repeated, and the digest is compared.
  PackedLabels labels;
  /// The image outputs by id, for display and for runs that read them. They are in no session file,
  /// and are evicted like labels: the run is then repeated.
  std::map<std::string, Volume> images;
  /// The curve outputs by id. They take a few kilobytes, are never evicted, and are stored in the
  /// session file.
  std::map<std::string, Table> curves;
  std::string note;
  bool pinned = false;
  /// Its curve is drawn beside those of later runs.
  bool curve_pinned = false;

  /// Size of the outputs that can be evicted.
  [[nodiscard]] std::size_t bytes() const;
};

/// One line of a comparison of two runs: a parameter or figure that differs.
struct RunDifference {
  std::string what;
  std::string a;
  std::string b;
};

/// The runs so far, oldest first. Runs share the strokes that they have in common. Their outputs
/// are kept up to a limit in bytes: those of the oldest runs that are not pinned are evicted first.
/// The entries themselves stay.
class RunHistory {
 public:
  explicit RunHistory(std::size_t most_bytes = std::size_t{512} << 20) : most_bytes_(most_bytes) {}

  /// Gives the run its id and returns it.
  std::uint64_t add(Run run);
  [[nodiscard]] const std::vector<Run>& runs() const noexcept { return runs_; }
  [[nodiscard]] const Run* find(std::uint64_t id) const;
  /// Returns the run of a step; null if it is no longer in the list.
  [[nodiscard]] const Run* find(const Step& step) const;
  void set_pinned(std::uint64_t id, bool pinned);
  void set_curve_pinned(std::uint64_t id, bool pinned);
  /// Sets the scores against a reference that was loaded later, or none.
  void set_score(std::uint64_t id, const Score& score);
  void set_note(std::uint64_t id, const std::string& note);
  /// Restores the recomputed outputs of an evicted run. Other runs are evicted before it.
  void put_back(std::uint64_t id, PackedLabels labels, std::map<std::string, Volume> images);
  void remove(std::uint64_t id);
  void clear();
  /// Replaces all runs and keeps their ids, for a session that was opened. Further runs get ids
  /// above theirs and above `last_id`.
  void restore(std::vector<Run> runs, std::uint64_t last_id = 0);
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Returns the same seeds, with the strokes that earlier runs have shared with those runs.
  [[nodiscard]] SharedSeeds shared(const SharedSeeds& seeds) const;
  Run* find_mutable(std::uint64_t id);
  /// Evicts outputs down to the limit, but not those of `wanted`, the newest or pinned runs.
  void give_up_space(std::uint64_t wanted = 0);

  std::vector<Run> runs_;
  std::uint64_t last_id_ = 0;
  std::size_t most_bytes_;
};

/// The parameters and figures in which two runs differ, parameters first.
[[nodiscard]] std::vector<RunDifference> differences(const Run& a, const Run& b);

}  // namespace seedwave
