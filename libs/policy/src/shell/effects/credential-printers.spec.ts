import { credentialReason } from '../../facts/credential-paths.js';
import { analyseCommand } from '../analyse-command.js';

const read = (command: string) =>
  analyseCommand(command, { cwd: '/work/pay', home: '/home/ada' })
    .paths.filter(({ access }) => access === 'read')
    .map(({ path }) => (path === null ? null : credentialReason(path, '/home/ada')));

describe('programs that print a credential read it', () => {
  it.each([
    'gh auth token',
    'gh auth status --show-token',
    'aws configure get aws_secret_access_key',
    'aws --profile p sts get-session-token',
    'gcloud auth print-access-token',
    'az account get-access-token',
    'gpg --export-secret-keys ada',
    'gpg --armor --export-secret-subkeys ada',
    'pass show mail/work',
    'op read op://vault/item',
    'vault kv get secret/x',
    'kubectl -n prod get secret db -o yaml',
    'kubectl config view --raw',
    'security find-generic-password -w -s x',
    'git credential fill',
    'npm config get //registry.example.com/:_authToken',
    'git show HEAD:.env',
    'git cat-file -p HEAD~2:config/.env.production',
    'git show :0:.env',
    'git log -p -- .env',
    'git config --global --list',
    'git config -l --show-origin',
    'git config list',
    'git config --get http.https://x.example/.extraheader',
    'docker inspect web',
    'docker container inspect web',
    'docker compose -f a.yml config',
    'docker exec web env',
    'node -r dotenv/config a.js',
    'node --import=dotenv/config a.js',
    'npx dotenv -- node a.js',
    'env-cmd npm start',
    'curl -n https://x.example',
    'curl -sn https://x.example',
    'curl --netrc-optional https://x.example',
    'git blame .env',
    'git diff .env',
  ])('%s', (command) => {
    expect(read(command).some((reason) => reason !== null)).toBe(true);
  });

  it.each([
    'gh pr list',
    'aws s3 ls',
    'gcloud config list',
    'gpg --verify a.sig a',
    'pass ls',
    'kubectl get pods',
    'git credential approve',
    'git config --local --list',
    'git config --list --name-only',
    'git config user.name',
    'git config user.name Ada',
    'docker ps',
    'docker compose up -d',
    'node -r ts-node/register a.ts',
    'curl -s https://x.example',
    'npm config get registry',
    'git show HEAD:src/a.ts',
    'git diff main...HEAD',
    'git log --oneline main..HEAD',
    "git commit -m 'fix: .env is ignored'",
  ])('and not: %s', (command) => {
    expect(read(command).every((reason) => reason === null)).toBe(true);
  });
});
