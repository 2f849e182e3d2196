import { names } from './names.js';
import { namesProgram } from './wrappers/package-settings.js';
import { opaqueRun, type InnerRun } from './wrappers/unwrap.js';

/** Variables whose value other programs run as a command, or that bash expands as code. */
const RUN_AS_COMMAND = new Set(
  names(`
    PAGER MANPAGER GIT_PAGER BAT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND
    GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_PROXY_COMMAND BROWSER PROMPT_COMMAND
    RSYNC_RSH CVS_RSH RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER
  `),
);

/** Variables that make a program load or evaluate code before its own. */
const LOADS_CODE = new Set(
  names(`
    LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH BASH_ENV ENV LESSOPEN LESSCLOSE
    PYTHONSTARTUP PYTHONPATH PYTHONHOME PERL5OPT PERL5LIB PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS
    _JAVA_OPTIONS JDK_JAVA_OPTIONS GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR GIT_CONFIG GIT_CONFIG_GLOBAL
    GIT_CONFIG_SYSTEM GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT TAR_OPTIONS RIPGREP_CONFIG_PATH MAKEFLAGS PS1 PS4
    ZDOTDIR SHELLOPTS BASHOPTS
  `),
);

/** What an assignment makes a later program run. `value` null = not static. */
export function environmentRuns(name: string, value: string | null): InnerRun[] {
  if (value === '') return [];
  if (RUN_AS_COMMAND.has(name)) {
    return [value === null ? opaqueRun(`${name} that is not static`) : { kind: 'script', text: value }];
  }
  // npm takes every setting from the environment too.
  if (namesProgram(/^npm_config_(.*)$/i.exec(name)?.[1] ?? '')) return [opaqueRun(`${name} names a program`)];
  // A prompt is expanded when it is printed; without a substitution it is only text.
  if (name === 'PS1' || name === 'PS4')
    return value !== null && !/[$`\\]/.test(value) ? [] : [opaqueRun(`${name} is expanded as code`)];
  if (LOADS_CODE.has(name) || /^(?:GIT_CONFIG_(?:KEY|VALUE)_\d+|BASH_FUNC_.*)$/.test(name)) {
    return [opaqueRun(`${name} makes programs load code`)];
  }
  // Memory limits and the like are everyday; options that name a module are not.
  const loads =
    value === null ||
    /(?:^|\s)(?:-r|-e|-p|--require|--import|--loader|--experimental-loader|--eval)\b/.test(value);
  return name === 'NODE_OPTIONS' && loads ? [opaqueRun('NODE_OPTIONS makes node load code')] : [];
}

/** The assignments among a program's words: `export A=x`, `env A=x`. */
export function wordAssignment(word: {
  readonly value: string | null;
  readonly lead: string;
}): { name: string; value: string | null } | null {
  const found = /^([A-Za-z_]\w*)\+?=/.exec(word.value ?? word.lead);
  if (found === null) return null;
  return { name: found[1] ?? '', value: word.value === null ? null : word.value.slice(found[0].length) };
}
