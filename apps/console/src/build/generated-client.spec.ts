import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

describe('the generated client', () => {
  it('is what the API says of itself now; if not: npm run generate:client', () => {
    const script = path.join(root, 'apps/console/tools/generate-client.mjs');
    const document = path.join(root, 'apps/api/dist/openapi.json');
    const { status, stderr } = spawnSync(process.execPath, [script, document, '--check'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
