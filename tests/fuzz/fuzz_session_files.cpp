// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/formats/gzip_writer.h"
#include "core/session/session_file.h"
#include "tests/fuzz/input_folder.h"

#include <cstddef>
#include <filesystem>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace seedwave;

/// Returns plain names that the text uses for label files, in order.
std::vector<std::string> label_files_of(fuzz::Bytes text) {
  static const std::regex kMember(R"re("labels_file"\s*:\s*"([\w-]{1,64}\.nii\.gz)")re");
  const std::string all(text.begin(), text.end());
  std::vector<std::string> names;
  for (std::sregex_iterator found(all.begin(), all.end(), kMember), end; found != end; ++found)
    names.push_back((*found)[1]);
  return names;
}

/// Compresses the bytes, so that the fuzzer changes the labels and their header rather than a
/// checksum.
void write_packed(const std::filesystem::path& path, fuzz::Bytes bytes) {
  io::OutputSet files;
  const std::span<const std::byte> all = std::as_bytes(bytes);
  io::write_file(files, path, {&all, 1});
  files.commit();
}

std::multiset<std::string> digests_of(const SessionFile& session) {
  std::multiset<std::string> digests;
  for (const Run& run : session.runs) {
    if (run.labels.empty()) continue;
    const LabelMap labels = run.labels.unpack();
    labels.geometry().validate("the labels of a run");
    if (std::ssize(labels.labels()) != labels.geometry().voxel_count()) std::abort();
    digests.insert(run.labels.digest());
  }
  return digests;
}

void add_steps(const InputChoices& inputs, std::set<std::string>& steps) {
  for (const auto& [input, choice] : inputs) {
    if (!choice.step) continue;
    const Step& step = *choice.step;
    const std::string text =
        std::to_string(step.id) + " " + step.recipe.operation + " " + step.facts.digest;
    if (steps.insert(text).second) add_steps(step.recipe.inputs, steps);
  }
}

/// Returns all steps that the session reads, of runs and of the document.
std::set<std::string> steps_of(const SessionFile& session) {
  std::set<std::string> steps;
  for (const Run& run : session.runs)
    add_steps(run.recipe.inputs, steps);
  for (const auto& [operation, inputs] : session.document.inputs)
    add_steps(inputs, steps);
  return steps;
}

}  // namespace

/// A session file with the uncompressed contents of its label files, in the order in which it names
/// them. It is opened, and the result is the same after being saved and opened again. Only an Error
/// may be thrown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto files = fuzz::files_of({bytes, size}, 4);
  if (files.empty()) return 0;
  const fuzz::InputFolder folder;
  const auto path = folder.path() / "s.json";
  fuzz::write_file(path, files[0]);
  const std::vector<std::string> names = label_files_of(files[0]);
  for (std::size_t i = 0; i < names.size() && i + 1 < files.size(); ++i)
    write_packed(folder.path() / names[i], files[i + 1]);
  try {
    (void)is_session_file(path);
    const SessionFile session = load_session(path);
    const auto saved = folder.path() / "saved.json";
    save_session(saved, session);
    const SessionFile again = load_session(saved);
    if (again.runs.size() != session.runs.size()) std::abort();
    if (digests_of(again) != digests_of(session)) std::abort();
    if (steps_of(again) != steps_of(session)) std::abort();
  } catch (const InputError&) {
  } catch (const OutputError&) {
  } catch (const UnavailableError&) {
  }
  return 0;
}
