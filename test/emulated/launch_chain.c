/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An engine that launches the function `chain` of a C file of qfuse-compile:
 *     launch_chain M K X RESIDUAL WEIGHT CODES SCALES SUM
 * reads and writes files of raw bytes; the first three are inputs.
 */
#define QFUSE_DECLARATIONS_ONLY
#include QFUSE_FILE
#include <stdio.h>
#include <stdlib.h>

int hipMalloc(void **pointer, size_t bytes);
int hipMemcpy(void *to, const void *from, size_t bytes, int kind);

static void check(int status, const char *what) {
  if (status) {
    fprintf(stderr, "%s failed with %d\n", what, status);
    exit(1);
  }
}

static void *allocate(size_t bytes) {
  void *memory;
  check(hipMalloc(&memory, bytes), "hipMalloc");
  return memory;
}

static void *load(const char *path, size_t bytes) {
  void *host = malloc(bytes ? bytes : 1), *memory = allocate(bytes);
  FILE *file = fopen(path, "rb");
  check(!file || fread(host, 1, bytes, file) != bytes, path);
  check(hipMemcpy(memory, host, bytes, 1), "hipMemcpy");
  fclose(file);
  free(host);
  return memory;
}

static void save(const char *path, void *memory, size_t bytes) {
  void *host = malloc(bytes ? bytes : 1);
  FILE *file = fopen(path, "wb");
  check(hipMemcpy(host, memory, bytes, 2), "hipMemcpy");
  check(!file || fwrite(host, 1, bytes, file) != bytes, path);
  fclose(file);
  free(host);
}

int main(int argc, char **argv) {
  qfuse_kernels kernels;
  qfuse_chain_dims dims = {0};
  size_t workspace, m, k, blocks;
  void *inputs[3], *outputs[3];
  if (argc != 9)
    return 2;
  m = strtoul(argv[1], NULL, 10), k = strtoul(argv[2], NULL, 10);
  blocks = (k + 127) / 128;
  check(qfuse_prepare(&kernels), "prepare");
  dims.M = -1;
  check(qfuse_chain_workspace_size(&dims, &workspace) != QFUSE_OUT_OF_RANGE,
        "a dim out of range");
  dims.M = (int64_t)m;
  check(qfuse_chain_workspace_size(&dims, &workspace), "workspace_size");
  inputs[0] = load(argv[3], m * k * 2);
  inputs[1] = load(argv[4], m * k * 2);
  inputs[2] = load(argv[5], k * 2);
  outputs[0] = allocate(m * k);
  outputs[1] = allocate(m * blocks * 4);
  outputs[2] = allocate(m * k * 2);
  check(qfuse_chain_launch(&kernels, &dims, inputs, outputs,
                           allocate(workspace), NULL),
        "launch");
  save(argv[6], outputs[0], m * k);
  save(argv[7], outputs[1], m * blocks * 4);
  save(argv[8], outputs[2], m * k * 2);
  return 0;
}
