/* SPDX-License-Identifier: Apache-2.0 */
/* Records of texts whose delimiters are longer than a byte, as texts.c puts them together; all balanced. */
#ifndef PM_BENCH_SUITES_MARKUP_WRITERS_H
#define PM_BENCH_SUITES_MARKUP_WRITERS_H

#include <stddef.h>
#include <stdint.h>

#define RECORD_MOST 1024 /* bytes */

/* Writes one record; returns its bytes. */
typedef size_t record_writer(uint64_t *seed, char *to);

record_writer write_xml, write_html, write_latex, write_sql, write_pascal, write_jinja;

#endif
