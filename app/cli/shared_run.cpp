// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shared_run.h"

#include "app/cli/run_identity.h"
#include "core/base/digest.h"
#include "core/base/error.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace seedwave::cli {

void share_with(const ProcessGroup& group, const Arguments& arguments, const OperationTable& table,
                Context::Settings& settings) {
  if (!group.ranks) return;
  settings.ranks = group.ranks;
  if (!arguments.has("threads")) settings.threads = group.threads;
  const std::vector<DeviceInfo>& devices = table.devices();
  if (arguments.has("device") || devices.empty()) return;
  settings.device = devices[static_cast<std::size_t>(group.number_here) % devices.size()].number;
}

void refuse_another_run(Ranks& ranks, const RunRequest& request) {
  std::string text = identity_of(request);
  for (const std::string& output : request.inputs.requested)
    text += '\n' + output;  // some take messages of their own
  const std::string own = xxh64_digest(std::as_bytes(std::span(text)));
  std::string first = own;
  ranks.share(std::as_writable_bytes(std::span(first)), 0);
  if (first == own) return;
  throw InputError("process " + std::to_string(ranks.rank()) +
                   " has another version, value, input or output than process 0: all processes "
                   "of a run need the same");
}

}  // namespace seedwave::cli
