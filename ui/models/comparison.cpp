// SPDX-License-Identifier: Apache-2.0
#include "ui/models/comparison.h"

#include "core/base/error.h"

namespace seedwave::ui {

Comparison::Comparison(const RunController& runs, QObject* parent) : QObject(parent), runs_(runs) {
  connect(&task_, &BackgroundTask::failed, this, &Comparison::failed);
}

void Comparison::start(std::uint64_t a, std::uint64_t b) {
  const Run* first = runs_.history().find(a);
  const Run* second = runs_.history().find(b);
  if (first == nullptr || second == nullptr) return;
  Compared compared;
  compared.a = a;
  compared.b = b;
  compared.differences = differences(*first, *second);
  // What gave labels has counted them, also where they were given up since.
  const auto gave_none = [](const Run& run) { return run.labels.empty() && run.voxels.empty(); };
  const bool map_only = gave_none(*first) || gave_none(*second);
  task_.start(
      [this, compared, map_only, one = first->labels, two = second->labels](Context&) mutable {
        if (map_only) {
          throw InputError("runs are compared by their labels, and one of these gave a map only");
        }
        if (one.empty() || two.empty()) {
          throw InputError(
              "the labels of an old run were given up for space: restore it, then compare");
        }
        compared.labels_a = one.unpack();
        compared.labels_b = two.unpack();
        compared.agreement = agreement(compared.labels_a, compared.labels_b);
        return [this, compared] { emit ready(compared); };
      });
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
