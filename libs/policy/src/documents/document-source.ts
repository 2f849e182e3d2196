import { WrongStackError } from '@wrongstack/contracts';
import type { Document, Node } from 'yaml';

/** Where something stands in a text; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Why a text is no policy, in its parts. */
export class InvalidDocument extends WrongStackError {
  constructor(
    file: string,
    readonly place: Place | null,
    readonly pointer: string,
    readonly what: string,
    readonly next: string,
  ) {
    const at = `${file}${place === null ? '' : `:${place.line}`}${pointer === '' ? '' : ` ${pointer}`}`;
    super('policy.invalid', `${at} ${what}: ${next}`, { path: pointer });
  }
}

/** A document text as plain data, and where each of its fields stands. */
export interface DocumentSource {
  readonly value: unknown;
  /** `''` is the document, `/rules/3/effect` a field. Null when there is no such place. */
  placeOf(pointer: string): Place | null;
}

/** Policies are written by people: more than this is not one. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024;

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * YAML 1.2 (core schema) or JSON, without anything that makes a text mean more than it shows: no aliases, anchors, tags,
 * merge keys, duplicate keys, second documents or directives. Throws `policy.invalid`.
 */
export async function readDocumentSource(text: string, file: string): Promise<DocumentSource> {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) {
    throw invalid(file, null, '', 'is larger than 1 MiB', 'split it');
  }
  if (/\.json$/i.test(file)) checkJson(text, file);
  // Loaded when the first document is read: most runs have none.
  const yaml = await import('yaml');
  const counter = new yaml.LineCounter();
  const parsed = parse(text, file, () =>
    yaml.parseAllDocuments(text, {
      version: '1.2',
      schema: 'core',
      strict: true,
      uniqueKeys: true,
      stringKeys: true,
      merge: false,
      customTags: null,
      resolveKnownTags: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter: counter,
    }),
  );
  const documents = Array.isArray(parsed) ? (parsed as readonly Document.Parsed[]) : [];
  const [document, ...others] = documents;
  if (document === undefined || document.contents === null) {
    throw invalid(file, null, '', 'is empty', 'remove the file, or write a policy into it');
  }
  const placeAt = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  if (others.length > 0) throw invalid(file, null, '', 'holds several documents', 'use one file a policy');
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) {
    throw invalid(file, placeAt(problem.pos[0]), '', firstLine(problem.message), 'correct the text');
  }
  checkNodes(yaml, document, (offset, reason) => {
    throw invalid(file, placeAt(offset), '', reason, 'write it out');
  });
  return {
    value: document.toJS({ maxAliasCount: 0 }) as unknown,
    placeOf: (pointer) => placeOf(document, pointer, placeAt),
  };
}

/** One line: file, line, field, what is wrong, what to do. */
export function invalid(
  file: string,
  place: Place | null,
  pointer: string,
  what: string,
  next: string,
): InvalidDocument {
  return new InvalidDocument(file, place, pointer, what, next);
}

function parse<T>(_text: string, file: string, run: () => T): T {
  try {
    return run();
  } catch {
    // Nesting that overflows the parser's stack.
    throw invalid(file, null, '', 'is nested too deeply', 'flatten it');
  }
}

function checkJson(text: string, file: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw invalid(
      file,
      at === undefined ? null : placeIn(text, Number(at)),
      '',
      'is no JSON',
      'correct the text',
    );
  }
}

function placeIn(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

type Yaml = typeof import('yaml');

function checkNodes(
  yaml: Yaml,
  document: Document.Parsed,
  refuse: (offset: number, reason: string) => never,
): void {
  yaml.visit(document, {
    Node: (_key, node) => {
      const offset = node.range?.[0] ?? 0;
      if (yaml.isAlias(node)) refuse(offset, `alias *${node.source}`);
      if ('anchor' in node && node.anchor !== undefined) refuse(offset, `anchor &${node.anchor}`);
      // An untagged node has no tag, or the one that the core schema gave it.
      if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:'))
        refuse(offset, `tag ${node.tag}`);
    },
    Pair: (_key, pair) => {
      const key: unknown = yaml.isScalar(pair.key) ? pair.key.value : pair.key;
      const offset = yaml.isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
      if (typeof key !== 'string') refuse(offset, 'a key that is no text');
      if (FORBIDDEN_KEYS.has(key)) refuse(offset, `key ${key} is never allowed`);
    },
  });
}

function placeOf(
  document: Document.Parsed,
  pointer: string,
  placeAt: (offset: number) => Place,
): Place | null {
  const names = pointer.split('/').slice(1);
  for (let length = names.length; length >= 0; length--) {
    const path = names.slice(0, length).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const node = nodeAt(document, path);
    if (node?.range != null) return placeAt(node.range[0]);
  }
  return null;
}

function nodeAt(document: Document.Parsed, path: readonly string[]): Node | null {
  const found: unknown = path.length === 0 ? document.contents : document.getIn(path.map(toKey), true);
  return typeof found === 'object' && found !== null && 'range' in found ? (found as Node) : null;
}

function toKey(name: string): string | number {
  return /^\d+$/.test(name) ? Number(name) : name;
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/[.:]\s*$/, '') ?? message;
}
