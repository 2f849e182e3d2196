import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Plugin, WrongStackError } from '@wrongstack/core';

interface Note {
  readonly text: string;
}

/** A notebook for the project: a tool for the agent, `/notes` for the person, a metric, and health. */
const plugin: Plugin = {
  name: 'notebook',
  version: '1.0.0',
  description: 'Keeps notes beside the project',
  apiVersion: '^0.1.0',
  capabilities: { tools: true, slashCommands: true },
  defaultConfig: { file: 'NOTES.md' },
  configSchema: {
    type: 'object',
    // A name, not a path: notes stay in the project's own folder.
    properties: { file: { type: 'string', pattern: '^[A-Za-z0-9._-]+\\.md$' } },
  },

  setup(api) {
    const name: string = api.config.extensions['notebook'].file;
    this.failed = undefined;
    api.tools.register({
      name: 'take_note',
      description: `Append one line to ${name} in the project.`,
      category: 'Notes',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: 500 } },
        required: ['text'],
        additionalProperties: false,
      },
      permission: 'confirm',
      mutating: true,
      riskTier: 'standard',
      capabilities: ['fs.write'],
      describeCall: (_input, ctx) => ({
        paths: [{ path: path.join(ctx.projectRoot, name), access: 'write' }],
        command: null,
        urls: [],
      }),
      async execute({ text }: Note, ctx, { signal }) {
        signal.throwIfAborted();
        if (text.includes('\n')) throw new WrongStackError('notebook.lines', 'a note is one line');
        const file = path.join(ctx.projectRoot, name);
        await ctx.withPathLock(file, () => appendFile(file, `- ${text}\n`));
        await ctx.recordWrite(file);
        api.metrics.counter('notes_total');
        return `noted in ${name}`;
      },
    });
    api.slashCommands.register({
      name: 'notes',
      description: `show ${name}`,
      async execute({ ctx }) {
        try {
          return { message: await readFile(path.join(ctx.projectRoot, name), 'utf8') };
        } catch {
          return { message: 'there are no notes yet' };
        }
      },
    });
    api.registerSystemPromptContributor(() => [
      { type: 'text', text: `## Notes\nWhat is worth remembering goes to ${name} with take_note.` },
    ]);
    api.onEvent('tool.executed', (event) => {
      if (event.name === 'take_note' && event.isError) this.failed = 'the last note could not be written';
    });
  },

  async health() {
    return { ok: this.failed === undefined, message: this.failed ?? 'notes can be written' };
  },
};

export default plugin;
