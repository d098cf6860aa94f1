// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/session/job_runner.h"

#include <QObject>

#include <cstdint>
#include <map>

namespace seedwave::ui {

/// Dice of a result that was there before its reference, counted in the background.
class ResultScoring : public QObject {
  Q_OBJECT

 public:
  explicit ResultScoring(QObject* parent = nullptr);
  ~ResultScoring() override;

  /// Both on the same grid. A new request replaces the one in flight.
  void start(std::uint64_t run, const LabelMap& labels, const LabelMap& reference);
  void cancel();

 signals:
  /// Every label that either has.
  void scored(std::uint64_t run, const std::map<std::uint16_t, double>& dice);

 private:
  struct Made {
    std::uint64_t run = 0;
    std::map<std::uint16_t, double> dice;
  };
  std::shared_ptr<Made> made_;
  std::uint64_t job_ = 0;
  JobRunner jobs_;  // last: its thread ends before the rest goes
};

}  // namespace seedwave::ui
