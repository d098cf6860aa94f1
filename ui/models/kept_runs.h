// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <vector>

namespace seedwave::ui {

/// The history of the open image's runs, with their notes and pins.
class KeptRuns : public QObject {
  Q_OBJECT

 public:
  explicit KeptRuns(QObject* parent = nullptr) : QObject(parent) {}

  [[nodiscard]] const RunHistory& record() const noexcept { return record_; }
  /// For the classes that make, restore and score runs: they emit `changed`, when the displayed
  /// result agrees with the history.
  [[nodiscard]] RunHistory& record() noexcept { return record_; }
  /// Oldest first.
  [[nodiscard]] const std::vector<Run>& runs() const noexcept { return record_.runs(); }
  /// Returns null if there is no such run.
  [[nodiscard]] const Run* find(std::uint64_t id) const { return record_.find(id); }

  void remove(std::uint64_t id);
  void set_note(std::uint64_t id, const QString& note);
  /// Pins a run as "A", with which others are compared; 0 unpins.
  void pin(std::uint64_t id);
  /// Returns run A, or null.
  [[nodiscard]] const Run* pinned() const;
  /// Keeps a run's curve in the plot, beside those of later runs.
  void pin_curve(std::uint64_t id, bool pinned);

 signals:
  void changed();

 private:
  RunHistory record_;
};

}  // namespace seedwave::ui
