// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/score_kind.h"

#include <algorithm>
#include <array>

namespace seedwave {
namespace {

struct Named {
  ScoreKind kind;
  const char* id;
  const char* title;
};

constexpr std::array<Named, 8> kNames{{{ScoreKind::Dice, "dice", "Dice"},
                                       {ScoreKind::Jaccard, "jaccard", "Jaccard"},
                                       {ScoreKind::F1, "f1", "F1 of objects"},
                                       {ScoreKind::F1Mean, "f1_mean", "mean F1 of objects"},
                                       {ScoreKind::Precision, "precision", "precision of objects"},
                                       {ScoreKind::Recall, "recall", "recall of objects"},
                                       {ScoreKind::Pq, "pq", "PQ"},
                                       {ScoreKind::Aji, "aji", "AJI"}}};

const Named& named(ScoreKind kind) {
  return *std::ranges::find(kNames, kind, &Named::kind);
}

}  // namespace

std::span<const ScoreKind> score_kinds() {
  static constexpr auto kKinds = [] {
    std::array<ScoreKind, kNames.size()> kinds{};
    std::ranges::transform(kNames, kinds.begin(), &Named::kind);
    return kinds;
  }();
  return kKinds;
}

std::string id_of(ScoreKind kind) {
  return named(kind).id;
}

std::string title_of(ScoreKind kind) {
  return named(kind).title;
}

std::optional<ScoreKind> score_kind_named(const std::string& id) {
  const auto* const found = std::ranges::find(kNames, id, &Named::id);
  return found == kNames.end() ? std::nullopt : std::optional(found->kind);
}

bool is_of_objects(ScoreKind kind) {
  return kind != ScoreKind::Dice && kind != ScoreKind::Jaccard;
}

ScoresByKind scores_by_kind(const Overlap& overlap) {
  return {{ScoreKind::Dice, overlap.dice().value_or(0.0)},
          {ScoreKind::Jaccard, overlap.jaccard().value_or(0.0)}};
}

ScoresByKind scores_by_kind(const ObjectScores& objects) {
  ScoresByKind scores;
  const auto add = [&](ScoreKind kind, const std::optional<double>& score) {
    if (score) scores[kind] = *score;
  };
  add(ScoreKind::F1, objects.f1());
  add(ScoreKind::F1Mean, objects.f1_mean());
  add(ScoreKind::Precision, objects.precision());
  add(ScoreKind::Recall, objects.recall());
  add(ScoreKind::Pq, objects.pq());
  add(ScoreKind::Aji, objects.aji());
  return scores;
}

}  // namespace seedwave
