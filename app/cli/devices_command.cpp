// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/report_text.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/parallel/context.h"

#include <nlohmann/json.hpp>

namespace seedwave::cli {
namespace {

nlohmann::ordered_json json_of(const OperationTable& table, int threads) {
  nlohmann::ordered_json json{{"cpu", {{"threads", threads}}}};
  json["cuda"] = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : table.devices()) {
    json["cuda"].push_back({{"number", device.number},
                            {"name", device.name},
                            {"total_bytes", device.total_bytes},
                            {"free_bytes", device.free_bytes}});
  }
  json["why_no_cuda"] = table.devices().empty() ? nlohmann::ordered_json(table.why_no_device())
                                                : nlohmann::ordered_json(nullptr);
  return json;
}

}  // namespace

int devices_command(const Call& call) {
  const std::vector<FlagGroup> groups{
      {"flags",
       {{"json", "",
         "{\"cpu\": {\"threads\"}, \"cuda\": [{\"number\", \"name\", \"total_bytes\", "
         "\"free_bytes\"}], \"why_no_cuda\": null or text}"},
        {"help", "", "this page"}}}};
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page("devices [--json]",
                    "Lists the CPU threads and the CUDA devices, or why there is none.", groups));
    return 0;
  }
  if (!arguments.positionals().empty()) {
    throw UsageError("devices takes no argument '" + arguments.positionals().front() + "'");
  }
  const OperationTable table = make_table();
  const int threads = Context().threads();
  if (arguments.has("json")) {
    print_json(json_of(table, threads));
    return 0;
  }
  std::string text = "CPU: " + std::to_string(threads) + " threads\n";
  for (const DeviceInfo& device : table.devices()) {
    text += "CUDA device " + std::to_string(device.number) + ": " + device.name + ", " +
            in_gigabytes(device.free_bytes) + " of " + in_gigabytes(device.total_bytes) + " free\n";
  }
  if (table.devices().empty()) text += "CUDA: none (" + table.why_no_device() + ")\n";
  print(text);
  return 0;
}

}  // namespace seedwave::cli
