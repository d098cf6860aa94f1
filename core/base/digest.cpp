// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"

#include "core/base/scratch_files.h"

#define XXH_INLINE_ALL
#include <array>
#include <bit>
#include <cstdio>
#include <xxhash.h>

namespace seedwave {

static_assert(std::endian::native == std::endian::little, "digests are defined on little endian");

namespace {

std::string text_of(XXH64_hash_t hash) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "xxh64:%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

}  // namespace

std::string xxh64_digest(std::span<const std::byte> bytes) {
  return text_of(XXH64(bytes.data(), bytes.size(), 0));
}

std::string known_xxh64_digest(std::span<const std::byte> array) {
  const auto known = scratch::digest_of(array.data(), array.size());
  return known ? text_of(*known) : xxh64_digest(array);
}

struct Digest::State {
  XXH64_state_t xxh;
};

Digest::Digest() : state_(std::make_unique<State>()) {
  XXH64_reset(&state_->xxh, 0);
}

Digest::~Digest() = default;

void Digest::add(std::span<const std::byte> bytes) {
  XXH64_update(&state_->xxh, bytes.data(), bytes.size());
}

std::string Digest::text() const {
  return text_of(XXH64_digest(&state_->xxh));
}

}  // namespace seedwave
