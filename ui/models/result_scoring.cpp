// SPDX-License-Identifier: Apache-2.0
#include "ui/models/result_scoring.h"

#include "core/metrics/overlap.h"

#include <QMetaObject>

namespace seedwave::ui {

ResultScoring::ResultScoring(QObject* parent)
    : QObject(parent),
      jobs_([](std::uint64_t, const std::string&, double) {},
            [this](std::uint64_t job, const JobOutcome& outcome) {
              if (outcome.end != JobEnd::Done) return;
              QMetaObject::invokeMethod(
                  this,
                  [this, job] {
                    if (job == job_ && made_ != nullptr) emit scored(made_->run, made_->dice);
                  },
                  Qt::QueuedConnection);
            }) {}

ResultScoring::~ResultScoring() {
  jobs_.cancel();
}

void ResultScoring::start(std::uint64_t run, const LabelMap& labels, const LabelMap& reference) {
  auto made = std::make_shared<Made>();
  made->run = run;
  job_ = jobs_.submit([made, labels, reference](Context& context) {
    made->dice = OverlapCounts(labels, reference, context).dice();
  });
  made_ = made;
}

void ResultScoring::cancel() {
  jobs_.cancel();
  made_.reset();
}

}  // namespace seedwave::ui
