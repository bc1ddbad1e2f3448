/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A plugin of an API that no mlir-opt has. The layout is that of
 * PassPluginLibraryInfo and DialectPluginLibraryInfo. */
struct PluginInfo {
  unsigned apiVersion;
  const char *name;
  const char *version;
  void (*callback)(void *);
};

static void ignore(void *registry) { (void)registry; }

static struct PluginInfo getInfo(void) {
  struct PluginInfo info = {9999, "other", "0", ignore};
  return info;
}

struct PluginInfo mlirGetPassPluginInfo(void) { return getInfo(); }
struct PluginInfo mlirGetDialectPluginInfo(void) { return getInfo(); }
