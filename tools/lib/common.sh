# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What tools/check and tools/quickstart share: packages, configuration, build.

LLVM=/usr/lib/llvm-22
PACKAGES=(
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools lld-22 liblld-22-dev
  clang-22 ninja-build ccache cmake libgtest-dev nlohmann-json3-dev
  zlib1g-dev libzstd-dev libxml2-dev libffi-dev
  python3 python3-venv python3-numpy git ca-certificates)

die() {
  echo "error: $*" >&2
  exit 2
}

# Installs the packages that are missing, after saying which.
install_packages() {
  local missing=() package
  for package in "${PACKAGES[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'install ok installed' || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  echo "installing ${missing[*]}"
  echo "(LLVM, MLIR and lld 22 are what the compiler is made of; clang-22, cmake,"
  echo "ninja and ccache build it; numpy and GoogleTest are for its tests)"
  local sudo=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || die "installing packages needs root; install sudo, or run as root"
    sudo=(sudo)
  fi
  export DEBIAN_FRONTEND=noninteractive
  "${sudo[@]}" apt-get update -q >/dev/null ||
    die "apt-get update failed; check the network and /etc/apt/sources.list"
  "${sudo[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null ||
    die "apt-get could not install ${missing[*]}; LLVM 22 is in Debian 12's security suite, which /etc/apt/sources.list has to name"
}

# Installs the assembler of NVIDIA in .venv if there is none: tests of PTX run it.
install_ptxas() {
  if command -v ptxas >/dev/null || compgen -G ".venv/lib/python3*/site-packages/nvidia/cu*/bin/ptxas" >/dev/null; then
    return 0
  fi
  echo "installing ptxas in .venv"
  { [[ -x .venv/bin/pip ]] || python3 -m venv .venv; } &&
    .venv/bin/pip install -q --disable-pip-version-check --no-deps -r test/ptxas.txt ||
    echo "without ptxas: PTX is not assembled, only its text is tested; check the network"
}

# configure_build [FOLDER [OPTION...]]
configure_build() {
  local folder=${1:-build}
  [[ -f $folder/build.ninja ]] && return 0
  cmake -G Ninja -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release \
    -DMLIR_DIR=$LLVM/lib/cmake/mlir -DLLVM_EXTERNAL_LIT=$LLVM/bin/lit \
    -DCMAKE_C_COMPILER=/usr/bin/clang-22 -DCMAKE_CXX_COMPILER=/usr/bin/clang++-22 "${@:2}" \
    >build-configure.log 2>&1 || {
    tail -n 20 build-configure.log >&2
    die "cmake failed; build-configure.log has all of it"
  }
  rm -f build-configure.log
}

# build_targets TARGET...
build_targets() {
  cmake --build build --target "$@" || die "the build failed; see above"
}
