import { basename, join, resolve } from 'node:path';
import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { locate } from '../paths/locate.js';
import { FileOverlay, withPathLocks } from '../patch/file-overlay.js';
import { totalCounts, writeOverlay } from '../patch/write-overlay.js';
import { badInput, filledText, optionalText, rawInput, shown } from '../read-input.js';
import { TEMPLATES, type TemplateFile } from './templates.js';
import { changeCard } from '../cards.js';
import { pathClaims } from '../claims.js';

export interface ScaffoldInput {
  readonly template: string;
  /** The new folder. */
  readonly path: string;
  /** The folder's own name when missing. */
  readonly name?: string;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Templates are part of the program: nothing is downloaded and nothing is run. Only new files are written, all or none. */
export const scaffoldTool: Tool<ScaffoldInput, RichToolOutput> = {
  name: 'scaffold',
  description:
    'Start a small project from a template (node-lib, ts-lib, python, go, rust) in a new folder; overwrites nothing.',
  inputSchema: {
    type: 'object',
    properties: {
      template: { type: 'string', enum: [...TEMPLATES.keys()] },
      path: { type: 'string', minLength: 1 },
      name: { type: 'string', pattern: NAME.source, maxLength: 60 },
    },
    required: ['template', 'path'],
    additionalProperties: false,
  },
  permission: 'confirm',
  mutating: true,
  riskTier: 'standard',
  capabilities: ['fs.write', 'fs.write.outside-project'],
  category: 'Project',
  timeoutMs: 30_000,
  maxOutputBytes: 8_000,
  execute,
  describeCall: (input, ctx) =>
    pathClaims(
      filesOf(input, ctx.cwd).map(({ path }) => ({ path, access: 'write' })),
      ctx,
    ),
  presentCall: (input) => ({
    card: 'diff',
    title: `${shown(input, 'template', 'scaffold')} in ${shown(input, 'path')}`,
    diffs: filesOf(input, '/').map(({ path, content }) => ({ path, oldText: null, newText: content })),
    locations: [{ path: shown(input, 'path') }],
  }),
  presentResult: (input, result) => {
    const title = `${shown(input, 'template', 'scaffold')} in ${shown(input, 'path')}`;
    return changeCard(title, result, (change) => `${title} · ${totalCounts(change)}`);
  },
};

/** What a call would write, below its path as written. None when execution would refuse the call. */
function filesOf(input: unknown, cwd: string): readonly TemplateFile[] {
  const path = shown(input, 'path');
  const template = TEMPLATES.get(shown(input, 'template'));
  const name = shown(input, 'name', basename(resolve(cwd, path)));
  if (template === undefined || path === '' || !NAME.test(name)) return [];
  return template(name).map((file) => ({ path: join(path, file.path), content: file.content }));
}

async function execute(input: ScaffoldInput, ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const path = filledText(raw, 'path');
  const template = filledText(raw, 'template');
  if (!TEMPLATES.has(template))
    throw badInput('template', `must be one of ${[...TEMPLATES.keys()].join(' ')}`);
  const name = optionalText(raw, 'name') ?? basename(resolve(ctx.cwd, path));
  if (!NAME.test(name))
    throw badInput('name', `${JSON.stringify(name)} must be lower-case words with dashes: give one as name`);
  opts.signal.throwIfAborted();
  const files = filesOf(raw, ctx.cwd);
  const real: string[] = [];
  for (const file of files) real.push((await locate(ctx, opts, file.path, 'write')).real);
  return withPathLocks(ctx, real, async () => {
    const overlay = new FileOverlay(ctx, opts);
    for (const file of files) {
      const target = await overlay.open(file.path);
      if (target.draft !== null) {
        throw new WrongStackError(
          'scaffold.exists',
          `${target.location.display} exists already: choose a new folder; nothing was written`,
        );
      }
      overlay.create(target, file.content, undefined);
    }
    return writeOverlay(overlay, ctx, opts);
  });
}
