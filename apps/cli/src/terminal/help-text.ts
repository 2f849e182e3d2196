/** What `--help` prints. Plain text: the launcher freezes it at build time and loads nothing else. */
export const HELP_TEXT = `Start    wstack, run "prompt", demo
Decide   policy explain|test|lint|diff|status|pull, trust list|revoke
Inspect  session, task, tool, diag
Extend   plugin, mcp, acp
Account  login, logout, whoami, auth, config
Exit     0 done, 1 failed, 2 usage, 3 stopped by policy, 130 interrupted
`;

/** What `?` on an empty prompt shows. */
export const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['Enter', 'send'],
  ['Ctrl-J, Alt-Enter, \\ at the end', 'new line'],
  ['Esc', 'close, decline, interrupt'],
  ['Ctrl-C', 'interrupt; twice while idle quits'],
  ['Ctrl-D', 'quit when the prompt is empty'],
  ['Ctrl-O', 'show the last folded output whole'],
  ['Ctrl-B', 'move the running call to the background'],
  ['Ctrl-G', 'write in your editor'],
  ['Ctrl-R', 'search earlier messages'],
  ['Shift-Tab', 'default or plan mode (YOLO only by /yolo)'],
  ['Tab', 'complete'],
  ['?', 'these keys, when the prompt is empty'],
  ['@ /', 'name a file, run a command'],
];
