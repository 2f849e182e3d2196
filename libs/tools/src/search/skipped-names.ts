/** Never searched, with or without an ignore file; a search that starts inside one of them searches it. */
export const SKIPPED_NAMES: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

const CREDENTIAL_NAMES = new Set([
  ...[
    '.env',
    '.envrc',
    '.netrc',
    '_netrc',
    '.git-credentials',
    '.pypirc',
    '.htpasswd',
    '.pgpass',
    '.my.cnf',
    '.vault-token',
  ],
  ...['.npmrc', '.yarnrc.yml', 'credentials', 'credentials.json', 'kubeconfig'],
]);
const CREDENTIAL_ENDS = ['.pem', '.key', '.p12', '.pfx', '.jks', '.keystore', '.kdbx', '.ppk'];
const SAMPLES = /\.(?:example|sample|template|dist|test)$/;

/**
 * Files whose content is a secret by their name. A search over a folder leaves them out: nobody was asked about them.
 * Named as the path of a call they are claimed, and policy decides. Nothing tells that one of them would have matched,
 * or the answer could be guessed letter by letter.
 */
export function isCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  if (CREDENTIAL_NAMES.has(lower)) return true;
  if (lower.startsWith('.env.')) return !SAMPLES.test(lower);
  if (/^id_(?:rsa|dsa|ecdsa|ed25519)/.test(lower)) return !lower.endsWith('.pub');
  return CREDENTIAL_ENDS.some((end) => lower.endsWith(end));
}
