/** What ajv is known to do otherwise than the official tests say, each by name. Anything else must agree with them. */
export interface Deviation {
  /** The file below `json-schema-suite`, without its ending. */
  readonly file: string;
  readonly group: string;
  /** The cases of the group that come out otherwise; all of them where the schema does not even compile. */
  readonly cases: readonly string[] | 'does not compile';
  readonly because: string;
}

const SIBLINGS = 'ajv heeds what stands beside a $ref in every draft; draft-07 would have it ignored';
const NESTED_RESOURCE =
  'ajv resolves a pointer inside an embedded resource against itself until the stack ends; the tool is then refused';
const QUOTED_LOCAL_PART =
  "ajv-formats' expression for email knows neither quoted local parts nor addresses in brackets";

export const DEVIATIONS: readonly Deviation[] = [
  {
    file: 'draft7/ref',
    group: 'ref overrides any sibling keywords',
    cases: ['ref valid, maxItems ignored'],
    because: SIBLINGS,
  },
  {
    file: 'draft7/ref',
    group: '$ref prevents a sibling $id from changing the base uri',
    cases: [
      '$ref resolves to /definitions/base_foo, data does not validate',
      '$ref resolves to /definitions/base_foo, data validates',
    ],
    because: SIBLINGS,
  },
  ...[
    'refs with relative uris and defs',
    'relative refs with absolute uris and defs',
    'URN ref with nested pointer ref',
  ].map((group): Deviation => ({
    file: 'draft2020-12/ref',
    group,
    cases: 'does not compile',
    because: NESTED_RESOURCE,
  })),
  {
    file: 'draft2020-12/format/email',
    group: 'validation of e-mail addresses',
    cases: [
      'a quoted string with a space in the local part is valid',
      'a quoted string with a double dot in the local part is valid',
      'a quoted string with a @ in the local part is valid',
      'an IPv4-address-literal after the @ is valid',
      'an IPv6-address-literal after the @ is valid',
    ],
    because: QUOTED_LOCAL_PART,
  },
];

/** Formats that ajv-formats does not have: with these a schema takes every value, as with a format nobody knows. */
export const UNKNOWN_FORMATS: readonly string[] = ['idn-email', 'idn-hostname', 'iri', 'iri-reference'];
