/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of an XML document as a sequence of parentheses. */
#ifndef PM_CLI_SCENE_XML_TREE_H
#define PM_CLI_SCENE_XML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An open for each element's start tag, a close for its end; and where these are: an open's offset is that of the
 * tag's '<', a close's that of the '>' that the element ends with. Arrays to be given to free(). */
typedef struct xml_tree {
    uint64_t *parens, *offsets;
    size_t count;
} xml_tree;

/* Complains and returns false for what is not well-formed, for documents in UTF-16, and for lack of memory. What
 * entities hold is no part of the text, and so no part of the tree. */
bool xml_tree_read(const char *name, const char *text, size_t length, xml_tree *tree);

#endif
