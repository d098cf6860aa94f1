// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_history.h"

#include "core/base/digest.h"
#include "core/image/label_map.h"
#include "core/metrics/ratio.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <utility>

namespace seedwave {
namespace {

std::string short_text_of(const Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", std::get<double>(value));
  return text.data();
}

std::string text_of(const InputChoice& choice) {
  if (!choice.step) return choice.file.path.filename().string();
  return "run " + std::to_string(choice.step->id) + " (" + choice.output + ")";
}

std::string text_of(std::optional<double> value, const char* format) {
  if (!value) return "-";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, *value);
  return text.data();
}

void add_if_different(std::vector<RunDifference>& list, const std::string& what,
                      const std::string& a, const std::string& b) {
  if (a != b) list.push_back({what, a, b});
}

}  // namespace

PackedLabels::PackedLabels(const LabelMap& map) : geometry_(map.geometry()) {
  std::vector<RunOfLabel> runs;
  visit_labels(map.labels(), [&](auto labels) {
    for (std::size_t i = 0; i < labels.size();) {
      std::size_t end = i + 1;
      const std::size_t most = i + std::numeric_limits<std::uint32_t>::max();
      while (end < labels.size() && end < most && labels[end] == labels[i])
        ++end;
      runs.push_back({labels[i], static_cast<std::uint32_t>(end - i)});
      largest_ = std::max(largest_, Label{labels[i]});
      i = end;
    }
  });
  runs.shrink_to_fit();
  if (!runs.empty()) {
    runs_ = std::make_shared<const std::vector<RunOfLabel>>(std::move(runs));
    digest_ = digest_of(map.labels());
  }
}

LabelMap PackedLabels::unpack() const {
  if (empty()) return {};
  return make_labels(geometry_, largest_, [&]<typename T>(std::vector<T>& labels) {
    auto at = labels.begin();
    for (const RunOfLabel& run : *runs_)
      at = std::fill_n(at, run.length, static_cast<T>(run.label));
  });
}

LabelCounts PackedLabels::counts() const {
  if (empty()) return {};
  std::vector<LabelCounts::value_type> counts;
  for (const RunOfLabel& run : *runs_) {
    if (run.label != 0) counts.emplace_back(run.label, run.length);
  }
  return sum_by_label(std::move(counts));
}

std::size_t Run::bytes() const {
  std::size_t sum = labels.bytes();
  for (const auto& [output, image] : images)
    sum += image.bytes().size();
  return sum;
}

double ObjectFigures::f1() const {
  return ratio(2 * matched, found + reference).value_or(0.0);
}

std::optional<double> Score::mean() const {
  if (labels.empty()) return foreground;
  double sum = 0.0;
  for (const auto& [label, dice] : labels)
    sum += dice;
  return sum / static_cast<double>(labels.size());
}

std::uint64_t RunHistory::add(Run run) {
  run.id = ++last_id_;
  run.recipe.seeds = shared(run.recipe.seeds);
  runs_.push_back(std::move(run));
  give_up_space();
  return last_id_;
}

const Run* RunHistory::find(std::uint64_t id) const {
  const auto found =
      std::find_if(runs_.begin(), runs_.end(), [id](const Run& run) { return run.id == id; });
  return found == runs_.end() ? nullptr : &*found;
}

const Run* RunHistory::find(const Step& step) const {
  const Run* run = find(step.id);
  return run != nullptr && same_step(*run, step) ? run : nullptr;
}

Run* RunHistory::find_mutable(std::uint64_t id) {
  return const_cast<Run*>(find(id));
}

void RunHistory::set_pinned(std::uint64_t id, bool pinned) {
  if (Run* run = find_mutable(id)) run->pinned = pinned;
}

void RunHistory::set_curve_pinned(std::uint64_t id, bool pinned) {
  if (Run* run = find_mutable(id)) run->curve_pinned = pinned;
}

void RunHistory::set_score(std::uint64_t id, const Score& score) {
  if (Run* run = find_mutable(id)) run->score = score;
}

void RunHistory::set_note(std::uint64_t id, const std::string& note) {
  if (Run* run = find_mutable(id)) run->note = note;
}

void RunHistory::put_back(std::uint64_t id, PackedLabels labels,
                          std::map<std::string, Volume> images) {
  Run* run = find_mutable(id);
  if (run == nullptr) return;
  run->labels = std::move(labels);
  run->images = std::move(images);
  give_up_space(id);
}

void RunHistory::remove(std::uint64_t id) {
  std::erase_if(runs_, [id](const Run& run) { return run.id == id; });
}

void RunHistory::clear() {
  runs_.clear();
}

void RunHistory::restore(std::vector<Run> runs, std::uint64_t last_id) {
  runs_.clear();
  last_id_ = last_id;
  for (Run& run : runs) {
    last_id_ = std::max(last_id_, run.id);
    run.recipe.seeds = shared(run.recipe.seeds);
    runs_.push_back(std::move(run));
  }
  give_up_space();
}

SharedSeeds RunHistory::shared(const SharedSeeds& seeds) const {
  if (runs_.empty()) return seeds;
  // An earlier run has the same strokes if only values changed, or if its strokes were restored.
  const auto same = std::find_if(runs_.rbegin(), runs_.rend(),
                                 [&](const Run& run) { return run.recipe.seeds == seeds; });
  return same != runs_.rend() ? same->recipe.seeds : seeds.shared_with(runs_.back().recipe.seeds);
}

std::size_t RunHistory::bytes() const {
  std::size_t sum = 0;
  for (const Run& run : runs_)
    sum += run.bytes();
  return sum;
}

void RunHistory::give_up_space(std::uint64_t wanted) {
  std::size_t total = bytes();
  // The newest run is displayed: its outputs stay whatever their size.
  for (std::size_t i = 0; i + 1 < runs_.size() && total > most_bytes_; ++i) {
    if (runs_[i].pinned || runs_[i].id == wanted) continue;
    total -= runs_[i].bytes();
    runs_[i].labels = {};
    runs_[i].images.clear();
  }
}

std::vector<RunDifference> differences(const Run& a, const Run& b) {
  std::vector<RunDifference> list;
  add_if_different(list, "operation", a.recipe.operation, b.recipe.operation);
  std::map<std::string, std::pair<std::string, std::string>> values;
  for (const auto& [id, value] : a.facts.values)
    values[id].first = short_text_of(value);
  for (const auto& [id, value] : b.facts.values)
    values[id].second = short_text_of(value);
  for (const auto& [id, pair] : values)
    add_if_different(list, id, pair.first, pair.second);
  std::map<std::string, std::pair<std::string, std::string>> inputs;
  for (const auto& [input, choice] : a.recipe.inputs)
    inputs[input].first = text_of(choice);
  for (const auto& [input, choice] : b.recipe.inputs)
    inputs[input].second = text_of(choice);
  for (const auto& [input, pair] : inputs)
    add_if_different(list, input, pair.first, pair.second);
  add_if_different(list, "channel", a.recipe.channel, b.recipe.channel);
  add_if_different(list, "strokes", std::to_string(a.recipe.seeds.size()),
                   std::to_string(b.recipe.seeds.size()));
  add_if_different(list, "edited voxels", std::to_string(a.recipe.edits.drawn.count()),
                   std::to_string(b.recipe.edits.drawn.count()));
  add_if_different(list, "algorithm", a.facts.algorithm, b.facts.algorithm);
  add_if_different(list, "backend", a.facts.backend, b.facts.backend);
  add_if_different(list, "digest", a.facts.digest, b.facts.digest);
  add_if_different(list, "Dice (mean)", text_of(a.score.mean(), "%.4f"),
                   text_of(b.score.mean(), "%.4f"));
  const auto f1 = [](const Run& run) {
    return run.score.objects ? std::optional(run.score.objects->f1()) : std::nullopt;
  };
  add_if_different(list, "F1 of objects", text_of(f1(a), "%.4f"), text_of(f1(b), "%.4f"));
  add_if_different(list, "ms", text_of(a.facts.total_ms, "%.1f"),
                   text_of(b.facts.total_ms, "%.1f"));
  return list;
}

}  // namespace seedwave
