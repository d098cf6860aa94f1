// SPDX-License-Identifier: Apache-2.0
#include "ui/models/case_figures.h"

#include "ui/models/label_size.h"

#include <QCoreApplication>

#include <cstddef>
#include <cstdint>

namespace seedwave::ui {

CaseWork case_figures(const Workbench& workbench, const RunController& runs,
                      const CaseWork& before) {
  const Run* run = runs.displayed().run();
  CaseWork work;
  if (run == nullptr) {
    if (!runs.history().runs().empty()) work = before;
    work.strokes = workbench.document().seeds.strokes.size();
    return work;
  }
  work.strokes = workbench.document().seeds.strokes.size();
  work.operation = run->recipe.operation;
  work.labels = static_cast<std::int64_t>(run->facts.voxels.size());
  work.dice = run->score.mean();
  if (const auto& objects = run->score.objects) {
    work.f1 = objects->f1();
    work.pq = objects->pq;
    work.aji = objects->aji;
  }
  if (runs.displayed().has_objects()) return work;
  const Geometry& grid = workbench.image().geometry();
  for (const auto& [label, voxels] : run->facts.voxels) {
    const QString title = QCoreApplication::translate("CaseFigures", "%1 [%2]")
                              .arg(workbench.label_name(label), size_unit(grid));
    work.sizes[title.toStdString()] = size_in_unit(grid, voxels);
  }
  return work;
}

}  // namespace seedwave::ui
