// SPDX-License-Identifier: Apache-2.0
#include "ui/models/pointer_curve.h"

#include "core/engine/make_run.h"
#include "core/ops/place_text.h"

#include <algorithm>
#include <utility>

namespace seedwave::ui {

const Parameter* place_parameter(const Operation& operation, const Geometry& grid) {
  const auto found = std::find_if(
      operation.parameters.begin(), operation.parameters.end(), [&](const Parameter& parameter) {
        return parameter.place() != nullptr && applies_to(parameter.applies, grid.is_2d());
      });
  return found == operation.parameters.end() ? nullptr : &*found;
}

PointerCurve::PointerCurve(Workbench& workbench, RunController& runs, PlotModel& plot,
                           QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs), plot_(plot) {
  connect(&workbench_, &Workbench::part_changed, this, &PointerCurve::renew);
  connect(&workbench_, &Workbench::scene_changed, this, &PointerCurve::renew);
  connect(&workbench_, &Workbench::image_changed, this, &PointerCurve::leave);
  // If there is nothing to show, for example for another kind of image, a run reports it.
  connect(&task_, &BackgroundTask::failed, this, [this] {
    plot_.look_at({}, {});
    next();
  });
}

void PointerCurve::set_followed(bool followed) {
  followed_ = followed;
  if (!followed) leave();
}

void PointerCurve::point_at(const Index3& index) {
  if (pointed_ == index) return;
  pointed_ = index;
  renew();
}

void PointerCurve::leave() {
  pointed_.reset();
  waits_ = false;
  task_.cancel();
  plot_.look_at({}, {});
}

void PointerCurve::renew() {
  if (!pointed_) return;
  waits_ = can_look();
  if (!waits_) {
    task_.cancel();
    plot_.look_at({}, {});
  }
  next();
}

bool PointerCurve::can_look() const {
  return followed_ && workbench_.has_image() && !workbench_.opened().scene.volume.empty() &&
         runs_.next().operation().gives(OutputKind::Curve) && runs_.next().missing().isEmpty() &&
         place_parameter(runs_.next().operation(), workbench_.image().geometry()) != nullptr;
}

void PointerCurve::next() {
  if (!waits_ || task_.busy()) return;
  waits_ = false;
  const Parameter& place =
      *place_parameter(runs_.next().operation(), workbench_.image().geometry());
  Recipe recipe = runs_.next().recipe();
  recipe.fixed.set(place.id, place_text({(*pointed_)[0], (*pointed_)[1]}));
  recipe.requested.clear();
  const QString name = tr("At %1, %2").arg((*pointed_)[0]).arg((*pointed_)[1]);
  task_.start([this, recipe, of = runs_.next().case_for(recipe.inputs), name,
               &table = runs_.next().table()](Context& context) {
    const MadeRun made = make_run(table, recipe, of, context);
    return [this, run = made.run, name] {
      plot_.look_at(run, name);
      next();
    };
  });
}

}  // namespace seedwave::ui
