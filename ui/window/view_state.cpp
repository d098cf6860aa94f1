// SPDX-License-Identifier: Apache-2.0
#include "ui/window/view_state.h"

#include "core/image/channel.h"

#include <array>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr std::array<std::pair<ViewLayout, const char*>, 5> kLayouts{
    {{ViewLayout::Four, "four"},
     {ViewLayout::Axial, "axial"},
     {ViewLayout::Coronal, "coronal"},
     {ViewLayout::Sagittal, "sagittal"},
     {ViewLayout::Surface, "surface"}}};

}  // namespace

void from_view_state(const ViewState& view, DisplayState& display) {
  display.cursor = view.cursor;
  if (view.window_width > 0.0) display.window = {view.window_centre, view.window_width};
  display.overlay.opacity = view.overlay_opacity;
  display.overlay.show_result = view.show_result;
  display.overlay.show_seeds = view.show_seeds;
  display.overlay.show_reference = view.show_reference;
  display.overlay.show_regions = view.show_regions;
  display.overlay.kind = view.show_map ? OverlayKind::Map : OverlayKind::Labels;
  display.overlay.outline_only = view.outline_only;
  display.channel = find_channel(view.shown_channel) ? view.shown_channel : "";
  display.turn = {.quarters = view.quarter_turns, .mirrored = view.mirrored};
  display.tints.clear();
  for (const ChannelView& channel : view.channels) {
    display.tints.push_back({.color = QColor(QString::fromStdString(channel.color)),
                             .shown = channel.shown,
                             .is_image = false,
                             .window = {channel.window_centre, channel.window_width}});
  }
}

ViewState to_view_state(const DisplayState& display, double zoom, const std::string& layout) {
  ViewState view;
  view.cursor = display.cursor;
  view.window_centre = display.window.centre;
  view.window_width = display.window.width;
  view.zoom = zoom;
  view.overlay_opacity = display.overlay.opacity;
  view.show_result = display.overlay.show_result;
  view.show_seeds = display.overlay.show_seeds;
  view.show_reference = display.overlay.show_reference;
  view.show_regions = display.overlay.show_regions;
  view.show_map = display.overlay.kind == OverlayKind::Map;
  view.outline_only = display.overlay.outline_only;
  view.mirrored = display.turn.mirrored;
  view.quarter_turns = display.turn.quarters;
  view.shown_channel = display.channel;
  for (const ChannelTint& tint : display.tints) {
    const GreyWindow& window = tint.is_image ? display.window : tint.window;
    view.channels.push_back({.shown = tint.shown,
                             .color = tint.color.name().toStdString(),
                             .window_centre = window.centre,
                             .window_width = window.width});
  }
  view.layout = layout;
  return view;
}

std::string name_of(ViewLayout layout) {
  for (const auto& [each, name] : kLayouts) {
    if (each == layout) return name;
  }
  return kLayouts.front().second;
}

ViewLayout layout_named(const std::string& name) {
  for (const auto& [layout, each] : kLayouts) {
    if (name == each) return layout;
  }
  return ViewLayout::Four;
}

std::vector<LabelStyle> label_styles(const std::vector<LabelEntry>& labels) {
  std::vector<LabelStyle> styles;
  for (const LabelEntry& entry : labels) {
    styles.push_back({.id = entry.id,
                      .name = QString::fromStdString(entry.name),
                      .color = QColor(QString::fromStdString(entry.color)),
                      .opacity = entry.opacity,
                      .visible = entry.visible});
  }
  return styles;
}

}  // namespace seedwave::ui
