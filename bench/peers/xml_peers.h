/* SPDX-License-Identifier: Apache-2.0 */
/* Parsers of XML, those that were present at build time: expat, libxml2's events, the trees of pugixml and RapidXML. */
#ifndef PM_BENCH_PEERS_XML_PEERS_H
#define PM_BENCH_PEERS_XML_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return whether the text is a document without faults, as far as the parser looks for them. Nothing is told of what is
 * in it. */
bool xml_expat_takes(const char *text, size_t n);
bool xml_libxml2_takes(const char *text, size_t n);
bool xml_pugixml_takes(const char *text, size_t n);  /* which looks at names of tags, too */
bool xml_rapidxml_takes(const char *text, size_t n); /* which takes nesting as the call stack allows it */

#ifdef __cplusplus
}
#endif

#endif
