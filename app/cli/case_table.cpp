// SPDX-License-Identifier: Apache-2.0
#include "app/cli/case_table.h"

#include "app/cli/report_text.h"
#include "app/cli/save_outputs.h"
#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/labels.h"

#include <algorithm>
#include <set>
#include <utility>

namespace seedwave::cli {
namespace {

using nlohmann::ordered_json;

std::string text_of(const ordered_json& number) {
  return number.is_number() ? number_text(number.get<double>()) : "";
}

/// Returns the first digest: that of the main output, in the order of the operation's outputs.
std::string digest_of(const ordered_json& result) {
  const ordered_json& digests = member_of(result, "digests");
  return digests.empty() ? "" : digests.begin()->get<std::string>();
}

/// The labels whose voxels have columns: those of the first cases that have few.
std::vector<std::string> counted_labels(const std::vector<CaseRow>& rows) {
  constexpr std::size_t kMost = 32;
  const auto by_number = [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  };
  std::set<std::string, decltype(by_number)> labels(by_number);
  for (const CaseRow& row : rows) {
    for (const auto& [label, voxels] : member_of(result_of(row), "voxels").items()) {
      labels.insert(label);
      if (labels.size() > kMost) return {};
    }
  }
  return {labels.begin(), labels.end()};
}

std::string csv_of(const std::vector<CaseRow>& rows) {
  const std::vector<std::string> labels = counted_labels(rows);
  std::vector<std::string> header{"case", "error", "ms", "digest", "labels",
                                  "dice", "f1",    "pq", "aji"};
  for (const std::string& label : labels)
    header.push_back("voxels_" + label);
  std::string text = csv_line(header);
  for (const CaseRow& row : rows) {
    if (row.name.empty()) continue;
    const ordered_json& voxels = member_of(result_of(row), "voxels");
    const ordered_json& objects = member_of(result_of(row), "objects");
    std::vector<std::string> fields{row.name,
                                    row.error,
                                    row.result ? number_text(row.ms) : "",
                                    digest_of(result_of(row)),
                                    text_of(member_of(result_of(row), "labels")),
                                    text_of(mean_dice(result_of(row))),
                                    text_of(member_of(objects, "f1")),
                                    text_of(member_of(objects, "pq")),
                                    text_of(member_of(objects, "aji"))};
    for (const std::string& label : labels)
      fields.push_back(text_of(member_of(voxels, label.c_str())));
    text += csv_line(fields);
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string html;
  for (const char letter : text) {
    switch (letter) {
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '&':
        html += "&amp;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += letter;
    }
  }
  return html;
}

/// Returns the name of a folder as a part of an address.
std::string address_of(const std::string& name) {
  static constexpr const char* kHex = "0123456789ABCDEF";
  std::string address;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 || letter == '-' || letter == '_' || letter == '.') {
      address += letter;
    } else {
      address += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return address;
}

std::string figure_of(const CaseRow& row) {
  const std::string name = escaped(row.name);
  if (!row.error.empty())
    return "<figure class=\"failed\"><p>" + escaped(row.error) + "</p><figcaption>" + name +
           "</figcaption></figure>\n";
  const std::string folder = address_of(row.name);
  const std::string scores = score_text(result_of(row));
  return R"(<figure><a href=")" + folder + R"(/"><img loading="lazy" alt="" src=")" + folder +
         R"(/picture.png"></a><figcaption><b>)" + name + "</b>" +
         (scores.empty() ? "" : "<br>" + scores) + "</figcaption></figure>\n";
}

constexpr const char* kStyle =
    "body{font:14px sans-serif;background:#1c1f24;color:#e6e8eb;margin:24px}"
    "main{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:16px}"
    "figure{margin:0;background:#262a31;border-radius:6px;padding:8px}"
    "img{width:100%;height:220px;object-fit:contain;background:#000}"
    ".failed p{height:220px;margin:0;overflow:auto;color:#ff9d8a}"
    "figcaption{padding-top:6px;overflow-wrap:anywhere}";

}  // namespace

CaseTableFile::CaseTableFile(std::filesystem::path file) : file_(std::move(file)) {
  check_writable(file_);
  if (file_.extension() != ".csv")
    throw OutputError("cannot write " + file_.string() + ": a table needs the suffix .csv");
}

void CaseTableFile::write(const std::vector<CaseRow>& rows) const {
  io::write_atomically(file_, csv_of(rows));
}

void write_contact_sheet(const std::filesystem::path& file, const SavedRecipe& recipe,
                         const std::vector<CaseRow>& rows) {
  const std::string title = escaped(recipe.name.empty() ? "Results" : recipe.name);
  std::string page = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>" + title +
                     "</title>\n<style>" + kStyle + "</style>\n<h1>" + title + "</h1>\n";
  if (!recipe.about.empty()) page += "<p>" + escaped(recipe.about) + "</p>\n";
  page += "<main>\n";
  for (const CaseRow& row : rows) {
    if (!row.name.empty()) page += figure_of(row);
  }
  io::write_atomically(file, page + "</main>\n");
}

}  // namespace seedwave::cli
