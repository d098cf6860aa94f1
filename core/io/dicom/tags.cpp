// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/tags.h"

#include "core/base/number_text.h"

#include <dcmtk/dcmdata/dcelem.h>
#include <dcmtk/dcmdata/dcsequen.h>
#include <dcmtk/dcmdata/dcspchrs.h>

#include <cmath>
#include <new>

namespace seedwave::io::dicom {
namespace {

std::string trimmed(const std::string& text) {
  const std::string blanks(" \0\t", 3);
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

DcmElement* find(DcmItem& item, const DcmTagKey& tag) {
  DcmElement* element = nullptr;
  return is_good(item.findAndGetElement(tag, element)) ? element : nullptr;
}

std::string convert(const std::string& text, const std::string& from) {
  DcmSpecificCharacterSet converter;
  OFString converted;
  if (is_good(converter.selectCharacterSet(from.c_str(), "ISO_IR 192")) &&
      is_good(converter.convertString(text.c_str(), text.size(), converted, "\\^="))) {
    return {converted.c_str(), converted.size()};
  }
  return {};
}

}  // namespace

bool is_good(const OFCondition& condition) {
  if (condition == EC_MemoryExhausted) throw std::bad_alloc();
  return condition.good();
}

std::vector<std::string> texts_of(DcmItem& item, const DcmTagKey& tag) {
  std::vector<std::string> texts;
  DcmElement* element = find(item, tag);
  if (element == nullptr) return texts;
  const unsigned long count = element->getVM();
  for (unsigned long i = 0; i < count; ++i) {
    OFString text;
    if (!is_good(element->getOFString(text, i))) return {};
    texts.push_back(trimmed({text.c_str(), text.size()}));
  }
  return texts;
}

std::string text_of(DcmItem& item, const DcmTagKey& tag) {
  OFString text;
  DcmElement* element = find(item, tag);
  if (element == nullptr || !is_good(element->getOFStringArray(text))) return {};
  return trimmed({text.c_str(), text.size()});
}

std::optional<std::vector<double>> numbers_of(DcmItem& item, const DcmTagKey& tag,
                                              std::size_t least) {
  DcmElement* element = find(item, tag);
  if (element == nullptr) return std::nullopt;
  std::vector<double> numbers;
  for (const std::string& text : texts_of(item, tag)) {
    // DCMTK would parse "1abc" as 1.
    const std::optional<double> number = parse_number(text);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  // DCMTK converts binary doubles to text with too few digits, so they are read directly.
  if (element->ident() == EVR_FD || element->ident() == EVR_FL) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Float64 exact = 0;
      Float32 single = 0;
      if (element->ident() == EVR_FD && is_good(element->getFloat64(exact, i))) numbers[i] = exact;
      if (element->ident() == EVR_FL && is_good(element->getFloat32(single, i)))
        numbers[i] = single;
    }
  }
  if (numbers.size() < least) return std::nullopt;
  return numbers;
}

std::optional<double> number_of(DcmItem& item, const DcmTagKey& tag) {
  const std::vector<std::string> texts = texts_of(item, tag);
  if (texts.empty()) return std::nullopt;
  if (const auto numbers = numbers_of(item, tag, 1)) return numbers->front();
  return parse_number(texts.front());
}

std::optional<std::int64_t> integer_of(DcmItem& item, const DcmTagKey& tag) {
  const std::optional<double> number = number_of(item, tag);
  if (!number || std::abs(*number) > 9e15 || *number != std::floor(*number)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

DcmItem* first_item(DcmItem& item, const DcmTagKey& sequence) {
  DcmItem* found = nullptr;
  return is_good(item.findAndGetSequenceItem(sequence, found, 0)) ? found : nullptr;
}

std::string utf8_of(DcmItem& item, const DcmTagKey& tag) {
  std::string text = text_of(item, tag);
  bool ascii = true;
  for (const char c : text)
    ascii = ascii && static_cast<unsigned char>(c) < 0x80 && c != '\x1b';
  if (ascii) return text;
  // Latin-1 if the file states no character set or a wrong one: it never fails.
  const std::string named = convert(text, text_of(item, DCM_SpecificCharacterSet));
  return named.empty() ? convert(text, "ISO_IR 100") : named;
}

}  // namespace seedwave::io::dicom
