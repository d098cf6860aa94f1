// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/make_run.h"
#include "core/image/edits.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/ops/operation_table.h"
#include "ui/models/kept_runs.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// The result on screen: that of the last run, or the visible part of a newer one.
///
/// RunController sets it and emits its signals.
class DisplayedResult : public QObject {
  Q_OBJECT

 public:
  /// The outputs of the last run.
  struct Result {
    /// With the edits above them. Empty if the operation gives none.
    LabelMap labels;
    /// The same without the edits; empty if it is not known.
    LabelMap unedited;
    /// In the operation's order; empty if it gives none, or while they are recomputed.
    std::vector<ScalarMap> maps;
    /// The entry in the history; 0: none.
    std::uint64_t run = 0;
    /// The document has changed since the run.
    bool stale = false;
  };
  /// The outputs that the views draw.
  struct OnScreen {
    const LabelMap& labels;
    const std::vector<ScalarMap>& maps;
    /// The run that gave them, or null. For a part only operation, strokes and labels are known.
    const Run* run = nullptr;
    /// Edits over the labels; null: none.
    std::shared_ptr<const LabelPatch> patch{};
  };

  /// All must outlive this object.
  DisplayedResult(const Workbench& workbench, const OperationTable& table, const KeptRuns& history,
                  QObject* parent = nullptr);

  [[nodiscard]] const Result& result() const noexcept { return result_; }
  /// Returns the run of result(), or null.
  [[nodiscard]] const Run* run() const { return history_.find(result_.run); }
  [[nodiscard]] OnScreen on_screen() const;
  /// Returns the visible part of the coming result, or a draft, if it is displayed, otherwise
  /// nothing.
  [[nodiscard]] const std::optional<MadeRun>& part() const noexcept { return part_; }
  /// Returns whether part() is a draft.
  [[nodiscard]] bool is_draft() const noexcept { return part_ && preview_ == Preview::Draft; }
  /// Returns what newer edits change in result(), as long as its labels with them are being made,
  /// otherwise null.
  [[nodiscard]] const std::shared_ptr<const LabelPatch>& patch() const noexcept { return patch_; }

  /// Returns whether the operation of the run on screen gives labels.
  [[nodiscard]] bool has_labels() const;
  /// Returns whether it gives maps and no labels.
  [[nodiscard]] bool has_only_maps() const;
  /// Returns whether the labels on screen are objects that an operation numbered.
  [[nodiscard]] bool has_objects() const;
  /// Returns whether each label on screen is one object (numbers_objects()).
  [[nodiscard]] bool numbers_objects() const;
  /// Returns the name of a label on screen: "liver", "object 3".
  [[nodiscard]] QString label_text(Label label) const;

  /// Sets the result and drops part and patch.
  void set_result(Result result);
  void set_stale(bool stale) { result_.stale = stale; }
  void set_maps(std::vector<ScalarMap> maps) { result_.maps = std::move(maps); }
  /// Sets the part and drops the patch.
  void set_part(MadeRun part, Preview preview);
  /// Sets the patch and drops the part.
  void set_patch(LabelPatch patch);
  /// Drops part and patch, so that the views draw the result again. Returns whether there was one.
  bool drop_part();

 signals:
  void changed();
  /// The visible part of the coming result, or a patch, is ready or was dropped.
  void part_changed();
  /// The maps of the run are ready, after its labels.
  void maps_changed();

 private:
  /// Returns the operation of the run on screen; null if there is none or this version lacks it.
  [[nodiscard]] const Operation* operation() const;

  const Workbench& workbench_;
  const OperationTable& table_;
  const KeptRuns& history_;
  Result result_;
  std::optional<MadeRun> part_;
  Preview preview_ = Preview::Part;  // of part_
  std::shared_ptr<const LabelPatch> patch_;
};

/// Returns the labels with a changed box that covers all of them.
[[nodiscard]] LabelMap all_changed(const LabelMap& labels);

}  // namespace seedwave::ui
