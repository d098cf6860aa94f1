// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <QTest>

#include <initializer_list>
#include <string>

namespace seedwave::test {

/// Adds the columns `type` and `connectivity` to a test, and a row for each type with each
/// neighbourhood.
inline void add_type_rows(std::initializer_list<VoxelType> types = {VoxelType::U8, VoxelType::I16,
                                                                    VoxelType::U16, VoxelType::I32,
                                                                    VoxelType::F32}) {
  QTest::addColumn<int>("type");
  QTest::addColumn<int>("connectivity");
  for (const VoxelType type : types) {
    for (const int connectivity : {4, 8, 6, 18, 26}) {
      QTest::addRow("%s, %d neighbours", std::string(name_of(type)).c_str(), connectivity)
          << static_cast<int>(type) << connectivity;
    }
  }
}

/// Adds the columns `type` and `volume` to a test, and rows for images and volumes of each type.
inline void add_type_and_dimension_rows() {
  QTest::addColumn<int>("type");
  QTest::addColumn<bool>("volume");
  for (const VoxelType type : kVoxelTypes) {
    for (const bool volume : {false, true}) {
      QTest::addRow("%s, %s", std::string(name_of(type)).c_str(), volume ? "volumes" : "images")
          << static_cast<int>(type) << volume;
    }
  }
}

}  // namespace seedwave::test
