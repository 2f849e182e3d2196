import { diff3Merge } from 'node-diff3';

/** Lines that both changed, each in their own way. */
export interface Conflict {
  readonly mine: readonly string[];
  readonly base: readonly string[];
  readonly theirs: readonly string[];
}

export type Region = { readonly lines: readonly string[] } | Conflict;
export type Choice = 'mine' | 'theirs' | 'both';

/** Two texts that began as one, line by line: what only one of them changed is taken, the rest is for a person. */
export function mergeTexts(base: string, mine: string, theirs: string): readonly Region[] {
  const lines = (text: string): string[] => text.split('\n');
  return diff3Merge(lines(mine), lines(base), lines(theirs)).map((region) =>
    region.conflict === undefined
      ? { lines: region.ok ?? [] }
      : { mine: region.conflict.a, base: region.conflict.o, theirs: region.conflict.b },
  );
}

export function conflictsIn(regions: readonly Region[]): readonly Conflict[] {
  return regions.filter(isConflict);
}

/** The whole text, with what was chosen for each conflict in turn. Nothing is dropped that nobody chose to drop. */
export function resolved(regions: readonly Region[], choices: readonly Choice[]): string {
  let next = 0;
  return regions
    .flatMap((region) => {
      if (!isConflict(region)) return region.lines;
      const choice = choices[next] ?? 'both';
      next += 1;
      if (choice === 'mine') return region.mine;
      if (choice === 'theirs') return region.theirs;
      return [...region.theirs, ...region.mine];
    })
    .join('\n');
}

function isConflict(region: Region): region is Conflict {
  return 'mine' in region;
}
