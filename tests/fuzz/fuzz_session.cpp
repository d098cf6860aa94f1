// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/session/session_json.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace seedwave;
using nlohmann::json;

const SessionPlace kFolder{"/nowhere"};

/// Through the text of a file, as saving and opening do.
json through_text(const json& value) {
  return parse_json(value.dump(1, ' ', false, json::error_handler_t::replace), "written.json");
}

/// A path is stored relative to the session's folder, so it comes back absolute and without
/// detours; a source without a path is none.
void make_canonical(Source& source) {
  if (source.path.empty()) {
    source = {};
  } else {
    source.path = (std::filesystem::current_path() / source.path).lexically_normal();
  }
}

void make_canonical(InputChoices& inputs) {
  for (auto& [input, choice] : inputs)
    make_canonical(choice.file);
}

Document canonical(Document document) {
  make_canonical(document.image);
  make_canonical(document.reference);
  for (auto& [operation, inputs] : document.inputs)
    make_canonical(inputs);
  return document;
}

void check_document(const JsonPlace& place) {
  const Document document = document_from_json(place, kFolder);
  const json written = through_text(to_json(document, kFolder));
  const Document again = document_from_json(JsonPlace(written, "written.json"), kFolder);
  if (!(canonical(again) == canonical(document))) std::abort();
}

void check_run(const JsonPlace& place) {
  const auto read = [](const JsonPlace& from) {
    Run run = run_from_json(from, kFolder);
    make_canonical(run.inputs);
    return to_json(run, kFolder);
  };
  const json first = read(place);
  const json written = through_text(first);
  if (read(JsonPlace(written, "written.json")) != first) std::abort();
}

}  // namespace

/// Session files: what is read is the same after being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    json root = parse_json(text, "session.json");
    const JsonPlace place(root, "session.json");
    check_document(place);
    if (const auto runs = place.find("runs")) {
      for (const JsonPlace& run : runs->items())
        check_run(run);
    }
    // Saving keeps the members that this version does not know, whatever they are.
    root.update(to_json(document_from_json(place, kFolder), kFolder));
    (void)through_text(root);
  } catch (const InputError&) {
  }
  return 0;
}
