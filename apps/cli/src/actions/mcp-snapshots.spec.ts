import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EditorWorld } from '../acp/acp-editor.spec-support.js';
import { McpWorld } from './mcp-world.spec-support.js';

jest.setTimeout(30_000);

interface Call {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

interface Scenario extends EditorWorld {
  readonly turns: readonly { readonly calls?: readonly Call[] }[];
  readonly answers: readonly ('allow_once' | 'reject_once')[];
}

const FOLDER = path.join(__dirname, '../acp/snapshots');
const ANSWERS = { allow_once: 'allow once', reject_once: 'reject' } as const;
const scenarios = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => path.basename(name, '.json'));

/** The calls that editors' transcripts pin, by the same real tools, as a real client of the other protocol gets them. */
describe.each(scenarios)('%s, for an MCP client', (name) => {
  let world: McpWorld;

  afterEach(() => world.stop());

  it('is what it was: questions, progress, results', async () => {
    const scenario = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as Scenario;
    world = await McpWorld.start({ files: scenario.files ?? {} });
    const answers = [...scenario.answers];
    const transcript: unknown[] = [];
    const client = await world.connect(({ params }) => {
      transcript.push({ asked: params.message });
      return { action: 'accept', content: { answer: ANSWERS[answers.shift() ?? 'reject_once'] } };
    });
    const { project } = world.sandbox;
    for (const { tool, input } of scenario.turns.flatMap(({ calls = [] }) => calls)) {
      const args = JSON.parse(JSON.stringify(input).replaceAll('{{project}}', project)) as Call['input'];
      let progress = '';
      const result = await client
        .callTool({ name: tool, arguments: args }, undefined, {
          onprogress: ({ message = '' }) => (progress += message),
        })
        .catch((error: unknown) => ({ error: String(error) }));
      transcript.push({ tool, ...(progress === '' ? {} : { progress }), result });
    }
    const text = JSON.stringify(transcript)
      .replaceAll(project, '{{project}}')
      .replace(/"id":"d-[^"]*"/g, '"id":"{{decision}}"')
      .replace(/until \d+ \w+ \d\d:\d\d/g, 'until {{expiry}}');
    expect(JSON.parse(text)).toMatchSnapshot();
  });
});
