import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

// What a browser has to take before it shows a page, as it was built.

const dist = path.resolve(__dirname, '../../dist');
const MOST_BYTES = 300 * 1024;

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;

/** The scripts that come with one, without what it asks for later. */
function withImports(key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key]!;
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const other of chunk.imports ?? []) withImports(other, found);
  return found;
}

const compressed = (file: string): number =>
  gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length;
const entry = Object.keys(manifest).find((key) => manifest[key]!.isEntry === true)!;
const pages = (manifest[entry]!.dynamicImports ?? []).filter(
  (key) => key.includes('/pages/') || key.startsWith('src/pages/'),
);

describe('the first load', () => {
  it('has pages to load', () => {
    expect(pages.length).toBeGreaterThanOrEqual(1);
  });

  it.each(pages)('of %s is below 300 KB of compressed script', (page) => {
    const files = [...new Set([...withImports(entry), ...withImports(page)])];
    expect(files.reduce((sum, file) => sum + compressed(file), 0)).toBeLessThan(MOST_BYTES);
  });

  it('brings neither the editor nor the charts', () => {
    for (const page of [entry, ...pages]) {
      const scripts = [...withImports(page)].map((file) => readFileSync(path.join(dist, file), 'utf8'));
      for (const mark of ['cm-content', 'recharts-'])
        expect(scripts.some((text) => text.includes(mark))).toBe(false);
    }
  });
});

describe('the built files', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.vite'),
  );
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');

  it('run under a policy that allows nothing inline and nothing from elsewhere', () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    for (const [, attributes = '', content = ''] of page.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
      expect(attributes).toMatch(/ src="\/console\/assets\//);
      expect(content).toBe('');
    }
    expect(page).toContain('<meta property="csp-nonce" nonce="__CSP_NONCE__">');
    for (const name of files.filter((file) => file.endsWith('.js'))) {
      expect(readFileSync(path.join(dist, name), 'utf8')).not.toMatch(/\beval\(|new Function\(/);
    }
    for (const name of files.filter((file) => file.endsWith('.css'))) {
      expect(readFileSync(path.join(dist, name), 'utf8')).not.toMatch(/@import|url\((?!["']?data:image)/);
    }
  });

  it('lie compressed beside themselves, the page with its nonce alone does not', () => {
    const large = files.filter(
      (name) => /\.(?:js|css)$/.test(name) && statSync(path.join(dist, name)).size >= 1024,
    );
    expect(large.length).toBeGreaterThan(1);
    for (const name of large) expect(files).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
    expect(files).not.toContain('index.html.br');
  });
});
