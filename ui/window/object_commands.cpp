// SPDX-License-Identifier: Apache-2.0
#include "ui/window/object_commands.h"

#include "ui/window/view_settings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace seedwave::ui {
namespace {

/// Finding and drawing more would take noticeable time on the window's thread.
constexpr std::int64_t kMostVoxelsDrawn = 1 << 20;

}  // namespace

ObjectCommands::ObjectCommands(Actions& actions, ObjectModel& model, ObjectPanel& panel,
                               ViewGrid& views, FileCommands& files, QObject* parent)
    : QObject(parent), model_(model), views_(views) {
  actions.on("objects_save", [&files, &model] { files.export_objects(model.csv()); });
  connect(&panel, &ObjectPanel::selection_changed, this, &ObjectCommands::outline);
  connect(&panel, &ObjectPanel::object_chosen, this, &ObjectCommands::go_to);
  connect(&panel, &ObjectPanel::activated, this, &ObjectCommands::fill_view_with);
  connect(&views_, &ViewGrid::picked, &panel, [this, &panel](const Vec3& world) {
    if (!model_.is_watched()) return;
    const ObjectList& list = model_.list();
    if (const auto object = list.object_at(list.grid().nearest_index(world))) {
      panel.select(model_.row_of(*object));
      outline(panel.selected_rows());
    }
  });
}

void ObjectCommands::outline(const std::vector<int>& rows) {
  std::vector<std::int64_t> voxels;
  for (const int row : rows) {
    const std::size_t object = model_.object_in(row);
    const std::int64_t more = model_.list().objects()[object].voxels;
    if (std::ssize(voxels) + more > kMostVoxelsDrawn) break;
    const std::vector<std::int64_t> found = model_.list().voxels_of(object);
    voxels.insert(voxels.end(), found.begin(), found.end());
  }
  std::ranges::sort(voxels);
  views_.show_chosen_voxels(voxels);
}

void ObjectCommands::go_to(int row) {
  const ObjectList& list = model_.list();
  const std::size_t object = model_.object_in(row);
  const Vec3 place = list.grid().to_world(list.middle_of(object));
  if (!list.grid().is_2d()) {
    views_.settings().set_cursor(place);
    return;
  }
  if (const auto look = views_.look())
    views_.look_as({.centre = place, .pixels_per_unit = look->pixels_per_unit});
}

void ObjectCommands::fill_view_with(int row) {
  const ObjectList& list = model_.list();
  if (!list.grid().is_2d()) return;
  const Box& box = list.objects()[model_.object_in(row)].box;
  const auto corner = [&](const Index3& index) {
    return list.grid().to_world(
        Vec3{static_cast<double>(index[0]) - 0.5, static_cast<double>(index[1]) - 0.5, 0.0});
  };
  const Vec3 low = corner(box.lo);
  const Vec3 high = corner(box.hi);
  views_.go_to_region({.low = {low[0], low[1]}, .high = {high[0], high[1]}});
}

}  // namespace seedwave::ui
