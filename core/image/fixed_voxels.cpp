// SPDX-License-Identifier: Apache-2.0
#include "core/image/fixed_voxels.h"

#include <algorithm>
#include <array>

namespace seedwave {
namespace {

constexpr std::uint16_t kNone = 65535;
static_assert(kLargestLabel < kNone);

std::uint16_t stored(Label label) {
  require(label <= kLargestLabel || label == kFixedAsNone);
  return label == kFixedAsNone ? kNone : static_cast<std::uint16_t>(label);
}

}  // namespace

LabelRun FixedVoxels::long_run(std::int64_t block, const ShortRun& run) {
  return {.begin = block * kBlock + run.begin,
          .end = block * kBlock + run.last + 1,
          .label = run.label == kNone ? kFixedAsNone : run.label};
}

const FixedVoxels::Runs* FixedVoxels::find(std::int64_t number) const {
  const auto found = std::lower_bound(
      blocks_.begin(), blocks_.end(), number,
      [](const Block& block, std::int64_t wanted) { return block.number < wanted; });
  return found == blocks_.end() || found->number != number ? nullptr : found->runs.get();
}

Label FixedVoxels::at(std::int64_t offset) const {
  const Runs* runs = find(offset / kBlock);
  if (runs == nullptr) return 0;
  const std::int64_t place = offset % kBlock;
  const auto found =
      std::lower_bound(runs->begin(), runs->end(), place,
                       [](const ShortRun& run, std::int64_t wanted) { return run.last < wanted; });
  if (found == runs->end() || found->begin > place) return 0;
  return found->label == kNone ? kFixedAsNone : found->label;
}

void FixedVoxels::fill(const Runs* runs, Dense& labels) {
  if (runs == nullptr) return;
  for (const ShortRun& run : *runs)
    std::fill(labels.begin() + run.begin, labels.begin() + run.last + 1, run.label);
}

/// The runs of one block with others over them; those may reach beyond the block. Null if none is
/// left.
std::shared_ptr<const FixedVoxels::Runs> FixedVoxels::merged(const Runs* old, std::int64_t number,
                                                             std::span<const LabelRun> runs) {
  Dense labels{};
  fill(old, labels);
  const std::int64_t first = number * kBlock;
  for (const LabelRun& run : runs) {
    std::fill(labels.begin() + std::max<std::int64_t>(run.begin - first, 0),
              labels.begin() + std::min(run.end - first, kBlock), stored(run.label));
  }
  Runs made;
  for (std::int64_t at = 0; at < kBlock;) {
    const std::uint16_t label = labels[static_cast<std::size_t>(at)];
    const std::int64_t begin = at;
    while (at < kBlock && labels[static_cast<std::size_t>(at)] == label)
      ++at;
    if (label != 0)
      made.push_back(
          {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(at - 1), label});
  }
  if (made.empty()) return nullptr;
  made.shrink_to_fit();
  return std::make_shared<const Runs>(std::move(made));
}

FixedVoxels FixedVoxels::with(std::span<const LabelRun> runs) const {
  FixedVoxels made;
  auto kept = blocks_.begin();
  auto from = runs.begin();  // the first run that reaches into block `number` or beyond
  std::int64_t number = 0;
  while (from != runs.end()) {
    number = std::max(number, from->begin / kBlock);
    const std::int64_t end = (number + 1) * kBlock;
    const auto until =
        std::find_if(from, runs.end(), [end](const LabelRun& run) { return run.begin >= end; });
    while (kept != blocks_.end() && kept->number < number)
      made.blocks_.push_back(*kept++);
    const bool has_old = kept != blocks_.end() && kept->number == number;
    auto after = merged(has_old ? kept->runs.get() : nullptr, number, {from, until});
    if (has_old && after && *after == *kept->runs) after = kept->runs;
    if (after) made.blocks_.push_back({number, std::move(after)});
    if (has_old) ++kept;
    from = std::find_if(from, until, [end](const LabelRun& run) { return run.end > end; });
    ++number;
  }
  made.blocks_.insert(made.blocks_.end(), kept, blocks_.end());
  return made;
}

std::vector<LabelRun> FixedVoxels::runs() const {
  std::vector<LabelRun> all;
  for_each([&all](const LabelRun& run) {
    if (!all.empty() && all.back().end == run.begin && all.back().label == run.label) {
      all.back().end = run.end;
    } else {
      all.push_back(run);
    }
  });
  return all;
}

std::vector<LabelRun> FixedVoxels::differences_from(const FixedVoxels& other) const {
  std::vector<LabelRun> runs;
  const auto compare = [&runs](std::int64_t number, const Runs* now, const Runs* before) {
    if (now == before) return;
    Dense a{};
    Dense b{};
    fill(now, a);
    fill(before, b);
    for (std::int64_t at = 0; at < kBlock;) {
      const auto i = static_cast<std::size_t>(at);
      const std::int64_t begin = at;
      while (at < kBlock && a[static_cast<std::size_t>(at)] == a[i] &&
             a[static_cast<std::size_t>(at)] != b[static_cast<std::size_t>(at)])
        ++at;
      if (at == begin) {
        ++at;
        continue;
      }
      runs.push_back(long_run(
          number, {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(at - 1), a[i]}));
    }
  };
  auto mine = blocks_.begin();
  auto theirs = other.blocks_.begin();
  while (mine != blocks_.end() || theirs != other.blocks_.end()) {
    const bool only_mine =
        theirs == other.blocks_.end() || (mine != blocks_.end() && mine->number < theirs->number);
    const bool only_theirs =
        mine == blocks_.end() || (theirs != other.blocks_.end() && theirs->number < mine->number);
    compare(only_theirs ? theirs->number : mine->number, only_theirs ? nullptr : mine->runs.get(),
            only_mine ? nullptr : theirs->runs.get());
    if (!only_theirs) ++mine;
    if (!only_mine) ++theirs;
  }
  return runs;
}

std::int64_t FixedVoxels::count() const {
  std::int64_t voxels = 0;
  for_each([&voxels](const LabelRun& run) { voxels += run.end - run.begin; });
  return voxels;
}

std::size_t FixedVoxels::bytes_beside(const FixedVoxels& other) const {
  std::size_t bytes = blocks_.size() * sizeof(Block);
  for (const Block& block : blocks_) {
    if (other.find(block.number) != block.runs.get())
      bytes += sizeof(Runs) + block.runs->capacity() * sizeof(ShortRun);
  }
  return bytes;
}

bool operator==(const FixedVoxels& a, const FixedVoxels& b) {
  return std::equal(a.blocks_.begin(), a.blocks_.end(), b.blocks_.begin(), b.blocks_.end(),
                    [](const FixedVoxels::Block& one, const FixedVoxels::Block& other) {
                      return one.number == other.number &&
                             (one.runs == other.runs || *one.runs == *other.runs);
                    });
}

std::vector<LabelRun> runs_at(std::span<const std::int64_t> offsets, Label label) {
  std::vector<LabelRun> runs;
  for (const std::int64_t offset : offsets) {
    if (!runs.empty() && runs.back().end == offset) {
      ++runs.back().end;
    } else {
      runs.push_back({offset, offset + 1, label});
    }
  }
  return runs;
}

}  // namespace seedwave
