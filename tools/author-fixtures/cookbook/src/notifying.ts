import { defineTool } from '@wrongstack/core';

/** Returns card data beside its content, and leaves a note for the next request. */
export const saveTool = defineTool({
  name: 'save_note',
  description: 'Saves a note.',
  parameters: { text: { type: 'string', required: true }, before: { type: 'string' } },
  permission: 'auto',
  riskTier: 'safe',
  async execute(args, exec) {
    if (args.text === '') throw new Error('text must not be empty');
    const agent = exec.agent;
    try {
      agent?.inject('the note was saved', { source: { kind: 'plugin', plugin: 'notes' } });
    } catch {
      // a disposed agent
    }
    const diffs = [{ path: 'note.txt', oldText: args.before ?? null, newText: args.text }];
    return { content: [{ type: 'text', text: `saved ${args.text.length} characters` }], meta: { diffs } };
  },
  presentCall: (args) => ({
    card: 'diff',
    title: 'Save note',
    diffs: [{ path: 'note.txt', oldText: null, newText: args.text }],
  }),
  presentResult(args, { isError, meta }) {
    if (isError) return { card: 'generic', title: 'Not saved' };
    const { diffs } = meta as { diffs: { path: string; oldText: string | null; newText: string }[] };
    return { card: 'diff', title: 'Saved', diffs };
  },
});

/** A command is a terminal card; its exit code is for the model to judge. */
export const runTool = defineTool({
  name: 'run_check',
  description: 'Runs the check.',
  parameters: { exit: { type: 'integer', required: true } },
  permission: 'auto',
  riskTier: 'safe',
  async execute(args) {
    return {
      content: [{ type: 'text', text: `checked\n[exit code: ${args.exit}]` }],
      meta: { output: 'checked\n', exitCode: args.exit },
    };
  },
  presentCall: () => ({ card: 'terminal', title: 'check', description: 'Runs the check', cwd: '.' }),
  presentResult(args, result) {
    const meta = result.meta as { output: string; exitCode: number };
    return { card: 'terminal', output: meta.output, exitCode: meta.exitCode };
  },
});

/** The default card, with everything that it may hold. */
export const findTool = defineTool({
  name: 'find_note',
  description: 'Finds notes.',
  parameters: { word: { type: 'string', required: true } },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  execute: async (args) => [{ type: 'text', text: `nothing about ${args.word}` }],
  presentCall: (args) => ({
    card: 'generic',
    title: `Find ${args.word}`,
    kind: 'search',
    rawInput: args,
    content: [{ type: 'text', text: args.word }],
    locations: [{ path: 'note.txt', line: 1 }, { path: 'other.txt' }],
  }),
  presentResult: (_args, { content }) => ({ card: 'generic', title: 'Found', content }),
});
