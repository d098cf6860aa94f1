// SPDX-License-Identifier: Apache-2.0
#include "core/session/document.h"

#include "core/image/label_color.h"
#include "core/image/label_map.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string_view>

namespace seedwave {

Values Document::current_values() const {
  const auto found = values.find(operation);
  return found == values.end() ? Values() : found->second;
}

InputChoices Document::current_inputs() const {
  const auto found = inputs.find(operation);
  return found == inputs.end() ? InputChoices() : found->second;
}

std::vector<Channel> Document::offered_channels() const {
  std::vector<Channel> offered = channels();
  const auto offer = [&offered](const std::string& id) {
    const bool is_there = std::ranges::find(offered, id, &Channel::id) != offered.end();
    if (const auto known = find_channel(id); known && !is_there) offered.push_back(*known);
  };
  std::ranges::for_each(own_channels, offer);
  offer(channel);
  return offered;
}

const LabelEntry* Document::find_label(Label id) const {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [id](const LabelEntry& entry) { return entry.id == id; });
  return found == labels.end() ? nullptr : &*found;
}

bool is_background_name(const std::string& name) {
  constexpr std::array<std::string_view, 3> kNames{"background", "other", "rest"};
  const auto is_space = [](unsigned char letter) { return std::isspace(letter) != 0; };
  const auto begin = std::find_if_not(name.begin(), name.end(), is_space);
  const auto end = std::find_if_not(name.rbegin(), std::make_reverse_iterator(begin), is_space);
  std::string lower(begin, end.base());
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return std::find(kNames.begin(), kNames.end(), lower) != kNames.end();
}

std::vector<LabelEntry> default_labels() {
  return {{.id = 1, .name = "object", .color = to_hex(label_color(1))},
          {.id = 2, .name = "background", .color = to_hex(label_color(2))}};
}

std::vector<LabelEntry> default_labels_of_slide() {
  std::vector<LabelEntry> labels;
  for (const Label id : {1, 2, 3})
    labels.push_back(
        {.id = id, .name = "tissue " + std::to_string(id), .color = to_hex(label_color(id))});
  return labels;
}

bool has_default_name(const LabelEntry& label) {
  const auto holds = [&](const std::vector<LabelEntry>& fresh) {
    return std::ranges::find(fresh, label.name, &LabelEntry::name) != fresh.end();
  };
  return holds(default_labels()) || holds(default_labels_of_slide());
}

}  // namespace seedwave
