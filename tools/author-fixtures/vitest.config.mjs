// An author's own configuration would need none of this: here the packages are sources, not builds.
import { defineConfig } from 'vitest/config';

const conditions = ['@wrongstack/source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { watch: false, cache: false },
});
