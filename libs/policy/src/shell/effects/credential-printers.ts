import { hasOption, scanOptions } from '../option-scan.js';
import { staticWord, type ShellWord } from '../shell-word.js';
import { readGitCall } from '../wrappers/git-programs.js';
import type { EffectRule, FileUse } from './file-use.js';

/**
 * Programs that print a credential from a file of theirs. What they print is what reading that file would give, so it is
 * that read. Each row: the words that ask for it, and where the credential lies.
 */
function printer(
  programs: readonly string[],
  asks: readonly RegExp[],
  file: string,
  why: string,
): EffectRule {
  const home: ShellWord = { ...staticWord(`~/${file}`), tilde: true };
  const word = file.startsWith('/') ? staticWord(file) : home;
  return {
    programs,
    operands: 'none',
    why,
    special: (args) => (asksFor(args, asks) ? [{ word, access: 'read' } satisfies FileUse] : []),
  };
}

/** The operands and options as one line; a word that is not static may be what is asked for. */
function asksFor(args: readonly ShellWord[], asks: readonly RegExp[]): boolean {
  const { operands, options, dynamic } = scanOptions(args);
  const verbs = operands.map((word) => word.value ?? '*').join(' ');
  const named = options.map(({ name }) => name).join(' ');
  if (dynamic && operands[0]?.value === null) return true;
  return asks.some((ask) => ask.test(verbs) || ask.test(named));
}

/** Remote addresses with passwords, extra headers with tokens, helpers: a list shows those of the person too. */
function listedSettings(words: readonly ShellWord[]): FileUse[] {
  const { verb, args } = readGitCall(words);
  if (verb !== 'config') return [];
  const scanned = scanOptions(args, { short: 'f', long: ['file', 'blob', 'type', 'default'] });
  if (hasOption(scanned, '-f', '--file', '--blob', '--local', '--worktree', '--name-only')) return [];
  const lists =
    hasOption(scanned, '-l', '--list', '--get-regexp', '--get-urlmatch', '--regexp') ||
    scanned.operands[0]?.value === 'list';
  const secret = scanned.operands.some(({ value }) =>
    /extraheader|token|password|secret|^credential\./i.test(value ?? ''),
  );
  const asked = secret && scanned.operands.length < 3 && !hasOption(scanned, '--unset', '--add');
  return lists || asked
    ? [{ word: { ...staticWord('~/.git-credentials'), tilde: true }, access: 'read' }]
    : [];
}

/** These put what `.env` holds into the environment of a program, whose output may be anything. */
function loadedEnvironment(args: readonly ShellWord[]): FileUse[] {
  const loads = args.some(({ value }) =>
    /^(?:--?\w+=|-r)?dotenv(?:x|-flow|-safe|-expand)?\/config/.test(value ?? ''),
  );
  return loads ? [ENVIRONMENT_FILE] : [];
}

const ENVIRONMENT_FILE: FileUse = { word: staticWord('.env'), access: 'read', guessed: true };

export const CREDENTIAL_PRINTER_RULES: readonly EffectRule[] = [
  printer(['gh'], [/^auth token/, /--show-token/], '.config/gh/hosts.yml', 'auth token prints the token'),
  printer(
    ['glab'],
    [/^auth token/, /--show-token/, /^config get token/],
    '.config/glab-cli/config.yml',
    'prints the token',
  ),
  printer(
    ['aws'],
    [
      /configure (?:get|export-credentials)/,
      /(?:get-session-token|assume-role|get-login-password|get-secret-value)/,
    ],
    '.aws/credentials',
    'configure get, export-credentials and the like print keys',
  ),
  printer(
    ['gcloud'],
    [/print-(?:access|identity)-token/, /secrets versions access/],
    '.config/gcloud/credentials.db',
    'prints tokens',
  ),
  printer(
    ['az'],
    [/get-access-token/, /keyvault secret (?:show|download)/],
    '.azure/msal_token_cache.json',
    'prints tokens',
  ),
  printer(
    ['gpg', 'gpg2'],
    [/--export-secret/],
    '.gnupg/private-keys-v1.d',
    '--export-secret-keys prints keys',
  ),
  printer(
    ['pass', 'gopass'],
    [/^(?!ls\b|list\b|find\b|search\b|git\b|init\b|version\b)./],
    '.password-store/x',
    'prints passwords',
  ),
  printer(['op'], [/^(?:read|item get|document get|inject)/], '.config/op/config', 'prints passwords'),
  printer(['bw'], [/^(?:get|export|list)/], '.config/op/config', 'prints passwords'),
  printer(['vault'], [/^(?:read|kv get|print token|token lookup)/], '.vault-token', 'prints secrets'),
  printer(
    ['kubectl', 'oc'],
    [/\bget secrets?\b/, /config view/, /create token/],
    '.kube/config',
    'get secret and config view print credentials',
  ),
  printer(
    ['security'],
    [/^(?:find-(?:generic|internet)-password|dump-keychain|export)/],
    'Library/Keychains/login.keychain-db',
    'prints passwords of the keychain',
  ),
  printer(
    ['secret-tool', 'keyring'],
    [/^(?:lookup|search|get)/],
    '.local/share/keyrings/login.keyring',
    'prints passwords of the keyring',
  ),
  printer(
    [
      'docker-credential-desktop',
      'docker-credential-osxkeychain',
      'docker-credential-pass',
      'docker-credential-secretservice',
    ],
    [/^(?:get|list)/],
    '.docker/config.json',
    'prints registry passwords',
  ),
  {
    programs: ['git'],
    operands: 'none',
    why: 'config --list and --get-regexp print addresses and headers with tokens; not with --local or --name-only',
    special: listedSettings,
  },
  {
    programs: ['node', 'nodejs', 'bun', 'tsx', 'ts-node', 'nodemon', 'mocha', 'babel-node', 'electron'],
    operands: 'none',
    why: '-r dotenv/config loads .env',
    special: loadedEnvironment,
  },
  {
    programs: ['dotenv', 'dotenvx', 'env-cmd', 'foreman', 'honcho'],
    operands: 'none',
    why: 'load .env for the program that they run',
    special: () => [ENVIRONMENT_FILE],
  },
  printer(
    ['docker', 'podman', 'nerdctl'],
    [
      /^(?:\w+ )?inspect\b/,
      /^compose (?:\S+ )*(?:config|convert)\b/,
      /^(?:compose )?exec (?:\S+ )*(?:env|printenv)$/,
    ],
    '/proc/1/environ',
    'inspect, compose config and exec env print the environment of containers',
  ),
  printer(
    ['docker-compose', 'podman-compose'],
    [/^(?:config|convert)\b/, /^exec (?:\S+ )*(?:env|printenv)$/],
    '/proc/1/environ',
    'config and exec env print the environment of containers',
  ),
  printer(
    ['git'],
    [/^credential fill/, /^credential-[\w-]+ get/],
    '.git-credentials',
    'credential fill prints passwords',
  ),
  printer(
    ['npm', 'pnpm', 'yarn'],
    [/^(?:c|config) get .*(?:auth|token|password)/i],
    '.npmrc',
    'config get prints tokens',
  ),
];
