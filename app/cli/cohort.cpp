// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cohort.h"

#include "core/base/error.h"
#include "core/engine/case_list.h"
#include "core/engine/naming.h"
#include "core/io/formats/byte_source.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace seedwave::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReferenceFile = "reference";
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

/// Gives each case a name that no other has: where several would have the same, with the folder of
/// their image before it, and then with numbers.
void make_unlike(std::vector<CohortCase>& cases) {
  std::map<std::string, int> counts;
  for (CohortCase& one : cases)
    ++counts[one.name = folder_name(one.name)];
  std::set<std::string> used;
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

/// The names of files beside each image, by the input that they are.
std::map<std::string, std::string> names_beside(const Arguments& arguments,
                                                const SavedRecipe& recipe) {
  std::map<std::string, std::string> names;
  for (const char* input : {"seeds", kReferenceFile}) {
    const std::string flag = std::string(input) + "-by";
    const auto name = arguments.text(flag);
    if (!name) continue;
    if (input != std::string(kReferenceFile) && !recipe.case_inputs().contains(input))
      throw UsageError("--" + flag + ": no step of the recipe reads " + input + " of the case");
    names[input] = *name;
  }
  return names;
}

/// Returns a name for an image found in a path: of its file, or of its series' folder.
std::string name_in(const fs::path& path, const io::Item& item) {
  const fs::path& file = item.files.front();
  if (!fs::is_directory(path)) return stem_of(path);
  const fs::path of = item.series.empty() ? file.parent_path() / stem_of(file) : file.parent_path();
  const std::string inside = of.lexically_relative(path).generic_string();
  return inside.empty() || inside == "." ? path.lexically_normal().filename().string() : inside;
}

/// Leaves out what is no case: images that cannot be used, and files that belong to another image.
void leave_out(std::vector<io::Item>& items, const std::map<std::string, std::string>& by) {
  std::erase_if(items, [](const io::Item& item) { return !item.usable; });
  std::set<fs::path> belong;
  for (const io::Item& item : items) {
    for (const auto& [input, name] : by)
      belong.insert(beside(item, name).lexically_normal());
  }
  std::erase_if(items, [&](const io::Item& item) {
    return belong.contains(item.files.front().lexically_normal());
  });
}

std::vector<CohortCase> listed_cases(const fs::path& list, const SavedRecipe& recipe) {
  std::vector<PathColumn> columns{{"image", true}};
  for (const std::string& input : recipe.case_inputs())
    columns.push_back({input, false});
  columns.push_back({kReferenceFile, false});
  std::vector<CohortCase> cases;
  const auto read = [&] {
    return parse_cases("the recipe", columns, io::read_text(list, kMostBytes));
  };
  for (ListedCase& one : naming(list.string(), read)) {
    CohortCase made{.name = one.name,
                    .path = (list.parent_path() / one.paths.at("image")).string()};
    one.paths.erase("image");
    for (const auto& [input, path] : one.paths)
      made.files[input] = list.parent_path() / path;
    cases.push_back(std::move(made));
  }
  return cases;
}

}  // namespace

std::vector<Flag> cohort_flags() {
  return {{"cases", "FILE.csv",
           "list of cases: columns image, name, reference, and the inputs that the recipe reads of "
           "a case, such as seeds; paths are relative to the list"},
          {"seeds-by", "NAME",
           "seeds are in the file of that name beside each image; * is the image's name: "
           "strokes.json, *.seeds.json"},
          {"reference-by", "NAME", "labels to compare with, in the file of that name beside each"}};
}

std::vector<CohortCase> cohort_of(const Arguments& arguments, const std::vector<std::string>& paths,
                                  const SavedRecipe& recipe, Context& context) {
  const std::map<std::string, std::string> by = names_beside(arguments, recipe);
  std::vector<CohortCase> cases;
  if (const auto list = arguments.text("cases")) cases = listed_cases(*list, recipe);
  for (const std::string& path : paths) {
    const auto stage = context.stage("look for images");
    io::Scan scan;
    try {
      scan = io::scan(path, context);
    } catch (const InputError&) {
      // The case says why when it is run.
    }
    leave_out(scan.items, by);
    for (io::Item& item : scan.items) {
      CohortCase made{.name = name_in(path, item), .path = path};
      for (const auto& [input, name] : by)
        made.files[input] = beside(item, name);
      made.item = std::move(item);
      cases.push_back(std::move(made));
    }
    if (scan.items.empty())
      cases.push_back({.name = stem_of(fs::path(path).lexically_normal()), .path = path});
  }
  if (cases.empty()) throw UsageError("no case: name files or folders, or a list by --cases");
  make_unlike(cases);
  return cases;
}

}  // namespace seedwave::cli
