// SPDX-License-Identifier: Apache-2.0
#include "ui/models/comparison.h"

#include "core/base/error.h"

#include <QMetaObject>

namespace seedwave::ui {

Comparison::Comparison(const RunController& runs, QObject* parent)
    : QObject(parent),
      runs_(runs),
      jobs_([](std::uint64_t, const std::string&, double) {},
            [this](std::uint64_t job, const JobOutcome& outcome) {
              QMetaObject::invokeMethod(
                  this,
                  [this, job, outcome] {
                    if (job != job_) return;
                    if (outcome.end == JobEnd::Done) emit ready(*made_);
                    if (outcome.end == JobEnd::Failed) {
                      emit failed(QString::fromStdString(outcome.message));
                    }
                  },
                  Qt::QueuedConnection);
            }) {}

Comparison::~Comparison() {
  jobs_.cancel();
}

void Comparison::start(std::uint64_t a, std::uint64_t b) {
  const Run* first = runs_.history().find(a);
  const Run* second = runs_.history().find(b);
  if (first == nullptr || second == nullptr) return;
  auto made = std::make_shared<Compared>();
  made->a = a;
  made->b = b;
  made->differences = differences(*first, *second);
  job_ = jobs_.submit([made, one = first->labels, two = second->labels](Context&) {
    if (one.empty() || two.empty()) {
      throw InputError(
          "the labels of an old run were given up for space: restore it, then compare");
    }
    made->labels_a = one.unpack();
    made->labels_b = two.unpack();
    made->agreement = agreement(made->labels_a, made->labels_b);
  });
  made_ = made;
}

void Comparison::start_with_shown() {
  const std::uint64_t shown = runs_.shown().run;
  const Run* pinned = runs_.pinned();
  if (pinned != nullptr && pinned->id != shown) {
    start(pinned->id, shown);
    return;
  }
  std::uint64_t before = 0;
  for (const Run& run : runs_.history().runs()) {
    if (run.id != shown && (before == 0 || run.id < shown)) before = run.id;
  }
  start(before, shown);
}

}  // namespace seedwave::ui
