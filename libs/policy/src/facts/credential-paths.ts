import { findPlace, foldedNames, place, type SpecialPlace } from './file-names.js';

/** Where credentials lie. Reading one asks, wherever it is and however reading was allowed. Folders count as their files do. */
export const CREDENTIAL_PLACES: readonly SpecialPlace[] = [
  place('.ssh/', 'ssh keys'),
  place('.gnupg/', 'gpg keys'),
  place('.aws/', 'cloud credentials (aws)'),
  place('.config/gcloud/', 'cloud credentials (gcloud)'),
  place('application_default_credentials.json', 'cloud credentials (gcloud)'),
  place('.azure/', 'cloud credentials (azure)'),
  place('.oci/', 'cloud credentials (oci)'),
  place('.config/doctl/', 'cloud credentials (digitalocean)'),
  place('.config/hcloud/', 'cloud credentials (hetzner)'),
  place('.fly/', 'cloud credentials (fly)'),
  place('.config/heroku/', 'cloud credentials (heroku)'),
  place('.kube/', 'cluster credentials'),
  place('kubeconfig', 'cluster credentials'),
  place('*.kubeconfig', 'cluster credentials'),
  place('/etc/kubernetes/', 'cluster credentials'),
  place('/etc/rancher/', 'cluster credentials'),
  place('.docker/config.json', 'registry credentials (docker)'),
  place('.docker/', 'registry credentials (docker)'),
  place('.dockercfg', 'registry credentials (docker)'),
  place('.config/containers/auth.json', 'registry credentials (containers)'),
  place('.pypirc', 'registry credentials (python)'),
  place('.cargo/credentials', 'registry credentials (cargo)'),
  place('.cargo/credentials.toml', 'registry credentials (cargo)'),
  place('.gem/credentials', 'registry credentials (gem)'),
  place('.m2/settings.xml', 'registry credentials (maven)'),
  place('.m2/settings-security.xml', 'registry credentials (maven)'),
  place('.gradle/gradle.properties', 'registry credentials (gradle)'),
  place('.nuget/nuget.config', 'registry credentials (nuget)'),
  place('.composer/auth.json', 'registry credentials (composer)'),
  place('.netrc', 'passwords (netrc)'),
  place('_netrc', 'passwords (netrc)'),
  place('.git/objects/', 'what git keeps of every file, committed credentials too'),
  place('.git-credentials', 'git passwords'),
  place('.config/git/credentials', 'git passwords'),
  place('.config/gh/', 'code host token (gh)'),
  place('.config/glab-cli/', 'code host token (glab)'),
  place('.config/hub', 'code host token (hub)'),
  place('.config/op/', 'password manager'),
  place('.password-store/', 'password manager'),
  place('.local/share/keyrings/', 'password manager'),
  place('library/keychains/', 'password manager'),
  place('*.kdbx', 'password manager'),
  place('.vault-token', 'vault token'),
  place('.terraform.d/credentials.tfrc.json', 'terraform token'),
  place('.terraformrc', 'terraform token'),
  place('.pgpass', 'database password'),
  place('.my.cnf', 'database password'),
  place('.mylogin.cnf', 'database password'),
  place('.config/rclone/', 'storage credentials (rclone)'),
  place('.s3cfg', 'storage credentials (s3cmd)'),
  place('.boto', 'storage credentials (boto)'),
  place('.mozilla/firefox/', 'browser passwords and cookies'),
  place('.config/google-chrome/', 'browser passwords and cookies'),
  place('.config/chromium/', 'browser passwords and cookies'),
  place('application support/google/chrome/', 'browser passwords and cookies'),
  place('login data', 'browser passwords and cookies'),
  place('cookies.sqlite', 'browser passwords and cookies'),
  place('/etc/shadow', 'password hashes'),
  place('/etc/shadow-', 'password hashes'),
  place('/etc/gshadow', 'password hashes'),
  place('/etc/sudoers', 'who may become root'),
  place('ssh_host_*_key', 'ssh keys'),
  place('/run/secrets/', 'mounted secrets'),
  place('/var/run/secrets/', 'mounted secrets'),
  place('/proc/*/environ', 'environment of a process'),
  place('/proc/*/task/*/environ', 'environment of a process'),
  place('/proc/*/mem', 'memory of a process'),
  place('/proc/kcore', 'memory of the machine'),
  place('id_rsa', 'private key'),
  place('id_dsa', 'private key'),
  place('id_ecdsa', 'private key'),
  place('id_ecdsa_sk', 'private key'),
  place('id_ed25519', 'private key'),
  place('id_ed25519_sk', 'private key'),
  place('*.pem', 'private key'),
  place('*.key', 'private key'),
  place('*.p12', 'private key'),
  place('*.pfx', 'private key'),
  place('*.ppk', 'private key'),
  place('*.jks', 'private key'),
  place('*.keystore', 'private key'),
  place('.env', 'environment file'),
  place('.env.*', 'environment file'),
  place('*.env', 'environment file'),
  place('.dev.vars', 'environment file'),
];

/** Only in the home folder: elsewhere these hold settings that everybody in the repository shares. */
const HOME_CREDENTIALS: readonly SpecialPlace[] = [
  place('.npmrc', 'registry credentials (npm)'),
  place('.yarnrc.yml', 'registry credentials (yarn)'),
  place('.config/configstore/', 'tokens of command line tools'),
];

/** Committed on purpose, with no values in them. */
const TEMPLATES =
  /^\.env\.(?:.*\.)?(?:example|sample|template|dist|defaults?)$|^(?:example|sample|template)\.env$/;

/** Certificates are public. */
const PUBLIC_NAMES =
  /^(?:cacert|ca-bundle|ca-certificates|fullchain|chain|cert)\.pem$|\.pub(?:lic)?\.(?:pem|key)$/;

/** Why reading this path is a credential read, or null. `home` is a real path. */
export function credentialReason(path: string, home: string): string | null {
  const names = foldedNames(path);
  const last = names.at(-1) ?? '';
  if (TEMPLATES.test(last)) return null;
  const found = findPlace(CREDENTIAL_PLACES, names);
  if (found !== null) return PUBLIC_NAMES.test(last) && found.reason === 'private key' ? null : found.reason;
  const homeNames = foldedNames(home);
  const atHome = homeNames.length > 0 && homeNames.every((name, index) => names[index] === name);
  return atHome ? (findPlace(HOME_CREDENTIALS, names.slice(homeNames.length))?.reason ?? null) : null;
}
