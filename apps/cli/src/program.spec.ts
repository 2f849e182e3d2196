import { Command, CommanderError } from 'commander';
import { createProgram, everyCommand } from './program.js';

const paths = [...everyCommand(createProgram())].map(pathOf);

function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

/** What `<command> --help` prints, with what is added after it. */
async function helpOf(path: readonly string[]): Promise<string> {
  const program = createProgram();
  let help = '';
  for (const command of everyCommand(program))
    command.configureOutput({ writeOut: (text) => (help += text) });
  await program.parseAsync(['node', 'wstack', ...path, '--help']).catch((error: unknown) => {
    if (!(error instanceof CommanderError && error.code === 'commander.helpDisplayed')) throw error;
  });
  return help;
}

/** The command lines of a help text: each part of a pipeline that is ours, without remarks and redirections. */
function examplesIn(help: string): readonly (readonly string[])[] {
  const rows = help.split('\n').filter((row) => /^ {2}\S/.test(row) && /\bwstack /.test(row));
  return rows.flatMap((row) =>
    wordsOf(row.trim().split(/ {3,}/)[0] ?? '')
      .reduce<string[][]>((parts, word) => (word === '|' ? [...parts, []] : add(parts, word)), [[]])
      .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
      .filter(([program]) => program === 'wstack')
      .map((words) => (words.includes('>') ? words.slice(1, words.indexOf('>')) : words.slice(1))),
  );
}

function add(parts: readonly string[][], word: string): string[][] {
  return [...parts.slice(0, -1), [...(parts.at(-1) ?? []), word]];
}

/** As a shell would see them; single and double quotes are all that the examples need. */
function wordsOf(row: string): readonly string[] {
  return [...row.matchAll(/'([^']*)'|"((?:\\.|[^"])*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

/** Parse a line as the program would, and run nothing. Returns the command that it reached. */
async function parsed(line: readonly string[]): Promise<string> {
  const program = createProgram();
  let reached = 'nothing';
  for (const command of everyCommand(program)) {
    command.configureOutput({ writeErr: () => undefined });
    command.action(() => {
      reached = pathOf(command).join(' ');
    });
  }
  await program.parseAsync(['node', 'wstack', ...line]);
  return reached;
}

describe('the help of every command', () => {
  it('is there for all of them', () => {
    expect(paths.length).toBeGreaterThan(40);
    expect(paths).toContainEqual(['mcp', 'serve']);
  });

  it.each(paths.map((path) => [['wstack', ...path].join(' '), path] as const))(
    '%s: says what it is for, with examples of itself that parse',
    async (_name, path) => {
      const help = await helpOf(path);
      const reached = await Promise.all(examplesIn(help).map(parsed));
      expect(reached.length).toBeGreaterThan(0);
      const wanted = path.join(' ');
      expect(reached.some((one) => one === wanted || one.startsWith(`${wanted} `) || path.length === 0)).toBe(
        true,
      );
      expect(reached).not.toContain('');
    },
  );

  it('takes no mistyped example for one that parses', async () => {
    await expect(parsed(['tool', 'lsit'])).rejects.toBeInstanceOf(CommanderError);
    await expect(parsed(['run', '--outptu', 'json'])).rejects.toBeInstanceOf(CommanderError);
  });
});
