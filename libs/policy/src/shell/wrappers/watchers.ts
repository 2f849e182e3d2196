import { names } from '../names.js';
import { hasOption, optionValues, scanOptions, type OptionShape } from '../option-scan.js';
import { runtimeWord, type ShellWord } from '../shell-word.js';
import {
  joinedRuns,
  ownCover,
  scriptRun,
  wordsRun,
  type InnerRun,
  type ProgramCall,
  type Unwrapped,
  type WrapperFamily,
} from './unwrap.js';

/** Programs that run a command again and again: at every change of a file, or to measure it; or several side by side. */
export const WATCHER_WRAPPERS: readonly WrapperFamily[] = [
  { programs: ['hyperfine'], unwrap: unwrapHyperfine },
  { programs: ['entr'], unwrap: unwrapEntr },
  { programs: ['watchexec'], unwrap: unwrapWatchexec },
  { programs: ['nodemon'], unwrap: unwrapNodemon },
  { programs: ['concurrently'], unwrap: unwrapConcurrently },
  { programs: ['chokidar'], unwrap: unwrapChokidar },
];

const HYPERFINE: OptionShape = {
  short: 'wmMrspcCPDSniuL',
  long: names(`
    warmup min-runs max-runs runs setup reference prepare conclude cleanup parameter-scan
    parameter-step-size parameter-list shell style sort time-unit export-asciidoc export-csv export-json
    export-markdown export-orgmode output input command-name
  `),
};

/** Every operand is a command line of its own; `{name}` is filled in from a list. */
function unwrapHyperfine({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, HYPERFINE);
  const around = optionValues(
    scanned,
    ...names('-s --setup -p --prepare -C --conclude -c --cleanup --reference -S --shell'),
  );
  return ownCover(
    name,
    ...[...around, ...scanned.operands].map((word): InnerRun => {
      const run = scriptRun(word, name);
      if (run.kind !== 'script') return run;
      return { kind: 'script', text: run.text.replaceAll(/\{[^{}\s]*\}/g, '"$1"') };
    }),
  );
}

function unwrapEntr({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, { stopAtOperand: true });
  if (hasOption(scanned, '-s')) return ownCover(`${name} -s`, scriptRun(scanned.operands[0], `${name} -s`));
  // `/_` stands for the file that changed.
  const words = scanned.operands.map((word) => (word.value === '/_' ? runtimeWord(word.text) : word));
  return ownCover(name, ...wordsRun(words));
}

const WATCHEXEC: OptionShape = {
  short: 'wWFosdEefij',
  long: names(`
    watch watch-non-recursive watch-file on-busy-update signal stop-signal stop-timeout map-signal debounce
    delay-run shell env exts filter ignore filter-file ignore-file filter-prog fs-events project-origin
    workdir emit-events-to wrap-process timeout socket
  `),
  stopAtOperand: true,
};

function unwrapWatchexec({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, WATCHEXEC);
  const shells = optionValues(scanned, '--shell').map((word) => scriptRun(word, `${name} --shell`));
  return ownCover(name, ...shells, ...codeOrWords(scanned.operands, name));
}

/** Joined for a shell or run as they are, by version and option: where the two readings could differ both count. */
function codeOrWords(words: readonly ShellWord[], whose: string): readonly InnerRun[] {
  if (words.length === 1) return [scriptRun(words[0], whose)];
  const plain = words.every((word) => /^[\w./:=@%+,-]+$/.test(word.value ?? ''));
  return plain ? wordsRun(words) : [...wordsRun(words), ...joinedRuns(words, whose)];
}

/** The script that is watched, and nodemon's own later options, stand behind what `--exec` names. */
function unwrapNodemon({ name, args }: ProgramCall): Unwrapped | null {
  const at = args.findIndex((word) => /^(?:-x|--exec)(?:=|$)/.test(word.value ?? word.lead));
  if (at < 0) return null;
  const glued = /^(?:-x|--exec)=([^]*)$/.exec(args[at]?.value ?? '')?.[1];
  const code = args.slice(at + 1);
  const [first] = code;
  const own = args[at];
  if (glued !== undefined && own !== undefined) code.unshift({ ...own, value: glued, lead: glued });
  if (glued === undefined && own?.value === null) return ownCover(name, scriptRun(own, `${name} --exec`));
  if (glued === undefined && first === undefined) return null;
  return ownCover(`${name} --exec`, ...joinedRuns(code, `${name} --exec`));
}

function unwrapConcurrently({ name, args }: ProgramCall): Unwrapped | null {
  const shape = {
    short: 'mnlctip',
    long: names(`
      max-processes names name-separator prefix prefix-colors prefix-length timestamp-format restart-tries
      restart-after default-input-target handle-input kill-signal success teardown cwd
    `),
  };
  const scanned = scanOptions(args, shape);
  const code = [...scanned.operands, ...optionValues(scanned, '--teardown')];
  return ownCover(name, ...code.map((word) => scriptRun(word, name)));
}

function unwrapChokidar({ name, args }: ProgramCall): Unwrapped | null {
  const scanned = scanOptions(args, { short: 'cdti', long: ['command', 'debounce', 'throttle', 'ignore'] });
  return ownCover(
    `${name} -c`,
    ...optionValues(scanned, '-c', '--command').map((word) => scriptRun(word, `${name} -c`)),
  );
}
