// SPDX-License-Identifier: Apache-2.0
#include "ui/models/comparison.h"

#include "core/base/error.h"

#include <algorithm>

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
  const bool no_labels = gave_none(*first) || gave_none(*second);
  const bool curves = !first->curves.empty() && !second->curves.empty();
  task_.start([this, compared, no_labels, curves, one = first->labels,
               two = second->labels](Context&) mutable {
    if (no_labels && curves) {
      throw InputError("runs are compared by their labels: pin their curves to compare these");
    }
    if (no_labels) {
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

std::optional<Comparison::Pair> Comparison::pair_of(
    const std::vector<std::uint64_t>& chosen) const {
  if (chosen.size() == 2) return std::minmax(chosen[0], chosen[1]);
  if (chosen.size() > 2) return std::nullopt;
  const std::uint64_t shown = runs_.shown().run;
  const std::uint64_t one = chosen.empty() ? shown : chosen.front();
  if (one == 0) return std::nullopt;
  if (const Run* pinned = runs_.pinned(); pinned != nullptr && pinned->id != one) {
    return Pair(pinned->id, one);
  }
  if (shown != 0 && shown != one) return std::minmax(one, shown);
  // The one before; of the first the one after.
  std::uint64_t other = 0;
  for (const Run& run : runs_.history().runs()) {
    if (run.id != one && (other == 0 || run.id < one)) other = run.id;
  }
  if (other == 0) return std::nullopt;
  return std::minmax(one, other);
}

}  // namespace seedwave::ui
