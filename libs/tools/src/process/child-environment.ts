import { delimiter, isAbsolute } from 'node:path';

/** The process environment as the application read it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Words that make a variable's name a secret's name, as whole words between underscores. */
const SECRET_WORDS =
  /(?:^|_)(?:KEYS?|APIKEY|TOKENS?|SECRETS?|PASS|PASSWD|PASSWORD|PASSPHRASE|PWD|CREDENTIALS?|CREDS?|AUTH|AUTHTOKEN|COOKIES?|JWT|PAT|DSN|BEARER|PRIVATE|SIGNING|WEBHOOK)(?:_|$)/i;
/** Names that end in such a word without an underscore: `GITHUBTOKEN`, `PGPASSWORD`. */
const SECRET_ENDS = /(?:TOKEN|SECRET|PASSWORD|PASSWD|APIKEY|ACCESSKEY|CREDENTIALS)$/i;
/** Values that are or hold a credential whatever the name: a URL with a password, well-known key forms. */
const SECRET_VALUES =
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/@]*:[^\s/@]+@|-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[a-z]_[A-Za-z0-9]{16,}|\bgithub_pat_|\bglpat-|\bxox[a-z]-|\bAKIA[A-Z0-9]{12,}|\beyJ[A-Za-z0-9_-]{10,}\./;
/** Variables of ours, and those that belong to a model provider. */
const OWN = /^(?:WRONGSTACK|WSTACK|ANTHROPIC|OPENAI|AZURE_OPENAI|GEMINI|MISTRAL|DEEPSEEK|GROQ|OPENROUTER)_/i;

/** Look like secrets by name and are none: places and handles that programs need. */
const HARMLESS = new Set(['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'XAUTHORITY', 'KEYMAP']);

/**
 * Variables through which the surroundings would run code in, or redirect, every child: shells' start-up files and
 * exported functions, pre-loaded libraries, pagers and editors and askpass programs that would wait for a person.
 */
const STEERING =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|IFS|BASH_FUNC_.*|LD_PRELOAD|LD_AUDIT|DYLD_.*|EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|SSH_ASKPASS|SSH_ASKPASS_REQUIRE|SUDO_ASKPASS|RIPGREP_CONFIG_PATH)$/;

/** Of git's many variables only those that say who somebody is and how to reach a server. */
const GIT_ALLOWED =
  /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|^GIT_SSH(?:_COMMAND|_VARIANT)?$|^GIT_SSL_|^GIT_CEILING_DIRECTORIES$|^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/;

/** A repository that lies in the tree as ordinary files brings its own configuration, and that names programs. */
export const GIT_DEFAULTS: readonly (readonly [string, string])[] = [['safe.bareRepository', 'explicit']];

/** What a child process gets: the application's environment without secrets and without what would steer it. */
export function childEnvironment(
  environment: Environment,
  gitConfig: readonly (readonly [string, string])[] = GIT_DEFAULTS,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && mayPass(name, value)) env[name] = value;
  }
  // A relative entry would run a program of the project in place of the one that was meant.
  if (env['PATH'] !== undefined)
    env['PATH'] = env['PATH'].split(delimiter).filter(isAbsolute).join(delimiter);
  return { ...env, ...QUIET, ...gitConfigVariables(gitConfig) };
}

/** Nobody is there to page, to edit or to answer. */
const QUIET = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  TERM: 'dumb',
} as const;

function mayPass(name: string, value: string): boolean {
  if (OWN.test(name) || STEERING.test(name)) return false;
  if (/^GIT_/i.test(name)) return GIT_ALLOWED.test(name);
  if (SECRET_VALUES.test(value)) return false;
  return HARMLESS.has(name) || !(SECRET_WORDS.test(name) || SECRET_ENDS.test(name));
}

/** Configuration by environment reaches every git below, and a command line need not carry it. */
function gitConfigVariables(
  config: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(config.length) };
  config.forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return variables;
}
