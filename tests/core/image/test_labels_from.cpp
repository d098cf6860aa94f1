// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/labels_from.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

template <typename T>
Volume row_of(const std::vector<T>& voxels) {
  Geometry geometry;
  geometry.size = {std::ssize(voxels), 1, 1};
  return Volume(geometry, voxels);
}

template <typename T>
std::vector<Label> labels_of(const std::vector<T>& voxels) {
  const LabelMap map = labels_from(row_of(voxels), "the image", [] {});
  return {map.labels().begin(), map.labels().end()};
}

/// Returns the text of the InputError for voxels in two rows of three, or "".
template <typename T>
std::string refusal(const std::vector<T>& voxels) {
  Geometry geometry;
  geometry.size = {3, 2, 1};
  try {
    static_cast<void>(labels_from(Volume(geometry, voxels), "a.nii", [] {}));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

class TestLabelsFrom : public QObject {
  Q_OBJECT
 private slots:
  void takes_whole_numbers_of_every_type() {
    QCOMPARE(labels_of<std::uint8_t>({0, 255, 3}), (std::vector<Label>{0, 255, 3}));
    QCOMPARE(labels_of<std::uint16_t>({0, 65535}), (std::vector<Label>{0, 65535}));
    QCOMPARE(labels_of<std::int16_t>({0, 32767}), (std::vector<Label>{0, 32767}));
    QCOMPARE(labels_of<std::int32_t>({65535, 1}), (std::vector<Label>{65535, 1}));
    QCOMPARE(labels_of<std::int32_t>({65536, 2147483647}), (std::vector<Label>{65536, 2147483647}));
    QCOMPARE(labels_of<std::uint32_t>({0, 4294967295}), (std::vector<Label>{0, 4294967295}));
    QCOMPARE(labels_of<float>({-0.0F, 65535.0F}), (std::vector<Label>{0, 65535}));
  }

  void keeps_them_in_the_smallest_type_that_holds_them() {
    const auto bytes = [](const Volume& volume) {
      return labels_from(volume, "the image", [] {}).labels().bytes_each();
    };
    QCOMPARE(bytes(row_of<float>({0, 255})), 1U);
    QCOMPARE(bytes(row_of<std::uint32_t>({0, 255})), 1U);
    QCOMPARE(bytes(row_of<std::int16_t>({0, 256})), 2U);
    QCOMPARE(bytes(row_of<std::int32_t>({65535})), 2U);
    QCOMPARE(bytes(row_of<std::uint32_t>({65536})), 4U);
    QCOMPARE(bytes(row_of<std::uint16_t>({1})), 2U);  // as it came: no look at the voxels
  }

  void shares_voxels_that_are_labels() {
    const Volume image = row_of<std::uint16_t>({0, 65535, 3});
    QCOMPARE(labels_from(image, "the image", [] {}).owner(), image.owner());
    const Volume wide = row_of<std::uint32_t>({0, 65535, 3});
    QVERIFY(labels_from(wide, "the image", [] {}).owner() != wide.owner());
    const Volume needs_it = row_of<std::uint32_t>({0, 65536, 3});
    QCOMPARE(labels_from(needs_it, "the image", [] {}).owner(), needs_it.owner());
    const Volume is_signed = row_of<std::int32_t>({0, 65536, 2147483647});
    const LabelMap shared = labels_from(is_signed, "the image", [] {});
    QCOMPARE(shared.owner(), is_signed.owner());
    QCOMPARE(shared.labels()[2], Label{2147483647});
  }

  void names_the_first_value_that_is_none() {
    const std::string rest =
        ", which is not a label: labels are whole numbers from 0 to 4294967295";
    QCOMPARE(refusal<float>({0, 1, 2, 3, 1.5F, -1}), "a.nii holds 1.5 at index 1, 1, 0" + rest);
    QCOMPARE(refusal<std::int16_t>({0, 0, -1, 0, 0, 0}), "a.nii holds -1 at index 2, 0, 0" + rest);
    QCOMPARE(refusal<std::int32_t>({-65536, 0, 0, 0, 0, 0}),
             "a.nii holds -65536 at index 0, 0, 0" + rest);
    QCOMPARE(refusal<float>({4294967296.0F, 0, 0, 0, 0, 0}),
             "a.nii holds 4294967296 at index 0, 0, 0" + rest);
    for (const float number :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30F})
      QVERIFY(!refusal<float>({number, 0, 0, 0, 0, 0}).empty());
  }

  void stops_when_asked_to() {
    const Volume large = row_of(std::vector<std::int32_t>(5 << 20, 7));
    int calls = 0;
    const auto stop_at_third = [&] {
      if (++calls == 3) throw Cancelled();
    };
    QVERIFY_EXCEPTION_THROWN((void)labels_from(large, "the image", stop_at_third), Cancelled);
    QCOMPARE(calls, 3);
    const LabelMap whole = labels_from(large, "the image", [] {});
    QVERIFY(std::ranges::all_of(whole.labels(), [](Label label) { return label == 7; }));
  }
};

QTEST_GUILESS_MAIN(TestLabelsFrom)
#include "test_labels_from.moc"
