import { draftTestReportSchema, MAX_POLICY_BYTES, parts } from '@wrongstack/contracts/wire';
import type { Schema } from '../http/route-contract.js';

const { closed, flag, list, oneOf, open, orNull, text, whole } = parts;
const TEXT: Schema = { type: 'string' };

/** The draft as it is typed; missing = as it was saved. */
export const TYPED: Schema = text(MAX_POLICY_BYTES);
export const TYPED_BODY = closed({}, { text: TYPED });
export const DIFF_BODY = closed(
  {},
  { text: TYPED, revision: { ...whole(1), description: 'Missing = the one in force.' } },
);

const FINDING = open({
  code: { ...TEXT, description: 'Stable: `path-not-binding`, `unreachable`, `untested`, …' },
  level: oneOf('error', 'warning', 'note'),
  document: TEXT,
  rule: { ...orNull(TEXT), description: 'Null = the document as a whole.' },
  message: TEXT,
});
export const FINDINGS = open({ findings: list(FINDING, 10_000) });

const PROBLEM = open({
  line: { ...orNull(whole(1)), description: 'Null = the text as a whole.' },
  column: orNull(whole(1)),
  path: { ...TEXT, description: '`/rules/3/effect`; empty = the document.' },
  message: TEXT,
});

/** What an editor shows while somebody types. */
export const CHECKED = open({
  valid: { ...flag, description: 'It could be saved as a policy and, if its tests pass, published.' },
  problems: list(PROBLEM, 10_000),
  findings: { ...list(FINDING, 10_000), description: 'Legal, and probably not meant.' },
  tests: { ...orNull(draftTestReportSchema), description: 'Null while it is not valid.' },
  place: {
    ...orNull(open({ id: TEXT, tier: oneOf('org', 'team', 'orgDefault'), ref: TEXT })),
    description: 'Which policy the text says that it is.',
  },
});

export const CHANGES = open({
  changes: list(
    open(
      {
        field: { ...TEXT, description: '`/rules/no-prod/effect`, `/locks/yolo`.' },
        kind: oneOf('added', 'removed', 'changed'),
        direction: {
          ...oneOf('tightens', 'loosens', 'either'),
          description: 'What it does to calls, as far as the field alone tells.',
        },
      },
      // Any JSON; not there where the field was not.
      { before: {}, after: {} },
    ),
    100_000,
  ),
});
