// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/session/session_json.h"

#include <cstddef>
#include <cstdint>
#include <string>

using namespace seedwave;

/// A session file with any content is read or refused in words; nothing else happens.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const nlohmann::json root = parse_json(text, "fuzzed.json");
    const JsonPlace place(root, "fuzzed.json");
    const SessionPlace folder{"/nowhere"};
    const Document document = document_from_json(place, folder);
    // What was read can be written, and reads back as the same.
    const nlohmann::json written = to_json(document, folder);
    const std::string again =
        written.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const nlohmann::json reread = parse_json(again, "written.json");
    if (document_from_json(JsonPlace(reread, "written.json"), folder).seeds != document.seeds) {
      __builtin_trap();
    }
    if (const auto runs = place.find("runs")) {
      for (const JsonPlace& run : runs->items())
        static_cast<void>(run_from_json(run));
    }
  } catch (const InputError&) {
    // Refused in words: as it should be.
  }
  return 0;
}
