import type { Lexis } from './blank-code.js';

export type Language = 'script' | 'python' | 'go' | 'rust' | 'java';

const EXTENSIONS: Readonly<Record<string, Language>> = {
  ts: 'script',
  tsx: 'script',
  mts: 'script',
  cts: 'script',
  js: 'script',
  jsx: 'script',
  mjs: 'script',
  cjs: 'script',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
};

/** By the name of the file; undefined = its text is indexed, and no symbols. */
export function languageOf(path: string): Language | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

const C_LIKE: Lexis = {
  lineComment: '//',
  blockComments: 'plain',
  quotes: ['"', "'"],
  longQuotes: [],
  backtick: 'none',
  regex: false,
  rust: false,
};

export const LEXES: Readonly<Record<Language, Lexis>> = {
  script: { ...C_LIKE, backtick: 'template', regex: true },
  python: { ...C_LIKE, lineComment: '#', blockComments: 'none', longQuotes: ['"""', "'''"] },
  go: { ...C_LIKE, backtick: 'raw' },
  rust: { ...C_LIKE, blockComments: 'nested', quotes: ['"'], rust: true },
  java: { ...C_LIKE, longQuotes: ['"""'] },
};
