import { blankNonCode } from './blank-code.js';
import type { CodeSymbol, SymbolKind } from './code-symbol.js';
import { LEXES, languageOf, type Language } from './languages.js';
import { scopesOf, type Scope } from './scopes.js';

/** Longer ones are generated. */
const MOST_LINE_CHARACTERS = 1000;
const MOST_SYMBOLS = 5000;

/** The declarations of a file, by its name's language; empty where none is known. */
export function extractSymbols(path: string, source: string): readonly CodeSymbol[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  const lines = blankNonCode(source, LEXES[language]).split(/\r\n|\n|\r/);
  const scopes = language === 'python' ? [] : scopesOf(lines);
  const symbols: CodeSymbol[] = [];
  lines.forEach((line, index) => {
    if (line.length > MOST_LINE_CHARACTERS || symbols.length >= MOST_SYMBOLS) return;
    const found = READERS[language](line, scopes[index] ?? 'top');
    if (found !== null) symbols.push({ ...found, line: index + 1 });
  });
  return symbols;
}

type Found = Omit<CodeSymbol, 'line'>;
type LineReader = (line: string, scope: Scope) => Found | null;

/** The first pattern that fits; group 1 is the name. */
function firstOf(line: string, patterns: readonly (readonly [RegExp, SymbolKind])[]): Found | null {
  for (const [pattern, kind] of patterns) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return { name, kind };
  }
  return null;
}

const EXPORT = String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?`;
const SCRIPT_ANYWHERE: readonly (readonly [RegExp, SymbolKind])[] = [
  [new RegExp(String.raw`${EXPORT}(?:abstract\s+)?class\s+([\w$]+)`), 'class'],
  [new RegExp(String.raw`${EXPORT}interface\s+([\w$]+)`), 'interface'],
  [new RegExp(String.raw`${EXPORT}type\s+([\w$]+)\s*[=<]`), 'type'],
  [new RegExp(String.raw`${EXPORT}(?:const\s+)?enum\s+([\w$]+)`), 'enum'],
  [new RegExp(String.raw`${EXPORT}(?:namespace|module)\s+([\w$.]+)\s*\{`), 'module'],
  [new RegExp(String.raw`${EXPORT}(?:async\s+)?function\s*\*?\s*([\w$]+)`), 'function'],
];
const SCRIPT_TOP: readonly (readonly [RegExp, SymbolKind])[] = [
  [
    new RegExp(
      String.raw`${EXPORT}const\s+([\w$]+)\s*(?::[^=]*)?=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=]*)?=>`,
    ),
    'function',
  ],
  [new RegExp(String.raw`${EXPORT}const\s+([\w$]+)`), 'constant'],
  [new RegExp(String.raw`${EXPORT}(?:let|var)\s+([\w$]+)`), 'variable'],
];
const SCRIPT_METHOD =
  /^\s*(?:(?:public|private|protected|static|readonly|override|abstract|async|get|set|declare)\s+)*(?:\*\s*)?(#?[\w$]+)\s*(?:<[^>]*>)?\(/;
const NO_METHOD = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'function', 'super', 'await']);

const PYTHON: readonly (readonly [RegExp, SymbolKind])[] = [
  [/^\s*class\s+(\w+)/, 'class'],
  [/^(?:async\s+)?def\s+(\w+)/, 'function'],
  [/^\s+(?:async\s+)?def\s+(\w+)/, 'method'],
  [/^([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=(?!=)/, 'constant'],
];

const GO: readonly (readonly [RegExp, SymbolKind])[] = [
  [/^func\s+\([^)]*\)\s*(\w+)/, 'method'],
  [/^func\s+(\w+)/, 'function'],
  [/^type\s+(\w+)(?:\[[^\]]*\])?\s+struct\b/, 'struct'],
  [/^type\s+(\w+)(?:\[[^\]]*\])?\s+interface\b/, 'interface'],
  [/^type\s+(\w+)/, 'type'],
  [/^const\s+(\w+)/, 'constant'],
  [/^var\s+(\w+)/, 'variable'],
];

const RUST_START = String.raw`^\s*(?:pub(?:\([^)]*\))?\s+)?`;
const RUST: readonly (readonly [RegExp, SymbolKind])[] = [
  [new RegExp(String.raw`${RUST_START}(?:(?:const|async|unsafe|default|extern)\s+)*fn\s+(\w+)`), 'function'],
  [new RegExp(String.raw`${RUST_START}(?:struct|union)\s+(\w+)`), 'struct'],
  [new RegExp(String.raw`${RUST_START}enum\s+(\w+)`), 'enum'],
  [new RegExp(String.raw`${RUST_START}(?:unsafe\s+)?(?:auto\s+)?trait\s+(\w+)`), 'trait'],
  [new RegExp(String.raw`${RUST_START}type\s+(\w+)`), 'type'],
  [new RegExp(String.raw`${RUST_START}mod\s+(\w+)`), 'module'],
  [new RegExp(String.raw`${RUST_START}(?:const|static)\s+(?:mut\s+)?(\w+)\s*:`), 'constant'],
  [/^\s*macro_rules!\s*(\w+)/, 'macro'],
];

const JAVA_START = String.raw`^\s*(?:@\w+\s+)*(?:(?:public|protected|private|static|final|abstract|sealed|strictfp)\s+)*`;
const JAVA: readonly (readonly [RegExp, SymbolKind])[] = [
  [new RegExp(String.raw`${JAVA_START}(?:class|record)\s+(\w+)`), 'class'],
  [new RegExp(String.raw`${JAVA_START}@?interface\s+(\w+)`), 'interface'],
  [new RegExp(String.raw`${JAVA_START}enum\s+(\w+)`), 'enum'],
];

const READERS: Readonly<Record<Language, LineReader>> = {
  script: (line, scope) => {
    const found = firstOf(line, SCRIPT_ANYWHERE) ?? (scope === 'top' ? firstOf(line, SCRIPT_TOP) : null);
    if (found !== null || scope !== 'class') return found;
    const name = SCRIPT_METHOD.exec(line)?.[1];
    return name === undefined || NO_METHOD.has(name) ? null : { name, kind: 'method' };
  },
  python: (line) => firstOf(line, PYTHON),
  go: (line) => firstOf(line, GO),
  rust: (line, scope) => {
    const found = firstOf(line, RUST);
    return found?.kind === 'function' && scope !== 'top' ? { ...found, kind: 'method' } : found;
  },
  java: (line, scope) => firstOf(line, JAVA) ?? (scope === 'class' ? javaMethod(line) : null),
};

/** Directly in a class, `… name(` before any `=` is a method or a constructor. */
function javaMethod(line: string): Found | null {
  const open = line.indexOf('(');
  if (open === -1) return null;
  const head = line.slice(0, open);
  if (head.includes('=') || head.trimStart().startsWith('@')) return null;
  const name = /([\w$]+)\s*$/.exec(head)?.[1];
  return name === undefined ? null : { name, kind: 'method' };
}
