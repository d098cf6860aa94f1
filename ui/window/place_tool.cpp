// SPDX-License-Identifier: Apache-2.0
#include "ui/window/place_tool.h"

#include "core/engine/make_run.h"
#include "core/ops/place_text.h"
#include "ui/window/pointer_readout.h"
#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"

#include <QAction>

namespace seedwave::ui {

PlaceTool::PlaceTool(Actions& actions, Workbench& workbench, const RunController& runs,
                     PointerCurve& pointer, ViewGrid& views, QObject* parent)
    : QObject(parent), actions_(actions), workbench_(workbench), runs_(runs), views_(views) {
  connect(&workbench_, &Workbench::image_changed, this, &PlaceTool::offer);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Operation) offer();
    if (part == Part::Values) show();
  });
  connect(&views_.settings(), &ViewSettings::tool_changed, this, &PlaceTool::choose);
  connect(&views_, &ViewGrid::place_picked, this, &PlaceTool::pick);
  connect(&views_.pointer(), &PointerReadout::pointed, &pointer, &PointerCurve::point_at);
  connect(&views_.pointer(), &PointerReadout::ended, &pointer, &PointerCurve::leave);
  actions_.at("follow_pointer")->setChecked(pointer.followed());
  actions_.on_switch("follow_pointer", [&pointer](bool on) { pointer.set_followed(on); });
  offer();
}

const Parameter* PlaceTool::parameter() const {
  if (!workbench_.has_image()) return nullptr;
  return place_parameter(runs_.next().operation(), workbench_.image().geometry());
}

void PlaceTool::offer() {
  const bool has_place = parameter() != nullptr;
  actions_.at("tool_place")->setEnabled(has_place);
  actions_.at("follow_pointer")
      ->setEnabled(has_place && runs_.next().operation().gives(OutputKind::Curve));
  if (!has_place && views_.settings().tool() == Tool::Place)
    actions_.at("tool_navigate")->trigger();
  show();
}

void PlaceTool::choose() {
  const Parameter* place = parameter();
  if (views_.settings().tool() != Tool::Place || place == nullptr) return;
  emit said(tr("Click in the image: %1").arg(QString::fromStdString(place->title).toLower()));
}

void PlaceTool::pick(const Vec3& world) {
  const Parameter* place = parameter();
  if (place == nullptr) return;
  const Index3 index = workbench_.image().geometry().nearest_index(world);
  workbench_.steps().set_value(place->id, place_text({index[0], index[1]}),
                               QString::fromStdString(place->title));
}

void PlaceTool::show() {
  const Parameter* place = parameter();
  const Values set = workbench_.document().current_values();
  std::optional<Vec3> world;
  if (place != nullptr) {
    const Value value = set.has(place->id) ? set.at(place->id) : place->initial;
    const Geometry& grid = workbench_.image().geometry();
    const auto at = parse_place(std::get<std::string>(value));
    if (at && grid.contains({(*at)[0], (*at)[1], 0}))
      world = grid.to_world(Index3{(*at)[0], (*at)[1], 0});
  }
  views_.set_place(world);
}

}  // namespace seedwave::ui
