// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/crop.h"
#include "core/morphology/connected_parts.h"
#include "core/morphology/split_objects.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

namespace seedwave {
namespace {

/// A batch has about as many voxels as fit into a thread's cache with their distances and labels.
constexpr std::int64_t kSide = 256;
constexpr std::int64_t kSideInVolumes = 40;

/// Objects that are split together.
struct Batch {
  Box box;                            // around them, with one voxel more where the image has one
  std::vector<std::int64_t> objects;  // offsets of their first voxels
  void add(const ConnectedPart& object, const Geometry& image) {
    const Box around = object.box.grown(1, image);
    if (objects.empty()) box = around;
    box.include(around.lo);
    box.include({around.hi[0] - 1, around.hi[1] - 1, around.hi[2] - 1});
    objects.push_back(image.offset(object.first));
  }
};

std::int64_t voxels_in(const Box& box) {
  return (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]) * (box.hi[2] - box.lo[2]);
}

bool is_small(const ConnectedPart& object, std::int64_t side) {
  const Box& box = object.box;
  return std::max({box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]}) <= side;
}

struct Batches {
  std::vector<Batch> small;  // by place, in raster order
  std::vector<Batch> large;
};

/// Puts small objects into the batch of their middle, and large ones into one of their own, or all
/// into one, if boxes overlap so much that this is less work.
Batches batches_of(const std::vector<ConnectedPart>& objects, const Geometry& image,
                   std::int64_t side) {
  std::map<Index3, Batch> by_place;  // z, y, x
  Batches batches;
  std::int64_t work = 0;
  for (const ConnectedPart& object : objects) {
    if (is_small(object, side)) {
      Index3 place{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        place[2 - axis] = (object.box.lo[axis] + object.box.hi[axis]) / 2 / side;
      by_place[place].add(object, image);
    } else {
      batches.large.emplace_back().add(object, image);
      work += voxels_in(batches.large.back().box);
    }
  }
  for (auto& [place, batch] : by_place)
    batches.small.push_back(std::move(batch));
  if (work > image.voxel_count()) {
    batches.large.assign(1, {});
    for (const ConnectedPart& object : objects) {
      if (!is_small(object, side)) batches.large.front().add(object, image);
    }
  }
  return batches;
}

/// The labels of all batches: numbered as they come, and at the end in raster order of the first
/// voxels of their centres.
class BatchLabels {
 public:
  BatchLabels(const SplitProblem& problem, const SplitSolvers& solvers)
      : problem_(problem),
        solvers_(solvers),
        image_(problem.objects.geometry()),
        labels_(large_vector<Label>(static_cast<std::size_t>(image_.voxel_count()))) {}

  /// Splits a batch. Several may be split at once, each in a context of its own.
  void split(const Batch& batch, Context& context) {
    SplitProblem part = problem_;
    part.objects = mask_of(batch, context);
    LabelMap centres;
    const LabelMap split = split_objects(part, solvers_, context, &centres);
    const Label first = take_numbers(batch, centres);
    visit_labels(split.labels(), [&](auto found) {
      const std::int64_t columns = batch.box.hi[0] - batch.box.lo[0];
      const std::int64_t rows = std::ssize(found) / columns;
      for (std::int64_t row = 0; row < rows; ++row) {
        Label* to = labels_.data() + offset_in_whole(row * columns, batch.box, image_);
        for (std::int64_t x = 0; x < columns; ++x) {
          const Label label = found[row * columns + x];
          if (label != 0) to[x] = first + label;
        }
      }
    });
  }

  LabelMap take(Context& context) {
    const std::vector<Label> numbers = final_numbers();
    const auto count = static_cast<Label>(centres_.size());
    if (count <= std::numeric_limits<std::uint16_t>::max()) {
      return tabulate_labels(image_, count, context,
                             [&](std::int64_t i) { return numbers[labels_[i]]; });
    }
    constexpr std::int64_t kGrain = 1 << 16;
    parallel_for(context, std::ssize(labels_), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        labels_[i] = numbers[labels_[i]];
    });
    return LabelMap(image_, std::move(labels_));
  }

 private:
  /// Returns the objects of the batch alone, on the grid of its box.
  [[nodiscard]] Volume mask_of(const Batch& batch, Context& context) const {
    const Volume objects = crop(problem_.objects, batch.box);
    // Others may reach into the box. What is seen of them there may begin at another voxel, but at
    // none of these.
    const auto is_ours = [&](const ConnectedPart& part) {
      return std::ranges::binary_search(
          batch.objects, offset_in_whole(objects.geometry().offset(part.first), batch.box, image_));
    };
    return kept_parts(objects, problem_.connectivity, is_ours, context);
  }

  /// Notes the first voxels of a batch's centres. Returns the number before theirs.
  Label take_numbers(const Batch& batch, const LabelMap& centres) {
    std::vector<std::int64_t> firsts;
    visit_labels(centres.labels(), [&](auto found) {
      for (std::int64_t i = 0; i < std::ssize(found); ++i) {
        if (found[i] == firsts.size() + 1) firsts.push_back(offset_in_whole(i, batch.box, image_));
      }
    });
    const std::lock_guard lock(mutex_);
    const std::size_t before = centres_.size();
    if (before + firsts.size() > std::numeric_limits<Label>::max())
      throw InputError("there are more than 4294967295 objects");
    centres_.insert(centres_.end(), firsts.begin(), firsts.end());
    return static_cast<Label>(before);
  }

  /// By the numbers given so far, with that of the background.
  [[nodiscard]] std::vector<Label> final_numbers() const {
    std::vector<Label> order(centres_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [this](Label centre) { return centres_[centre]; });
    std::vector<Label> numbers(centres_.size() + 1);
    for (std::size_t i = 0; i < order.size(); ++i)
      numbers[order[i] + 1] = static_cast<Label>(i + 1);
    return numbers;
  }

  const SplitProblem& problem_;
  const SplitSolvers& solvers_;
  const Geometry& image_;
  std::vector<Label> labels_;  // batches write to voxels of their own
  std::mutex mutex_;           // guards the next
  std::vector<std::int64_t> centres_;
};

}  // namespace

LabelMap split_objects_in_batches(const SplitProblem& problem, const SplitSolvers& solvers,
                                  Context& context, std::int64_t side) {
  const Geometry& image = problem.objects.geometry();
  if (side == 0) side = image.is_2d() ? kSide : kSideInVolumes;
  Batches batches;
  {
    const auto stage = context.stage("objects");
    batches =
        batches_of(connected_parts(problem.objects, problem.connectivity, context), image, side);
  }
  const auto stage = context.stage("split");
  BatchLabels labels(problem, solvers);
  const auto done = [&](std::int64_t batch) {
    context.checkpoint(static_cast<double>(batch) / static_cast<double>(batches.small.size()));
  };
  parallel_for(context, std::ssize(batches.small), 1, [&](std::int64_t begin, std::int64_t end) {
    Context own(Context::Settings{.stop = context.stop_token(), .threads = 1});
    for (std::int64_t batch = begin; batch < end; ++batch) {
      done(batch);
      labels.split(batches.small[static_cast<std::size_t>(batch)], own);
    }
  });
  for (const Batch& batch : batches.large)
    labels.split(batch, context);
  return labels.take(context);
}

}  // namespace seedwave
