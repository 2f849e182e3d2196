import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Controller, Inject, Param, Res } from '@nestjs/common';
import { ApiProblem } from '../errors/api-problem.js';
import { Route } from '../http/route.handler.js';
import { OpenApiDocument } from './open-api-document.js';

interface Reply {
  header(name: string, value: string): Reply;
  send(body: unknown): unknown;
}

// The page's own script comes from here as well, so that no policy for scripts has to be relaxed for it.
const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>WrongStack API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><div id="docs"></div><script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/start.js"></script></body></html>
`;
const START = `SwaggerUIBundle({ url: '/docs/openapi.json', dom_id: '#docs', deepLinking: true, tryItOutEnabled: false });\n`;
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** What the API promises, for programs and for people. It holds no secrets and needs no token. */
@Controller('docs')
export class DocsController {
  constructor(@Inject(OpenApiDocument) private readonly document: OpenApiDocument) {}

  @Route('GET', '', {
    summary: 'This document, readable',
    ability: 'public',
    answers: { 200: { description: 'A page.', mediaType: 'text/html', schema: { type: 'string' } } },
  })
  page(@Res() reply: Reply): void {
    reply.header('content-type', 'text/html; charset=utf-8').send(PAGE);
  }

  @Route('GET', 'openapi.json', {
    summary: 'This document, OpenAPI 3.1',
    ability: 'public',
    answers: { 200: { description: 'The document.', schema: { type: 'object' } } },
  })
  json(): unknown {
    return this.document.content;
  }

  @Route('GET', 'assets/:file', {
    summary: 'Script and style of the page',
    ability: 'public',
    answers: { 200: { description: 'A file.', mediaType: 'text/plain', schema: { type: 'string' } } },
    problems: { 404: 'There is no such file.' },
  })
  async asset(@Param('file') file: string, @Res() reply: Reply): Promise<void> {
    if (file === 'start.js') {
      reply.header('content-type', 'text/javascript; charset=utf-8').send(START);
      return;
    }
    const type = Object.hasOwn(ASSETS, file) ? ASSETS[file] : undefined;
    if (type === undefined) throw new ApiProblem(404, 'http.404', 'there is no such file');
    // Looked up when somebody reads the page: the API itself does not need the package.
    const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    reply
      .header('content-type', type)
      .header('cache-control', 'public, max-age=86400')
      .send(await readFile(path.join(folder, file)));
  }
}
