import { compileWordGlob, type TextTest } from './word-glob.js';

const SEPARATORS = /([/?#@\\])/;

/**
 * A glob over a URL. A star never crosses `/ ? # @`: otherwise `https://*.corp.example/x` would match
 * `https://evil.example/#.corp.example/x`. A `**` at the end stands for everything that follows.
 */
export function compileUrlGlob(pattern: string): TextTest {
  const open = pattern.endsWith('**');
  // The part before `**` becomes a prefix: `https://a.example/v1**` also matches `/v1beta`.
  const globs = (open ? pattern.slice(0, -1) : pattern).split(SEPARATORS);
  const tests = globs.map(compileWordGlob);
  return (url) => {
    const parts = url.split(SEPARATORS);
    if (open ? parts.length < tests.length : parts.length !== tests.length) return false;
    return tests.every((test, index) => test(parts[index] ?? ''));
  };
}
