// SPDX-License-Identifier: Apache-2.0
// Measurements from different days and machines can be compared only if the inputs are the same.
#include "core/base/digest.h"
#include "research/bench/inputs.h"
#include "research/bench/timing.h"

#include <QTest>

#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

using namespace seedwave;
using namespace seedwave::bench;

namespace {

template <typename T>
std::string digest_of_all(const std::vector<T>& values) {
  return xxh64_digest_of(std::span<const T>(values));
}

std::string digest_of(const SeedVoxels& seeds) {
  std::vector<std::int64_t> numbers;
  for (const Seed& seed : seeds.seeds) {
    numbers.push_back(seed.offset);
    numbers.push_back(seed.label);
  }
  return digest_of_all(numbers);
}

std::string digest_of(const LabelMap& map) {
  return map.empty() ? "" : seedwave::digest_of(map.labels());
}

std::string text_of(const Values& values) {
  std::string text;
  for (const auto& [id, value] : values) {
    const auto* number = std::get_if<double>(&value);
    text += id + (number != nullptr ? std::to_string(*number) : values.word(id));
  }
  return text;
}

std::string digest_of(const TimedCase& timed) {
  const Inputs& inputs = timed.request.inputs;
  std::string all = timed.name + timed.digest + xxh64_digest(inputs.image.bytes()) +
                    digest_of(inputs.seeds) + digest_of(inputs.mask) + timed.baseline;
  if (!inputs.labels.empty()) all += digest_of(inputs.labels.labels());
  if (!inputs.marker.empty()) all += xxh64_digest(inputs.marker.bytes());
  for (const SeedVoxels& seeds : timed.further_seeds)
    all += digest_of(seeds);
  for (const std::string& algorithm : timed.left_out)
    all += algorithm;
  return all + text_of(timed.request.values) + timed.beside.operation +
         text_of(timed.beside.values);
}

/// Returns one digest of all cases of an operation, on a 2-D image and on a volume.
std::string digest_of(const Operation& operation) {
  Context context;
  std::string all;
  for (const Index3& size : {Index3{61, 47, 1}, Index3{31, 33, 26}}) {
    for (const TimedCase& timed : cases_of(operation, size, context))
      all += digest_of(timed);
  }
  return xxh64_digest_of(std::span<const char>(all));
}

}  // namespace

class TestInputs : public QObject {
  Q_OBJECT
 private slots:
  void are_what_they_were();
  void a_path_of_one_voxel_has_one_end();
};

void TestInputs::are_what_they_were() {
  // All others are timed on the head alone.
  const std::string head = "xxh64:f00c2275aa5189d3";
  const std::map<std::string, std::string> expected{
      {"afc", "xxh64:84b7901ca4f5f39a"},
      {"rfc", "xxh64:84b7901ca4f5f39a"},
      {"irfc", "xxh64:84b7901ca4f5f39a"},
      {"porfc", "xxh64:84b7901ca4f5f39a"},
      {"threshold", "xxh64:31f95834d30bd98e"},
      {"distance", "xxh64:3f24b14113ef59a2"},
      {"influence-zones", "xxh64:c261524172647b49"},
      {"watershed", "xxh64:885c331bbf61c5eb"},
      {"split-objects", "xxh64:8add72098e6eb9e4"},
      {"clean-labels", "xxh64:8add72098e6eb9e4"},
      {"refine-border", "xxh64:cbca60b2c5192812"},
      {"segment", "xxh64:5f5935ced2437fd6"},
      {"measure-objects", "xxh64:cbca60b2c5192812"},
      {"reconstruct", "xxh64:1aa0ebb30496a424"},
      {"open-by-reconstruction", "xxh64:1b8291e6272bdf8d"},
      {"close-by-reconstruction", "xxh64:1b8291e6272bdf8d"},
      {"h-maxima", "xxh64:3ec45735835e5395"},
      {"h-minima", "xxh64:3ec45735835e5395"},
      {"h-domes", "xxh64:3ec45735835e5395"},
      {"fill-holes", "xxh64:c8c868d46be50726"},
      {"clear-border", "xxh64:c8c868d46be50726"},
      {"regional-maxima", "xxh64:c8c868d46be50726"},
      {"regional-minima", "xxh64:c8c868d46be50726"},
      {"linear-opening", "xxh64:d2bbf923707607e6"},
      {"linear-closing", "xxh64:d2bbf923707607e6"},
      {"orientation", "xxh64:8406a7d79dd9cfd9"},
      {"angular-spectrum", "xxh64:8406a7d79dd9cfd9"},
      {"granulometry", "xxh64:e57e66010e5b1567"},
      {"deskew", "xxh64:8406a7d79dd9cfd9"},
      {"tpcf", "xxh64:64694319e08e68a1"},
      {"tissue", "xxh64:85d5469797f8d6e8"},
      {"look-alike", "xxh64:016bce6d9e0c31ae"},
  };
  const OperationTable table = make_operation_table();
  for (const Operation& operation : table.operations()) {
    const auto entry = expected.find(operation.id);
    const std::string found = digest_of(operation);
    QVERIFY2(
        (entry == expected.end() ? head : entry->second) == found,
        qPrintable(QStringLiteral("{\"%1\", \"%2\"},")
                       .arg(QString::fromStdString(operation.id), QString::fromStdString(found))));
  }
}

void TestInputs::a_path_of_one_voxel_has_one_end() {
  QCOMPARE(path_ends(winding_path({1, 1, 1})).seeds, (std::vector<Seed>{{0, 1}}));
  QCOMPARE(path_ends(winding_path({2, 1, 1})).seeds, (std::vector<Seed>{{0, 1}, {1, 2}}));
}

QTEST_GUILESS_MAIN(TestInputs)
#include "test_inputs.moc"
