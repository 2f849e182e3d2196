/** Endings of names whose values are secrets, in lower case without separators. */
const ENDINGS = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'secret',
  'secrets',
  'passwords',
  'token',
  'apikey',
  'apikeys',
  'accesskey',
  'secretkey',
  'secretkeybase',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'masterkey',
  'accountkey',
  'authorization',
  'cookie',
  'connectionstring',
] as const;

/** First words that make a question or a number of it: `hasApiKey`, `max_token`. */
const QUALIFIERS = new Set([
  'has',
  'is',
  'no',
  'needs',
  'requires',
  'use',
  'uses',
  'with',
  'max',
  'min',
  'num',
  'total',
]);

const TOKEN_LIKE = /tokens?$/;

/** How the value under a name is to be taken. */
export type NameKind =
  | 'plain'
  /** A token: numbers under such names are counters. */
  | 'token'
  | 'secret';

/** Blind to case and separators: `apiKey`, `API-KEY`, `client_secret`, `x-api-key`, `DB.PASSWORD`. */
export function kindOfName(name: string): NameKind {
  if (name.length > 128) return 'plain';
  const letters = name.replace(/[^A-Za-z]/g, '').toLowerCase();
  // The working folder.
  if (/^(?:old)?pwd$/.test(letters)) return 'plain';
  if (!ENDINGS.some((ending) => letters.endsWith(ending)) && !isNpmAuth(name)) return 'plain';
  if (QUALIFIERS.has(firstWord(name))) return 'plain';
  return TOKEN_LIKE.test(letters) ? 'token' : 'secret';
}

/** Parameters of addresses that carry keys under names too short to mean anything elsewhere. */
export function isSecretParameter(name: string): boolean {
  return /^(?:key|sig|signature|auth|code|sas|x-amz-signature|x-amz-security-token)$/i.test(name);
}

/** `_auth` of npm's configuration. */
function isNpmAuth(name: string): boolean {
  return /(?:^|[^A-Za-z0-9])_auth$/i.test(name);
}

function firstWord(name: string): string {
  const start = /[A-Za-z]+/.exec(name)?.[0] ?? '';
  const camel = /^(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)/.exec(start)?.[0] ?? start;
  return camel.toLowerCase();
}

/** Values that stand for a secret or for none, in text: references, placeholders, words of programming languages. */
export function isHarmlessLiteral(value: string): boolean {
  return (
    !/[A-Za-z0-9]/.test(value) ||
    /^[$%<({[*&]/.test(value) ||
    /^(?:true|false|null|nil|none|undefined|nan|yes|no|on|off|unset|redacted|masked|xxx+|bearer|basic|digest)$/i.test(
      value,
    ) ||
    /^your[-_ ]/i.test(value) ||
    /^(?:process\.env|os\.environ|env|ENV|System\.getenv)\b/.test(value) ||
    // A call in a program: `object()`, `Identifier("1.2.3")`.
    /^[A-Za-z_][\w.]*\(/.test(value)
  );
}

/** Numbers, colours and constants stand under names such as `token` in programs and in reports of usage. */
export function isTokenOfLanguage(value: string): boolean {
  return (
    /^\d{1,9}(?:\.\d{1,6})?[;,)]*$/.test(value) || /^#[0-9a-f]{3,8}$/i.test(value) || /^[A-Z_]+$/.test(value)
  );
}

/** `challengePassword` under `CHALLENGE_PASSWORD`: the name of a thing, not the thing. */
export function isOtherName(value: string): boolean {
  return /^_?[A-Za-z]+(?:_[A-Za-z]+|[a-z][A-Z][a-z]+)+$/.test(value) && kindOfName(value) !== 'plain';
}

/** `1.2.3`, `^9.0.2`, `>=1.0`: package lists have names such as `csrf-token`. */
export function isVersion(value: string): boolean {
  return value.length <= 24 && /^[\^~<>=v]*\d+(?:\.\d+){1,3}(?:-[\w.]+)?$/.test(value);
}

/** Whether an unquoted value in running text or code is a literal secret rather than a word, a type or a path. */
export function looksLiteral(value: string, kind: NameKind): boolean {
  if (value.length < 6 || isHarmlessLiteral(value) || isVersion(value)) return false;
  if (/[()[\]{}<>]/.test(value) || /^(?:\/|\.{1,2}\/|~\/|https?:\/\/)/.test(value)) return false;
  // `!ready`, `node.token2.kind`: expressions of a program.
  if (/^!+[A-Za-z_$.]+$/.test(value) || /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value))
    return false;
  if (/^\d+$/.test(value)) return kind === 'secret';
  return /[\d!@#%^*+=~]/.test(value);
}
