// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/commands.h"
#include "app/cli/overwriting.h"
#include "app/cli/progress_bar.h"
#include "app/cli/save_outputs.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/io/labels.h"

#include <nlohmann/json.hpp>

namespace seedwave::cli {

int convert_command(const Call& call) {
  std::vector<FlagGroup> groups{{"part of the image", part_flags()},
                                {"flags",
                                 {overwrite_flag(),
                                  {"json", "", "{\"in\", \"out\", \"size\", \"type\", \"digest\"}"},
                                  {"quiet", "", "no progress and no summary"},
                                  {"help", "", "this page"}}}};
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page(
        "convert IN OUT",
        "Converts any readable image or label map to the format of OUT's suffix. Values and\n"
        "position in the patient stay exactly the same.",
        groups));
    return 0;
  }
  if (arguments.positionals().size() != 2) {
    throw UsageError("convert needs an input and an output: convert IN OUT");
  }
  const std::string& from = arguments.positionals()[0];
  const std::string& to = arguments.positionals()[1];
  check_writable(to);
  io::check_suffix(to);
  if (!arguments.has("overwrite")) {
    const NamedPath output{"OUT", to};
    const NamedPath input{"IN", from};
    refuse_overwriting({&output, 1}, {&input, 1});
  }
  ReadCase read;
  {
    ProgressBar bar(arguments.has("quiet"));
    Context context(Context::Settings{.stop = call.stop, .progress = bar.callback()});
    read = read_case(from, arguments, context);
  }
  const Volume image = image_of(read.of, channel_in(arguments));
  io::save_volume(to, image);
  print_warnings(read.warnings);
  const Geometry& geometry = image.geometry();
  if (arguments.has("json")) {
    print_json({{"in", from},
                {"out", to},
                {"size", geometry.size},
                {"type", name_of(image.type())},
                {"digest", xxh64_digest(image.bytes())}});
  } else if (!arguments.has("quiet")) {
    print(to + ": " + describe(geometry) + ", " + std::string(name_of(image.type())) + "\n");
  }
  return 0;
}

}  // namespace seedwave::cli
