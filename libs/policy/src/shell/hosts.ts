import { names } from './names.js';
import { hasOption, optionValues, scanOptions, type OptionShape } from './option-scan.js';
import type { ShellWord } from './shell-word.js';
import { readGitCall } from './wrappers/git-programs.js';

const CURL: OptionShape = {
  short: 'oTdFHubAeXKEcDmwxYyzCrPQtU',
  long: names(`
    output output-dir upload-file data data-binary data-raw data-urlencode json form header user
    cookie user-agent referer request config cert key cacert cookie-jar dump-header max-time write-out
    proxy netrc-file connect-timeout retry resolve range url limit-rate connect-to preproxy socks5
    socks5-hostname socks4 doh-url
  `),
};
const WGET: OptionShape = {
  short: 'oOPiaBtTwQUlADIReX',
  long: names(`
    output-document output-file directory-prefix input-file base header post-data post-file method
    user password tries timeout user-agent referer execute
  `),
};
const SSH: OptionShape = { short: 'BbcDEeFIiJLlmOopQRSWw', stopAtOperand: true };

/** The addresses that a call talks to; `null` = one that is not static. */
export function impliedUrls(name: string, args: readonly ShellWord[]): (string | null)[] {
  switch (name.toLowerCase()) {
    case 'curl':
      return curlUrls(args);
    case 'wget':
    case 'wget2':
    case 'aria2c':
    case 'axel':
    case 'yt-dlp':
    case 'lynx':
    case 'links':
    case 'w3m':
      return webUrls(scanOptions(args, WGET).operands);
    case 'http':
    case 'https':
    case 'xh':
      return webUrls(
        scanOptions(args)
          .operands.filter((word) => !/^[A-Z]+$/.test(word.value ?? ''))
          .slice(0, 1),
      );
    case 'git':
      return gitUrls(args);
    case 'ssh':
    case 'autossh':
    case 'mosh':
    case 'sftp':
    case 'ssh-copy-id':
      return sshUrls(args);
    case 'scp':
      return scanOptions(args, { short: 'cFiJloPSDX' }).operands.flatMap(remoteUrl);
    case 'rsync':
      return scanOptions(args, {
        short: 'efBTM',
        long: ['rsh', 'exclude', 'include', 'filter'],
      }).operands.flatMap(remoteUrl);
    case 'nc':
    case 'ncat':
    case 'netcat':
    case 'telnet':
    case 'ftp':
    case 'tftp':
    case 'lftp':
      return socketUrls(name, args);
    case 'socat':
      return args.flatMap(socatUrl);
    case 'docker':
    case 'podman':
      return [];
    default:
      return [];
  }
}

function curlUrls(args: readonly ShellWord[]): (string | null)[] {
  const scanned = scanOptions(args, CURL);
  const urls = webUrls([...scanned.operands, ...optionValues(scanned, '--url')]);
  const proxies = webUrls(
    optionValues(
      scanned,
      '-x',
      '--proxy',
      '--preproxy',
      '--socks5',
      '--socks5-hostname',
      '--socks4',
      '--doh-url',
    ),
  );
  // These decide at run time where the request really goes.
  const rerouted = hasOption(scanned, '-K', '--config', '--connect-to', '--resolve') ? [null] : [];
  return [...urls, ...proxies, ...rerouted];
}

function webUrls(words: readonly ShellWord[]): (string | null)[] {
  return words.flatMap((word) => {
    const text = word.value ?? '';
    if (word.value === null) return [staticOrigin(word.lead)];
    if (/^file:/i.test(text) || text === '' || text === '-') return [];
    // curl expands {a,b} and [1-9] itself.
    if (/[{}[\]*]/.test(text.split('/').slice(0, 3).join('/')) && !/^\w+:\/\/\[[\da-f:.]+\]/i.test(text))
      return [null];
    return [/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`];
  });
}

/** `https://host/$x` has a static host; without the slash the rest could still change it. */
function staticOrigin(lead: string): string | null {
  return /^[a-z][a-z\d+.-]*:\/\/[^/@\\{}[\]?#]+\//i.exec(lead)?.[0] ?? null;
}

/** git's short form: `user@host:path`, and no slash before the colon. */
function remoteUrl(word: ShellWord): (string | null)[] {
  const text = word.value;
  if (text === null) return word.splits || word.lead === '' ? [null] : [];
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return /^file:/i.test(text) ? [] : [text];
  const host = /^(?:[^@/:]+@)?(\[[^\]]+\]|[^/:@]+)::?/.exec(text)?.[1];
  return host === undefined || /^[A-Za-z]$/.test(host) ? [] : [`ssh://${host}`];
}

const REMOTE_VERBS = new Set(
  names(`
  clone fetch pull push ls-remote remote submodule archive fetch-pack send-pack lfs svn request-pull
`),
);

function gitUrls(args: readonly ShellWord[]): (string | null)[] {
  const { verb, args: behind } = readGitCall(args);
  if (verb === null || verb === undefined || !REMOTE_VERBS.has(verb)) return [];
  const scanned = scanOptions(behind, {
    short: 'bocujf',
    long: names(`
      branch origin depth config upload-pack reference template filter jobs repo remote server-option
    `),
  });
  const operands = verb === 'clone' ? scanned.operands.slice(0, 1) : scanned.operands;
  const named = [...operands, ...optionValues(scanned, '--repo', '--remote')].flatMap((word) =>
    isRefspec(word, verb) ? [] : remoteUrl(word),
  );
  if (verb === 'remote' && !/^(?:update|prune|show)$/.test(behind[0]?.value ?? '')) return [];
  // A remote's name, or none at all: the repository's settings say where that is.
  return named.length > 0 || verb === 'archive' || verb === 'request-pull' ? named : [null];
}

/** `main:main` has the shape of an address; only the first operand of push and fetch is one. */
function isRefspec(word: ShellWord, verb: string): boolean {
  if (verb === 'clone' || verb === 'ls-remote') return false;
  const text = word.value ?? '';
  return !text.includes('://') && !/^[^@/:]+@[^/:]+:/.test(text) && word.value !== null;
}

function sshUrls(args: readonly ShellWord[]): (string | null)[] {
  const scanned = scanOptions(args, SSH);
  const target = scanned.operands[0];
  const jumps = optionValues(scanned, '-J').flatMap((word) =>
    word.value === null ? [null] : word.value.split(',').map((jump) => sshUrl(jump)),
  );
  if (target === undefined) return jumps;
  return [
    ...jumps,
    target.value === null ? null : sshUrl(target.value, optionValues(scanned, '-p')[0]?.value ?? null),
  ];
}

function sshUrl(target: string, port: string | null = null): string {
  if (target.startsWith('ssh://') || target.startsWith('sftp://')) return target;
  const host = target.slice(target.lastIndexOf('@') + 1).replace(/:.*$/, '');
  return `ssh://${host}${port === null ? '' : `:${port}`}`;
}

function socketUrls(name: string, args: readonly ShellWord[]): (string | null)[] {
  const scanned = scanOptions(args, {
    short: 'ecgGiIlmMnopPqsTuvVwWxX'.replace(/[luvn]/g, ''),
    long: ['exec', 'sh-exec', 'proxy'],
  });
  const [host, port] = scanned.operands;
  if (host === undefined || hasOption(scanned, '-l', '--listen')) return [];
  if (host.value === null || port?.value === null) return [null];
  if (host.value.includes('://')) return [host.value];
  return [
    `tcp://${host.value}${port?.value !== undefined && /^\d+$/.test(port.value) ? `:${port.value}` : ''}`.replace(
      'tcp:',
      name === 'ftp' || name === 'lftp' ? 'ftp:' : 'tcp:',
    ),
  ];
}

function socatUrl(word: ShellWord): (string | null)[] {
  if (word.value === null) return [null];
  const found =
    /^(tcp|udp|ssl|openssl|sctp|socks\w*|proxy)[46]?(?:-connect)?:(\[[^\]]+\]|[^:,]+):(\d+)/i.exec(
      word.value,
    );
  return found
    ? [`${(found[1] ?? 'tcp').toLowerCase() === 'udp' ? 'udp' : 'tcp'}://${found[2] ?? ''}:${found[3] ?? ''}`]
    : [];
}
