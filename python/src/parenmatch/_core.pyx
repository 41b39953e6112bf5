# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3, embedsignature=True, binding=False
"""The extension: checks arguments, lets other threads run, calls the C library, and raises its failures."""
import os
import sys

import numpy as np

cimport cython
cimport numpy as np
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.number cimport PyNumber_Index
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset
from parenmatch.cparenmatch cimport *

from parenmatch._results import (Brackets, Error, Fault, FaultKind, Inside, JsonKind, Open, OpenBracket, Place, Repair,
                                 RepairKind, Report, Summary, Total)

cdef extern from "Python.h":
    int PyUnicode_1BYTE_KIND
    int PyUnicode_KIND(object text)
    void *PyUnicode_1BYTE_DATA(object text)
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

np.import_array()
if sys.byteorder != "little":
    raise ImportError("parenmatch packs booleans and characters for little-endian machines only")

NONE = 0xFFFFFFFF
BP_NONE = -1
library_version = pm_version_string().decode()

cdef uint64_t NOTHING = 0xFFFFFFFFFFFFFFFFULL


cdef int succeed(pm_status status, str what) except -1:
    if status != PM_OK:
        raise Error(status, f"{what}: {pm_status_string(status).decode()} ({pm_status_name(status).decode()})")
    return 0


include "arrays.pxi"
include "sequences.pxi"
include "trees.pxi"
include "queries.pxi"
include "bp.pxi"
include "text.pxi"
include "document.pxi"
include "json.pxi"
include "find.pxi"
