// SPDX-License-Identifier: Apache-2.0

/// Linked into every program of a sanitizer build: opened modules are never closed. Leaks of a
/// module, above all the OpenGL driver, are reported when the program ends. They can be told from
/// ours only by the module's name, which a closed module no longer has.
extern "C" int dlclose(void* module);
extern "C" int dlclose(void* /*module*/) {
  return 0;
}
