import type { ToolSummary } from '@wrongstack/contracts';

/** What a word counts for, by where it is found: a name says more than a description that mentions it. */
const WEIGHTS = { name: 8, category: 4, capability: 4, description: 2, field: 1 } as const;
/** A whole word, the beginning of one, anywhere inside one. */
const MATCH = { whole: 1, start: 0.6, inside: 0.3 } as const;
/** Words too common to tell tools apart. */
const COMMON: ReadonlySet<string> = new Set([
  'a',
  'an',
  'and',
  'the',
  'of',
  'to',
  'in',
  'for',
  'with',
  'or',
  'on',
]);

export interface RankedTool {
  readonly tool: ToolSummary;
  readonly score: number;
}

/** Tools that have something of the query, the best first; of equal ones, those that have more of its words. */
export function rankTools(tools: readonly ToolSummary[], query: string): readonly RankedTool[] {
  const wanted = [...new Set(wordsOf(query).filter((word) => !COMMON.has(word)))];
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, wanted, query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1));
}

function scoreOf(tool: ToolSummary, wanted: readonly string[], query: string): number {
  const fields = Object.keys(propertiesOf(tool.inputSchema));
  const places: readonly (readonly [readonly string[], number])[] = [
    [wordsOf(tool.name), WEIGHTS.name],
    [wordsOf(tool.category ?? ''), WEIGHTS.category],
    [tool.capabilities.flatMap(wordsOf), WEIGHTS.capability],
    [wordsOf(`${tool.description} ${tool.usageHint ?? ''}`), WEIGHTS.description],
    [fields.flatMap(wordsOf), WEIGHTS.field],
  ];
  const found = wanted.map((word) =>
    Math.max(...places.map(([words, weight]) => weight * bestMatch(word, words))),
  );
  const sum = found.reduce((total, one) => total + one, 0);
  const coverage = wanted.length === 0 ? 0 : found.filter((one) => one > 0).length / wanted.length;
  const exact = tool.name === query.trim().toLowerCase() ? 100 : 0;
  return sum * coverage + exact;
}

function bestMatch(wanted: string, words: readonly string[]): number {
  let best = 0;
  for (const word of words) {
    if (word === wanted) return MATCH.whole;
    // Of one stem: `file` and `files`, `search` and `searching`.
    if (wanted.length >= 3 && word.startsWith(wanted)) best = Math.max(best, MATCH.start);
    else if (word.length >= 3 && wanted.startsWith(word)) best = Math.max(best, MATCH.start);
    else if (wanted.length >= 3 && word.includes(wanted)) best = Math.max(best, MATCH.inside);
  }
  return best;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function propertiesOf(schema: ToolSummary['inputSchema']): object {
  const properties: unknown = schema.properties;
  return typeof properties === 'object' && properties !== null ? properties : {};
}
