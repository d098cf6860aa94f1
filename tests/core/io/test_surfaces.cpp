// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/vec3.h"
#include "core/io/surfaces.h"
#include "tests/core/io/io_fixture.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace seedwave;
using io::SurfaceChoice;
using io::SurfaceFiles;
using io::SurfaceShape;

class TestSurfaces : public QObject {
  Q_OBJECT
 private slots:
  void an_stl_holds_the_volume_of_the_voxels();
  void an_stl_holds_the_volume_of_the_voxels_data();
  void a_ply_has_colours_and_names();
  void each_label_can_have_its_file();
  void the_same_labels_give_the_same_bytes();
  void what_has_no_surface_is_refused_and_nothing_written();
  void what_has_no_surface_is_refused_and_nothing_written_data();
  void very_many_files_are_refused();

 private:
  test::TemporaryFolder folder_;
  Context context_;
};

namespace {

/// Two boxes of voxels that touch, 2 x 3 x 4 as label 1 and 3 x 3 x 4 as label 7, on a grid that is
/// turned by 90 degrees, flipped, or straight.
LabelMap two_boxes(const Geometry& geometry) {
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 at = geometry.index_of(i);
    if (at[1] < 2 || at[1] > 4 || at[2] > 3) continue;
    if (at[0] == 1 || at[0] == 2) labels[static_cast<std::size_t>(i)] = 1;
    if (at[0] > 2 && at[0] < 6) labels[static_cast<std::size_t>(i)] = 7;
  }
  return {geometry, std::move(labels)};
}

Geometry grid() {
  return {.size = {8, 7, 6}, .spacing = {0.5, 1.0, 2.0}, .origin = {100, -20, 3}};
}

template <typename T>
T at(const std::string& bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

Vec3 point_at(const std::string& bytes, std::size_t offset) {
  return {at<float>(bytes, offset), at<float>(bytes, offset + 4), at<float>(bytes, offset + 8)};
}

std::vector<std::filesystem::path> save(const std::filesystem::path& path, const LabelMap& labels,
                                        const SurfaceChoice& choice, Context& context,
                                        const std::vector<io::LabelName>& names = {}) {
  io::OutputSet outputs;
  auto paths = save_surfaces(outputs, path, labels, names, choice, context);
  outputs.commit();
  return paths;
}

}  // namespace

void TestSurfaces::an_stl_holds_the_volume_of_the_voxels_data() {
  QTest::addColumn<Geometry>("geometry");
  QTest::newRow("straight") << grid();
  Geometry turned = grid();
  turned.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  QTest::newRow("turned") << turned;
  Geometry flipped = grid();
  flipped.direction = {1, 0, 0, 0, 1, 0, 0, 0, -1};
  QTest::newRow("flipped") << flipped;
}

void TestSurfaces::an_stl_holds_the_volume_of_the_voxels() {
  QFETCH(Geometry, geometry);
  const auto path = folder_ / "boxes.stl";
  save(path, two_boxes(geometry), {.shape = SurfaceShape::VoxelFaces}, context_);
  const std::string bytes = test::bytes_of_file(path);
  QVERIFY(bytes.find("SPACE=LPS") < 80);
  QVERIFY(!bytes.starts_with("solid"));
  const auto count = at<std::uint32_t>(bytes, 80);
  QCOMPARE(count, 2U * 2 * (2 * 3 + 2 * 4 + 3 * 4) + 2U * 2 * (3 * 3 + 3 * 4 + 3 * 4));
  QCOMPARE(bytes.size(), std::size_t{84} + std::size_t{50} * count);
  double volume = 0;
  Vec3 least{1e9, 1e9, 1e9};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = 84 + 50 * i;
    const Vec3 a = point_at(bytes, first + 12);
    const Vec3 b = point_at(bytes, first + 24);
    const Vec3 c = point_at(bytes, first + 36);
    volume += dot(minus(a, geometry.origin),
                  cross(minus(b, geometry.origin), minus(c, geometry.origin))) /
              6;
    const Vec3 normal = cross(minus(b, a), minus(c, a));
    const Vec3 stored = point_at(bytes, first);
    QVERIFY(std::abs(dot(normal, stored) - norm(normal)) < 1e-4);
    for (std::size_t axis = 0; axis < 3; ++axis)
      least[axis] = std::min({least[axis], a[axis], b[axis], c[axis]});
  }
  QVERIFY(std::abs(volume - (2 + 3) * 3 * 4 * 1.0) < 1e-3);
  // The corner of the voxels, half a voxel before the first centre.
  Vec3 expected{1e9, 1e9, 1e9};
  for (const double x : {0.5, 5.5}) {
    for (const double y : {1.5, 4.5}) {
      for (const double z : {-0.5, 3.5}) {
        const Vec3 corner = geometry.to_world(Vec3{x, y, z});
        for (std::size_t axis = 0; axis < 3; ++axis)
          expected[axis] = std::min(expected[axis], corner[axis]);
      }
    }
  }
  QVERIFY(norm(minus(least, expected)) < 1e-4);
}

void TestSurfaces::a_ply_has_colours_and_names() {
  const auto path = folder_ / "boxes.ply";
  save(path, two_boxes(grid()), {.shape = SurfaceShape::VoxelFaces}, context_,
       {{7, "left kidney", "#102030"}});
  const std::string bytes = test::bytes_of_file(path);
  const std::string end = "end_header\n";
  const std::size_t header = bytes.find(end) + end.size();
  const std::string text = bytes.substr(0, header);
  QVERIFY(text.starts_with("ply\nformat binary_little_endian 1.0\n"));
  QVERIFY(text.find("SPACE=LPS\n") != std::string::npos);
  QVERIFY(text.find("\ncomment label 7 #102030 left kidney\n") != std::string::npos);
  QVERIFY(text.find("\ncomment label 1 #") != std::string::npos);
  const auto number_after = [&](const std::string& words) {
    return static_cast<std::size_t>(std::stoul(text.substr(text.find(words) + words.size())));
  };
  const std::size_t points = number_after("element vertex ");
  const std::size_t triangles = number_after("element face ");
  QCOMPARE(bytes.size(), header + 15 * points + 13 * triangles);
  const std::size_t last = header + 15 * (points - 1);
  QCOMPARE(at<std::uint8_t>(bytes, last + 12), 0x10);
  QCOMPARE(at<std::uint8_t>(bytes, last + 13), 0x20);
  QCOMPARE(at<std::uint8_t>(bytes, last + 14), 0x30);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t i = 0; i < triangles; ++i) {
    const std::size_t first = header + 15 * points + 13 * i;
    QCOMPARE(at<std::uint8_t>(bytes, first), 3);
    const auto corners = at<std::array<std::uint32_t, 3>>(bytes, first + 1);
    for (std::size_t k = 0; k < 3; ++k) {
      QVERIFY(corners[k] < points);
      ++edges[{corners[k], corners[(k + 1) % 3]}];
    }
  }
  for (const auto& [edge, times] : edges) {
    QCOMPARE(times, 1);
    QVERIFY(edges.contains({edge.second, edge.first}));
  }
}

void TestSurfaces::each_label_can_have_its_file() {
  const test::TemporaryFolder folder;
  const auto paths = save(folder / "b.stl", two_boxes(grid()),
                          {.shape = SurfaceShape::VoxelFaces, .files = SurfaceFiles::OnePerLabel},
                          context_, {{7, "left/kidney é", ""}});
  const std::vector<std::string> expected{"b-1-Label_1.stl", "b-7-left_kidney_é.stl"};
  QCOMPARE(folder.names(), expected);
  QCOMPARE(paths.size(), std::size_t{2});
  QCOMPARE(at<std::uint32_t>(test::bytes_of_file(paths[0]), 80), 2U * 2 * (2 * 3 + 2 * 4 + 3 * 4));
}

void TestSurfaces::the_same_labels_give_the_same_bytes() {
  const LabelMap labels = two_boxes(grid());
  save(folder_ / "one.ply", labels, {}, context_);
  const LabelMap again = two_boxes(grid());
  save(folder_ / "two.ply", again, {}, context_);
  QVERIFY(test::bytes_of_file(folder_ / "one.ply") == test::bytes_of_file(folder_ / "two.ply"));
  save(folder_ / "seven.ply", labels, {.labels = {7}}, context_);
  QVERIFY(test::bytes_of_file(folder_ / "seven.ply").size() <
          test::bytes_of_file(folder_ / "one.ply").size());
}

void TestSurfaces::what_has_no_surface_is_refused_and_nothing_written_data() {
  QTest::addColumn<Geometry>("geometry");
  QTest::addColumn<int>("label");
  QTest::addColumn<int>("most");
  QTest::addColumn<QString>("words");
  QTest::newRow("no such label") << grid() << 2 << 1000 << "label 2 has no voxels";
  Geometry small = grid();
  small.size = {1, 1, 2};
  QTest::newRow("no voxels") << small << 0 << 1000 << "no label has voxels";
  Geometry flat = grid();
  flat.size[2] = 1;
  QTest::newRow("a 2-D image") << flat << 0 << 1000 << "a.stl: a surface needs a volume";
  QTest::newRow("too large") << grid() << 0 << 100 << "more than 100 triangles";
}

void TestSurfaces::what_has_no_surface_is_refused_and_nothing_written() {
  QFETCH(Geometry, geometry);
  QFETCH(int, label);
  QFETCH(int, most);
  QFETCH(QString, words);
  SurfaceChoice choice{.most_triangles = most};
  if (label != 0) choice.labels = {1, static_cast<Label>(label)};
  const test::TemporaryFolder folder;
  std::string message;
  try {
    save(folder / "a.stl", two_boxes(geometry), choice, context_);
  } catch (const Error& error) {
    message = error.what();
  }
  QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
  QVERIFY(folder.names().empty());
}

void TestSurfaces::very_many_files_are_refused() {
  Geometry geometry = grid();
  geometry.size = {101, 11, 2};
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<std::uint16_t>(i % 501 + 1);
  const LabelMap map(geometry, std::move(labels));
  const test::TemporaryFolder folder;
  QVERIFY_EXCEPTION_THROWN(
      save(folder / "a.stl", map, {.files = SurfaceFiles::OnePerLabel}, context_), OutputError);
  QVERIFY(folder.names().empty());
  save(folder / "a.stl", map, {}, context_);
  QCOMPARE(folder.names().size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(TestSurfaces)
#include "test_surfaces.moc"
