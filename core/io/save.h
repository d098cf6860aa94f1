// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/io/formats/output_set.h"
#include "core/io/labels.h"

#include <filesystem>

namespace seedwave::io {

/// The writers of labels.h for files that appear together with others: the set is committed later.
/// They throw OutputError; the set is then unusable.
void save_volume(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume);
void save_labels(OutputSet& outputs, const std::filesystem::path& path, const LabelMap& labels);
void save_seeds(OutputSet& outputs, const std::filesystem::path& path, const SeedFile& file);

}  // namespace seedwave::io
