import { isAgentOwn, isAgentSecret } from './agent-paths.js';
import { credentialReason } from './credential-paths.js';
import { nameMatches } from './file-names.js';
import { protectedReason } from './protected-paths.js';

describe('protected paths', () => {
  it.each([
    '/p/.git/hooks/pre-commit',
    '/p/.git/config',
    '/p/sub/.git/HEAD',
    '/p/.GIT/hooks/x',
    '/p/.git./config',
    '/p/git~1/config',
    '/p/.g\u200cit/config',
    'C:\\ws\\.git\\config',
    '/p/.husky/pre-push',
    '/p/.envrc',
    '/p/.npmrc',
    '/p/.yarnrc.yml',
    '/p/.gitattributes',
    '/p/.gitmodules',
    '/p/.vscode/tasks.json',
    '/p/.vscode/launch.json',
    '/p/.vscode/settings.json',
    '/p/.idea/runConfigurations/x.xml',
    '/p/.devcontainer/devcontainer.json',
    '/h/.bashrc',
    '/h/.zshenv',
    '/h/.config/fish/config.fish',
    '/p/.github/workflows/ci.yml',
    '/p/.gitlab-ci.yml',
    '/p/.circleci/config.yml',
    '/p/Jenkinsfile',
    '/p/lefthook.yml',
    '/p/.pre-commit-config.yaml',
    '/h/.ssh/authorized_keys',
  ])('asks before a write to %s', (path) => {
    expect(protectedReason(path)).toEqual(expect.any(String));
  });

  it.each([
    '/p/src/a.ts',
    '/p/.gitignore',
    '/p/.github/README.md',
    '/p/tasks.json',
    '/p/git/config',
    '/p/.vscode/x.md',
  ])('does not for %s', (path) => {
    expect(protectedReason(path)).toBeNull();
  });
});

describe('credentials', () => {
  it.each([
    '/h/.ssh/id_ed25519',
    '/h/.ssh',
    '/h/.aws/credentials',
    '/h/.config/gcloud/credentials.db',
    '/h/.azure/accessTokens.json',
    '/h/.kube/config',
    '/h/.docker/config.json',
    '/h/.netrc',
    '/h/.npmrc',
    '/h/.pypirc',
    '/h/.config/gh/hosts.yml',
    '/h/.git-credentials',
    '/proc/1/environ',
    '/proc/self/environ',
    '/proc/self/task/7/environ',
    '/p/.env',
    '/p/.env.local',
    '/p/deep/.ENV.production',
    '/p/server.pem',
    '/p/certs/tls.key',
    '/p/id_rsa',
    '/etc/shadow',
  ])('reading %s asks', (path) => {
    expect(credentialReason(path, '/h')).toEqual(expect.any(String));
  });

  it.each([
    '/p/.env.example',
    '/p/.env.sample',
    '/p/.env.template',
    '/p/.env.local.example',
    '/p/.npmrc',
    '/p/id_rsa.pub',
    '/p/cacert.pem',
    '/p/environment.ts',
    '/p/etc/shadow',
    '/p/src/keys.ts',
    '/p/environ',
  ])('reading %s does not', (path) => {
    expect(credentialReason(path, '/h')).toBeNull();
  });
});

describe("the agent's own files", () => {
  it.each([
    '/h/.wrongstack/config.json',
    '/h/.wrongstack/policy.yaml',
    '/h/.wrongstack/policy.d/a.yaml',
    '/h/.wrongstack/projects/abc/trust.json',
    '/h/.wrongstack/plugins/x/index.js',
    '/h/.wrongstack/audit/1.jsonl',
    '/h/.wrongstack/sessions/s.jsonl',
    '/h/.WrongStack/config.json',
    '/h/.wrongstack',
    '/p/.wrongstack/config.json',
    '/h/.wrongstack/scratch/demo/.wrongstack/policy.yaml',
    '/etc/wrongstack/policy.yaml',
  ])('%s is its own', (path) => {
    expect(isAgentOwn(path, '/h/.wrongstack')).toBe(true);
  });

  it.each([
    '/h/.wrongstack/memory/a.md',
    '/h/.wrongstack/index/x',
    '/h/.wrongstack/scratch/s1/out',
    '/p/wrongstack/a',
  ])('%s is a working file', (path) => {
    expect(isAgentOwn(path, '/h/.wrongstack')).toBe(false);
  });

  it('counts the vault as a credential', () => {
    expect(isAgentSecret('/h/.wrongstack/vault.json', '/h/.wrongstack')).toBe(true);
    expect(isAgentSecret('/h/.wrongstack/config.json', '/h/.wrongstack')).toBe(false);
  });
});

describe('name patterns', () => {
  it('match in linear time', () => {
    expect(nameMatches('*.pem', 'a.pem')).toBe(true);
    expect(nameMatches('a*b*c', 'aXbYc')).toBe(true);
    expect(nameMatches('a*a', 'a')).toBe(false);
    expect(nameMatches('*a*b*c*d*', 'a'.repeat(10_000))).toBe(false);
  });
});
