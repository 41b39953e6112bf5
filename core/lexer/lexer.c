/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer: a state machine that looks only at bytes which may matter.
 *
 * A table gives every byte its class, one bit for each question: is it a bracket? may it end a run of ordinary code?
 * may it matter inside a region of this sort? For 64 bytes the answers to one question are one word, so a run is passed
 * over by finding the next bit that is set. The byte found there is read by the function of the state; it
 * returns true if it took the byte, false if the byte is to be read again in the state that it changed to.
 */
#include "core/lexer/parts.h"

#include <string.h>

/* ---- Classes of bytes ---- */

static void class_add(pmi_lexer *lexer, const char *bytes, unsigned class) {
    for (; *bytes; bytes++)
        lexer->class_of[(unsigned char)*bytes] |= (uint8_t)(1u << class);
}

static void stops_add(bool *stops, const char *bytes) {
    for (; *bytes; bytes++)
        stops[(unsigned char)*bytes] = true;
}

/* Notes the bytes that matter inside a region. Ruby's strings share a class, which leaves some for other things. */
static void region_stops(const pm_language *language, const pmi_region *region, bool *stops) {
    if (language->code & PM_CODE_RUBY && (region->flags & (PM_REGION_ESCAPES | PM_REGION_REGEX)) == PM_REGION_ESCAPES)
        stops_add(stops, "\"'`\\#");
    if (region->close)
        stops_add(stops, (const char[]){region->close[0], 0});
    if (region->flags & PM_REGION_NESTS)
        stops_add(stops, (const char[]){region->open[0], 0});
    if (region->flags & (PM_REGION_LINE | PM_REGION_HEREDOC))
        stops_add(stops, "\n");
    if (region->flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED))
        stops_add(stops, region->flags & PM_REGION_AMPERSAND ? "&" : "\\");
    if (region->flags & PM_REGION_REGEX)
        stops_add(stops, "[]");
    if (region->flags & PM_REGION_TEMPLATE)
        stops_add(stops, (const char[]){region->code[region->code[0] == ' '], 0});
    if (region->flags & PM_REGION_JSX)
        stops_add(stops, "<{}");
}

/* Gives the regions classes. Those with the same bytes share one, and those without any the last one. Languages may
 * have more than there are bits left: what shares one of these stops at each other's bytes too, which costs time,
 * nothing else. */
static void region_classes_set(pmi_lexer *lexer) {
    const unsigned most = PM_PIECE_CLASSES - PM_LEXER_ENDS_REGION;
    bool stops[PM_PIECE_CLASSES - PM_LEXER_ENDS_REGION][256] = {{0}};
    static const bool nothing[256];
    unsigned count = 0, more = 0;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        bool wanted[256] = {0};
        unsigned k = 0;
        region_stops(lexer->language, &lexer->language->regions[r], wanted);
        if (memcmp(wanted, nothing, sizeof wanted) == 0) {
            lexer->region_class[r] = PM_PIECE_CLASSES;
            continue;
        }
        while (k < count && memcmp(stops[k], wanted, sizeof wanted) != 0)
            k++;
        if (k == most)
            k = more++ % most;
        else if (k == count)
            count++;
        for (unsigned byte = 0; byte < 256; byte++) {
            stops[k][byte] |= wanted[byte];
            lexer->class_of[byte] |= (uint8_t)(wanted[byte] << (PM_LEXER_ENDS_REGION + k));
        }
        lexer->region_class[r] = (uint8_t)(PM_LEXER_ENDS_REGION + k);
    }
    lexer->classes = PM_LEXER_ENDS_REGION + (count < most ? count + 1 : count);
    for (size_t r = 0; r < lexer->language->region_count; r++)
        if (lexer->region_class[r] >= lexer->classes)
            lexer->region_class[r] = (uint8_t)(lexer->classes - 1);
}

static void class_add_region(pmi_lexer *lexer, const pmi_region *region) {
    if (region->open)
        class_add(lexer, (const char[]){region->open[0], 0}, PM_LEXER_ENDS_CODE);
    if ((region->flags & PM_REGION_LONG) && !region->open)
        class_add(lexer, "[", PM_LEXER_ENDS_CODE);
    if (region->flags & PM_REGION_TEMPLATE)
        class_add(lexer, strchr(region->code, '(') ? "(){}" : "{}", PM_LEXER_ENDS_TEMPLATE_CODE);
    if (region->flags & PM_REGION_HEREDOC)
        class_add(lexer, "\n", PM_LEXER_ENDS_TEMPLATE_CODE);
    if (region->flags & PM_REGION_HASHED)
        class_add(lexer, "#", PM_LEXER_ENDS_CODE);
    if (region->flags & PM_REGION_JSX) {
        class_add(lexer, "<", PM_LEXER_ENDS_CODE);
        class_add(lexer, "{}", PM_LEXER_ENDS_TEMPLATE_CODE);
    }
}

/* The bytes that end a run of code in languages with such code. */
static const struct {
    unsigned code;
    const char *bytes;
} code_ends[] = {
    {PM_CODE_DIRECTIVES, "#"}, {PM_CODE_ESCAPES, "\\"},  {PM_CODE_CHARACTERS, "?"},
    {PM_CODE_HEREDOCS, "<"},   {PM_CODE_RUBY, "%?"},     {PM_CODE_SIGILS, "~?"},
    {PM_CODE_DOLLAR, "$"},     {PM_CODE_BACKTICKS, "`"}, {PM_CODE_PERL, "$([{</!|#,:;+~'\"^%@"},
};

/* Does the byte end a run of code although it is a bracket? What it may begin is so made that it counts anyway. */
static bool counts_anyway(const pm_language *language, unsigned char byte) {
    if ((language->code & (PM_CODE_SHELL | PM_CODE_PERL)) && byte && strchr("()[]{", byte))
        return true;
    for (size_t r = 0; r < language->region_count; r++) {
        const pmi_region *const region = &language->regions[r];
        if (((region->flags & PM_REGION_LONG) && !region->open && byte == '[') ||
            ((region->flags & PM_REGION_BRACKET) && (unsigned char)region->open[0] == byte))
            return true;
    }
    return false;
}

static void start_classes_set(pmi_lexer *lexer) {
    for (unsigned byte = 0; byte < 256; byte++)
        lexer->class_of[byte] |= (uint8_t)(pmi_byte_is_space((unsigned char)byte) << PM_LEXER_BLANK);
    for (const char *start = "=_"; *start; start++) {
        lexer->class_of[(unsigned char)*start] &= (uint8_t) ~(1u << PM_LEXER_ENDS_CODE);
        lexer->class_of[(unsigned char)*start] |= 1u << PM_LEXER_STARTS;
    }
    lexer->classes = PM_PIECE_CLASSES;
}

static void fill_classes(pmi_lexer *lexer, const pm_alphabet *alphabet) {
    const pm_language *const language = lexer->language;
    region_classes_set(lexer);
    for (size_t r = 0; r < language->region_count; r++)
        class_add_region(lexer, &language->regions[r]);
    for (size_t k = 0; k < sizeof code_ends / sizeof *code_ends; k++)
        if (language->code & code_ends[k].code)
            class_add(lexer, code_ends[k].bytes, PM_LEXER_ENDS_CODE);
    for (unsigned byte = 0; byte < 256; byte++)
        if (alphabet->role[byte] != PM_ROLE_NEUTRAL &&
            (!(lexer->class_of[byte] >> PM_LEXER_ENDS_CODE & 1) || counts_anyway(language, (unsigned char)byte)))
            lexer->class_of[byte] |= 1u << PM_LEXER_BRACKET;
    if (language->code & PM_CODE_RUBY)
        start_classes_set(lexer);
    if (lexer->region_flags & PM_REGION_YAML)
        pmi_lexer_yaml_classes(lexer);
    if (language->code & PM_CODE_SHELL)
        pmi_lexer_shell_classes(lexer);
    if (language->code & PM_CODE_PERL)
        pmi_lexer_perl_classes(lexer);
}

/* ---- Reading ---- */

/* Bit k of the result: the lowest bit of byte k. */
static uint64_t lowest_bits_of(uint64_t bytes) {
    const uint64_t lowest_bits = UINT64_C(0x0101010101010101);
    const uint64_t gather = UINT64_C(0x0102040810204080); /* takes bit 8k to bit 56 + k, and no two bits to one place */
    return (bytes & lowest_bits) * gather >> 56;
}

/* Computes the masks of n <= 64 bytes. */
static void classify_bytes(uint64_t *masks, unsigned classes, const uint8_t *class_of, const unsigned char *text,
                           size_t n) {
    for (unsigned c = 0; c < classes; c++)
        masks[c] = 0;
    for (size_t i = 0; i < n; i += 8) {
        const unsigned length = n - i < 8 ? (unsigned)(n - i) : 8;
        uint64_t eight = 0; /* classes, that of the first byte lowest */
        for (unsigned k = 0; k < length; k++)
            eight |= (uint64_t)class_of[text[i + k]] << 8 * k;
        for (unsigned c = 0; eight != 0 && c < classes; c++)
            masks[c] |= lowest_bits_of(eight >> c) << i;
    }
}

static void lexer_reset(pmi_lexer *lexer) {
    lexer->out_of_memory = false;
    lexer->position = lexer->begin = 0;
    lexer->state = PM_LEXER_CODE;
    pmi_lexer_history_init(&lexer->history);
    lexer->braces = 0;
    lexer->heredoc_count = lexer->case_count = lexer->parts = 0;
    lexer->verdict = PM_LEXER_AS_READ;
    lexer->start = 0;
    if (lexer->region_flags & PM_REGION_YAML)
        lexer->yaml = (pmi_yaml){.column = 1};
    if (lexer->region_flags & PM_REGION_OUTSIDE)
        pmi_lexer_region_enter_flagged(lexer, PM_REGION_OUTSIDE);
}

/* Notes which flags the regions have. */
static void fill_flags(pmi_lexer *lexer) {
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        lexer->region_flags |= lexer->language->regions[r].flags;
        for (uint32_t rest = lexer->language->regions[r].flags; rest != 0; rest &= rest - 1)
            lexer->flagged[pmi_bits_lowest(rest)] = (uint8_t)(r + 1);
    }
}

/* What stands before such a region, or its first byte, decides whether it begins. */
#define CONDITIONS                                                                                                     \
    (PM_REGION_FIRST | PM_REGION_START | PM_REGION_WORD | PM_REGION_NOT | PM_REGION_REGEX | PM_REGION_NOTHING)

/* Notes which regions a byte opens. */
static void fill_opens(pmi_lexer *lexer) {
    const pm_language *const language = lexer->language;
    for (size_t r = 0; r < language->region_count; r++)
        if (language->regions[r].open)
            lexer->opened_by[(unsigned char)language->regions[r].open[0]] |= UINT32_C(1) << r;
    for (size_t r = 0; r < language->region_count; r++) {
        const pmi_region *const region = &language->regions[r];
        if (region->open && region->open[1] == 0 && !region->prefix && !(region->flags & CONDITIONS) &&
            lexer->opened_by[(unsigned char)region->open[0]] == UINT32_C(1) << r)
            lexer->alone[(unsigned char)region->open[0]] = (uint8_t)(r + 1);
    }
}

/* What the lexer asks about every byte that ends a run of code, in the languages that have it alone. */
#define SPECIAL_CODE (PM_CODE_HEREDOCS | PM_CODE_RUBY | PM_CODE_SIGILS | PM_CODE_SHELL | PM_CODE_DOLLAR | PM_CODE_PERL)
#define SPECIAL_REGIONS (PM_REGION_TEMPLATE | PM_REGION_LONG | PM_REGION_HEREDOC | PM_REGION_JSX)

/* Does what a byte of code means depend on code before it? PHP's heredocs begin wherever they stand. */
static bool remembers(const pmi_lexer *lexer) {
    const unsigned asking =
        PM_REGION_REGEX | PM_REGION_DELIMITED | PM_REGION_HASHED | PM_REGION_TICK | PM_REGION_WORD | PM_REGION_START;
    bool prefixes = false;
    for (size_t r = 0; r < lexer->language->region_count; r++)
        prefixes |= lexer->language->regions[r].prefix && !(lexer->language->regions[r].flags & PM_REGION_HEREDOC);
    return lexer->language->code & ~(PM_CODE_ESCAPES | PM_CODE_HEREDOCS) || lexer->region_flags & asking || prefixes;
}

void pmi_lexer_init(pmi_lexer *lexer, const pm_language *language, const pm_alphabet *alphabet,
                    const pm_allocator *allocator) {
    memset(lexer, 0, sizeof *lexer);
    lexer->language = language;
    fill_flags(lexer);
    fill_opens(lexer);
    fill_classes(lexer, alphabet);
    lexer->special = language->code & SPECIAL_CODE || lexer->region_flags & SPECIAL_REGIONS;
    pmi_lexer_ahead_init(lexer);
    pmi_lexer_strings_init(lexer);
    lexer->remembers = remembers(lexer);
    pmi_stack_init(&lexer->templates, allocator, sizeof(pmi_lexer_template));
    lexer_reset(lexer);
}

void pmi_lexer_restart(pmi_lexer *lexer) {
    const uint64_t position = lexer->position;
    if (lexer->templates.bottom)
        pmi_stack_clear(&lexer->templates);
    lexer_reset(lexer);
    lexer->position = lexer->begin = lexer->start = position;
}

void pmi_lexer_clear(pmi_lexer *lexer) {
    pmi_stack_clear(&lexer->templates);
    lexer_reset(lexer);
}

static pm_status brackets_of_outside(const pmi_lexer *lexer, const pmi_lexer_masks *piece, uint64_t *outside) {
    const size_t words = pmi_bits_words(piece->n), classes = piece->classes;
    const uint64_t *const of = piece->masks + PM_LEXER_BRACKET;
    for (size_t w = 0; w < words; w++)
        outside[w] &= of[classes * w];
    return lexer->out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
}

pm_status pmi_lexer_scan_piece(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece,
                               uint64_t *brackets) {
    memset(brackets, 0, pmi_bits_words(piece->n) * sizeof *brackets);
    pmi_lexer_scan_range(lexer, text, piece, 0, piece->n, brackets);
    return brackets_of_outside(lexer, piece, brackets);
}

pm_status pmi_lexer_scan_records(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece,
                                 const pmi_text_records *records, uint64_t *brackets, size_t *cut) {
    uint64_t start;
    char byte;
    *cut = records->count;
    memset(brackets, 0, pmi_bits_words(piece->n) * sizeof *brackets);
    if (lexer->region_flags & PM_REGION_YAML && records->count > 0) {
        pmi_lexer_yaml_records(lexer, text, piece, records, brackets, cut);
        return brackets_of_outside(lexer, piece, brackets);
    }
    for (size_t r = 0, begin = 0; r < records->count && !lexer->out_of_memory; r++) {
        pmi_lexer_scan_last(lexer, text, piece, begin, records->ends[r], brackets);
        if (*cut > r && pmi_lexer_inside(lexer, &start, &byte))
            *cut = r;
        if (lexer->out_of_memory)
            break;
        lexer->position += records->skipped;
        pmi_lexer_restart(lexer);
        begin = pmi_text_records_next(records, r);
    }
    return brackets_of_outside(lexer, piece, brackets);
}

bool pmi_lexer_lines_are_apart(const pmi_lexer *lexer) {
    return !(lexer->region_flags & PM_REGION_YAML) && !(lexer->language->code & PM_CODE_PERL) &&
           !(lexer->class_of['\n'] >> PM_LEXER_BRACKET & 1);
}

/* May a byte begin what stands only where a text begins, behind a byte order mark perhaps? */
static bool begins_text(const pmi_lexer *lexer, unsigned char byte) {
    bool begins = false;
    for (uint32_t rest = lexer->region_flags & PM_REGION_FIRST ? lexer->opened_by[byte] : 0; rest != 0;
         rest &= rest - 1)
        begins |= lexer->language->regions[pmi_bits_lowest(rest)].flags & PM_REGION_FIRST;
    return begins || byte == 0xef;
}

static bool begins_comment(const pmi_lexer *lexer, unsigned char byte) {
    bool begins = false;
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1)
        begins |= lexer->language->regions[pmi_bits_lowest(rest)].flags & PM_REGION_COMMENT;
    return begins;
}

/* May the first byte of a record's code mean something else behind another line than in a text's first one? What such a
 * byte asks of the history is then the first thing that it holds behind the newline; others ask for less. */
static bool asks_line_before(const pmi_lexer *lexer, const unsigned char *record, size_t n) {
    const unsigned asking = PM_REGION_REGEX | PM_REGION_JSX | PM_REGION_PAIRED | PM_REGION_HEREDOC;
    size_t i = 0;
    if (!(lexer->region_flags & asking))
        return false;
    while (i < n && pmi_byte_is_space(record[i]))
        i++;
    if (i == n)
        return false;
    const bool line = record[i] == '/' ? n - i > 1 && record[i + 1] == '/' : begins_comment(lexer, record[i]);
    if (line) /* behind which other code may begin */
        return memchr(record + i, '\n', n - i) != NULL;
    return record[i] == '/' || record[i] == '%' || record[i] == '?' || record[i] == '<';
}

/* Does a line end in R" and what may be the delimiter of a raw string? */
static bool ends_in_delimiter(const unsigned char *line, size_t n) {
    for (size_t k = n; k > 1 && n - k <= PM_RAW_DELIMITER; k--) {
        const unsigned char byte = line[k - 1];
        if (byte == '"' && line[k - 2] == 'R')
            return true;
        if (byte == '(' || byte == ')' || byte == '\\' || pmi_byte_is_space(byte))
            return false;
    }
    return false;
}

/* Does a line end in <T, <T> and the like, which may be an element or type parameters? */
static bool ends_in_type(const unsigned char *line, size_t n) {
    while (n > 0 && (pmi_byte_in_name(line[n - 1]) || pmi_byte_is_space(line[n - 1]) || line[n - 1] == '>'))
        n--;
    return n > 0 && line[n - 1] == '<';
}

/* Is it for what follows the line to say what it ends with, be that only the newline? */
static bool ends_undecided(const pmi_lexer *lexer, const unsigned char *line, size_t n) {
    size_t code = n;
    while (code > 0 && pmi_byte_is_space(line[code - 1])) /* with the newline they are one blank of the history */
        code--;
    return (code > 0 && line[code - 1] == '\\') ||
           (lexer->region_flags & PM_REGION_DELIMITED && ends_in_delimiter(line, n)) ||
           (lexer->region_flags & PM_REGION_JSX && ends_in_type(line, n));
}

/* Returns the byte behind the last ?> of a line of PHP, of whose code the last byte is `newest`; 0: the line may end in
 * code. The ? is code, unless a comment ends there; of what begins a string or comment the first byte may be. */
static size_t behind_code(const pmi_lexer *lexer, const unsigned char *text, size_t newest, size_t last) {
    if (text[newest] == '?' && text[newest + 1] == '>')
        return newest + 2;
    const bool begins = text[newest] == '/' || text[newest] == '#';
    if (!begins && lexer->opened_by[text[newest]])
        return 0;
    size_t i = newest + !begins;
    if (text[i] != '#' && !(text[i] == '/' && text[i + 1] == '/'))
        return 0;
    while (i < last && text[i] != '\n' && !(text[i] == '?' && text[i + 1] == '>'))
        i++;
    return i < last && text[i] == '?' ? i + 2 : 0;
}

/* Does a line of PHP end outside of code, if it began there? */
static bool ends_outside(const pmi_lexer *lexer, const unsigned char *text, size_t begin, size_t last,
                         const uint64_t *outside) {
    size_t w = last / PM_WORD_BITS, behind = begin;
    uint64_t code = outside[w] & pmi_bits_low(last % PM_WORD_BITS);
    while (code == 0 && w > begin / PM_WORD_BITS)
        code = outside[--w];
    const size_t newest = code ? w * PM_WORD_BITS + pmi_bits_highest(code) : 0;
    const bool left = code && newest >= begin; /* the part outside with which it begins */
    if (left)
        behind = behind_code(lexer, text, newest, last);
    if (outside[last / PM_WORD_BITS] >> last % PM_WORD_BITS & 1 || (left && behind == 0))
        return false;
    for (size_t i = behind; i < last; i++)
        if (text[i] == '<' && text[i + 1] == '?')
            return false;
    return true;
}

/* Has a record of such a language, which ends with byte `last`, been read as it stands alone, and so the next one? */
static bool is_apart(const pmi_lexer *lexer, const unsigned char *text, size_t begin, size_t last,
                     const uint64_t *outside) {
    if (text[last] != '\n' || begins_text(lexer, text[begin]))
        return false;
    if (lexer->region_flags & PM_REGION_OUTSIDE)
        return ends_outside(lexer, text, begin, last, outside);
    return outside[last / PM_WORD_BITS] >> last % PM_WORD_BITS & 1 &&
           !ends_undecided(lexer, text + begin, last - begin) &&
           !(begin > 0 && asks_line_before(lexer, text + begin, last - begin));
}

size_t pmi_lexer_count_apart(const pmi_lexer *lexer, const unsigned char *text, const pmi_text_records *records,
                             const uint64_t *outside) {
    for (size_t r = 0, begin = 0, next; r < records->count; r++, begin = next) {
        next = pmi_text_records_next(records, r);
        if (next > begin && !is_apart(lexer, text, begin, next - 1, outside))
            return r;
    }
    return records->count;
}

pm_status pmi_lexer_scan_lines(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece,
                               const pmi_text_records *records, const uint64_t *lines, uint64_t *brackets,
                               size_t *apart) {
    const uint64_t begin = lexer->position;
    for (size_t w = 0; w < pmi_bits_words(piece->n); w++)
        brackets[w] = 0;
    lexer->lines = lines;
    lexer->unclear = false;
    pmi_lexer_scan_range(lexer, text, piece, 0, pmi_text_records_next(records, records->count - 1), brackets);
    lexer->lines = NULL;
    *apart = lexer->unclear ? 0 : pmi_lexer_count_apart(lexer, text, records, brackets);
    const pm_status status = brackets_of_outside(lexer, piece, brackets);
    lexer->position = *apart == records->count ? lexer->position : begin;
    if (status == PM_OK)
        pmi_lexer_restart(lexer);
    return status;
}

pm_status pmi_lexer_scan(pmi_lexer *lexer, const unsigned char *text, size_t n, uint64_t *brackets) {
    uint64_t masks[PM_PIECE_CLASSES];
    *brackets = 0;
    classify_bytes(masks, lexer->classes, lexer->class_of, text, n);
    return pmi_lexer_scan_piece(lexer, text, &(pmi_lexer_masks){masks, lexer->classes, n}, brackets);
}

bool pmi_lexer_quotes(const pmi_lexer *lexer, unsigned char *quote) {
    const pm_language *language = lexer->language;
    if (language->region_count != 1 || language->code != 0)
        return false;
    const pmi_region *region = &language->regions[0];
    if (region->flags != PM_REGION_ESCAPES || strlen(region->open) != 1 || strcmp(region->open, region->close) != 0)
        return false;
    *quote = (unsigned char)region->open[0];
    return true;
}

void pmi_lexer_quoted(pmi_lexer *lexer, size_t n, bool inside, bool escaped, uint64_t start) {
    lexer->position += n;
    lexer->state = PM_LEXER_CODE;
    if (!inside)
        return;
    lexer->start = start;
    lexer->first = (unsigned char)lexer->language->regions[0].open[0];
    pmi_lexer_region_enter(lexer, &lexer->language->regions[0]);
    lexer->escape = escaped ? PM_LEXER_ESCAPE : PM_LEXER_UNESCAPED;
}

static bool begun(const pmi_lexer *lexer, bool in_region, uint64_t *offset, char *byte) {
    const pmi_lexer_template *outermost = pmi_stack_bottom(&lexer->templates);
    if (!outermost && !in_region)
        return false;
    *offset = outermost ? outermost->start : lexer->start;
    *byte = (char)(outermost ? outermost->first : lexer->first);
    return true;
}

static bool in_region(const pmi_lexer *lexer, bool perhaps) {
    if (lexer->state == PM_LEXER_REGION && (lexer->region->flags & PM_REGION_YAML))
        return pmi_lexer_yaml_inside(&lexer->yaml, perhaps);
    if (lexer->state == PM_LEXER_REGION && (lexer->region->flags & PM_REGION_HEREDOC) && lexer->heredoc_count == 1 &&
        pmi_lexer_heredoc_ended(lexer) && !perhaps)
        return false;
    return lexer->state == PM_LEXER_RAW_DELIMITER ||
           (lexer->state == PM_LEXER_REGION && !(lexer->region->flags & (PM_REGION_LINE | PM_REGION_REST)));
}

bool pmi_lexer_inside(const pmi_lexer *lexer, uint64_t *offset, char *byte) {
    return begun(lexer, in_region(lexer, false), offset, byte);
}

bool pmi_lexer_perhaps_inside(const pmi_lexer *lexer, uint64_t *offset, char *byte) {
    const bool code_may_follow = lexer->state == PM_LEXER_REGION && (lexer->region->flags & PM_REGION_TEMPLATE);
    const bool part_may_follow =
        lexer->state == PM_LEXER_SECOND_PART || lexer->state == PM_LEXER_SECOND_COMMENT; /* which began there, too */
    const bool perhaps =
        lexer->state == PM_LEXER_CLOSED || lexer->state == PM_LEXER_LONG || code_may_follow || part_may_follow;
    return begun(lexer, perhaps || in_region(lexer, true), offset, byte);
}
