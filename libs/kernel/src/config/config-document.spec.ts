import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileSchema } from '../registry/compile-schema.js';
import { configFields, configJsonSchema } from './config-document.js';
import { DEFAULT_CONFIG } from './defaults.js';

const ROOT = path.resolve(__dirname, '../../../..');

/** The committed file, after it was written anew where the caller asks for that (`UPDATE_PAGES=1`). */
function committed(file: string, expected: string): string {
  const place = path.join(ROOT, file);
  if (process.env['UPDATE_PAGES'] === '1') writeFileSync(place, expected);
  return readFileSync(place, 'utf8');
}

function defaultOf(key: string): string {
  let value: unknown = DEFAULT_CONFIG;
  for (const part of key.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  }
  return value === undefined ? '' : `\`${JSON.stringify(value)}\``;
}

describe('the documentation of the configuration', () => {
  it('is the schema, written as a page', () => {
    const page = readFileSync(path.join(ROOT, 'docs/configuration.md'), 'utf8');
    const rows = configFields().map(
      ({ key, type, description }) =>
        `- **${key}** (${type.replaceAll('|', 'or')})${defaultOf(key) === '' ? '' : `, ${defaultOf(key)}`}: ${description}`,
    );
    const expected = page.replace(
      /(<!-- keys -->\n)[\s\S]*(\n<!-- end of keys -->)/,
      (_whole, start: string, end: string) => `${start}\n${rows.join('\n')}\n${end}`,
    );
    expect(committed('docs/configuration.md', expected)).toBe(expected);
    expect(expected).toContain('provider.model');
  });

  it('has the schema as a file for editors', () => {
    const expected = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
    expect(committed('docs/config.schema.json', expected)).toBe(expected);
  });

  it('accepts the defaults', () => {
    expect(compileSchema(configJsonSchema(), 'configuration')(DEFAULT_CONFIG)).toEqual([]);
  });
});
