/* SPDX-License-Identifier: Apache-2.0 */
/* The words behind which an operand follows, and so a slash begins a regular expression. WORD is a macro that takes
 * each of them; the numbers are their lengths. */
#ifndef PM_BROADWORD_TEXT_OPERAND_WORDS_H
#define PM_BROADWORD_TEXT_OPERAND_WORDS_H

/* In JavaScript, and in Ruby. */
#define PM_OPERAND_WORDS_2(WORD) WORD("do") WORD("in") WORD("of")
#define PM_OPERAND_WORDS_3(WORD) WORD("new")
#define PM_OPERAND_WORDS_4(WORD) WORD("case") WORD("else") WORD("void")
#define PM_OPERAND_WORDS_5(WORD) WORD("await") WORD("throw") WORD("yield")
#define PM_OPERAND_WORDS_6(WORD) WORD("delete") WORD("return") WORD("typeof")
#define PM_OPERAND_WORDS_7(WORD) WORD("extends")
#define PM_OPERAND_WORDS_10(WORD) WORD("instanceof")

/* In Ruby alone: they may be names in JavaScript, or have a parenthesis behind them. */
#define PM_OPERAND_WORDS_RUBY_2(WORD) WORD("if") WORD("or")
#define PM_OPERAND_WORDS_RUBY_3(WORD) WORD("and") WORD("not")
#define PM_OPERAND_WORDS_RUBY_4(WORD) WORD("then") WORD("when")
#define PM_OPERAND_WORDS_RUBY_5(WORD) WORD("elsif") WORD("until") WORD("while")
#define PM_OPERAND_WORDS_RUBY_6(WORD) WORD("unless")

/* The letters that stand before the last one in these words, a bit each from a on: by the last one, from a to z. */
#define PM_OPERAND_LETTER(letter) (UINT32_C(1) << ((letter) - 'a'))
#define PM_OPERAND_LETTERS(a, b, c) (PM_OPERAND_LETTER(a) | PM_OPERAND_LETTER(b) | PM_OPERAND_LETTER(c))
#define PM_OPERAND_ENDINGS                                                                                             \
    {                                                                                                                  \
        0, 0, 0, /* d */ PM_OPERAND_LETTERS('i', 'l', 'n'), /* e */ PM_OPERAND_LETTERS('l', 's', 't'),                 \
            /* f */ PM_OPERAND_LETTERS('i', 'o', 'o'), 0, 0, 0, 0, 0, /* l */ PM_OPERAND_LETTER('i'), 0,               \
            /* n */ PM_OPERAND_LETTERS('e', 'i', 'r'), /* o */ PM_OPERAND_LETTER('d'), 0, 0,                           \
            /* r */ PM_OPERAND_LETTER('o'), /* s */ PM_OPERAND_LETTERS('d', 's', 's'),                                 \
            /* t */ PM_OPERAND_LETTERS('i', 'l', 'o'), 0, 0, /* w */ PM_OPERAND_LETTERS('e', 'o', 'o'), 0, 0, 0        \
    }

#endif
