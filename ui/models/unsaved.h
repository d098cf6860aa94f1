// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/document.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>

#include <cstdint>
#include <string>
#include <vector>

namespace seedwave::ui {

/// A summary of what can change in a session: if two are equal, nothing needs saving.
struct SavedState {
  struct KeptRun {
    std::uint64_t id = 0;
    bool pinned = false;
    bool curve_pinned = false;
    std::string note;
    friend bool operator==(const KeptRun&, const KeptRun&) = default;
  };
  /// DocumentSteps::changes().
  std::uint64_t changes = 0;
  Source reference;
  Scored scored = Scored::Everywhere;
  std::vector<KeptRun> runs;
};

/// Returns the current state. Take it when a file is started, and pass it to set_saved() when it is
/// written.
[[nodiscard]] SavedState state_of(const Workbench& workbench, const RunController& runs);

/// Tracks whether any work is in no file of the user.
///
/// The undo stack tracks steps of the document. Runs and the reference are not steps (undo restores
/// strokes, but does not uncompute). They are compared with the saved state here.
class Unsaved : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this.
  Unsaved(Workbench& workbench, const RunController& runs, QObject* parent = nullptr);

  [[nodiscard]] bool any() const { return steps() || results(); }
  /// Returns whether strokes, labels or values are unsaved.
  [[nodiscard]] bool steps() const;
  /// Returns whether runs were added, removed, pinned or annotated, or the reference has changed.
  [[nodiscard]] bool results() const;

  /// A file now holds `state`; later changes are still unsaved.
  void set_saved(const SavedState& state);
  /// Everything on the workbench was read from a file just now.
  void set_all_saved() { set_saved(state_of(workbench_, runs_)); }
  /// No file holds any of this work, because it was recovered.
  void set_lost();

 signals:
  /// any() may have changed.
  void changed();

 private:
  Workbench& workbench_;
  const RunController& runs_;
  SavedState saved_;
};

}  // namespace seedwave::ui
