// SPDX-License-Identifier: Apache-2.0
#include "ui/models/scene_maker.h"

#include <QMetaObject>

namespace seedwave::ui {

SceneMaker::SceneMaker(QObject* parent)
    : QObject(parent),
      jobs_([](std::uint64_t, const std::string&, double) {},
            [this](std::uint64_t job, const JobOutcome& outcome) {
              if (outcome.end != JobEnd::Done) return;
              QMetaObject::invokeMethod(
                  this,
                  [this, job] {
                    if (job == job_ && made_ != nullptr) emit ready(*made_);
                  },
                  Qt::QueuedConnection);
            }) {}

SceneMaker::~SceneMaker() {
  jobs_.cancel();
}

void SceneMaker::start(const Volume& image, const std::string& channel) {
  auto made = std::make_shared<Scene>();
  job_ = jobs_.submit([made, image, channel](Context&) { *made = make_scene(image, channel); });
  made_ = made;
}

void SceneMaker::cancel() {
  jobs_.cancel();
  made_.reset();
}

}  // namespace seedwave::ui
