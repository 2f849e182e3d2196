// node libs/policy/src/documents/generate-policy-validator.mjs
// Compiles policy-schema.json into policy-validator.ts: compiling at run time costs a quarter of a second of start-up.
import Ajv from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LENGTH = 'require("ajv/dist/runtime/ucs2length").default';

/** The text of policy-validator.ts for this schema. */
export function validatorSource(schema) {
  const ajv = new (Ajv.default ?? Ajv)({
    strict: true,
    inlineRefs: false,
    // Whoever writes a policy is shown everything that is wrong with it, not one thing after another.
    allErrors: true,
    code: { source: true, esm: false, optimize: 2 },
    formats: { 'date-time': /^$/ },
  });
  let code = (standalone.default ?? standalone)(ajv, ajv.compile(schema));
  code = code.replaceAll(LENGTH, 'textLength').replace(/^"use strict";/, '');
  // The expression stands for the format in the generated code alone; what counts is isDateTime.
  code = code.replace(/const formats\d+ = \/\^\$\/;/g, (line) =>
    line.replace('/^$/', '{ test: isDateTime }'),
  );
  // As generated, each joint copies all errors so far: a text with a hundred thousand of them would take a minute.
  code = code.replace(
    /vErrors = vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\)/g,
    'vErrors = joinedErrors(vErrors, $1.errors)',
  );
  if (code.includes('.concat('))
    throw new Error('the generated validator joins errors in a way not known here');
  const exported = /module\.exports = (\w+);module\.exports\.default = \w+;/;
  const [, entry] = exported.exec(code) ?? [];
  code = code.replace(exported, '');
  // Said once, so that it can be shown as well.
  const whole = ` = ${JSON.stringify(schema)};`;
  if (!code.includes(whole)) throw new Error('the generated validator does not hold the schema as it is');
  code = code.replace(whole, ' = POLICY_SCHEMA;');
  if (/\brequire\(|module\.exports/.test(code) || !code.includes('isDateTime')) {
    throw new Error('the generated validator needs something that this script does not know');
  }
  return [
    '// Generated from policy-schema.json by generate-policy-validator.mjs: change the schema, then run that.',
    '/* eslint-disable -- generated: no person reads or edits it */',
    '// @ts-nocheck',
    "import { isDateTime, joinedErrors, textLength } from './schema-formats.js';",
    '',
    '// prettier-ignore',
    `export const POLICY_SCHEMA: Readonly<Record<string, unknown>>${whole}`,
    '',
    '// prettier-ignore',
    `export function createPolicyValidator(): (value: unknown) => boolean {${code}return ${entry};}`,
    '',
  ].join('\n');
}

if (process.argv[1]?.endsWith('generate-policy-validator.mjs')) {
  const here = dirname(process.argv[1]);
  const schema = JSON.parse(readFileSync(join(here, 'policy-schema.json'), 'utf8'));
  writeFileSync(join(here, 'policy-validator.ts'), validatorSource(schema));
}
