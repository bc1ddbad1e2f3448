// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division and square root, which the compiler expands with v_div_scale,
// v_div_fmas and v_div_fixup.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

static unsigned id() {
  return __builtin_amdgcn_workgroup_id_x() * 256 +
         __builtin_amdgcn_workitem_id_x();
}

__attribute__((reqd_work_group_size(256, 1, 1))) __kernel void
divide32(__global float *a, __global float *b, __global float *quotient,
         __global float *root) {
  unsigned i = id();
  quotient[i] = a[i] / b[i];
  root[i] = __builtin_sqrtf(__builtin_fabsf(a[i]));
}

__attribute__((reqd_work_group_size(256, 1, 1))) __kernel void
divide64(__global double *a, __global double *b, __global double *quotient,
         __global double *root) {
  unsigned i = id();
  quotient[i] = a[i] / b[i];
  root[i] = __builtin_sqrt(__builtin_fabs(a[i]));
}
