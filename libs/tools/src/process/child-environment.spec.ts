import { childEnvironment } from './child-environment.js';

describe('the environment of a child process', () => {
  it.each([
    ...[
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'WRONGSTACK_TOKEN',
      'WSTACK_HOME',
      'GITHUB_TOKEN',
      'NPM_TOKEN',
    ],
    ...[
      'AWS_SECRET_ACCESS_KEY',
      'AWS_ACCESS_KEY_ID',
      'AWS_SESSION_TOKEN',
      'DB_PASSWORD',
      'PGPASSWORD',
      'MYSQL_PWD',
      'SENTRY_DSN',
    ],
    ...[
      'npm_config__auth',
      'my_secret',
      'SLACK_WEBHOOK',
      'COOKIE',
      'GITHUBTOKEN',
      'GOOGLE_APPLICATION_CREDENTIALS',
    ],
    ...[
      'BASH_ENV',
      'ENV',
      'LD_PRELOAD',
      'BASH_FUNC_ls%%',
      'PROMPT_COMMAND',
      'GIT_DIR',
      'GIT_EXTERNAL_DIFF',
      'GIT_ASKPASS',
    ],
    ...['SSH_ASKPASS', 'GIT_CONFIG_PARAMETERS', 'GIT_EXEC_PATH', 'RIPGREP_CONFIG_PATH', 'EDITOR'],
  ])('lacks %s', (name) => {
    expect(Object.keys(childEnvironment({ [name]: 'value' }))).not.toContain(name);
  });

  it.each([
    'PATH',
    'HOME',
    'LANG',
    'LC_ALL',
    'USER',
    'PWD',
    'SSH_AUTH_SOCK',
    'TMPDIR',
    'CI',
    'NODE_ENV',
    'GOPATH',
    'VITE_API_URL',
    'GIT_AUTHOR_NAME',
    'GIT_SSH_COMMAND',
    'MONKEY',
  ])('has %s', (name) => {
    expect(childEnvironment({ [name]: '/value' })[name]).toBe('/value');
  });

  it.each([
    'postgres://app:hunter2@db.example/app',
    `sk-ant-${'a1'.repeat(12)}`,
    `ghp_${'A1b2'.repeat(6)}`,
    '-----BEGIN RSA PRIVATE KEY-----',
    'AKIAABCDEFGHIJKLMNOP',
  ])('lacks a variable whose value is a credential: %s', (value) => {
    expect(Object.values(childEnvironment({ HARMLESS_NAME: value }))).not.toContain(value);
  });

  it('drops relative entries of PATH', () => {
    expect(childEnvironment({ PATH: '/usr/bin:.:node_modules/.bin::/bin' })['PATH']).toBe('/usr/bin:/bin');
  });

  it('switches off what would wait for a person, and repositories that lie in the tree as files', () => {
    expect(
      childEnvironment({ GIT_PAGER: 'less', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor' }),
    ).toMatchObject({
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.bareRepository',
      GIT_CONFIG_VALUE_0: 'explicit',
    });
  });
});
