import { runPolicyTests } from '@wrongstack/policy';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { line, span } from '../terminal/lines.js';
import { loadDocuments } from './load-documents.js';
import { withExtensions, withHost } from './with-host.js';

/** Run the tests that documents carry. Exit 1 when one fails, or when there is none. */
export async function policyTest(files: readonly string[], options: CommonOptions): Promise<number> {
  const documents = await loadDocuments(files);
  return withHost(
    options,
    async ({ kernel }, output) => {
      const results = [];
      for (const document of documents) {
        for (const result of await runPolicyTests(document, kernel.tools.list())) {
          results.push({ document: document.metadata.id, ...result });
        }
      }
      if (output.json) output.writeJson(results);
      else {
        const { ok, failed } = output.theme.marks;
        for (const { name, passed, message } of results) {
          output.print([
            line(
              span(`${passed ? ok : failed} `, passed ? 'ok' : 'failed'),
              name,
              message === null ? '' : ` · ${message}`,
            ),
          ]);
        }
        const failures = results.filter(({ passed }) => !passed).length;
        output.say(`${String(results.length - failures)} passed, ${String(failures)} failed`);
      }
      return results.length > 0 && results.every(({ passed }) => passed) ? EXIT.done : EXIT.failed;
    },
    withExtensions,
  );
}
