// SPDX-License-Identifier: Apache-2.0
#include "ui/window/object_commands.h"

#include "ui/window/view_settings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace seedwave::ui {
namespace {

/// Drawing more would take noticeable time.
constexpr std::int64_t kMostVoxelsDrawn = 1 << 20;

}  // namespace

ObjectCommands::ObjectCommands(Actions& actions, ObjectModel& model, ObjectPanel& panel,
                               ViewGrid& views, FileCommands& files, QObject* parent)
    : QObject(parent), model_(model), views_(views) {
  actions.on("objects_save", [&files, &model] {
    files.export_objects([list = model.list(), order = model.order()] { return list->csv(order); });
  });
  model_.set_color_of([&views](Label label) { return views.color_of_result(label); });
  connect(&panel, &ObjectPanel::selection_changed, this, &ObjectCommands::outline);
  connect(&panel, &ObjectPanel::object_chosen, this, &ObjectCommands::go_to);
  connect(&panel, &ObjectPanel::activated, this, &ObjectCommands::fill_view_with);
  connect(&views_, &ViewGrid::picked, &panel,
          [this, &panel](const Vec3& world) { pick(world, panel); });
  connect(&model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
    picking_.cancel();
    going_.cancel();
  });
}

void ObjectCommands::pick(const Vec3& world, ObjectPanel& panel) {
  if (!model_.is_watched()) return;
  picking_.start(
      [this, world, &panel, list = model_.list()](Context& context) -> BackgroundTask::Delivery {
        const auto object = list->object_at(list->grid().nearest_index(world), context);
        return [this, object, &panel] {
          if (!object || model_.row_of(*object) < 0) return;
          panel.select(model_.row_of(*object));
          outline(panel.selected_rows());
        };
      });
}

void ObjectCommands::outline(const std::vector<int>& rows) {
  std::vector<std::size_t> objects;
  std::int64_t voxels = 0;
  // Without a selection those that pass the filter have rims.
  const bool is_filtered = rows.empty() && model_.has_filter() && model_.is_watched();
  const std::size_t count = is_filtered ? static_cast<std::size_t>(model_.rowCount()) : rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    objects.push_back(model_.object_in(is_filtered ? static_cast<int>(i) : rows[i]));
    voxels += model_.list()->objects()[objects.back()].voxels;
    if (voxels <= kMostVoxelsDrawn) continue;
    objects.pop_back();
    break;
  }
  if (objects.empty()) {
    outlining_.cancel();
    views_.show_chosen_voxels({});
    return;
  }
  outlining_.start(
      [this, objects, list = model_.list()](Context& context) -> BackgroundTask::Delivery {
        std::vector<std::int64_t> offsets;
        for (const std::size_t object : objects) {
          const std::vector<std::int64_t> found = list->voxels_of(object, context);
          offsets.insert(offsets.end(), found.begin(), found.end());
        }
        std::ranges::sort(offsets);
        return [this, offsets] { views_.show_chosen_voxels(offsets); };
      });
}

void ObjectCommands::go_to(int row) {
  going_.start([this, object = model_.object_in(row),
                list = model_.list()](Context& context) -> BackgroundTask::Delivery {
    const Vec3 place = list->grid().to_world(list->middle_of(object, context));
    return [this, place, is_flat = list->grid().is_2d()] {
      if (!is_flat) {
        views_.settings().set_cursor(place);
      } else if (const auto look = views_.look()) {
        views_.look_as({.centre = place, .pixels_per_unit = look->pixels_per_unit});
      }
    };
  });
}

void ObjectCommands::fill_view_with(int row) {
  const ObjectList& list = *model_.list();
  if (!list.grid().is_2d()) return;
  going_.cancel();
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
