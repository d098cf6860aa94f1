// SPDX-License-Identifier: Apache-2.0
// The stated memory demands of solvers, for images larger than any machine at hand can hold.
#include "gpu/morphology/reconstruction.h"

#include <QTest>

#include <cstdint>

using namespace seedwave;

class TestDeviceBytes : public QObject {
  Q_OBJECT
 private slots:
  void counts_rings_of_four_gigabytes();
};

void TestDeviceBytes::counts_rings_of_four_gigabytes() {
  Geometry geometry;
  geometry.size = {std::int64_t{1} << 13, std::int64_t{1} << 13, std::int64_t{1} << 12};
  const std::int64_t whole = gpu::reconstruction_bytes(geometry, VoxelType::U8);
  geometry.size[2] /= 2;
  const std::int64_t half = gpu::reconstruction_bytes(geometry, VoxelType::U8);
  // Twice the tiles, twice the bytes, except for the small part that does not depend on them.
  QVERIFY(whole > 2 * half - half / 1000);
}

QTEST_GUILESS_MAIN(TestDeviceBytes)
#include "test_device_bytes.moc"
