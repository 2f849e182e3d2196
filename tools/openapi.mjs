// `node tools/openapi.mjs`: writes apps/api/dist/openapi.json, the document that a running API serves at /docs/openapi.json. The build
// runs it on what tsc wrote, so that clients are generated without a server.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = path.resolve(import.meta.dirname, '../apps/api/dist');
const { openApiDocument } = await import(pathToFileURL(path.join(dist, 'api.module.js')).href);
const { content } = openApiDocument();
writeFileSync(path.join(dist, 'openapi.json'), `${JSON.stringify(content, null, 2)}\n`);
process.stdout.write(`apps/api/dist/openapi.json ${Object.keys(content.paths).length} paths\n`);
