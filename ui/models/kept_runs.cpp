// SPDX-License-Identifier: Apache-2.0
#include "ui/models/kept_runs.h"

#include <algorithm>

namespace seedwave::ui {

void KeptRuns::remove(std::uint64_t id) {
  record_.remove(id);
  emit changed();
}

void KeptRuns::set_note(std::uint64_t id, const QString& note) {
  record_.set_note(id, note.toStdString());
  emit changed();
}

void KeptRuns::pin(std::uint64_t id) {
  if (const Run* before = pinned()) record_.set_pinned(before->id, false);
  if (find(id) != nullptr) record_.set_pinned(id, true);
  emit changed();
}

const Run* KeptRuns::pinned() const {
  const auto found = std::ranges::find_if(runs(), &Run::pinned);
  return found == runs().end() ? nullptr : &*found;
}

void KeptRuns::pin_curve(std::uint64_t id, bool pinned) {
  record_.set_curve_pinned(id, pinned);
  emit changed();
}

}  // namespace seedwave::ui
