// SPDX-License-Identifier: Apache-2.0
#include "app/cli/checkpoint_flags.h"

#include "app/cli/run_identity.h"
#include "core/base/error.h"

#include <array>
#include <charconv>
#include <chrono>
#include <string>
#include <system_error>

namespace seedwave::cli {
namespace {

using std::chrono::milliseconds;

struct Unit {
  const char* name;
  milliseconds time;
};
constexpr std::array kUnits{Unit{"ms", milliseconds(1)}, Unit{"s", std::chrono::seconds(1)},
                            Unit{"m", std::chrono::minutes(1)}, Unit{"h", std::chrono::hours(1)}};
constexpr milliseconds kDefault = std::chrono::minutes(1);
constexpr int kMost = 100'000;  // of a unit

milliseconds time_of(const std::string& text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, number);
  for (const Unit& known : kUnits)
    if (error == std::errc() && number > 0 && number <= kMost &&
        std::string(unit, end) == known.name)
      return number * known.time;
  throw UsageError("--every must be a time such as 500ms, 60s, 5m or 1h, not '" + text + "'");
}

}  // namespace

std::vector<Flag> checkpoint_flags() {
  return {{"checkpoint", "DIR",
           "save the run's state in this folder as it goes on; started again with the same "
           "arguments it goes on from there. Removed at the end"},
          {"every", "TIME", "time between two savings, such as 500ms, 60s, 5m (default: 60s)"}};
}

std::shared_ptr<io::CheckpointFolder> checkpoint_of(const Arguments& arguments,
                                                    const RunRequest& request) {
  const auto every = arguments.text("every");
  const auto folder = arguments.text("checkpoint");
  if (every && !folder) throw UsageError("--every belongs to --checkpoint");
  const milliseconds time = every ? time_of(*every) : kDefault;
  if (!folder) return nullptr;
  if (arguments.has("repeat")) throw UsageError("--checkpoint and --repeat exclude each other");
  return std::make_shared<io::CheckpointFolder>(*folder, identity_of(request), time);
}

}  // namespace seedwave::cli
