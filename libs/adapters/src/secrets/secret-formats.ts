/** Behind a slash these might be names of files: `libs/sk-test-helpers`. A secret has a digit among so many characters. */
const NO_NAME = String.raw`(?:(?<!/)|(?=[A-Za-z_-]{0,64}\d))`;

/**
 * Formats that are secrets wherever they stand. Each pattern begins at a border that its own characters cannot form and
 * has no nested repetition, so that a text is scanned in linear time; and none of them matches inside of Base64, hashes
 * or identifiers.
 */
const FORMATS: readonly string[] = [
  // Amazon
  String.raw`A(?:KIA|SIA)[A-Z2-7]{16}(?![A-Za-z0-9])`,
  // GitHub, GitLab
  String.raw`gh[pousr]_[A-Za-z0-9]{30,255}`,
  String.raw`github_pat_[A-Za-z0-9_]{22,255}`,
  String.raw`${NO_NAME}gl(?:pat|ptt|dt|rt|cbt|ft|oas|imt|agent|soat)-[A-Za-z0-9_-]{20,255}`,
  // Slack
  String.raw`${NO_NAME}xox[abeoprs]-[A-Za-z0-9-]{10,255}`,
  String.raw`${NO_NAME}xapp-[A-Za-z0-9-]{10,255}`,
  // OpenAI, Anthropic and those who took over their scheme
  String.raw`${NO_NAME}sk-(?:ant|proj|svcacct|admin|or|lf|live|test)-[A-Za-z0-9_-]{8,512}`,
  String.raw`sk-[A-Za-z0-9]{20,255}`,
  // Stripe
  String.raw`(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,255}`,
  String.raw`whsec_[A-Za-z0-9]{20,255}`,
  // Google
  // Behind a slash only whole: nothing else tells it from Base64, in which slashes are letters.
  String.raw`(?:(?<!/)AIza[A-Za-z0-9_-]{30,64}|AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_+=-]))`,
  String.raw`GOCSPX-[A-Za-z0-9_-]{20,64}`,
  String.raw`ya29\.[A-Za-z0-9_-]{20,2048}`,
  // Registries and hosters
  String.raw`npm_[A-Za-z0-9]{36}`,
  String.raw`${NO_NAME}pypi-[A-Za-z0-9_-]{50,1024}`,
  String.raw`hf_[A-Za-z0-9]{30,64}`,
  String.raw`do[opr]_v1_[a-f0-9]{64}`,
  String.raw`SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`,
  String.raw`shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}`,
  String.raw`hv[sb]\.[A-Za-z0-9_-]{24,512}`,
  String.raw`dapi[a-f0-9]{32}`,
  String.raw`AGE-SECRET-KEY-1[A-Z0-9]{40,80}`,
  // JSON Web Tokens
  String.raw`eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{0,4096}`,
];

/**
 * Characters that may not stand before a match: the inside of words, hashes and Base64. A slash may, since secrets stand
 * in paths and addresses, and no format but those above is made of Base64's letters alone.
 */
const INSIDE = '(?<![A-Za-z0-9_+-])';

/** An escape ends in a letter and is a border all the same: `\\n`, `\\u0026`, `%2F`, and a colour that was written out. */
const ESCAPE = String.raw`(?<=%[0-9A-Fa-f]{2}|\\[nrtbfv0]|\\u[0-9A-Fa-f]{4}|\[[0-9;]{1,12}m)`;

const BORDER = `(?:${INSIDE}|${ESCAPE})`;

/** A cheap look for what all of them have, before the patterns are tried. */
export const FORMAT_HINT =
  /A(?:KIA|SIA|Iza|GE-)|gh[pousr]_|github_|gl[a-z]{2,5}-|xox|xapp-|[sr]k[-_]|pk_|whsec_|GOCSPX|ya29|npm_|pypi-|hf_|do[opr]_|SG\.|shp|hv[sb]\.|dapi|eyJ/;

let compiled: RegExp | undefined;

/** Compiled when the first text needs it, since start-up does not. Holds state: reset `lastIndex`. */
export function secretFormats(): RegExp {
  return (compiled ??= new RegExp(`${BORDER}(?:${FORMATS.join('|')})`, 'g'));
}

/** Slack's hooks carry their secret in the path. */
export const HOOK_PATH = /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]+/g;
