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

/// What of a session can change, in short: two that are equal need no saving between them.
struct SavedState {
  struct KeptRun {
    std::uint64_t id = 0;
    bool pinned = false;
    bool curve_pinned = false;
    std::string note;
    friend bool operator==(const KeptRun&, const KeptRun&) = default;
  };
  int undo_index = 0;
  Source reference;
  Scored scored = Scored::Everywhere;
  std::vector<KeptRun> runs;
};

/// As the session stands now: taken when a file is begun, handed back when it is written.
[[nodiscard]] SavedState state_of(const Workbench& workbench, const RunController& runs);

/// Knows whether something of the work is in no file of the user's.
///
/// Steps of the document are the undo stack's to tell. Runs and the reference are no steps (undo
/// brings strokes back, it does not uncompute), so they are told apart from what was saved here.
class Unsaved : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this.
  Unsaved(Workbench& workbench, const RunController& runs, QObject* parent = nullptr);

  [[nodiscard]] bool any() const { return steps() || results(); }
  /// Strokes, labels, values.
  [[nodiscard]] bool steps() const;
  /// Runs that came, went, were pinned or noted; another reference.
  [[nodiscard]] bool results() const;

  /// A file holds `state` now; what was done while it was written stays unsaved.
  void set_saved(const SavedState& state);
  /// What is on the table was read from a file just now.
  void set_all_saved() { set_saved(state_of(workbench_, runs_)); }
  /// No file holds anything of this: it was recovered.
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
