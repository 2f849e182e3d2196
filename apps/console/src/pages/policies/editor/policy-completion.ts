import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { placeAt } from './place-in-text.js';

/** As much of JSON Schema as a completion needs. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
}

/** Words that a member takes beside what its schema lists: capabilities for `actions`, tools for `tool`. */
export type Words = Readonly<Record<string, readonly string[]>>;

const TYPED = /[\w.*:-]*$/;

/** Names of members, and values where something lists them, at the place of the cursor. */
export function policyCompletion(
  root: SchemaNode,
  words: Words,
): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit }) => {
    const before = state.sliceDoc(0, pos);
    const typed = TYPED.exec(before)?.[0] ?? '';
    if (typed === '' && !explicit) return null;
    const { path, inValue } = placeAt(before.slice(0, before.length - typed.length));
    const node = nodeAt(root, root, path);
    const names = inValue ? [] : membersOf(root, node);
    // In a list below its name both may come: members of an item, or a word.
    const options =
      names.length > 0 ? names : valuesOf(node, words[path.findLast((name) => name !== '-') ?? '']);
    return options.length === 0 ? null : { from: pos - typed.length, options, validFor: /^[\w.*:-]*$/ };
  };
}

function nodeAt(root: SchemaNode, node: SchemaNode, path: readonly string[]): SchemaNode | null {
  const here = followed(root, node);
  const [name, ...rest] = path;
  if (name === undefined) return here;
  const next = name === '-' ? here.items : here.properties?.[name];
  return next === undefined ? null : nodeAt(root, next, rest);
}

function followed(root: SchemaNode, node: SchemaNode): SchemaNode {
  const name = /^#\/definitions\/(\w+)$/.exec(node.$ref ?? '')?.[1];
  const target = name === undefined ? undefined : root.definitions?.[name];
  return target === undefined ? node : followed(root, target);
}

function membersOf(root: SchemaNode, node: SchemaNode | null): readonly Completion[] {
  return Object.entries(node?.properties ?? {}).map(([label, member]) => ({
    label,
    type: 'property',
    apply: `${label}: `,
    detail: followed(root, member).description ?? '',
  }));
}

function valuesOf(node: SchemaNode | null, words: readonly string[] = []): readonly Completion[] {
  const listed = node?.enum ?? (node?.const === undefined ? [] : [node.const]);
  const known = node?.type === 'boolean' ? [true, false] : listed;
  return [...new Set([...known.map(String), ...words])].map((label) => ({ label, type: 'enum' }));
}
