// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/session/session_json.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace seedwave;
using nlohmann::json;

const SessionPlace kFolder{"/nowhere"};

/// Passes a value through the text of a file, as saving and opening do.
json through_text(const json& value) {
  return parse_json(value.dump(1, ' ', false, json::error_handler_t::replace), "written.json");
}

/// Makes a path absolute and normal, because it is stored relative to the session's folder. A
/// source without a path becomes none.
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

/// Returns a run with the lists that contain its strokes and edits.
json run_json(const JsonPlace& place, const ReadRunLists& read) {
  Run run = run_from_json(place, kFolder, read);
  make_canonical(run.recipe.inputs);
  RunLists lists;
  json written = to_json(run, kFolder, lists);
  written["run_strokes"] = lists.strokes();
  written["run_edits"] = lists.edits();
  return written;
}

void check_run(const JsonPlace& place, const ReadRunLists& lists) {
  const json first = run_json(place, lists);
  const json written = through_text(first);
  const JsonPlace again(written, "written.json");
  if (run_json(again, run_lists_from_json(again)) != first) std::abort();
}

}  // namespace

/// Session files: a session that was read is the same after being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    const json root = parse_json(text, "session.json");
    const JsonPlace place(root, "session.json");
    check_document(place);
    const ReadRunLists lists = run_lists_from_json(place);
    if (const auto runs = place.find("runs")) {
      for (const JsonPlace& run : runs->items())
        check_run(run, lists);
    }
  } catch (const InputError&) {
  }
  return 0;
}
