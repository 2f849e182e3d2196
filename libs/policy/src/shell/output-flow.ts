import type { Redirection, SyntaxNode } from 'unbash';
import { names } from './names.js';
import type { ShellWord } from './shell-word.js';
import { isProcessSubstitution } from './syntax-questions.js';
import { wordValues } from './word-values.js';

/**
 * Where the standard output of a command ends. `shown`: in the result of the call, as the program printed it, so that the
 * scrubber can tell one file of a diff from the next. `handed-on`: in another program, a variable or a file.
 */
export type OutputFlow = 'shown' | 'handed-on';

/** What a program makes of text that it reads on its standard input. */
type Filter = 'keeps' | 'digests' | 'changes';

const DIGESTS: ReadonlySet<string> = new Set(
  names('wc true : cksum sum md5sum sha1sum sha256sum sha512sum b2sum'),
);

/** Where each command of a pipeline writes to. */
export function pipelineFlows(commands: readonly SyntaxNode[], whole: OutputFlow): OutputFlow[] {
  let behind = whole;
  const flows: OutputFlow[] = [];
  for (const command of commands.toReversed()) {
    flows.unshift(behind);
    const filter = filterOf(command);
    if (filter === 'changes') behind = 'handed-on';
    if (filter === 'digests') behind = 'shown';
  }
  return flows;
}

/** Text that is cut off behind some line is still text as it was printed; numbered or filtered lines are not. */
function filterOf(node: SyntaxNode): Filter {
  if (node.type !== 'Command' || node.name === undefined) return 'changes';
  if (node.redirects.some((redirect) => movesOutput(redirect, null))) return 'changes';
  const words = [node.name, ...node.args].flatMap((word) =>
    word.type === 'Word' ? wordValues(word, false).map(({ value }) => value) : [null],
  );
  const [program, ...args] = words;
  if (program === null || program === undefined || args.includes(null)) return 'changes';
  if (DIGESTS.has(program)) return 'digests';
  if (/^(?:grep|egrep|fgrep|rg)$/.test(program) && /^-(?:q|c)$/.test(args[0] ?? '')) return 'digests';
  if (/^(?:cat|less|more)$/.test(program) && args.every((arg) => arg === '-')) return 'keeps';
  return program === 'head' ? 'keeps' : 'changes';
}

/** Does a redirect send what a command prints elsewhere? `target` is null where it is not one static word. */
export function movesOutput(redirect: Redirection, target: ShellWord | null): boolean {
  if (redirect.type !== 'Redirect') return false;
  const { descriptor, operator } = redirect;
  const from = descriptor?.type === 'FileDescriptor' ? descriptor.value : null;
  // `1<>x` writes as well.
  if (operator.startsWith('<') && !(operator === '<>' && from === 1)) return false;
  if (from === 2) return false;
  if (isProcessSubstitution(redirect.target)) return true;
  const text = target?.value ?? redirect.target?.value ?? null;
  // Not to the standard error: that may be a file by now.
  return text === null || !/^(?:[1-]|\/dev\/(?:null|stdout|tty|fd\/1))$/.test(text);
}
