// SPDX-License-Identifier: Apache-2.0
#include "ui/models/scoring.h"

#include "core/engine/label_origin.h"
#include "core/engine/score.h"

#include <utility>

namespace seedwave::ui {

Scoring::Scoring(const Workbench& workbench, const OperationTable& table, KeptRuns& history,
                 const DisplayedResult& displayed, QObject* parent)
    : QObject(parent),
      workbench_(workbench),
      table_(table),
      history_(history),
      displayed_(displayed) {
  connect(&workbench_, &Workbench::reference_changed, this, &Scoring::score_all);
  connect(&workbench_, &Workbench::scored_changed, this, &Scoring::score_all);
  connect(&task_, &BackgroundTask::failed, this, &Scoring::failed);
}

void Scoring::score_all() {
  ++number_;
  task_.cancel();
  // Scores of different kinds must not stand side by side: clear all until the new ones are ready.
  for (const Run& run : history_.runs())
    history_.record().set_score(run.id, {});
  emit history_.changed();
  if (workbench_.reference().labels.empty()) return;
  const DisplayedResult::Result& first = displayed_.result();
  if (first.labels.empty()) {
    score_others(0);
  } else {
    start_displayed([this, scored = first.run] { score_others(scored); });
  }
}

void Scoring::score_displayed() {
  if (workbench_.reference().labels.empty() || displayed_.result().labels.empty()) return;
  if (task_.busy()) {
    score_all();
  } else {
    start_displayed([] {});
  }
}

void Scoring::start_displayed(const std::function<void()>& then) {
  task_.start([this, id = displayed_.result().run, labels = displayed_.result().labels,
               reference = workbench_.reference().labels, how = workbench_.document().scored,
               then](Context& context) {
    return [this, id, score = score_against(reference, how, labels, context), then] {
      set_scores({{id, score}});
      then();
    };
  });
}

void Scoring::score_others(std::uint64_t scored) {
  std::map<std::uint64_t, PackedLabels> others;
  for (const Run& run : history_.runs()) {
    if (run.id != scored && !run.labels.empty()) others.emplace(run.id, run.labels);
  }
  if (others.empty()) return;
  task_.start([this, others = std::move(others), reference = workbench_.reference().labels,
               how = workbench_.document().scored](Context& context) {
    std::map<std::uint64_t, Score> scores;
    for (const auto& [id, labels] : others)
      scores[id] = score_against(reference, how, labels.unpack(), context);
    return [this, scores = std::move(scores)] { set_scores(scores); };
  });
}

void Scoring::set_scores(const std::map<std::uint64_t, Score>& scores) {
  for (const auto& [id, score] : scores) {
    const Run* run = history_.find(id);
    if (run != nullptr && table_.find(run->recipe.operation) != nullptr)
      history_.record().set_score(id, meaningful(*run, score));
  }
  emit history_.changed();
}

Score Scoring::meaningful(const Run& run, const Score& score) const {
  if (table_.find(run.recipe.operation) == nullptr) return score;
  return scored(label_origin(table_, run), run, score, workbench_.reference().ids);
}

}  // namespace seedwave::ui
