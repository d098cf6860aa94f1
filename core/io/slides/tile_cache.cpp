// SPDX-License-Identifier: Apache-2.0
#include "core/io/slides/tile_cache.h"

namespace seedwave::io {

Volume TileCache::find(const TileKey& key) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  if (place == places_.end()) return {};
  kept_.splice(kept_.begin(), kept_, place->second);
  return place->second->tile;
}

void TileCache::add(const TileKey& key, const Volume& tile) {
  const std::size_t bytes = tile.bytes().size();
  const std::lock_guard lock(mutex_);
  if (bytes > most_bytes_ || places_.contains(key)) return;
  while (bytes_ + bytes > most_bytes_)
    remove_oldest();
  kept_.push_front({key, tile});
  places_[key] = kept_.begin();
  bytes_ += bytes;
}

std::size_t TileCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void TileCache::remove_oldest() {
  bytes_ -= kept_.back().tile.bytes().size();
  places_.erase(kept_.back().key);
  kept_.pop_back();
}

}  // namespace seedwave::io
