// SPDX-License-Identifier: Apache-2.0
#include "ui/window/region_commands.h"

#include "ui/window/slide_parts.h"
#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"

#include <QAction>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace seedwave::ui {
namespace {

/// More would slow down lists and views.
constexpr std::size_t kMostRegions = 200'000;

}  // namespace

RegionCommands::RegionCommands(Actions& actions, Workbench& workbench, const RunController& runs,
                               ViewGrid& views, SlideParts& parts, QObject* parent)
    : QObject(parent),
      actions_(actions),
      workbench_(workbench),
      runs_(runs),
      views_(views),
      parts_(parts) {
  connect(&views_, &ViewGrid::region_outlined, this, &RegionCommands::add_outlined);
  connect(&views_, &ViewGrid::region_reshaped, this, [this](const ChosenRegion& changed) {
    Regions regions = workbench_.document().regions;
    if (changed.row >= regions.size()) return;
    regions[changed.row] = changed.region;
    workbench_.steps().set_regions(std::move(regions), tr("new shape of a region"));
  });
  connect(&workbench_, &Workbench::image_changed, this, &RegionCommands::offer);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Regions) offer();
  });
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &RegionCommands::offer);
  connect(&task_, &BackgroundTask::failed, this, &RegionCommands::said);
  actions_.on("regions_keep", [this] { keep_result(); });
  actions_.on("regions_remove", [this] { remove_chosen(); });
  actions_.on("regions_classify", [this] { classify_chosen(); });
  actions_.on("regions_fill", [this] { fill_chosen(); });
  actions_.on("regions_outside", [this] { clear_outside_chosen(); });
  actions_.on("work_on_region", [this] { work_on_chosen(); });
  offer();
}

void RegionCommands::follow(RegionPanel& panel) {
  connect(&panel, &RegionPanel::selection_changed, this,
          [this](const std::vector<std::size_t>& rows) {
            chosen_ = rows;
            views_.show_chosen_regions(rows);
            offer();
          });
  connect(&views_, &ViewGrid::picked, &panel, [this, &panel](const Vec3& world) {
    if (const auto row = region_at(workbench_.document().regions, {world[0], world[1]}))
      panel.select(*row);
  });
  connect(this, &RegionCommands::drawn, &panel, &RegionPanel::select);
  connect(&panel, &RegionPanel::activated, this, [this](std::size_t row) {
    const Regions& regions = workbench_.document().regions;
    if (row < regions.size()) views_.go_to_region(bounds_of(*regions[row]));
  });
}

void RegionCommands::offer() {
  const bool flat = workbench_.has_image() && workbench_.image().geometry().is_2d();
  const bool has_regions = flat && !workbench_.document().regions.empty();
  for (const char* id : {"tool_region", "tool_rectangle", "tool_ellipse", "import_regions"})
    actions_.at(id)->setEnabled(flat);
  actions_.at("export_regions")->setEnabled(has_regions);
  actions_.at("show_regions")->setEnabled(flat);
  actions_.at("regions_keep")->setEnabled(flat && !runs_.displayed().result().labels.empty());
  for (const char* id : {"regions_remove", "regions_classify", "regions_fill", "regions_outside"})
    actions_.at(id)->setEnabled(has_regions && !chosen_.empty());
  actions_.at("work_on_region")
      ->setEnabled(has_regions && !chosen_.empty() && parts_.are_possible());
  if (!flat && is_region_tool(views_.settings().tool())) actions_.at("tool_navigate")->trigger();
}

void RegionCommands::add_outlined(Label label, const Outline& outline) {
  if (outline.corners.size() < 3) return;
  Region region = outlined_region(label, outline.corners, workbench_.image().geometry());
  if (area_of(region) <= 0.0) {
    emit said(tr("The outline encloses nothing: no region was added."));
    return;
  }
  if (!meets_image(bounds_of(region))) {
    emit said(tr("The outline lies outside the image: no region was added."));
    return;
  }
  Regions regions = workbench_.document().regions;
  regions.push_back(std::make_shared<const Region>(std::move(region)));
  workbench_.steps().set_regions(std::move(regions),
                                 tr("region of %1").arg(workbench_.label_name(label)));
  emit drawn(workbench_.document().regions.size() - 1);
}

bool RegionCommands::meets_image(const RegionBounds& bounds) const {
  // On a part of a slide, regions may lie anywhere on the slide.
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  const Geometry grid = loaded.slide != nullptr ? loaded.level0() : workbench_.image().geometry();
  const Vec3 low = grid.to_index({bounds.low[0], bounds.low[1], 0.0});
  const Vec3 high = grid.to_index({bounds.high[0], bounds.high[1], 0.0});
  for (int axis = 0; axis < 2; ++axis) {
    const double end = static_cast<double>(grid.size[axis]) - 0.5;
    if (std::max(low[axis], high[axis]) < -0.5 || std::min(low[axis], high[axis]) > end)
      return false;
  }
  return true;
}

void RegionCommands::keep_result() {
  const bool are_objects = runs_.displayed().has_objects();
  const Label current = workbench_.document().current_label;
  // Background is no region.
  std::set<Label> nothing;
  for (const LabelEntry& label : workbench_.document().labels) {
    if (!are_objects && is_background_name(label.name)) nothing.insert(label.id);
  }
  task_.start([this, labels = runs_.displayed().result().labels, are_objects, current,
               nothing](Context& context) -> BackgroundTask::Delivery {
    Regions found = regions_from(labels, are_objects ? RegionKind::Objects : RegionKind::Areas,
                                 current, [&context] { context.checkpoint(0.0); });
    std::erase_if(found,
                  [&nothing](const auto& region) { return nothing.contains(region->label); });
    return [this, found = std::move(found)] {
      Regions regions = workbench_.document().regions;
      if (regions.size() + found.size() > kMostRegions) {
        emit said(tr("The result has %L1 parts: at most %L2 regions can be kept. Export the labels "
                     "as GeoJSON, or clean them first.")
                      .arg(found.size())
                      .arg(kMostRegions));
        return;
      }
      regions.insert(regions.end(), found.begin(), found.end());
      workbench_.steps().set_regions(std::move(regions), tr("keeping of the result"));
      emit said(tr("Kept %n region(s)", nullptr, static_cast<int>(found.size())));
    };
  });
}

void RegionCommands::remove_chosen() {
  const Regions& before = workbench_.document().regions;
  const std::set<std::size_t> rows(chosen_.begin(), chosen_.end());
  Regions regions;
  for (std::size_t row = 0; row < before.size(); ++row) {
    if (!rows.contains(row)) regions.push_back(before[row]);
  }
  const auto count = static_cast<int>(before.size() - regions.size());
  workbench_.steps().set_regions(std::move(regions), tr("removal of %n region(s)", nullptr, count));
}

Regions RegionCommands::chosen() const {
  const Regions& all = workbench_.document().regions;
  Regions regions;
  for (const std::size_t row : chosen_) {
    if (row < all.size()) regions.push_back(all[row]);
  }
  return regions;
}

void RegionCommands::classify_chosen() {
  const Label label = workbench_.document().current_label;
  Regions regions = workbench_.document().regions;
  for (const std::size_t row : chosen_) {
    if (row < regions.size()) regions[row] = relabelled(*regions[row], label);
  }
  workbench_.steps().set_regions(std::move(regions),
                                 tr("class %1 of regions").arg(workbench_.label_name(label)));
}

void RegionCommands::fill_chosen() {
  std::map<Label, Regions> by_label;
  for (const auto& region : chosen()) {
    const Label label = region->label == 0 ? workbench_.document().current_label : region->label;
    by_label[label].push_back(region);
  }
  for (const auto& [label, regions] : by_label)
    emit views_.edited({.label = label, .shape = RegionArea{.regions = regions}});
}

void RegionCommands::clear_outside_chosen() {
  emit views_.edited(
      {.label = kFixedAsNone, .shape = RegionArea{.regions = chosen(), .outside = true}});
}

void RegionCommands::work_on_chosen() {
  Region all;
  for (const auto& region : chosen())
    all.polygons.insert(all.polygons.end(), region->polygons.begin(), region->polygons.end());
  if (!all.polygons.empty()) parts_.work_on(bounds_of(all));
}

}  // namespace seedwave::ui
