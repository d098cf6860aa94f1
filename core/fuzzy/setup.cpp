// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/setup.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/fuzzy/scene.h"
#include "core/fuzzy/statistics.h"

#include <cstdio>
#include <memory>
#include <set>
#include <span>
#include <utility>

namespace seedwave::fuzzy {
namespace {

/// A scene as it lies in the cache. It keeps image and mask alive: their addresses name it, with
/// the size, since the first slices of an image lie where the image does.
struct CachedScene {
  Volume image;
  LabelMap mask;
  ScaledScene scaled;
  std::string digest;  // of greys and mask
};

std::string address(const void* pointer) {
  char text[40];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

/// "4 3 5".
std::string size_text(const Geometry& geometry) {
  const Index3& size = geometry.size;
  return std::to_string(size[0]) + ' ' + std::to_string(size[1]) + ' ' + std::to_string(size[2]);
}

std::shared_ptr<const CachedScene> scene_of(const Volume& image, const LabelMap& mask,
                                            double smooth, Context& context) {
  const std::string key = "fuzzy scene " + address(image.owner().get()) + ' ' +
                          address(mask.empty() ? nullptr : mask.owner().get()) + ' ' +
                          size_text(image.geometry()) + ' ' + number_text(smooth);
  if (auto found = context.cache().find<const CachedScene>(key)) return found;
  auto made = std::make_shared<CachedScene>(
      CachedScene{image, mask, make_scene(image, mask, smooth, context), {}});
  const Scene& scene = made->scaled.scene;
  made->digest = xxh64_digest_of(std::span<const std::uint16_t>(*scene.grey));
  std::size_t bytes = scene.grey->size() * sizeof(std::uint16_t) + image.bytes().size();
  if (scene.mask) {
    made->digest += xxh64_digest_of(std::span<const std::uint8_t>(*scene.mask));
    bytes += scene.mask->size() + mask.labels().size_bytes();
  }
  context.cache().put(key, std::const_pointer_cast<CachedScene>(made), bytes);
  return made;
}

/// "1 seed voxel", "3 seed voxels".
std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

bool takes_part(std::uint16_t label, const Request& request) {
  return request.seeds == Request::Seeds::All || !request.object || label == *request.object;
}

/// The seeds that take part. Throws where a label that was painted is left without any: by the
/// mask, or because it was painted outside the image.
std::vector<Seed> seeds_taking_part(const SeedVoxels& painted, const Scene& scene,
                                    const Request& request, std::vector<std::string>& warnings) {
  for (const std::uint16_t label : painted.labels_outside) {
    if (!takes_part(label, request)) continue;
    throw InputError("all strokes of label " + std::to_string(label) +
                     " lie outside the image: paint some inside it, or withdraw them");
  }
  if (painted.outside > 0) {
    warnings.push_back(counted(painted.outside, "stroke point") +
                       (painted.outside == 1 ? " lies" : " lie") +
                       " outside the image and left no seed there");
  }
  std::vector<Seed> seeds;
  std::set<std::uint16_t> wanted;
  std::int64_t dropped = 0;
  for (const Seed& seed : painted.seeds) {
    if (!takes_part(seed.label, request)) continue;
    if (seed.label == kTie) {
      throw InputError("label 65535 is reserved: give these seeds another label");
    }
    wanted.insert(seed.label);
    if (scene.mask && (*scene.mask)[seed.offset] == 0) {
      ++dropped;
    } else {
      seeds.push_back(seed);
    }
  }
  for (const Seed& seed : seeds)
    wanted.erase(seed.label);
  if (!wanted.empty()) {
    throw InputError("all seeds of label " + std::to_string(*wanted.begin()) +
                     " lie outside the mask: paint some inside it");
  }
  if (dropped > 0) {
    warnings.push_back(counted(dropped, "seed voxel") + " outside the mask " +
                       (dropped == 1 ? "was" : "were") + " left out");
  }
  return seeds;
}

void check_labels(const std::set<std::uint16_t>& labels, const Request& request) {
  if (request.object_needs_seeds && request.object && !labels.contains(*request.object)) {
    throw InputError("label " + std::to_string(*request.object) +
                     " has no seeds: paint some, or choose another object");
  }
  if (static_cast<int>(labels.size()) >= request.fewest_labels) return;
  if (labels.empty()) throw InputError("there are no seeds: paint some first");
  throw InputError("only label " + std::to_string(*labels.begin()) +
                   " has seeds: paint some of at least one other label, such as background");
}

/// Refuses a number for a label that it cannot mean anything to. With every label described, one
/// without seeds may still have numbers: they wait for its first stroke.
void check_given(const char* name, const GivenNumber& given, const Request& request) {
  if (!request.object) return;
  for (const auto& [label, value] : given.by_label) {
    if (label == *request.object) continue;
    throw UsageError(std::string(name) + " has a number for label " + std::to_string(label) +
                     ", but the object is label " + std::to_string(*request.object) +
                     ": leave that number out, or choose all as the object");
  }
}

/// m and sigma_o of one label: what was given, the rest from its seeds.
ObjectFeature feature_of(std::uint16_t label, const ScaledScene& scene,
                         const std::vector<Seed>& seeds, const std::set<std::uint16_t>& labels,
                         const Request& request) {
  const std::optional<double> m = request.m.of(label);
  const std::optional<double> sigma_o = request.sigma_o.of(label);
  if (m && sigma_o) return {*m, *sigma_o};
  if (!labels.contains(label)) {
    throw InputError("label " + std::to_string(label) +
                     " has no seeds to take m and sigma_o from: paint some, choose another object, "
                     "or give both numbers");
  }
  ObjectFeature feature = estimate_object(scene, seeds, label);
  feature.m = m.value_or(feature.m);
  feature.sigma_o = sigma_o.value_or(feature.sigma_o);
  return feature;
}

}  // namespace

Setup set_up(const Volume& image, const SeedVoxels& seeds, const LabelMap& mask,
             const Request& request, Context& context) {
  const auto stage = context.stage("prepare");
  check_given("m", request.m, request);
  check_given("sigma_o", request.sigma_o, request);
  const auto cached = scene_of(image, mask, request.smooth, context);
  const ScaledScene& scaled = cached->scaled;

  Setup setup;
  setup.warnings = scaled.warnings;
  Problem& problem = setup.problem;
  problem.scene = scaled.scene;
  problem.scene.geometry = image.geometry();
  problem.connectivity = request.connectivity;
  problem.object = request.object.value_or(0);
  problem.seeds = seeds_taking_part(seeds, scaled.scene, request, setup.warnings);
  std::set<std::uint16_t> labels;
  for (const Seed& seed : problem.seeds)
    labels.insert(seed.label);
  check_labels(labels, request);

  const std::set<std::uint16_t> described =
      request.object ? std::set<std::uint16_t>{*request.object} : labels;
  AffinityValues values;
  problem.affinity_key = cached->digest + " size " + size_text(image.geometry()) +
                         " connectivity " + std::to_string(static_cast<int>(request.connectivity)) +
                         " scale " + number_text(scaled.scale.first) + ' ' +
                         number_text(scaled.scale.step);
  for (const std::uint16_t label : described) {
    const ObjectFeature feature = feature_of(label, scaled, problem.seeds, labels, request);
    setup.objects[label] = feature;
    values.objects.push_back(feature);
    problem.affinity_key +=
        " object " + number_text(feature.m) + ' ' + number_text(feature.sigma_o);
  }
  setup.sigma_h = request.sigma_h
                      ? *request.sigma_h
                      : estimate_sigma_h(scaled, problem.seeds, request.connectivity, context);
  values.sigma_h = setup.sigma_h;
  problem.affinity_key += " sigma_h " + number_text(setup.sigma_h);
  problem.tables = make_affinity_tables(values, scaled.scale);
  return setup;
}

}  // namespace seedwave::fuzzy
