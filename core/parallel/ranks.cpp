// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/ranks.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace seedwave {
namespace {

/// Returns the bytes of some layers among those of all `layers`.
std::span<std::byte> bytes_of(const LayerRange& range, std::span<std::byte> bytes,
                              std::int64_t layers) {
  const std::size_t layer = bytes.size() / static_cast<std::size_t>(layers);
  return bytes.subspan(static_cast<std::size_t>(range.begin) * layer,
                       static_cast<std::size_t>(range.layers()) * layer);
}

LayerRange layers_of_rank_and(std::int64_t beside, std::int64_t layers, int rank, int ranks) {
  const LayerRange own = layers_of_rank(layers, rank, ranks);
  if (own.layers() == 0) return own;
  return {std::max<std::int64_t>(0, own.begin - beside), std::min(layers, own.end + beside)};
}

}  // namespace

LayerRange layers_of_rank(std::int64_t layers, int rank, int ranks) noexcept {
  return {.begin = layers * rank / ranks, .end = layers * (rank + 1) / ranks};
}

int rank_of_layer(std::int64_t layer, std::int64_t layers, int ranks) noexcept {
  return static_cast<int>(((layer + 1) * ranks - 1) / layers);
}

LayerRange own_layers(const Ranks& ranks, std::int64_t layers) {
  return layers_of_rank(layers, ranks.rank(), ranks.count());
}

LayerRange own_layers_and(const Ranks& ranks, std::int64_t beside, std::int64_t layers) {
  return layers_of_rank_and(beside, layers, ranks.rank(), ranks.count());
}

void share_layers(Ranks& ranks, std::span<std::byte> bytes, std::int64_t layers) {
  for (int rank = 0; rank < ranks.count(); ++rank) {
    const LayerRange range = layers_of_rank(layers, rank, ranks.count());
    if (range.layers() > 0) ranks.share(bytes_of(range, bytes, layers), rank);
  }
}

// All take the pairs in the same order, so that of the first pair that waits both are there.
void share_layers_beside(Ranks& ranks, std::span<std::byte> bytes, std::int64_t layers,
                         std::int64_t beside) {
  for (int from = 0; from < ranks.count(); ++from) {
    const LayerRange own = layers_of_rank(layers, from, ranks.count());
    for (int to = 0; to < ranks.count(); ++to) {
      if (from == to || (ranks.rank() != from && ranks.rank() != to)) continue;
      const LayerRange wanted = layers_of_rank_and(beside, layers, to, ranks.count());
      const LayerRange both{std::max(own.begin, wanted.begin), std::min(own.end, wanted.end)};
      if (both.layers() > 0) ranks.give(bytes_of(both, bytes, layers), from, to);
    }
  }
}

void collect_layers(Ranks& ranks, std::span<std::byte> bytes, std::int64_t layers) {
  for (int from = 1; from < ranks.count(); ++from) {
    const LayerRange range = layers_of_rank(layers, from, ranks.count());
    if (range.layers() == 0 || (ranks.rank() != from && ranks.rank() != 0)) continue;
    ranks.give(bytes_of(range, bytes, layers), from, 0);
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
