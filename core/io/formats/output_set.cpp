// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/output_set.h"

#include "core/base/mapped_input.h"
#include "core/io/labels.h"

#include <cstddef>
#include <set>
#include <string>

namespace seedwave::io {

namespace fs = std::filesystem;

AtomicFile& OutputSet::create(const fs::path& target) {
  return files_.emplace_back(target);
}

void OutputSet::add(const fs::path& target, std::string_view bytes) {
  create(target).write(bytes);
}

void OutputSet::commit(OldFile old) {
  for (AtomicFile& file : files_)
    file.stage();
  mapped::refuse_changed_inputs();
  // A single rename needs no undo.
  if (files_.size() > 1 || old == OldFile::LinkedOrCopied) {
    for (AtomicFile& file : files_)
      file.keep_old(old);
  }
  std::size_t published = 0;
  try {
    for (; published < files_.size(); ++published)
      files_[published].publish();
  } catch (...) {
    while (published > 0)
      files_[--published].withdraw();
    throw;
  }
  std::set<fs::path> folders;
  for (const AtomicFile& file : files_) {
    if (!file.is_direct()) folders.insert(file.target().parent_path());
  }
  for (const fs::path& folder : folders) {
    flush_folder(folder);
    remove_stale_temporaries(folder);
  }
}

void write_atomically(const fs::path& path, const std::string& bytes) {
  OutputSet outputs;
  outputs.add(path, bytes);
  outputs.commit();
}

}  // namespace seedwave::io
