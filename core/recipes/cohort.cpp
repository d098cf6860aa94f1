// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/cohort.h"

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/engine/case_list.h"
#include "core/engine/item_name.h"
#include "core/engine/naming.h"
#include "core/io/formats/byte_source.h"
#include "core/recipes/case_result.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace seedwave {
namespace {

namespace fs = std::filesystem;

constexpr const char* kImageColumn = "image";
constexpr const char* kSeriesColumn = "series";
/// Largest size of a case list.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
/// Stands for the name of the image in the name of a file beside it.
constexpr char kStem = '*';

/// Returns "brain" for "brain.nii.gz" and "slide" for "slide.ome.tif".
std::string stem_of(const fs::path& file) {
  fs::path stem = file.stem();
  const std::string inner = stem.extension().string();
  if (inner == ".nii" || inner == ".ome" || inner == ".seg") stem = stem.stem();
  return stem.string();
}

/// Returns a text that names a folder on any system.
std::string folder_name(const std::string& text) {
  std::string name;
  for (const char letter : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
                          letter == '-' || letter == '.' || (letter & 0x80) != 0;
    name += is_plain ? letter : '-';
  }
  const std::size_t first = name.find_first_not_of('.');
  return first == std::string::npos ? "case" : name.substr(first);
}

/// Files that lie beside the folders of the cases, in the folder of the results.
std::set<std::string> files_beside_cases() {
  return {"index.html", "seedwave-cases.csv", "seedwave-recipe.json", "seedwave-results.csv"};
}

/// Gives each case a name that no other has, nor a file beside their folders: where several would
/// have the same, with the folder of their image before it, and then with numbers.
void make_unlike(std::vector<CohortCase>& cases) {
  std::map<std::string, int> counts;
  std::map<std::string, int> titles;
  for (CohortCase& one : cases) {
    ++titles[one.title = one.name];
    ++counts[one.name = folder_name(one.name)];
  }
  std::set<std::string> used = files_beside_cases();
  for (CohortCase& one : cases) {
    std::string base = one.name;
    if (counts[base] > 1) {
      const fs::path image = one.item ? one.item->files.front() : fs::path(one.path);
      const fs::path folder = fs::absolute(image).parent_path().filename();
      base = folder_name(folder.string() + "-" + base);
    }
    one.name = base;
    for (int number = 2; !used.insert(one.name).second; ++number)
      one.name = base + "-" + std::to_string(number);
    if (titles[one.title] > 1) one.title = one.name;
  }
}

/// Returns the file of that name beside an image; its star stands for the image's name.
fs::path beside(const io::Item& item, const std::string& name) {
  const fs::path& image = item.files.front();
  std::string file = name;
  if (const std::size_t star = file.find(kStem); star != std::string::npos)
    file.replace(star, 1, stem_of(image));
  return image.parent_path() / file;
}

/// Returns a name for an image found in a path: of its file, or of its series' folder.
std::string name_in(const fs::path& path, const io::Item& item) {
  const fs::path& file = item.files.front();
  if (!fs::is_directory(path)) return stem_of(path);
  const fs::path of = item.series.empty() ? file.parent_path() / stem_of(file) : file.parent_path();
  const std::string inside = of.lexically_relative(path).generic_string();
  return inside.empty() || inside == "." ? path.lexically_normal().filename().string() : inside;
}

/// Returns whether a file holds other images, too.
bool shares_file(const io::Scan& scan, const io::Item& item) {
  return std::ranges::count_if(scan.items, [&](const io::Item& each) {
           return each.files.front() == item.files.front();
         }) > 1;
}

/// Returns whether a file in the folder of the results is one of a case: beside its result.json.
bool is_result(const fs::path& file, const fs::path& results) {
  if (results.empty()) return false;
  const fs::path within = fs::absolute(file).lexically_normal().lexically_relative(
      fs::absolute(results / "").lexically_normal());
  std::error_code ignored;
  return !within.empty() && *within.begin() != ".." &&
         fs::exists(file.parent_path() / kResultFile, ignored);
}

/// Returns the places of the images that are cases: not those that cannot be used, and no files
/// that belong to another image or are results.
std::vector<std::size_t> images_in(const io::Scan& scan, const CohortSources& sources) {
  std::set<fs::path> belong;
  for (const io::Item& item : scan.items) {
    if (!item.usable) continue;
    for (const auto& [input, name] : sources.beside)
      belong.insert(beside(item, name).lexically_normal());
  }
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    const io::Item& item = scan.items[i];
    const fs::path& file = item.files.front();
    if (item.usable && !belong.contains(file.lexically_normal()) &&
        !is_result(file, sources.results))
      places.push_back(i);
  }
  return places;
}

/// Adds the cases of a list.
void add_listed(const fs::path& list, const CaseColumns& wanted, std::vector<CohortCase>& cases) {
  std::vector<PathColumn> columns{{kImageColumn, true}, {kSeriesColumn, false}};
  for (const std::string& input : wanted.inputs)
    columns.push_back({input, false});
  columns.push_back({kReferenceFile, false});
  const auto read = [&] {
    return parse_cases(wanted.of, columns, io::read_text(list, kMostBytes));
  };
  for (ListedCase& one : naming(list.string(), read)) {
    CohortCase made{.name = one.name,
                    .path = (list.parent_path() / one.paths.at(kImageColumn)).string(),
                    .series = one.paths[kSeriesColumn]};
    one.paths.erase(kImageColumn);
    one.paths.erase(kSeriesColumn);
    for (const auto& [input, path] : one.paths)
      made.files[input] = list.parent_path() / path;
    cases.push_back(std::move(made));
  }
}

/// Adds a case for each image in a path.
void add_found(const fs::path& path, const CohortSources& sources, std::vector<CohortCase>& cases,
               Context& context) {
  io::Scan scan;
  try {
    scan = io::scan(path, context);
  } catch (const InputError&) {
    // The case says why when it is run.
  }
  const std::vector<std::size_t> images = images_in(scan, sources);
  for (const std::size_t i : images) {
    const io::Item& item = scan.items[i];
    CohortCase made{.name = name_in(path, item), .path = path.string(), .item = item};
    // An image that has a file to itself needs no place among others.
    if (!item.series.empty() || shares_file(scan, item)) made.series = name_of_item(scan, i);
    for (const auto& [input, name] : sources.beside)
      made.files[input] = beside(item, name);
    cases.push_back(std::move(made));
  }
  if (images.empty())
    cases.push_back({.name = stem_of(path.lexically_normal()), .path = path.string()});
}

}  // namespace

fs::path CohortCase::image() const {
  return item && series.empty() && item->series.empty() ? item->files.front() : fs::path(path);
}

std::vector<CohortCase> find_cases(const CohortSources& sources, const SavedRecipe& recipe,
                                   Context& context) {
  return find_cases(sources, {.of = "the recipe", .inputs = recipe.case_inputs()}, context);
}

std::vector<CohortCase> find_cases(const CohortSources& sources, const CaseColumns& columns,
                                   Context& context) {
  const auto stage = context.stage("look for images");
  std::vector<CohortCase> cases;
  for (const fs::path& list : sources.lists)
    add_listed(list, columns, cases);
  for (const fs::path& path : sources.paths)
    add_found(path, sources, cases, context);
  make_unlike(cases);
  return cases;
}

std::string case_list_of(const std::vector<CohortCase>& cases) {
  std::set<std::string> inputs;
  for (const CohortCase& one : cases) {
    for (const auto& [input, file] : one.files)
      inputs.insert(input);
  }
  std::vector<std::string> header{"name", kImageColumn, kSeriesColumn};
  header.insert(header.end(), inputs.begin(), inputs.end());
  std::string text = csv_line(header);
  for (const CohortCase& one : cases) {
    std::vector<std::string> fields{one.name, fs::absolute(one.image()).string(), one.series};
    for (const std::string& input : inputs) {
      const auto file = one.files.find(input);
      fields.push_back(file == one.files.end() ? "" : fs::absolute(file->second).string());
    }
    text += csv_line(fields);
  }
  return text;
}

}  // namespace seedwave
