/** Never searched, with or without an ignore file; a search that starts inside one of them searches it. */
export const SKIPPED_NAMES: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

const CREDENTIAL_NAMES = new Set([
  ...['.env', '.envrc', '.netrc', '_netrc', '.git-credentials', '.pypirc', '.htpasswd', '.pgpass', '.my.cnf'],
  ...['.vault-token', '.npmrc', '.yarnrc.yml', 'credentials', 'credentials.json', 'kubeconfig', 'environ'],
]);
const CREDENTIAL_ENDS = ['.pem', '.key', '.p12', '.pfx', '.jks', '.keystore', '.kdbx', '.ppk'];
const CREDENTIAL_FOLDERS = new Set(['.ssh', '.aws', '.azure', '.gnupg', '.kube', '.docker', 'gcloud']);
const SAMPLES = /\.(?:example|sample|template|dist|test)$/;

/**
 * Files whose content is a secret by their name or their folder, seen from where a search began. A search over a folder
 * leaves them out: nobody was asked about them. Named as the path of a call they are claimed, and policy decides.
 * Nothing tells that one of them would have matched, or the answer could be guessed letter by letter.
 */
export function isCredentialPath(path: string): boolean {
  const folders = path.toLowerCase().split('/');
  const name = folders.pop() ?? '';
  if (CREDENTIAL_NAMES.has(name) || folders.some((folder) => CREDENTIAL_FOLDERS.has(folder))) return true;
  if (name.startsWith('.env.')) return !SAMPLES.test(name);
  if (/^id_(?:rsa|dsa|ecdsa|ed25519)/.test(name)) return !name.endsWith('.pub');
  if (name === 'hosts.yml' && folders.at(-1) === 'gh') return true;
  return CREDENTIAL_ENDS.some((end) => name.endsWith(end));
}
