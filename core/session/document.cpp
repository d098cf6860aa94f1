// SPDX-License-Identifier: Apache-2.0
#include "core/session/document.h"

#include "core/image/label_color.h"

#include <algorithm>

namespace seedwave {

const LabelEntry* Document::find_label(std::uint16_t id) const {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [id](const LabelEntry& entry) { return entry.id == id; });
  return found == labels.end() ? nullptr : &*found;
}

std::vector<LabelEntry> default_labels() {
  return {{.id = 1, .name = "object", .color = to_hex(label_color(1))},
          {.id = 2, .name = "background", .color = to_hex(label_color(2))}};
}

}  // namespace seedwave
