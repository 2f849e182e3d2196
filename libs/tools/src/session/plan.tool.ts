import type { Context, RichToolOutput, Tool, ToolOptions } from '@wrongstack/contracts';
import { changeCounts, changeMeta, describeChange, type FileChangeMeta } from '../fs/file-change.js';
import { badInput, filledText, optionalText, rawInput, shown } from '../read-input.js';
import { wellFormed } from '../text/well-formed.js';
import { latestPlan, planPath, readPlan, writePlan } from './plan-file.js';
import { noClaims } from '../claims.js';

export interface PlanInput {
  /** Markdown; missing = show the plan that was written last. */
  readonly content?: string;
  /** Missing = the first line of the content. */
  readonly title?: string;
}

const MOST_CHARACTERS = 50_000;
const LONGEST_TITLE = 120;

/**
 * Keeps a plan in a file that the tool itself names, in the agent's data folder: no path to claim, but still a file to
 * write, so it carries `fs.write`, and the person sees the plan before it is kept.
 */
export const planTool: Tool<PlanInput, RichToolOutput> = {
  name: 'plan',
  description:
    'Keep a plan (Markdown) for this session; the same title replaces it. Without content the last one is shown.',
  inputSchema: {
    type: 'object',
    properties: {
      content: { type: 'string', minLength: 1, maxLength: MOST_CHARACTERS },
      title: { type: 'string', maxLength: LONGEST_TITLE },
    },
    additionalProperties: false,
  },
  permission: 'confirm',
  mutating: true,
  riskTier: 'standard',
  capabilities: ['fs.write'],
  category: 'Session',
  timeoutMs: 10_000,
  maxOutputBytes: 220_000,
  execute,
  describeCall: noClaims,
  presentCall: (input) => {
    const content = shown(input, 'content');
    return {
      card: 'generic',
      kind: 'think',
      title: cardTitle(input),
      ...(content === '' ? {} : { content: [{ type: 'text', text: content }] }),
    };
  },
  presentResult: (input, result) => {
    const meta = changeOf(result.meta);
    if (result.isError || meta === undefined) {
      return { card: 'generic', title: cardTitle(input), content: result.content };
    }
    return { card: 'diff', title: `${cardTitle(input)} · ${changeCounts(meta)}`, diffs: meta.diffs };
  },
};

async function execute(input: PlanInput, ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const surplus = Object.keys(raw).find((name) => name !== 'content' && name !== 'title');
  if (surplus !== undefined) throw badInput(surplus, 'is unknown: plan takes content and title');
  const title = optionalText(raw, 'title') ?? '';
  if (title.length > LONGEST_TITLE) throw badInput('title', `is longer than ${LONGEST_TITLE} characters`);
  opts.signal.throwIfAborted();
  if (raw['content'] === undefined) return showLatest(ctx);
  const given = filledText(raw, 'content');
  if (given.length > MOST_CHARACTERS) {
    throw badInput('content', `has ${given.length} characters, more than ${MOST_CHARACTERS}`);
  }
  if (given.trim() === '') throw badInput('content', 'must not be blank');
  const content = `${masked(wellFormed(given), opts).trimEnd()}\n`;
  const path = planPath(ctx, title === '' ? firstLine(content) : title);
  return ctx.withPathLock(path, async () => {
    const before = await readPlan(path);
    await writePlan(path, content);
    const change = await describeChange({ real: path, display: path }, before, content);
    const verb = before === null ? 'kept' : 'replaced';
    return {
      content: [{ type: 'text', text: `plan ${verb}: ${path} ${changeCounts(change)}` }],
      meta: { path, change },
    };
  });
}

async function showLatest(ctx: Context): Promise<RichToolOutput> {
  const plan = await latestPlan(ctx);
  if (plan === null) return { content: [{ type: 'text', text: '[this session has no plan yet]' }] };
  return { content: [{ type: 'text', text: plan.content }], meta: { path: plan.path } };
}

/** The executor masks results; what goes to a disk is masked here. */
function masked(text: string, opts: ToolOptions): string {
  const stream = opts.scrubStream?.();
  return stream === undefined ? text : stream.push(text) + stream.end();
}

/** Under a name of its own: what a run changed in the project is counted from `files`, and a plan is none of it. */
function changeOf(meta: unknown): FileChangeMeta | undefined {
  return typeof meta === 'object' && meta !== null && 'change' in meta ? changeMeta(meta.change) : undefined;
}

function cardTitle(input: unknown): string {
  const title = shown(input, 'title') || firstLine(shown(input, 'content'));
  return title === '' ? 'plan' : `plan: ${title}`;
}

function firstLine(content: string): string {
  const line = content.split('\n', 50).find((text) => text.trim() !== '') ?? '';
  return line
    .replace(/^[#>*\s-]+/, '')
    .trim()
    .slice(0, LONGEST_TITLE);
}
