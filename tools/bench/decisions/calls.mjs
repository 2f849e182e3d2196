// What an agent asks about in an hour of work: mostly commands, some that are several commands, and files that it reads.
const COMMANDS = [
  'npm test',
  'npm test -- --watch=false',
  'npm run build',
  'npm run lint -- --fix',
  'npm ci',
  'npx tsc --noEmit',
  'npx vitest run src/cart',
  'cd packages/api && npm test -- --watch=false',
  'cd packages/web && npm run build && ls dist',
  'git status',
  'git diff --stat',
  'git diff HEAD~1 -- src',
  'git log --oneline -n 20',
  'git show HEAD',
  'git add -A',
  'git commit -m "fix: a total is rounded once"',
  'git push origin HEAD',
  'git checkout -b totals',
  'ls -la',
  'ls packages',
  'cat package.json',
  'cat src/cart.ts | head -n 40',
  'grep -rn "total" src',
  'grep -rn "TODO" src | wc -l',
  'find . -name "*.spec.ts" -newer package.json',
  'sed -n 1,80p src/cart.ts',
  'mkdir -p build/reports',
  'rm -rf build',
  'cp .env.example .env',
  'curl -s https://registry.example/health',
  'docker ps',
  'docker compose up -d db',
  'kubectl get pods -n payments',
  'kubectl drain n1',
  'make release VERSION=1.2.3',
].map((command) => ({ tool: 'bash', input: { command } }));

const FILES = [
  'package.json',
  'tsconfig.json',
  'README.md',
  'src/cart.ts',
  'src/cart.spec.ts',
  'src/index.ts',
  'src/money.ts',
  'src/http/server.ts',
  'src/http/routes.ts',
  'packages/api/package.json',
  'packages/api/src/main.ts',
  'packages/web/src/app.tsx',
  'packages/web/vite.config.ts',
  'docs/decisions.md',
  '.github/workflows/ci.yml',
].map((path) => ({ tool: 'read', input: { path } }));

export const CALLS = [...COMMANDS, ...FILES];

export function describeCalls() {
  return `${CALLS.length} different: ${COMMANDS.length} of bash, ${FILES.length} of read`;
}
