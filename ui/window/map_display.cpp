// SPDX-License-Identifier: Apache-2.0
#include "ui/window/map_display.h"

#include "core/image/histogram.h"

#include <algorithm>

namespace seedwave::ui {

namespace {

std::string key_of(const std::string& operation, const ScalarMap& map) {
  return operation + "/" + map.name;
}

}  // namespace

void MapDisplay::read(const ViewState& view) {
  output_ = view.map;
  colors_ = color_scheme_named(view.map_colors);
  theta_ = view.theta;
  views_ = view.maps;
}

void MapDisplay::write(ViewState& view) const {
  view.map = output_;
  view.map_colors = name_of(colors_);
  view.theta = theta_;
  view.maps = views_;
}

const ScalarMap* MapDisplay::chosen(const std::vector<ScalarMap>& maps) const {
  const auto found = std::find_if(maps.begin(), maps.end(),
                                  [this](const ScalarMap& map) { return map.name == output_; });
  if (found != maps.end()) return &*found;
  // A map with a weight shows two quantities at once.
  const auto weighed = std::find_if(maps.begin(), maps.end(),
                                    [](const ScalarMap& map) { return map.weight != nullptr; });
  if (weighed != maps.end()) return &*weighed;
  return maps.empty() ? nullptr : &maps.front();
}

MapStyle MapDisplay::style(const std::string& operation, const ScalarMap& map) const {
  const auto found = views_.find(key_of(operation, map));
  MapView set;
  if (found != views_.end()) set = found->second;
  MapStyle style{.colors = colors_, .period = map.period};
  if (map.weight != nullptr) {
    style.faint = map.weight->range.low;
    style.full = map.weight->range.high;
  }
  if (map.period > 0.0) {
    // All values are shown; the stored range is that of the weight.
    const GreyWindow seen =
        GreyWindow::between(set.low.value_or(style.faint), set.high.value_or(style.full));
    style.colors = ColorScheme::Cyclic;
    style.high = map.period;
    style.threshold = MapStyle::kAll;
    style.faint = seen.low();
    style.full = seen.high();
    return style;
  }
  const GreyWindow range =
      GreyWindow::between(set.low.value_or(map.range.low), set.high.value_or(map.range.high));
  style.low = range.low();
  style.high = range.high();
  if (map.full > 0.0) {
    style.threshold = theta_;
  } else {
    const double automatic = map.range.zero_is_nothing ? 0.0 : MapStyle::kAll;
    style.threshold = set.threshold ? *set.threshold : automatic;
  }
  return style;
}

void MapDisplay::set_style(const std::string& operation, const ScalarMap& map,
                           const MapStyle& style) {
  const MapStyle before = this->style(operation, map);
  if (map.period > 0.0) {
    if (style.faint == before.faint && style.full == before.full) return;
    MapView& view = views_[key_of(operation, map)];
    view.low = style.faint;
    view.high = style.full;
    return;
  }
  colors_ = style.colors;
  if (style.low != before.low || style.high != before.high) {
    MapView& view = views_[key_of(operation, map)];
    view.low = style.low;
    view.high = style.high;
  }
  if (style.threshold == before.threshold) return;
  if (map.full > 0.0) {
    theta_ = style.threshold;
  } else {
    views_[key_of(operation, map)].threshold = style.threshold;
  }
}

void MapDisplay::set_automatic_range(const std::string& operation, const ScalarMap& map) {
  const auto found = views_.find(key_of(operation, map));
  if (found == views_.end()) return;
  found->second.low.reset();
  found->second.high.reset();
}

bool MapDisplay::has_automatic_range(const std::string& operation, const ScalarMap& map) const {
  const auto found = views_.find(key_of(operation, map));
  return found == views_.end() || !found->second.low;
}

}  // namespace seedwave::ui
