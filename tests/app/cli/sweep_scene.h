// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/csv.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "tests/support/random_numbers.h"

#include <QFile>
#include <QList>
#include <QMap>
#include <QString>

#include <filesystem>
#include <vector>

/// Inputs of the sweep tests, and a reader of their tables.
namespace seedwave::test {

inline std::filesystem::path path_of(const QString& file) {
  return file.toStdString();
}

/// Returns three noisy regions side by side.
inline Volume sweep_scene(std::uint64_t seed = 3) {
  Geometry geometry;
  geometry.size = {24, 16, 5};
  RandomNumbers random(seed);
  std::vector<std::int16_t> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const std::int64_t region = geometry.index_of(i)[0] / 8;
    voxels.push_back(static_cast<std::int16_t>(100 + 30 * region + random.below(61) - 30));
  }
  return {geometry, std::move(voxels)};
}

enum class What { Seeds, Truth };

/// Returns labels 1, 2, 3 of the regions: a few voxels of each, or all of the first two.
inline LabelMap sweep_labels(const Geometry& geometry, What what) {
  std::vector<std::uint16_t> labels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    const auto region = static_cast<std::uint16_t>(at[0] / 8 + 1);
    const bool seed = at[2] == 2 && at[1] == 8 && at[0] % 8 > 2 && at[0] % 8 < 6;
    const bool truth = region < 3;
    labels.push_back((what == What::Seeds ? seed : truth) ? region : std::uint16_t{0});
  }
  return {geometry, std::move(labels)};
}

/// Returns the rows of a CSV file, each as its fields by column name.
inline QList<QMap<QString, QString>> rows_in(const QString& file) {
  QFile csv(file);
  if (!csv.open(QIODevice::ReadOnly)) return {};
  const std::vector<CsvRecord> records = parse_csv(csv.readAll().toStdString());
  QList<QMap<QString, QString>> rows;
  for (std::size_t i = 1; i < records.size(); ++i) {
    QMap<QString, QString> row;
    for (std::size_t k = 0; k < records[i].fields.size(); ++k) {
      row[QString::fromStdString(records[0].fields.at(k))] =
          QString::fromStdString(records[i].fields[k]);
    }
    rows.append(row);
  }
  return rows;
}

}  // namespace seedwave::test
