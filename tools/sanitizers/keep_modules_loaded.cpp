// SPDX-License-Identifier: Apache-2.0

/// Linked into every program of a sanitizer build: modules that are opened are never closed. What
/// one of them leaked, the OpenGL driver above all, is looked for when the program ends, and can be
/// told from ours only by the module's name, which is gone with the module.
extern "C" int dlclose(void* module);
extern "C" int dlclose(void* /*module*/) {
  return 0;
}
