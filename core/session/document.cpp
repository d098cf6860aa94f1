// SPDX-License-Identifier: Apache-2.0
#include "core/session/document.h"

#include "core/image/label_color.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace seedwave {
namespace {

std::string hex(const Rgb& color) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", color[0], color[1], color[2]);
  return text.data();
}

}  // namespace

const LabelEntry* Document::find_label(std::uint16_t id) const {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [id](const LabelEntry& entry) { return entry.id == id; });
  return found == labels.end() ? nullptr : &*found;
}

std::vector<LabelEntry> default_labels() {
  return {{.id = 1, .name = "object", .color = hex(label_color(1))},
          {.id = 2, .name = "background", .color = hex(label_color(2))}};
}

}  // namespace seedwave
