import { randomBytes } from 'node:crypto';
import { Controller, Headers, Inject, Param, Res } from '@nestjs/common';
import { ApiProblem } from '../errors/api-problem.js';
import type { Reply } from '../http/reply.js';
import { Route } from '../http/route.handler.js';
import { type ConsoleFile, ConsoleFiles } from './console-files.js';
import { consolePolicy, FILE_POLICY, NONCE_PLACE } from './console-policy.js';

const PAGE = 'index.html';
const NONCE_BYTES = 18;
const FILE = {
  description: 'The page, or a file of it.',
  mediaType: 'text/html',
  schema: { type: 'string' },
};
const NOT_BUILT = { 503: 'console.not_built.' };

interface Asked {
  readonly 'accept-encoding'?: string;
  readonly 'if-none-match'?: string;
}

/** The console's own files. They hold nothing of anybody's: what they show is asked for under `/v1`. */
@Controller('console')
export class ConsoleController {
  constructor(@Inject(ConsoleFiles) private readonly files: ConsoleFiles) {}

  @Route('GET', '', {
    summary: 'The console',
    ability: 'public',
    anyQuery: true,
    answers: { 200: FILE },
    problems: NOT_BUILT,
  })
  start(@Res() reply: Reply): Promise<void> {
    return this.#page(reply);
  }

  /** A path that names no file is one of the console's own: the page itself finds out what to show. */
  @Route('GET', '*', {
    summary: 'The console at one of its pages, or a file of it',
    ability: 'public',
    anyQuery: true,
    params: { '*': { type: 'string', maxLength: 1000 } },
    answers: { 200: FILE, 304: { description: 'The file is as you have it.' } },
    problems: { ...NOT_BUILT, 404: 'console.no_file.' },
  })
  async file(
    @Param('*') name: string,
    @Headers() { 'accept-encoding': encoding, 'if-none-match': tag }: Asked,
    @Res() reply: Reply,
  ): Promise<void> {
    if (!/\.\w+$/.test(name) || name === PAGE) return this.#page(reply);
    const file = await this.files.find(name, encoding);
    if (file === null)
      throw new ApiProblem(404, 'console.no_file', 'the console has no such file: load the page again');
    send(reply, file, tag);
  }

  async #page(reply: Reply): Promise<void> {
    const page = await this.files.find(PAGE, undefined);
    if (page === null)
      throw new ApiProblem(
        503,
        'console.not_built',
        'the console was not built: run npm run build, or set WRONGSTACK_CONSOLE_DIR to where it lies',
      );
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    reply
      .header('content-type', page.type)
      // Each answer has a nonce of its own.
      .header('cache-control', 'no-store')
      .header('content-security-policy', consolePolicy(nonce))
      .send(page.body.toString('utf8').replaceAll(NONCE_PLACE, nonce));
  }
}

function send(
  reply: Reply,
  { body, type, encoding, etag, hashed }: ConsoleFile,
  tag: string | undefined,
): void {
  reply
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('content-security-policy', FILE_POLICY);
  if (tag === etag) {
    reply.status(304).send('');
    return;
  }
  reply.header('content-type', type);
  if (encoding !== null) reply.header('content-encoding', encoding);
  reply.send(body);
}
