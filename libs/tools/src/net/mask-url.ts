/**
 * Addresses carry keys in their query, fragment and user part. What is shown of an address, in messages, events, cards
 * and metadata, goes through here first: the scrubber behind knows formats, this knows where keys stand.
 */
const SECRET_PARAMETER =
  /^(?:.*[._-])?(?:key|apikey|token|jwt|secret|sig|signature|password|passwd|pwd|passphrase|auth|authorization|credentials?|code|sas|session|sessionid|sid|ticket|assertion|cookie)$/i;
const SECRET_ENDING =
  /(?:apikey|accesskey|secretkey|privatekey|token|secret|password|signature|credential)$/i;

/** Forms of well-known keys, wherever in an address they stand. No nested repetition: linear on any text. */
const SECRET_FORM =
  /(?<![A-Za-z0-9_-])(?:AIza[\w-]{20,128}|sk-[\w-]{16,512}|gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|xox[abeoprs]-[\w-]{10,255}|A(?:KIA|SIA)[A-Z2-7]{16}|eyJ[\w-]{8,4096}\.[\w-]{4,8192}\.[\w-]{0,4096})/g;

const MOST_SHOWN = 500;
const MASK = '***';

/** Whether the value of this query parameter is likely a secret. */
export function isSecretParameter(name: string): boolean {
  return SECRET_PARAMETER.test(name) || SECRET_ENDING.test(name.replace(/[^A-Za-z]/g, ''));
}

/** An address, or what a model took for one, fit to be shown: `https://h/v1?key=***`. Never throws. */
export function maskUrl(address: string): string {
  const [beforeFragment = '', ...fragment] = address.split('#');
  const queryAt = beforeFragment.indexOf('?');
  const place = queryAt === -1 ? beforeFragment : beforeFragment.slice(0, queryAt);
  const query = queryAt === -1 ? '' : `?${maskPairs(beforeFragment.slice(queryAt + 1))}`;
  const rest = fragment.length === 0 ? '' : `#${maskPairs(fragment.join('#'))}`;
  const masked = `${maskUser(place)}${query}${rest}`.replace(SECRET_FORM, MASK);
  return masked.length > MOST_SHOWN ? `${masked.slice(0, MOST_SHOWN)}…` : masked;
}

/** Everything between the scheme and the last `@` of the host part: a name there is often a token. */
function maskUser(place: string): string {
  const start = /^[a-z][a-z0-9+.-]*:[/\\]*/i.exec(place)?.[0].length ?? 0;
  const slash = place.slice(start).search(/[/\\]/);
  const end = slash === -1 ? place.length : start + slash;
  const at = place.lastIndexOf('@', end);
  return at < start ? place : `${place.slice(0, start)}${MASK}${place.slice(at)}`;
}

function maskPairs(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals === -1 || equals === pair.length - 1) return pair;
      const name = pair.slice(0, equals);
      return isSecretParameter(decoded(name)) ? `${name}=${MASK}` : pair;
    })
    .join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
