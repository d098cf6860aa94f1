// SPDX-License-Identifier: Apache-2.0
#include "ui/models/comparison.h"

#include "core/engine/label_origin.h"
#include "core/metrics/label_matching.h"
#include "ui/models/parameter_words.h"

#include <QStringList>

#include <algorithm>

namespace seedwave::ui {
namespace {

std::string title_of(const Parameter& parameter, const std::string& value, const Geometry& grid) {
  if (parameter.choices() == nullptr) return value;
  for (const Choice& choice : *parameter.choices()) {
    const QString title = title_on(choice, grid);
    if (choice.id == value && !title.isEmpty()) return title.toStdString();
  }
  return value;
}

/// Returns the differences of two runs. Operations, parameters and choices have the names that the
/// panel shows.
std::vector<RunDifference> differences_in_words(const OperationTable& table, const Run& a,
                                                const Run& b, const Geometry& grid) {
  std::vector<RunDifference> list = differences(a, b);
  for (RunDifference& each : list) {
    if (each.what == "operation") {
      each.a = table.at(a.recipe.operation).title;
      each.b = table.at(b.recipe.operation).title;
    }
    for (const Run* run : {&a, &b}) {
      const Parameter* parameter = table.at(run->recipe.operation).find_parameter(each.what);
      if (parameter == nullptr) continue;
      each = {parameter->title, title_of(*parameter, each.a, grid),
              title_of(*parameter, each.b, grid)};
      break;
    }
  }
  return list;
}

}  // namespace

Comparison::Comparison(const RunController& runs, QObject* parent) : QObject(parent), runs_(runs) {
  connect(&task_, &BackgroundTask::failed, this, &Comparison::failed);
}

void Comparison::start(std::uint64_t a, std::uint64_t b) {
  const Run* first = runs_.history().find(a);
  const Run* second = runs_.history().find(b);
  if (first == nullptr || second == nullptr) return;
  const OperationTable& table = runs_.next().table();
  // If this version lacks the operation of a saved run, the kind of its outputs is unknown.
  const auto shows = [&](const Run& run) {
    const Operation* operation = runs_.next().table().find(run.recipe.operation);
    return operation != nullptr &&
           (has_maps(*operation, reads_of(run.recipe)) || operation->gives(OutputKind::Labels));
  };
  if (!shows(*first) || !shows(*second)) {
    emit failed(
        tr("Runs without labels or maps cannot be compared here: pin their curves "
           "instead"));
    return;
  }
  QStringList computed;
  for (const Run* run : {first, second}) {
    if (!keeps_picture(table, *run)) computed << tr("run %1").arg(run->id);
  }
  if (!computed.isEmpty()) {
    emit waits(
        tr("Recomputing %1: results were evicted to save memory").arg(computed.join(tr(" and "))));
  }
  struct Asked {
    Run run;
    LoadedCase of;
    bool has_objects;
    int ranks;
  };
  const auto ask = [this, &table](const Run& run) {
    return Asked{run, runs_.next().case_for(run.recipe.inputs), holds_objects(table, run),
                 ranks_in(table, run)};
  };
  const Asked one = ask(*first);
  const Asked two = ask(*second);
  Compared compared;
  compared.differences = differences_of(a, b).value();
  task_.start([this, compared, &table, one, two](Context& context) mutable {
    const auto take = [&](const Asked& asked) {
      return ComparedRun{.id = asked.run.id,
                         .operation = asked.run.recipe.operation,
                         .picture = picture_of(table, asked.run, asked.of, context),
                         .has_objects = asked.has_objects,
                         .ranks = asked.ranks};
    };
    compared.a = take(one);
    compared.b = take(two);
    const LabelMap& labels_a = compared.a.picture.labels;
    const LabelMap& labels_b = compared.b.picture.labels;
    if (!labels_a.empty() && !labels_b.empty()) compared.agreement = agreement(labels_a, labels_b);
    return [this, compared]() mutable {
      // The Dice of the runs may have changed in the meantime.
      if (auto now = differences_of(compared.a.id, compared.b.id))
        compared.differences = std::move(*now);
      emit ready(compared);
    };
  });
}

void Comparison::start_with(const LabelMap& reference, Scored scored) {
  const DisplayedResult& shown = runs_.displayed();
  if (shown.run() == nullptr || shown.result().labels.empty() || reference.empty()) return;
  Compared compared;
  compared.a.picture.labels = reference;
  compared.b = {.id = shown.result().run,
                .operation = shown.run()->recipe.operation,
                .picture = {.labels = shown.result().labels, .maps = shown.result().maps},
                .has_objects = shown.has_objects(),
                .ranks = ranks_in(runs_.next().table(), *shown.run())};
  compared.is_of_objects = shown.run()->score.objects.has_value();
  compared.a.has_objects = compared.is_of_objects;
  task_.start([this, compared, scored](Context& context) mutable {
    const LabelMap& right = compared.a.picture.labels;
    const LabelMap seen = compared_part(compared.b.picture.labels, right, scored, context);
    compared.agreement =
        compared.is_of_objects ? object_agreement(right, seen, context) : agreement(right, seen);
    return [this, compared] { emit ready(compared); };
  });
}

std::optional<std::vector<RunDifference>> Comparison::differences_of(std::uint64_t a,
                                                                     std::uint64_t b) const {
  const Run* first = runs_.history().find(a);
  const Run* second = runs_.history().find(b);
  if (first == nullptr || second == nullptr) return std::nullopt;
  const Geometry grid = runs_.next().case_for({}).image.geometry();
  return differences_in_words(runs_.next().table(), *first, *second, grid);
}

std::optional<Comparison::Pair> Comparison::pair_of(
    const std::vector<std::uint64_t>& chosen) const {
  if (chosen.size() == 2) return std::minmax(chosen[0], chosen[1]);
  if (chosen.size() > 2) return std::nullopt;
  const std::uint64_t shown = runs_.displayed().result().run;
  const std::uint64_t one = chosen.empty() ? shown : chosen.front();
  if (one == 0) return std::nullopt;
  if (const Run* pinned = runs_.history().pinned(); pinned != nullptr && pinned->id != one) {
    return Pair(pinned->id, one);
  }
  if (shown != 0 && shown != one) return std::minmax(one, shown);
  // The previous run; for the first run the next one.
  std::uint64_t other = 0;
  for (const Run& run : runs_.history().runs()) {
    if (run.id != one && (other == 0 || run.id < one)) other = run.id;
  }
  if (other == 0) return std::nullopt;
  return std::minmax(one, other);
}

}  // namespace seedwave::ui
