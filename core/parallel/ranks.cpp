// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/ranks.h"

#include <utility>

namespace seedwave {

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
