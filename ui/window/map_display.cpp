// SPDX-License-Identifier: Apache-2.0
#include "ui/window/map_display.h"

#include "core/image/histogram.h"

#include <algorithm>
#include <utility>

namespace seedwave::ui {

namespace {

std::string map_key(const std::string& operation, const ScalarMap& map) {
  return operation + "/" + map.name;
}

}  // namespace

MapDisplay::MapDisplay(const RunController& runs, ViewSettings& settings,
                       const ShownComparison& comparison)
    : runs_(runs), settings_(settings), comparison_(comparison) {
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &MapDisplay::update);
  connect(&runs_.displayed(), &DisplayedResult::part_changed, this, &MapDisplay::update);
  connect(&runs_.displayed(), &DisplayedResult::maps_changed, this, &MapDisplay::update);
  connect(&runs_, &RunController::started, this, &MapDisplay::update);
  connect(&runs_, &RunController::ended, this, &MapDisplay::update);
  connect(&comparison_, &ShownComparison::changed, this, &MapDisplay::update);
  connect(&settings_, &ViewSettings::display_changed, this, [this](const DisplayState& display) {
    if (std::exchange(kind_, display.overlay.kind) != display.overlay.kind) update();
  });
}

void MapDisplay::update() {
  if (const ScalarMap* map = chosen()) style_ = style(operation_seen(), *map);
  emit changed();
}

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

bool MapDisplay::wanted() const {
  return settings_.display().overlay.kind == OverlayKind::Map || runs_.displayed().has_only_maps();
}

const ScalarMap* MapDisplay::shown() const {
  return wanted() && !comparison_.compared() ? chosen() : nullptr;
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

void MapDisplay::choose(const QString& output) {
  if (!output.isEmpty()) output_ = output.toStdString();
  DisplayState display = settings_.display();
  display.overlay.kind = output.isEmpty() ? OverlayKind::Labels : OverlayKind::Map;
  settings_.set_display(display);
  update();
  emit choice_changed();
}

MapStyle MapDisplay::style(const std::string& operation, const ScalarMap& map) const {
  const auto found = views_.find(map_key(operation, map));
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

void MapDisplay::set_style(const MapStyle& style) {
  const ScalarMap* map = chosen();
  if (map == nullptr) return;
  store_style(*map, style);
  update();
  emit choice_changed();
}

void MapDisplay::store_style(const ScalarMap& map, const MapStyle& style) {
  const MapStyle before = this->style(operation_seen(), map);
  const std::string key = map_key(operation_seen(), map);
  if (map.period > 0.0) {
    if (style.faint == before.faint && style.full == before.full) return;
    MapView& view = views_[key];
    view.low = style.faint;
    view.high = style.full;
    return;
  }
  colors_ = style.colors;
  if (style.low != before.low || style.high != before.high) {
    MapView& view = views_[key];
    view.low = style.low;
    view.high = style.high;
  }
  if (style.threshold == before.threshold) return;
  if (map.full > 0.0) {
    theta_ = style.threshold;
  } else {
    views_[key].threshold = style.threshold;
  }
}

void MapDisplay::set_automatic_range() {
  if (const ScalarMap* map = chosen()) {
    const auto found = views_.find(map_key(operation_seen(), *map));
    if (found != views_.end()) {
      found->second.low.reset();
      found->second.high.reset();
    }
  }
  update();
  emit choice_changed();
}

bool MapDisplay::has_automatic_range() const {
  const ScalarMap* map = chosen();
  if (map == nullptr) return true;
  const auto found = views_.find(map_key(operation_seen(), *map));
  return found == views_.end() || !found->second.low;
}

std::string MapDisplay::operation_seen() const {
  const Run* run = runs_.displayed().on_screen().run;
  return run == nullptr ? std::string() : run->recipe.operation;
}

}  // namespace seedwave::ui
