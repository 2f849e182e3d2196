import type { DecisionSource, FloorRecord, TrustSubject } from '@wrongstack/contracts';
import { shortenHome } from './format.js';

/** Who demanded something, in words: `rule no-prod-kube (team payments r42)`, `tool bash`, `floor destructive`. */
export function sourceText(source: DecisionSource): string {
  const origin = originText(source);
  return `${source.kind} ${source.id}${origin === '' ? '' : ` (${origin})`}`;
}

/** `team payments r42`, or nothing where the source is not from a document. */
export function originText(source: DecisionSource): string {
  const parts = [
    source.tier,
    source.document,
    source.revision === undefined ? undefined : `r${source.revision}`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

/** One floor as the question's `why` lists it. */
export function floorText(floor: FloorRecord): string {
  const lowered = floor.loweredBy === null ? '' : `, lowered by ${sourceText(floor.loweredBy)}`;
  return `${demandText(floor)}${lowered}`;
}

function demandText(floor: FloorRecord): string {
  if (floor.source.kind === 'rule') return `${sourceText(floor.source)}: ${floor.reason}`;
  if (floor.kind === 'soft') return `${floor.reason} (soft floor)`;
  return floor.source.kind === 'floor' ? `floor ${floor.reason}` : floor.reason;
}

/** What a trust entry would be about: `bash "npm test"`, `read ../notes.md`, `host example.com`. */
export function subjectText(tool: string, subject: TrustSubject, home: string | null): string {
  switch (subject.kind) {
    case 'command':
      return `${tool} "${subject.words.map(shownWord).join(' ')}"`;
    case 'path':
      // `read a.ts`, `edit write a.ts`
      return [...new Set([tool, subject.access]), shortenHome(subject.path, home)].join(' ');
    case 'host':
      return `${tool} host ${subject.host}`;
  }
}

/** No unescaped `*`: the entry matches this very command and no other. */
export function isExact(subject: TrustSubject): boolean {
  const words =
    subject.kind === 'command' ? subject.words : subject.kind === 'path' ? [subject.path] : [subject.host];
  return words.every((word) => !/(?<!\\)(?:\\\\)*\*/.test(word));
}

// Words with blanks are quoted so that `grep "a b"` and `grep a b` do not look the same.
function shownWord(word: string): string {
  return word === '' || /[\s'"]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word;
}
