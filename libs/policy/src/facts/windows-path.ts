import { win32 } from 'node:path';

/**
 * How Windows reads a spelling, as a pure function: it runs (and is tested) on every platform. Anything that Windows
 * would silently turn into another file is either put into the one spelling or refused.
 */
export type WindowsPath =
  | { readonly kind: 'drive'; readonly path: string }
  | { readonly kind: 'unc' }
  | { readonly kind: 'device'; readonly name: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reserved in every folder and with every extension; the superscript digits count as digits. */
const DEVICE_NAME =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:[. :].*)?$/i;
const FORBIDDEN = /[\u0000-\u001f<>"|?*]/;

export function readWindowsPath(spelling: string, base: string): WindowsPath {
  const text = spelling.replaceAll('/', '\\');
  const prefixed = readPrefix(text);
  if (prefixed !== null && typeof prefixed !== 'string') return prefixed;
  const plain = prefixed ?? text;
  if (/^[a-z]:(?!\\)/i.test(plain)) {
    return { kind: 'invalid', reason: `${spelling} is relative to the current folder of a drive` };
  }
  if (/^[a-z]:\\/i.test(plain)) return joinSegments(plain);
  const home = readBase(base);
  if (home === null) return { kind: 'invalid', reason: 'the working folder is on no drive' };
  return joinSegments(plain.startsWith('\\') ? `${home.slice(0, 2)}${plain}` : `${home}\\${plain}`);
}

/** Case, separators and prefixes do not tell two files apart: one key for the prompt, the trust file and the matcher. */
export function windowsKey(path: string): string {
  return path.replaceAll('/', '\\').toUpperCase();
}

/** `\\?\C:\x` is `C:\x`; every other `\\` path leads off the drives. Returns the plain path, an answer, or null for no prefix. */
function readPrefix(text: string): string | WindowsPath | null {
  if (text.startsWith('\\??\\')) return { kind: 'device', name: text };
  if (!text.startsWith('\\\\')) return null;
  const verbatim = /^\\\\[?.]\\([a-z]:\\.*)$/is.exec(text);
  if (verbatim?.[1] !== undefined) return verbatim[1];
  if (/^\\\\[?.]\\UNC\\/i.test(text)) return { kind: 'unc' };
  if (/^\\\\[?.](?:\\|$)/.test(text)) return { kind: 'device', name: text };
  return { kind: 'unc' };
}

function readBase(base: string): string | null {
  const text = base.replaceAll('/', '\\').replace(/^\\\\[?.]\\(?=[a-z]:\\)/i, '');
  return /^[a-z]:\\/i.test(text) ? text.replace(/\\+$/, '') : null;
}

function joinSegments(absolute: string): WindowsPath {
  const kept: string[] = [];
  for (const raw of absolute.slice(3).split('\\')) {
    if (raw === '' || raw === '.') continue;
    if (raw === '..') {
      kept.pop();
      continue;
    }
    if (DEVICE_NAME.test(raw)) return { kind: 'device', name: raw };
    if (raw.includes(':')) return { kind: 'invalid', reason: `${raw} names an alternate stream` };
    if (FORBIDDEN.test(raw)) return { kind: 'invalid', reason: `${raw} is no file name` };
    // Win32 drops trailing dots and blanks: `.git.` opens `.git`.
    const name = raw.replace(/[. ]+$/, '');
    if (name === '') return { kind: 'invalid', reason: `${raw} is no file name` };
    kept.push(name);
  }
  return { kind: 'drive', path: win32.join(`${absolute.slice(0, 1).toUpperCase()}:\\`, ...kept) };
}
