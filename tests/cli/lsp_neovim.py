#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Neovim as a client of the language server: it opens a file, breaks it and mends it. lsp_neovim.py PROGRAM"""
import os
import shutil
import subprocess
import sys
import tempfile

SCRIPT = r'''
local function fail(what)
  io.stdout:write('FAILED: ' .. what .. '\n')
  vim.cmd('cquit 1')
end

-- Waits until the diagnostics of the buffer are as wanted: lines, columns and messages.
local function expect(name, wanted)
  local seen
  local function reached()
    seen = {}
    for _, d in ipairs(vim.diagnostic.get(0)) do
      table.insert(seen, string.format('%d:%d %s', d.lnum, d.col, d.message))
    end
    return vim.deep_equal(seen, wanted)
  end
  if not vim.wait(20000, reached, 5) then
    fail(name .. ': ' .. vim.inspect(seen) .. ', not ' .. vim.inspect(wanted))
  end
end

local function request(method, extra)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(), extra or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

vim.cmd('edit ' .. os.getenv('PM_FILE'))
local client = vim.lsp.start_client({ name = 'parenmatch', cmd = { os.getenv('PM_PROGRAM'), 'lsp' },
  root_dir = vim.fn.getcwd() })
if not client or not vim.lsp.buf_attach_client(0, client) then fail('no client') end
if not vim.wait(20000, function() return vim.lsp.buf_is_attached(0, client) and
    vim.lsp.get_client_by_id(client) ~= nil and vim.lsp.get_client_by_id(client).initialized end, 5) then
  fail('not initialized')
end

vim.api.nvim_buf_set_text(0, 3, 4, 3, 5, {})
expect('broken', { '1:11 \'{\' is never closed' })
local actions = request('textDocument/codeAction', { range = { start = { line = 1, character = 11 },
  ['end'] = { line = 1, character = 11 } }, context = { diagnostics = {} } })
vim.api.nvim_buf_set_text(0, 3, 4, 3, 4, { '}' })
expect('mended', {})
vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// é 😀 {', '/* 😀 */ ]', '' })
expect('moved', { '1:11 unmatched \']\'' })
vim.cmd('undo')
expect('undone', {})
vim.api.nvim_win_set_cursor(0, { 1, 18 })
local marks = request('textDocument/documentHighlight')
if not marks or #marks ~= 2 or marks[2].range.start.line ~= 5 then fail('the pair: ' .. vim.inspect(marks)) end
vim.cmd('normal! ggdG')
expect('emptied', {})
vim.cmd('normal! i{[(')
vim.cmd('normal! o)')
expect('typed', { '0:0 \'{\' is never closed', '0:1 \'[\' is never closed' })
vim.cmd('edit! ' .. os.getenv('PM_MARKUP'))
vim.lsp.buf_attach_client(0, client)
vim.api.nvim_buf_set_text(0, 2, 2, 2, 3, { 'c' })
expect('markup broken', { '2:0 \'</c>\' closes \'<b x="é">\'' })
vim.cmd('undo')
expect('markup mended', {})
vim.lsp.stop_client(client)
if not vim.wait(20000, function() return vim.lsp.get_client_by_id(client) == nil end, 5) then fail('it does not end') end
io.stdout:write('fine\n')
vim.cmd('qall!')
'''
CODE = '''int f(int a, b c) {
    if (a) {
        f(a);
    }
    return f("é");
}
'''
MARKUP = '<a>\n<b x="é">\n</b>\n</a>\n'

if not shutil.which('nvim'):
    print('skipped: no neovim here')
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    with open(folder + '/a.c', 'w') as file:
        file.write(CODE)
    with open(folder + '/a.xml', 'w') as file:
        file.write(MARKUP)
    with open(folder + '/test.lua', 'w') as file:
        file.write(SCRIPT)
    environment = dict(os.environ, PM_PROGRAM=os.path.abspath(sys.argv[1]), PM_FILE=folder + '/a.c', PM_MARKUP=folder + '/a.xml',
                       HOME=folder, XDG_STATE_HOME=folder, XDG_CACHE_HOME=folder, LC_ALL='C.UTF-8')
    done = subprocess.run(['nvim', '--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', 'luafile ' + folder + '/test.lua'],
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=200)
output = done.stdout + done.stderr
print(output.decode(errors='replace'))
sys.exit(0 if done.returncode == 0 and b'fine' in output and b'FAILED' not in output else 1)
