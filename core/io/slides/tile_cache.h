// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>

namespace seedwave::io {

/// The place of a tile in a slide.
struct TileKey {
  int level = 0;
  int channel = 0;
  std::int64_t column = 0;
  std::int64_t row = 0;
  friend auto operator<=>(const TileKey&, const TileKey&) = default;
};

/// Decoded tiles, as many as fit a number of bytes: the one that was not asked for longest goes
/// first. Any thread may call it.
class TileCache {
 public:
  explicit TileCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Returns an empty volume for a tile that is not there.
  [[nodiscard]] Volume find(const TileKey& key);
  /// Keeps a tile, unless it is larger than the cache.
  void add(const TileKey& key, const Volume& tile);
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Kept {
    TileKey key;
    Volume tile;
  };
  void remove_oldest();

  std::size_t most_bytes_;
  mutable std::mutex mutex_;  // guards all below
  std::size_t bytes_ = 0;
  std::list<Kept> kept_;  // asked for last first
  std::map<TileKey, std::list<Kept>::iterator> places_;
};

}  // namespace seedwave::io
