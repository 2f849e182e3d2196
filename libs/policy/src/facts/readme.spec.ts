import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIAL_PLACES } from './credential-paths.js';
import type { SpecialPlace } from './file-names.js';
import { PROTECTED_PLACES } from './protected-paths.js';

/** One row a reason: the page groups what the data lists. */
function tableOf(places: readonly SpecialPlace[]): string {
  const byReason = new Map<string, string[]>();
  for (const { names, below, anchored, reason } of places) {
    const pattern = `${anchored ? '/' : ''}${names.join('/')}${below ? '/' : ''}`;
    byReason.set(reason, [...(byReason.get(reason) ?? []), `\`${pattern}\``]);
  }
  return [...byReason].map(([reason, patterns]) => `- ${reason}: ${patterns.join(', ')}`).join('\n');
}

describe('the page about facts', () => {
  const page = readFileSync(join(__dirname, 'README.md'), 'utf8');
  it.each([
    ['protected', PROTECTED_PLACES],
    ['credentials', CREDENTIAL_PLACES],
  ])('lists the %s paths as the data does', (name, places) => {
    const [, text = ''] = new RegExp(`<!-- ${name} -->\n([^]*?)<!-- /${name} -->`).exec(page) ?? [];
    expect(text.trim()).toBe(tableOf(places));
  });
});
