import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { ToolStreamEvent } from '@wrongstack/contracts';
import { processTable, startedWith } from '../process/process-table.js';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createBashTool, type BashInput } from './bash.tool.js';

// Real processes on a machine that may be busy.
jest.setTimeout(30_000);

describe('bash', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject();
  });
  afterEach(() => project.dispose());

  const environment = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    ANTHROPIC_API_KEY: 'k',
    BASH_ENV: '/tmp/evil',
  };
  const tool = createBashTool({ environment });
  const run = (command: string, more: Partial<BashInput> = {}) =>
    tool.execute({ command, ...more }, project.ctx, toolOptions());
  const streamed = async (command: string, opts = toolOptions()): Promise<ToolStreamEvent[]> => {
    const events: ToolStreamEvent[] = [];
    for await (const event of tool.executeStream?.({ command }, project.ctx, opts) ?? []) events.push(event);
    return events;
  };

  it('returns both streams as text, without a word about success', async () => {
    const output = await run('echo out; echo err >&2');
    expect(output.content).toEqual([{ type: 'text', text: 'out\nerr' }]);
    expect(output.meta).toMatchObject({ exitCode: 0, timedOut: false });
  });

  it('names an exit code that is not zero; the call itself did not fail', async () => {
    const output = await run('echo no; exit 9');
    expect(output.content.map((block) => ('text' in block ? block.text : ''))).toEqual([
      'no',
      '[exit code: 9]',
    ]);
    expect(output.isError).toBeUndefined();
    expect(output.meta).toMatchObject({ exitCode: 9 });
  });

  it('says when there is no output', async () => {
    expect(textOf(await run('true'))).toBe('[no output]');
  });

  it('streams output as it comes, and one final event last', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const events = tool.executeStream?.(
      { command: 'echo first; read -t 30 x < <(sleep 30); echo never' },
      project.ctx,
      { signal: stop.signal },
    );
    let last: unknown;
    const consume = async (): Promise<void> => {
      for await (const event of events ?? []) {
        if (event.type === 'partial_output') seen.push(event.text);
        if (event.type === 'final') last = event.output;
        stop.abort();
      }
    };
    await consume();
    expect(seen).toEqual(['first\n']);
    expect(last).toMatchObject({
      isError: true,
      content: [{ text: 'first' }, { text: '[interrupted; its processes were stopped]' }],
    });
    const finished = await streamed('echo a; echo b');
    expect(finished.map((event) => event.type).filter((type) => type === 'final')).toEqual(['final']);
    expect(finished.at(-1)?.type).toBe('final');
  });

  it('stops the command when nobody listens any more', async () => {
    const tag = `STOP_${Math.random().toString(36).slice(2)}`;
    for await (const event of tool.executeStream?.(
      { command: `export ${tag}=1; env true; echo x; exec sleep 61` },
      project.ctx,
      toolOptions(),
    ) ?? []) {
      expect(event.type).toBe('partial_output');
      break;
    }
    const left: number[] = [];
    for (const { pid } of processTable() ?? []) if (startedWith(pid, tag, '1')) left.push(pid);
    expect(left).toEqual([]);
  });

  it('reports a timeout as a result, with the output so far', async () => {
    const output = await run(`echo begun; trap '' TERM; sleep 60 & sleep 60`, { timeoutMs: 400 });
    expect(textOf(output)).toBe('begun\n[timed out after 400 ms and was stopped]');
    expect(output.meta).toMatchObject({ timedOut: true, exitCode: null });
  });

  it('ends a command that asks', async () => {
    expect(textOf(await run('cat; read x; echo done'))).toBe('done');
  });

  it('reads no start-up file and hands out no secret', async () => {
    await writeFile(project.at('.bashrc'), 'echo from bashrc');
    const text = textOf(await run('env'));
    expect(text).not.toMatch(/ANTHROPIC|BASH_ENV|bashrc/);
    expect(text).toContain('GIT_TERMINAL_PROMPT=0');
  });

  it('takes a command that starts with a dash as a command', async () => {
    expect(textOf(await run('-x'))).toContain('-x: command not found');
  });

  it('runs in the named folder, and says when that is gone', async () => {
    await mkdir(project.at('sub'));
    expect(textOf(await run('pwd', { cwd: 'sub' }))).toBe(project.at('sub'));
    await rm(project.at('sub'), { recursive: true });
    expect(await codeOfRejection(run('pwd', { cwd: 'sub' }))).toBe('spawn.no_cwd');
  });

  it('says of binary output what it is', async () => {
    const bytes = Buffer.from('a\0b\0c\n');
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(textOf(await run(`printf 'a\\0b\\0c\\n'`))).toBe(`[binary output, 6 bytes, sha256 ${hash}]`);
    expect((await streamed('head -c 4096 /dev/urandom')).map((event) => event.type)).toEqual(['final']);
  });

  it('keeps head and tail of a large output, and all of it in a private file', async () => {
    const output = await run('seq 1 100000; exit 2');
    const { spill } = output.meta as { spill: string };
    const text = textOf(output);
    expect(text).toMatch(/^1\n2\n3\n/);
    expect(text).toContain('\n100000\n[');
    expect(text).toContain(`full output in ${spill}]\n[exit code: 2]`);
    expect(text.length).toBeLessThan(140_000);
    expect(spill.startsWith(project.ctx.scratchDir)).toBe(true);
    expect((await stat(spill)).mode & 0o777).toBe(0o600);
    expect((await readFile(spill, 'utf8')).split('\n')).toHaveLength(100_001);
  });

  it('says when it stopped what a command left running', async () => {
    expect(textOf(await run('sleep 60 & echo started'))).toBe(
      'started\n[1 background processes were stopped]',
    );
  });

  it('does not run what a repository in the tree configures', async () => {
    await project.write('docs/a/HEAD', 'ref: refs/heads/x\n');
    await project.write('docs/a/config', '[core]\n\tfsmonitor=./m.sh\n\tbare=false\n\tworktree=.\n');
    await project.write('docs/a/m.sh', `#!/bin/sh\ntouch ${project.outside}/CANARY\n`);
    await run('mkdir -p docs/a/objects docs/a/refs; chmod +x docs/a/m.sh');
    const text = textOf(await run('cd docs/a && git status; ls ../../../out'));
    expect(text).toContain('safe.bareRepository');
    expect(text).not.toContain('CANARY');
  });

  it('refuses what is no command', async () => {
    for (const command of ['', '  ', 'echo a\0b'])
      expect(await codeOfRejection(run(command))).toBe('tool.bad_input');
    for (const timeoutMs of [0, 1e9, 1.5])
      expect(await codeOfRejection(run('true', { timeoutMs }))).toBe('tool.bad_input');
  });

  it('claims the command and its folder', () => {
    expect(tool.describeCall?.({ command: 'ls', cwd: 'sub' }, { cwd: '/ws', projectRoot: '/ws' })).toEqual({
      paths: [],
      command: 'ls',
      cwd: '/ws/sub',
      urls: [],
    });
  });

  it('draws a terminal card from the result alone', async () => {
    const output = await run('echo no; exit 9');
    expect(tool.presentCall?.({ command: 'echo no' })).toEqual({ card: 'terminal', title: 'echo no' });
    expect(tool.presentResult?.({ command: 'echo no' }, { ...output, isError: false })).toEqual({
      card: 'terminal',
      title: 'echo no',
      output: 'no',
      exitCode: 9,
    });
    const both = await run('echo out; sleep 0.1; echo err >&2');
    expect(tool.presentResult?.({ command: 'x' }, { ...both, isError: false })).toMatchObject({
      output: 'out\nerr',
      stderr: [1],
    });
    const empty = await run('true');
    expect(tool.presentResult?.({ command: 'true' }, { ...empty, isError: false })).toMatchObject({
      output: '',
    });
  });
});
