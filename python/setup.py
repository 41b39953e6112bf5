# SPDX-License-Identifier: Apache-2.0
"""Builds the static library of this tree with CMake, and the extension with that library inside.

PARENMATCH_BUILD names a build folder of CMake whose library to take instead. With PARENMATCH_LINK=shared the extension
links the shared library, which must then be installed with it.
"""
import os
import re
import subprocess
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "python"
SHARED = os.environ.get("PARENMATCH_LINK") == "shared"


def version():
    header = (ROOT / "include/parenmatch/base.h").read_text()
    return re.search(r'PM_VERSION_STRING "([^"]+)"', header)[1]


def library():
    """Returns a build folder of CMake with the static library in it."""
    if os.environ.get("PARENMATCH_BUILD"):
        return Path(os.environ["PARENMATCH_BUILD"]).resolve()
    folder = BUILD / "library"
    off = [f"-DPM_{part}=OFF" for part in ("BUILD_TESTS", "BUILD_BENCH", "BUILD_CLI", "BUILD_EXAMPLES", "MPI")]
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", *off], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "parenmatch_static", "--parallel", str(os.cpu_count())],
                   check=True)
    return folder


class BuildWithLibrary(build_ext):
    def build_extension(self, extension):
        folder = library()
        if SHARED:
            extension.libraries.append("parenmatch")
            extension.library_dirs.append(str(folder))
            super().build_extension(extension)
            return
        archive = str(folder / "libparenmatch.a")
        private = re.search(r"^Libs\.private:(.*)$", (folder / "parenmatch.pc").read_text(), re.M)[1].split()
        extension.extra_objects = [archive]
        extension.extra_link_args = private + ["-Wl,--exclude-libs,ALL"]
        extension.depends.append(archive)
        super().build_extension(extension)


BUILD.mkdir(parents=True, exist_ok=True)
sources = Path("src/parenmatch")
core = Extension(
    "parenmatch._core", [str(sources / "_core.pyx")],
    include_dirs=[str(ROOT / "include"), numpy.get_include()],
    define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
    depends=[str(part) for pattern in ("*.pxi", "*.pxd") for part in sources.glob(pattern)],
    extra_compile_args=["-fvisibility=hidden"] + ([] if SHARED else ["-g0"]))
setup(version=version(), cmdclass={"build_ext": BuildWithLibrary},
      options={"build": {"build_base": str(BUILD)}, "egg_info": {"egg_base": str(BUILD)}},
      ext_modules=cythonize([core], build_dir=str(BUILD), include_path=["src"]))
