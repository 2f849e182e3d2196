import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { startServer, type LoopbackServer, type Routes } from '../net/loopback-server.spec-support.js';

/** One version of a package, as its author would publish it. */
export interface Publication {
  readonly name: string;
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** What the registry knows against the versions of a package, in the words of npm's bulk endpoint. */
export interface PublishedAdvisory {
  readonly name: string;
  readonly severity: string;
  readonly title: string;
  /** A range, such as `<1.1.0`. */
  readonly vulnerable: string;
}

export interface RegistryContents {
  readonly packages: readonly Publication[];
  readonly advisories?: readonly PublishedAdvisory[];
}

/** A registry that speaks npm's wire: documents of packages, their archives, and advisories in bulk. */
export interface PackageRegistry {
  readonly origin: string;
  /** What was asked for so far, as `GET /name`. */
  readonly asked: () => readonly string[];
  close(): Promise<void>;
}

const BULK = '/-/npm/v1/security/advisories/bulk';

export async function startPackageRegistry({
  packages,
  advisories = [],
}: RegistryContents): Promise<PackageRegistry> {
  const archives = new Map<string, Buffer>();
  for (const one of packages) archives.set(archivePath(one), await packed(one));
  const server: LoopbackServer = await startServer({
    ...documentRoutes(packages, archives),
    ...Object.fromEntries(
      [...archives].map(([path, bytes]) => [path, answer('application/octet-stream', bytes)]),
    ),
    [BULK]: (request, response) => void answerBulk(advisories, request, response),
  });
  return {
    origin: server.origin,
    asked: () => server.requests.map(({ method, url }) => `${method ?? ''} ${url ?? ''}`),
    close: () => server.close(),
  };
}

function documentRoutes(packages: readonly Publication[], archives: ReadonlyMap<string, Buffer>): Routes {
  const names = [...new Set(packages.map(({ name }) => name))];
  return Object.fromEntries(
    names.map((name) => [
      `/${name.replace('/', '%2f')}`,
      (request, response) => {
        const versions = packages.filter((one) => one.name === name);
        const origin = `http://${request.headers.host ?? ''}`;
        response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            name,
            'dist-tags': { latest: versions.at(-1)?.version },
            versions: Object.fromEntries(
              versions.map((one) => [one.version, { ...manifest(one), dist: dist(one, origin, archives) }]),
            ),
          }),
        );
      },
    ]),
  );
}

function dist(one: Publication, origin: string, archives: ReadonlyMap<string, Buffer>): object {
  const bytes = archives.get(archivePath(one)) ?? Buffer.alloc(0);
  return {
    tarball: `${origin}${archivePath(one)}`,
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
  };
}

const archivePath = ({ name, version }: Publication): string =>
  `/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;

const manifest = ({ name, version, scripts = {} }: Publication): object => ({
  name,
  version,
  main: 'index.js',
  ...(Object.keys(scripts).length > 0 ? { scripts, hasInstallScript: true } : {}),
});

/** The archive as `npm pack` would make it: everything below `package/`. */
async function packed(one: Publication): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'wstack-pack-'));
  try {
    await mkdir(join(folder, 'package'));
    await writeFile(join(folder, 'package/package.json'), JSON.stringify(manifest(one)));
    await writeFile(join(folder, 'package/index.js'), `module.exports = '${one.version}';\n`);
    const { stdout } = await promisify(execFile)('tar', ['czf', '-', '-C', folder, 'package'], {
      encoding: 'buffer',
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** npm sends its installed versions by name, packed, and wants the advisories by name. */
async function answerBulk(
  advisories: readonly PublishedAdvisory[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  // A request yields buffers as long as no encoding was set.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  const installed = new Set(Object.keys(JSON.parse(text.toString('utf8')) as object));
  const about = advisories.filter(({ name }) => installed.has(name));
  const entries = about.map(({ name, severity, title, vulnerable }, index) => [
    name,
    [
      {
        id: index + 1,
        url: `https://advisories.test/${index + 1}`,
        title,
        severity,
        vulnerable_versions: vulnerable,
      },
    ],
  ]);
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(Object.fromEntries(entries)));
}

function answer(type: string, bytes: Buffer): RequestListener {
  return (_request, response) => void response.writeHead(200, { 'content-type': type }).end(bytes);
}
