// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/setup.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/fuzzy/scene.h"
#include "core/fuzzy/statistics.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <span>
#include <utility>

namespace seedwave::fuzzy {
namespace {

/// A scene in the cache. It keeps image and mask alive, because their addresses and the size
/// identify it. The size is needed because the first slices of an image have the address of the
/// image.
struct CachedScene {
  Volume image;
  LabelMap mask;
  AffinityImage read;
  ScaledScene scaled;
  std::string digest;  // of intensities and mask

  [[nodiscard]] std::size_t bytes() const {
    std::size_t bytes = image.bytes().size();
    bytes += scaled.scene.grey->size() * sizeof(std::uint16_t);
    if (!read.wide.empty() && read.wide.owner() != image.owner()) bytes += read.wide.bytes().size();
    if (read.mask) bytes += read.mask->size() + mask.labels().size_bytes();
    return bytes;
  }
};

std::string address(const void* pointer) {
  char text[40];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

/// Returns the size as text, such as "4 3 5".
std::string size_text(const Geometry& geometry) {
  const Index3& size = geometry.size;
  return std::to_string(size[0]) + ' ' + std::to_string(size[1]) + ' ' + std::to_string(size[2]);
}

/// Keeps the affinity's image and mask, and the scene of the last scale, in the context's cache.
class KeptScene {
 public:
  KeptScene(const Volume& image, const LabelMap& mask, double smooth, Context& context)
      : context_(context),
        key_("fuzzy scene " + address(image.owner().get()) + ' ' +
             address(mask.empty() ? nullptr : mask.owner().get()) + ' ' +
             size_text(image.geometry()) + ' ' + number_text(smooth)),
        kept_(context.cache().find<const CachedScene>(key_)) {
    if (kept_) return;
    auto made = std::make_shared<CachedScene>();
    made->image = image;
    made->mask = mask;
    made->read = read_affinity_image(image, mask, smooth, context);
    kept_ = std::move(made);
  }

  [[nodiscard]] const AffinityImage& image() const { return kept_->read; }

  [[nodiscard]] const CachedScene& on(const GreyScale& scale) {
    if (kept_->scaled.scene.grey && kept_->scaled.scale == scale) return *kept_;
    auto made =
        std::make_shared<CachedScene>(CachedScene{kept_->image, kept_->mask, kept_->read, {}, {}});
    made->scaled = make_scene(made->read, scale, context_);
    const Scene& scene = made->scaled.scene;
    made->digest = xxh64_digest_of(std::span<const std::uint16_t>(*scene.grey));
    if (scene.mask) made->digest += xxh64_digest_of(std::span<const std::uint8_t>(*scene.mask));
    context_.cache().put(key_, made, made->bytes());
    kept_ = std::move(made);
    return *kept_;
  }

 private:
  Context& context_;
  std::string key_;
  std::shared_ptr<const CachedScene> kept_;
};

/// Returns a count with its noun: "1 seed voxel", "3 seed voxels".
std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

bool takes_part(std::uint16_t label, const Request& request) {
  return request.seeds == Request::Seeds::All || !request.object || label == *request.object;
}

/// Returns the seeds that take part. Throws if a painted label is left without seeds because of the
/// mask or because it was painted outside the image.
std::vector<Seed> seeds_taking_part(const SeedVoxels& painted, const AffinityImage& image,
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
    if (image.mask && (*image.mask)[seed.offset] == 0) {
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

/// Rejects a value for a label to which it cannot apply. If every label is described, a label
/// without seeds may have values: they wait for its first stroke.
void check_given(const char* name, const GivenNumber& given, const Request& request) {
  if (!request.object) return;
  for (const auto& [label, value] : given.by_label) {
    if (label == *request.object) continue;
    throw UsageError(std::string(name) + " has a number for label " + std::to_string(label) +
                     ", but the object is label " + std::to_string(*request.object) +
                     ": leave that number out, or choose all as the object");
  }
}

/// Returns m and sigma_o of one label: the given values, with missing ones estimated from its
/// seeds.
ObjectFeature feature_of(std::uint16_t label, const AffinityImage& image,
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
  ObjectFeature feature = estimate_object(image, seeds, label);
  feature.m = m.value_or(feature.m);
  feature.sigma_o = sigma_o.value_or(feature.sigma_o);
  return feature;
}

/// m and sigma_o by label, with the scale. Every edge that they can connect is resolved as finely
/// as 16 bits allow.
struct Features {
  std::map<std::uint16_t, ObjectFeature> by_label;
  GreyScale scale;

  [[nodiscard]] std::vector<ObjectFeature> in_order() const {
    std::vector<ObjectFeature> features;
    for (const auto& [label, feature] : by_label)
      features.push_back(feature);
    return features;
  }
};

Features features_of(const AffinityImage& image, const std::vector<Seed>& seeds,
                     const std::set<std::uint16_t>& labels, const Request& request) {
  Features features;
  const auto described = request.object ? std::set<std::uint16_t>{*request.object} : labels;
  for (const std::uint16_t label : described)
    features.by_label[label] = feature_of(label, image, seeds, labels, request);
  features.scale = scale_for(image, connectable_range(features.in_order()));
  // An estimate next to a much wider object can be below the resolution of their common scale.
  const double least = 0.5 * features.scale.step;
  for (auto& [label, feature] : features.by_label) {
    if (!request.sigma_o.of(label)) feature.sigma_o = std::max(feature.sigma_o, least);
  }
  features.scale = scale_for(image, connectable_range(features.in_order()));
  return features;
}

}  // namespace

Setup set_up(const Volume& image, const SeedVoxels& seeds, const LabelMap& mask,
             const Request& request, Context& context) {
  const auto stage = context.stage("prepare");
  check_given("m", request.m, request);
  check_given("sigma_o", request.sigma_o, request);
  KeptScene kept(image, mask, request.smooth, context);
  const AffinityImage read = kept.image();

  Setup setup;
  std::vector<std::string> seed_warnings;
  Problem& problem = setup.problem;
  problem.connectivity = request.connectivity;
  problem.object = request.object.value_or(0);
  problem.seeds = seeds_taking_part(seeds, read, request, seed_warnings);
  std::set<std::uint16_t> labels;
  for (const Seed& seed : problem.seeds)
    labels.insert(seed.label);
  check_labels(labels, request);

  const Features features = features_of(read, problem.seeds, labels, request);
  const CachedScene& scene = kept.on(features.scale);
  problem.scene = scene.scaled.scene;
  problem.scene.geometry = image.geometry();
  setup.warnings = scene.scaled.warnings;
  setup.warnings.insert(setup.warnings.end(), seed_warnings.begin(), seed_warnings.end());
  setup.objects = features.by_label;
  setup.sigma_h =
      request.sigma_h
          ? *request.sigma_h
          : std::max(estimate_sigma_h(read, problem.seeds, request.connectivity, context),
                     0.5 * features.scale.step);
  const AffinityValues values{.sigma_h = setup.sigma_h, .objects = features.in_order()};
  problem.affinity_key = scene.digest + " size " + size_text(image.geometry()) + " connectivity " +
                         std::to_string(static_cast<int>(request.connectivity)) + " scale " +
                         number_text(features.scale.first) + ' ' + number_text(features.scale.step);
  for (const ObjectFeature& feature : values.objects) {
    problem.affinity_key +=
        " object " + number_text(feature.m) + ' ' + number_text(feature.sigma_o);
  }
  problem.affinity_key += " sigma_h " + number_text(setup.sigma_h);
  problem.tables = make_affinity_tables(values, features.scale);
  return setup;
}

}  // namespace seedwave::fuzzy
