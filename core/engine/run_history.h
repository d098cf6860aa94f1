// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
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

/// A label map as runs of equal labels: what history keeps, a few per cent of the voxels.
class PackedLabels {
 public:
  PackedLabels() = default;
  explicit PackedLabels(const LabelMap& map);
  [[nodiscard]] LabelMap unpack() const;
  [[nodiscard]] bool empty() const noexcept { return runs_ == nullptr; }
  [[nodiscard]] const Geometry& geometry() const noexcept { return geometry_; }
  /// Of the labels, as reports tell it: equal for equal labels, wherever they came from. "" where
  /// there are none.
  [[nodiscard]] const std::string& digest() const noexcept { return digest_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return empty() ? 0 : runs_->size() * sizeof(RunOfLabel);
  }

 private:
  struct RunOfLabel {
    std::uint16_t label;
    std::uint32_t length;
  };
  Geometry geometry_;
  std::string digest_;
  /// Shared, so that a history is copied for saving in no time.
  std::shared_ptr<const std::vector<RunOfLabel>> runs_;
};

/// One finished run: what was asked, what came out, how long it took.
struct Run {
  std::uint64_t id = 0;
  std::string time;  // ISO 8601, UTC
  Recipe recipe;
  /// `auto` replaced by its number.
  Values values_used;
  std::string algorithm;
  std::string backend;
  std::string device;
  std::string why;
  std::vector<StageTime> stages;
  double total_ms = 0.0;
  std::string digest;
  std::map<std::uint16_t, std::int64_t> voxels;
  std::map<std::uint16_t, double> dice;
  /// Of all that is labelled, where result and reference number their objects differently; then
  /// there is none by label.
  std::optional<double> foreground_dice;
  std::vector<std::string> warnings;
  /// Empty when it was given up for space: the run is then repeated, and the digest proves it.
  PackedLabels labels;
  /// The image outputs by id, for runs that read them and for being shown again. They are in no
  /// session file, and given up for space like labels: the run is then repeated.
  std::map<std::string, Volume> images;
  /// The curve outputs by id. A few kilobytes: they stay whatever is given up for space, and stand
  /// in the session file.
  std::map<std::string, Table> curves;
  std::string note;
  bool pinned = false;
  /// Its curve is drawn beside those of later runs.
  bool curve_pinned = false;

  /// What the outputs take that can be given up.
  [[nodiscard]] std::size_t bytes() const;
  /// Mean Dice over the labels that have one, or that of the foreground.
  [[nodiscard]] std::optional<double> mean_dice() const;
};

/// One line of a comparison of two runs: a parameter or figure that differs.
struct RunDifference {
  std::string what;
  std::string a;
  std::string b;
};

/// The runs so far, oldest first. Runs share the strokes that they have in common. What they gave
/// is kept up to a bound in bytes: the oldest that are not pinned are given up first; the entries
/// themselves stay.
class RunHistory {
 public:
  explicit RunHistory(std::size_t most_bytes = std::size_t{512} << 20) : most_bytes_(most_bytes) {}

  /// Gives the run its id and returns it.
  std::uint64_t add(Run run);
  [[nodiscard]] const std::vector<Run>& runs() const noexcept { return runs_; }
  [[nodiscard]] const Run* find(std::uint64_t id) const;
  void set_pinned(std::uint64_t id, bool pinned);
  void set_curve_pinned(std::uint64_t id, bool pinned);
  /// The scores against a reference that came later, or none.
  void set_dice(std::uint64_t id, const std::map<std::uint16_t, double>& dice,
                std::optional<double> foreground = {});
  void set_note(std::uint64_t id, const std::string& note);
  /// What a run gave and was given up for space, computed again: others are given up before it.
  void put_back(std::uint64_t id, PackedLabels labels, std::map<std::string, Volume> images);
  void remove(std::uint64_t id);
  void clear();
  /// Replaces all runs, keeping their ids (a session that was opened).
  void restore(std::vector<Run> runs);
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// The same seeds, with what earlier runs have of them taken from there.
  [[nodiscard]] SharedSeeds shared(const SharedSeeds& seeds) const;
  Run* find_mutable(std::uint64_t id);
  /// Not of `wanted`, and not of the newest.
  void give_up_space(std::uint64_t wanted = 0);

  std::vector<Run> runs_;
  std::uint64_t last_id_ = 0;
  std::size_t most_bytes_;
};

/// The parameters and figures in which two runs differ, parameters first.
[[nodiscard]] std::vector<RunDifference> differences(const Run& a, const Run& b);

/// Voxels where both have the same label, only a, only b, or different ones: for the map and a
/// line.
struct Agreement {
  std::int64_t same = 0;
  std::int64_t only_a = 0;
  std::int64_t only_b = 0;
  std::int64_t other = 0;
  /// 0 neither, 1 same, 2 only a, 3 only b, 4 different labels.
  LabelMap map;
};
/// Both on the same grid.
[[nodiscard]] Agreement agreement(const LabelMap& a, const LabelMap& b);

}  // namespace seedwave
