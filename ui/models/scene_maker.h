// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/job_runner.h"
#include "ui/models/prepared_image.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string>

namespace seedwave::ui {

/// Takes another channel of a colour picture, in the background.
class SceneMaker : public QObject {
  Q_OBJECT

 public:
  explicit SceneMaker(QObject* parent = nullptr);
  ~SceneMaker() override;

  /// A new request replaces the one in flight.
  void start(const Volume& image, const std::string& channel);
  void cancel();

 signals:
  void ready(const seedwave::ui::Scene& scene);

 private:
  std::shared_ptr<Scene> made_;
  std::uint64_t job_ = 0;
  JobRunner jobs_;  // last: its thread ends before the rest goes
};

}  // namespace seedwave::ui
