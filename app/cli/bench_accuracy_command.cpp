// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/progress_bar.h"
#include "app/make_table.h"
#include "core/base/error.h"
#include "core/io/labels.h"
#include "research/bench/accuracy.h"

#include <nlohmann/json.hpp>

namespace seedwave::cli {
namespace {

constexpr const char* kAccuracyDescription =
    "Measures Dice as in tables II and III of Zhuge et al. 2013, on a brain simulated from a\n"
    "tissue map (resources/phantom/tissue_labels.nii.gz) with 1, 3 and 5 % noise.";

std::vector<FlagGroup> accuracy_flags() {
  return {{"flags",
           {{"tissues", "PATH", "the tissue map"},
            {"json", "",
             "{\"columns\": [{\"title\", \"chosen_with_reference\"}], \"rows\": "
             "[{\"noise_percent\", \"dice\", \"sigma_o\", \"porfc_to_irfc\"}]}"},
            {"quiet", "", "no progress"},
            {"help", "", "this page"}}}};
}

nlohmann::ordered_json json_of(const bench::AccuracyTable& accuracy) {
  nlohmann::ordered_json json;
  json["columns"] = nlohmann::ordered_json::array();
  for (const bench::AccuracyColumn& column : accuracy.columns) {
    json["columns"].push_back(
        {{"title", column.title}, {"chosen_with_reference", column.chosen_with_reference}});
  }
  json["rows"] = nlohmann::ordered_json::array();
  for (const bench::AccuracyRow& row : accuracy.rows) {
    json["rows"].push_back({{"noise_percent", row.noise_percent},
                            {"dice", row.dice},
                            {"sigma_o", row.sigma_o},
                            {"porfc_to_irfc", row.porfc_to_irfc}});
  }
  return json;
}

}  // namespace

int bench_accuracy_command(const Call& call) {
  const Arguments arguments(call.words, accuracy_flags());
  if (arguments.has("help")) {
    print(help_page("bench accuracy --tissues PATH", kAccuracyDescription, accuracy_flags()));
    return 0;
  }
  if (!arguments.positionals().empty()) {
    throw UsageError("bench accuracy takes no argument '" + arguments.positionals().front() + "'");
  }
  const auto path = arguments.text("tissues");
  if (!path) throw UsageError("bench accuracy needs --tissues PATH");
  bench::AccuracyTable accuracy;
  {
    ProgressBar bar(arguments.has("quiet"));
    Context context(Context::Settings{.stop = call.stop, .progress = bar.callback()});
    accuracy = bench::measure_accuracy(make_table(), io::read_labels(*path, context), context);
  }
  if (arguments.has("json")) {
    print_json(json_of(accuracy));
  } else {
    print(bench::describe(accuracy));
  }
  return 0;
}

}  // namespace seedwave::cli
