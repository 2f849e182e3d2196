import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { JSONSchema } from '@wrongstack/contracts';
import { compileSchema, type SchemaCheck } from './compile-schema.js';
import { DEVIATIONS, UNKNOWN_FORMATS } from './official-schema-deviations.spec-support.js';

interface Group {
  readonly description: string;
  readonly schema: JSONSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

type Outcome = 'taken' | 'refused' | 'does not compile';

const SUITE = path.join(import.meta.dirname, 'json-schema-suite');

const DRAFTS = [
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
  ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema'],
] as const;

function filesOf(draft: string): readonly string[] {
  return readdirSync(path.join(SUITE, draft), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${draft}/${name.replace(/\.json$/, '')}`)
    .sort();
}

function groupsOf(file: string): readonly Group[] {
  // The files are part of the sources; their shape is the suite's own.
  return JSON.parse(readFileSync(path.join(SUITE, `${file}.json`), 'utf8')) as readonly Group[];
}

function outcome(check: SchemaCheck | null, data: unknown): Outcome {
  if (check === null) return 'does not compile';
  return check(data).length === 0 ? 'taken' : 'refused';
}

function compiled(schema: JSONSchema): SchemaCheck | null {
  try {
    return compileSchema(schema, 'a test');
  } catch {
    return null;
  }
}

/** What the suite says, or for a listed deviation what ajv says instead: one that no longer deviates fails. */
function expected(file: string, group: string, test: string, valid: boolean): Outcome {
  const format = path.basename(file);
  if (file.includes('/format/') && UNKNOWN_FORMATS.includes(format)) return 'taken';
  const deviation = DEVIATIONS.find(
    (known) =>
      known.file === file &&
      known.group === group &&
      (known.cases === 'does not compile' || known.cases.includes(test)),
  );
  if (deviation?.cases === 'does not compile') return 'does not compile';
  return valid === (deviation === undefined) ? 'taken' : 'refused';
}

describe.each(DRAFTS)('the official tests of %s', (draft, uri) => {
  describe.each(filesOf(draft))('%s', (file) => {
    it.each(groupsOf(file))('$description', ({ description, schema, tests }) => {
      const check = compiled({ $schema: uri, ...schema });
      const outcomes = (of: (test: Group['tests'][number]) => Outcome): object =>
        Object.fromEntries(tests.map((test) => [test.description, of(test)]));
      expect(outcomes((test) => outcome(check, test.data))).toEqual(
        outcomes((test) => expected(file, description, test.description, test.valid)),
      );
    });
  });
});

describe('the suite itself', () => {
  const files = DRAFTS.flatMap(([draft]) => filesOf(draft));
  const named = files.flatMap((file) =>
    groupsOf(file).flatMap(({ description, tests }) =>
      tests.map((test) => ({ file, group: description, test: test.description })),
    ),
  );

  it('is whole', () => {
    expect([files.length, named.length]).toEqual([76, 2004]);
  });

  it('has every case that is listed as a deviation', () => {
    for (const { file, group, cases } of DEVIATIONS) {
      const there = named.filter((one) => one.file === file && one.group === group).map(({ test }) => test);
      expect(there).toEqual(
        expect.arrayContaining(cases === 'does not compile' ? there.slice(0, 1) : [...cases]),
      );
      expect(there).not.toEqual([]);
    }
  });

  it('shows that the formats listed as unknown are', () => {
    for (const format of UNKNOWN_FORMATS)
      expect(compileSchema({ format }, 'a test')('\\\\ no such thing \u0000')).toEqual([]);
  });
});
