import { canonicalJson } from '@wrongstack/contracts';
import { type McpDefinition, record } from '../tools/mcp-definition.js';
import { cleanText } from '../tools/untrusted-text.js';

const MOST = 160;

/** What is different between two definitions of a tool, one line each, for a person. */
export function describeChange(before: McpDefinition, after: McpDefinition): readonly string[] {
  return [
    ...changedText('title', before.title, after.title),
    ...changedText('description', before.description, after.description),
    ...changedMembers('parameter', properties(before), properties(after)),
    ...changedRest(before, after),
    ...changedMembers('hint', before.annotations ?? {}, after.annotations ?? {}),
    ...(same(before.outputSchema, after.outputSchema) ? [] : ['the output schema is different']),
  ];
}

type Members = Readonly<Record<string, unknown>>;

function properties({ inputSchema }: McpDefinition): Members {
  return record(inputSchema.properties) ?? {};
}

function changedText(what: string, before: string | undefined, after: string | undefined): readonly string[] {
  if (before === after) return [];
  return [`${what} was ${quoted(before)} and is ${quoted(after)}`];
}

function changedMembers(what: string, before: Members, after: Members): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const shown = `${what} ${cleanText(name, 60)}`;
    if (!Object.hasOwn(before, name)) return [`${shown} is new: ${quoted(canonicalJson(after[name]))}`];
    if (!Object.hasOwn(after, name)) return [`${shown} is gone`];
    if (same(before[name], after[name])) return [];
    return [
      `${shown} was ${quoted(canonicalJson(before[name]))} and is ${quoted(canonicalJson(after[name]))}`,
    ];
  });
}

function changedRest(before: McpDefinition, after: McpDefinition): readonly string[] {
  const rest = ({ inputSchema }: McpDefinition): Members => ({ ...inputSchema, properties: null });
  return same(rest(before), rest(after)) ? [] : ['the rest of its input schema is different'];
}

function same(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}

function quoted(text: string | undefined): string {
  return text === undefined ? 'missing' : JSON.stringify(cleanText(text, MOST));
}
