// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/ranks.h"

#include <utility>

namespace seedwave {

LayerRange layers_of_rank(std::int64_t layers, int rank, int ranks) noexcept {
  return {.begin = layers * rank / ranks, .end = layers * (rank + 1) / ranks};
}

int rank_of_layer(std::int64_t layer, std::int64_t layers, int ranks) noexcept {
  return static_cast<int>(((layer + 1) * ranks - 1) / layers);
}

LayerRange own_layers(const Ranks& ranks, std::int64_t layers) {
  return layers_of_rank(layers, ranks.rank(), ranks.count());
}

void share_layers(Ranks& ranks, std::span<std::byte> bytes, std::int64_t layers) {
  const std::size_t layer = bytes.size() / static_cast<std::size_t>(layers);
  for (int rank = 0; rank < ranks.count(); ++rank) {
    const LayerRange range = layers_of_rank(layers, rank, ranks.count());
    if (range.layers() == 0) continue;
    ranks.share(bytes.subspan(static_cast<std::size_t>(range.begin) * layer,
                              static_cast<std::size_t>(range.layers()) * layer),
                rank);
  }
}

std::vector<std::string> texts_of_all(Ranks& ranks, const std::string& own) {
  std::vector<std::string> texts;
  for (int rank = 0; rank < ranks.count(); ++rank) {
    const bool is_own = rank == ranks.rank();
    const auto size = static_cast<std::size_t>(ranks.all_sum(is_own ? std::ssize(own) : 0));
    std::string text = is_own ? own : std::string(size, ' ');
    if (size > 0) ranks.share(std::as_writable_bytes(std::span(text)), rank);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace seedwave
