/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch tree: queries on the tree of a text's brackets, or of an XML document's elements, by an index that may be
 * kept next to the file. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/scene/scene.h"
#include "cli/source.h"
#include "cli/utf8.h"

static const char tree_help[] =
    "Usage: parenmatch tree [OPTION]... FILE\n"
    "Query the tree of a text's brackets. A node is an open bracket; it contains the text up to its close, or to the\n"
    "end. Strings and comments are skipped. In XML the nodes are the elements, from the < of the start tag to the >\n"
    "of the end tag. Each line is NODE<TAB>DEPTH<TAB>BEGIN<TAB>END<TAB>CHARACTER<TAB>SIZE: NODE counts opens from 0,\n"
    "BEGIN and END are byte offsets (- if there is no close), SIZE is the number of nodes in the subtree. In XML,\n"
    "CHARACTER is the element's name.\n"
    "\n"
    "  -a, --at OFFSET        print the nodes that contain this byte, outermost first\n"
    "  -s, --subtree NODE     print the nodes of a subtree, in the order of the text\n"
    "  -c, --children NODE    print the children of a node\n"
    "                         (without these three: print the roots)\n"
    "  -l, --lang NAME        the language, or xml; by default the file's name decides, else it is text\n"
    "  -b, --brackets PAIRS   use these brackets instead of the language's, such as '()[]{}<>'\n"
    "      --cache            use the index in FILE.bp; write it if it is missing or belongs to another text\n"
    "      --json             print JSON, one object a line\n"
    "      --help             print this\n"
    "\n"
    "FILE - is standard input.\n"
    "Exit code: 0; 1 if there is no such node; 2 for wrong usage or a file that cannot be read.";

typedef struct tree_command {
    enum tree_query {
        ROOTS,
        PATH,
        SUBTREE,
        CHILDREN
    } query;
    uint64_t argument;
    const pm_language *language; /* NULL: by file name */
    const pm_alphabet *alphabet; /* NULL: the language's own */
    bool xml, cache, json;
    const char *path;
} tree_command;

/* A text's brackets, and their index. */
typedef struct text_tree {
    const char *text;
    size_t length, count; /* bytes; brackets */
    uint64_t *parens, *offsets;
    pm_bp *bp;
} text_tree;

/* ---- Printing */

/* Returns the length of the name in the start tag at `begin`. */
static size_t xml_name_length(const char *text, size_t length, size_t begin) {
    size_t end = begin + 1;
    while (end < length && text[end] != '\0' && !strchr(" \t\r\n/>", text[end]))
        end++;
    return end - begin - 1;
}

static void print_node(const tree_command *command, const text_tree *tree, uint64_t node) {
    const uint64_t close = pm_bp_find_close(tree->bp, node), begin = tree->offsets[node];
    const uint64_t number = pm_bp_preorder_rank(tree->bp, node), depth = pm_bp_depth(tree->bp, node);
    const uint64_t size = pm_bp_subtree_size(tree->bp, node);
    char end[24] = "";
    if (close != PM_BP_NONE)
        snprintf(end, sizeof end, "%" PRIu64, tree->offsets[close]);
    if (!command->json) {
        printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\t", number, depth, begin, *end ? end : "-");
        if (command->xml)
            fwrite(&tree->text[begin + 1], 1, xml_name_length(tree->text, tree->length, begin), stdout);
        else
            fputs(byte_show(tree->text[begin]).text, stdout);
        printf("\t%" PRIu64 "\n", size);
        return;
    }
    printf("{\"node\":%" PRIu64 ",\"depth\":%" PRIu64 ",\"begin\":%" PRIu64 ",\"end\":%s,\"%s\":", number, depth, begin,
           *end ? end : "null", command->xml ? "name" : "character");
    if (command->xml)
        json_print_string(&tree->text[begin + 1], xml_name_length(tree->text, tree->length, begin));
    else
        json_print_string(&tree->text[begin], 1);
    printf(",\"size\":%" PRIu64 "}\n", size);
}

/* ---- Queries */

/* Brackets that begin at or before an offset. */
static uint64_t brackets_to(const text_tree *tree, uint64_t offset) {
    size_t low = 0, high = tree->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (tree->offsets[middle] <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_open(const text_tree *tree, uint64_t i) {
    return tree->parens[i / 64] >> i % 64 & 1;
}

/* The innermost node that a byte is in, its brackets included. */
static uint64_t node_at(const text_tree *tree, uint64_t offset) {
    const uint64_t after = brackets_to(tree, offset);
    if (after == 0)
        return PM_BP_NONE;
    const uint64_t last = after - 1;
    if (is_open(tree, last))
        return last;
    const uint64_t closed = pm_bp_find_open(tree->bp, last);
    if (tree->offsets[last] == offset)
        return closed;
    return after < tree->count ? pm_bp_enclose(tree->bp, after) : pm_bp_parent(tree->bp, closed);
}

static int print_path(const tree_command *command, const text_tree *tree) {
    if (command->argument >= tree->length)
        return complain("%s: has %zu bytes, no byte %" PRIu64, source_name(command->path), tree->length,
                        command->argument);
    const uint64_t node = node_at(tree, command->argument);
    if (node == PM_BP_NONE)
        return EXIT_FINE;
    for (uint64_t above = pm_bp_depth(tree->bp, node) + 1; above-- > 0;)
        print_node(command, tree, pm_bp_level_ancestor(tree->bp, node, above));
    return EXIT_FINE;
}

static int print_siblings(const tree_command *command, const text_tree *tree, uint64_t node) {
    for (; node != PM_BP_NONE && !output_failed(); node = pm_bp_next_sibling(tree->bp, node))
        print_node(command, tree, node);
    return EXIT_FINE;
}

static int print_subtree(const tree_command *command, const text_tree *tree, uint64_t node) {
    const uint64_t size = pm_bp_subtree_size(tree->bp, node);
    for (uint64_t k = 0; k < size && !output_failed(); k++)
        print_node(command, tree, pm_bp_preorder_select(tree->bp, command->argument + k));
    return EXIT_FINE;
}

static int answer(const tree_command *command, const text_tree *tree) {
    if (command->query == PATH)
        return print_path(command, tree);
    const uint64_t node = pm_bp_preorder_select(tree->bp, command->query == ROOTS ? 0 : command->argument);
    if (command->query == ROOTS)
        return print_siblings(command, tree, node);
    if (node == PM_BP_NONE) {
        complain("%s: has no node %" PRIu64, source_name(command->path), command->argument);
        return EXIT_NOTHING_FOUND;
    }
    if (command->query == CHILDREN)
        return print_siblings(command, tree, pm_bp_first_child(tree->bp, node));
    return print_subtree(command, tree, node);
}

/* ---- The index */

/* Is there an index at the path, or nothing? All else is another's, also a link. */
static bool is_ours(const char *path) {
    struct stat about;
    if (lstat(path, &about) != 0)
        return true; /* whatever is wrong there, opening it will find out */
    FILE *const file = S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    char begin[sizeof PM_BP_MAGIC - 1];
    const size_t length = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file)
        fclose(file);
    return length == sizeof begin && memcmp(begin, PM_BP_MAGIC, length) == 0;
}

/* Builds the index and saves it. A failure to save it is reported, and queries are answered all the same. */
static pm_status index_rebuild(text_tree *tree, const char *index_path, bool ours) {
    const pm_status status = pm_bp_create(NULL, tree->parens, tree->count, &tree->bp);
    pm_status saved;
    if (status != PM_OK)
        return status;
    if (!ours)
        complain("%s: not an index; left unchanged", index_path);
    else if (errno = 0, (saved = pm_bp_save(tree->bp, index_path)) != PM_OK)
        complain("%s: cannot write the index: %s", index_path, errno != 0 ? strerror(errno) : pm_status_string(saved));
    return PM_OK;
}

static pm_status index_cached(text_tree *tree, const char *path) {
    const size_t length = strlen(path);
    char *const index_path = malloc(length + sizeof ".bp");
    if (!index_path)
        return PM_OUT_OF_MEMORY;
    memcpy(index_path, path, length);
    memcpy(index_path + length, ".bp", sizeof ".bp");
    const bool ours = is_ours(index_path);
    pm_status status = ours ? pm_bp_load(NULL, index_path, tree->parens, tree->count, &tree->bp) : PM_CORRUPT;
    if (status == PM_IO || status == PM_CORRUPT || status == PM_UNSUPPORTED)
        status = index_rebuild(tree, index_path, ours);
    free(index_path);
    return status;
}

/* Finds the brackets of a text that is at hand. */
static pm_status find_brackets(const tree_command *command, text_tree *tree) {
    const pm_status status = pm_text_brackets(NULL, command->language, command->alphabet, tree->text, tree->length, 0,
                                              NULL, NULL, NULL, &tree->count);
    if (status != PM_OK)
        return status;
    tree->parens = malloc((tree->count / 64 + 1) * sizeof *tree->parens);
    tree->offsets = malloc((tree->count + 1) * sizeof *tree->offsets);
    if (!tree->parens || !tree->offsets)
        return PM_OUT_OF_MEMORY;
    return pm_text_brackets(NULL, command->language, command->alphabet, tree->text, tree->length, tree->count,
                            tree->parens, tree->offsets, NULL, &tree->count);
}

/* The same for an XML document's elements; complains and returns false if there is no such tree. */
static bool find_elements(const char *name, text_tree *tree) {
    xml_tree elements;
    const bool read = xml_tree_read(name, tree->text, tree->length, &elements);
    tree->parens = elements.parens;
    tree->offsets = elements.offsets;
    tree->count = elements.count;
    return read;
}

static int answer_text(const tree_command *command, const text_source *source, text_tree *tree) {
    tree->text = source->text;
    tree->length = source->length;
    if (command->xml && !find_elements(source->name, tree))
        return EXIT_TROUBLE;
    pm_status status = command->xml ? PM_OK : find_brackets(command, tree);
    if (status == PM_OK)
        status = command->cache ? index_cached(tree, command->path)
                                : pm_bp_create(NULL, tree->parens, tree->count, &tree->bp);
    return status == PM_OK ? answer(command, tree) : complain("%s: %s", source->name, pm_status_string(status));
}

static int tree_file(const tree_command *command) {
    text_source source;
    if (!source_open(&source, command->path))
        return EXIT_TROUBLE;
    text_tree tree = {0};
    int code = EXIT_TROUBLE;
    if (source_load(&source))
        code = answer_text(command, &source, &tree);
    pm_bp_destroy(tree.bp);
    free(tree.parens);
    free(tree.offsets);
    source_close(&source);
    return code;
}

/* ---- Options */

/* What is asked of the tree, with the option's number. */
static bool choose_query(tree_command *command, enum tree_query query) {
    static const char *const options[] = {[PATH] = "--at", [SUBTREE] = "--subtree", [CHILDREN] = "--children"};
    if (command->query != ROOTS && command->query != query)
        return !complain_usage("tree", "%s and %s exclude each other", options[command->query], options[query]);
    command->query = query;
    return read_number("tree", options[query], optarg, &command->argument);
}

static bool is_xml(const pm_language *language) {
    return language == pm_language_by_name("xml");
}

static bool choose_language(tree_command *command, const char *name) {
    command->language = pm_language_by_name(name);
    command->xml = is_xml(command->language);
    if (!command->language)
        return !complain_usage("tree", "no such language: '%s' (see 'parenmatch languages')", name);
    if (!pm_language_alphabet(command->language) && !command->xml)
        return !complain_usage("tree", "'%s' has delimiters other than xml's, which tree cannot read", name);
    return true;
}

/* With brackets of the user's, a language with delimiters has nothing to add. */
static const pm_language *language_of_brackets(const char *path) {
    const pm_language *const language = pm_language_by_path(path);
    return pm_language_alphabet(language) ? language : pm_language_at(0);
}

/* What follows the options: one file, whose name decides the language if no option does. */
static bool take_files(tree_command *command, int count, char **paths) {
    if (count != 1)
        return !complain_usage("tree", count < 1 ? "no file given" : "more than one file given");
    command->path = paths[0];
    if (!command->language)
        command->language =
            command->alphabet ? language_of_brackets(command->path) : pm_language_by_path(command->path);
    command->xml = is_xml(command->language);
    if (!pm_language_alphabet(command->language) && !command->xml)
        return !complain_usage("tree", "%s: its delimiters are not xml's; for its brackets use --lang text",
                               command->path);
    if (command->cache && strcmp(command->path, "-") == 0)
        return !complain_usage("tree", "--cache needs a file, not standard input");
    if (command->xml && command->alphabet)
        return !complain_usage("tree", "--brackets and xml exclude each other");
    return true;
}

/* Reads the options; returns false, with *code set, when there is nothing more to do. */
static bool read_options(tree_command *command, pm_alphabet *alphabet, int *code, int argc, char **argv) {
    enum {
        OPTION_CACHE = 256,
        OPTION_JSON,
        OPTION_HELP
    };
    static const struct option options[] = {
        {"at", required_argument, NULL, 'a'},
        {"subtree", required_argument, NULL, 's'},
        {"children", required_argument, NULL, 'c'},
        {"lang", required_argument, NULL, 'l'},
        {"brackets", required_argument, NULL, 'b'},
        {"cache", no_argument, NULL, OPTION_CACHE},
        {"json", no_argument, NULL, OPTION_JSON},
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0},
    };
    *code = EXIT_TROUBLE;
    for (int option; (option = getopt_long(argc, argv, "a:s:c:l:b:", options, NULL)) != -1;) {
        switch (option) {
        case 'a':
        case 's':
        case 'c':
            if (!choose_query(command, option == 'a' ? PATH : option == 's' ? SUBTREE : CHILDREN))
                return false;
            break;
        case 'l':
            if (!choose_language(command, optarg))
                return false;
            break;
        case 'b':
            if (!read_alphabet("tree", optarg, alphabet))
                return false;
            command->alphabet = alphabet;
            break;
        case OPTION_CACHE:
            command->cache = true;
            break;
        case OPTION_JSON:
            command->json = true;
            break;
        case OPTION_HELP:
            puts(tree_help);
            *code = EXIT_FINE;
            return false;
        default:
            return !point_to_help("tree");
        }
    }
    return take_files(command, argc - optind, argv + optind);
}

int command_tree(int argc, char **argv) {
    tree_command command = {.query = ROOTS};
    pm_alphabet alphabet;
    int code;
    return read_options(&command, &alphabet, &code, argc, argv) ? tree_file(&command) : code;
}
