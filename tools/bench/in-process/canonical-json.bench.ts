import { canonicalJson } from '@wrongstack/contracts';

export const name = 'canonical JSON of a typical tool input';

const input = {
  path: 'src/app/main.ts',
  old_string: 'const port = 3000;\n'.repeat(8),
  new_string: 'const port = 8080;\n'.repeat(8),
  replace_all: false,
};

export function run(iterations: number): void {
  for (let i = 0; i < iterations; i++) canonicalJson(input);
}
