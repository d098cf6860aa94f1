// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/settling.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace seedwave::border {

/// What a part of a band tells without the others.
struct SettledPart {
  /// Offsets of the voxels that change sides.
  std::vector<std::int64_t> moved;
  /// The voxels whose sides are not known.
  std::vector<BandCell> open;
};

/// The voxels of a label that may change sides. Most need no cut; only the rest is a network.
struct Network {
  Label label = 0;
  std::vector<std::shared_ptr<const SettledPart>> parts;
  /// The voxels that are open in their part.
  Band rest;
  /// The network of what is open in `rest`.
  std::vector<CutCell> cells;
};

/// Makes the networks of a problem, and keeps the parts of their bands in the context's cache for
/// the next problem: those of layers around which labels and seeds are the same need no work.
class Networks {
 public:
  /// labels: with the seeds. Both must outlive this object.
  Networks(const RefineBorderProblem& problem, const LabelMap& labels, Context& context);
  Networks(const Networks&) = delete;
  Networks& operator=(const Networks&) = delete;

  /// Makes the network of a label with all its voxels in a box. Throws InputError for NaN near the
  /// border, UnavailableError for too many voxels, and Cancelled.
  [[nodiscard]] Network make(Label label, const Box& box);
  /// Keeps the parts of the networks that were made.
  void keep();

 private:
  struct Kept;

  using Parts = std::vector<std::shared_ptr<const SettledPart>>;

  [[nodiscard]] Parts parts_of(Label label, const Box& box, const CutCosts& costs);
  [[nodiscard]] std::shared_ptr<const SettledPart> make_part(Label label, const Box& box,
                                                             const Box& part,
                                                             const CutCosts& costs) const;

  const RefineBorderProblem& problem_;
  const LabelMap& labels_;
  Context& context_;
  int axis_;
  std::int64_t layers_;  // of a part
  std::shared_ptr<const Kept> before_;
  std::shared_ptr<Kept> now_;
  std::vector<bool> is_changed_;  // by layer, since `before_`
};

}  // namespace seedwave::border
