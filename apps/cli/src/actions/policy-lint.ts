import { lintPolicies, type LintFinding, type PolicyDocument } from '@wrongstack/policy';
import { WrongStackError } from '@wrongstack/contracts';
import type { Host } from '../app/host.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { line, span } from '../terminal/lines.js';
import { loadDocuments } from './load-documents.js';
import { withHost } from './with-host.js';

/** Find rules that do not do what they seem to. Exit 1 when there is an error among the findings. */
export function policyLint(files: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(options, async (host, output) => {
    const documents = files.length > 0 ? await loadDocuments(files) : await inForce(host);
    const knownCapabilities = host.kernel.tools.list().flatMap(({ capabilities }) => capabilities ?? []);
    const findings = [
      ...lintPolicies(documents, { clock: host.clock, knownCapabilities }),
      ...(files.length > 0 ? [] : (await host.unreadPolicies()).map(unread)),
    ];
    if (output.json) output.writeJson(findings);
    else if (findings.length === 0) output.say(`${String(documents.length)} documents, nothing to say`);
    else {
      for (const { level, document, rule, message } of findings) {
        const where = rule === null ? document : `${document} ${rule}`;
        output.print([
          line(span(level.padEnd(8), level === 'error' ? 'failed' : 'asks'), `${where}: ${message}`),
        ]);
      }
    }
    return findings.some(({ level }) => level === 'error') ? EXIT.failed : EXIT.done;
  });
}

/** Read by nobody, though somebody may believe it in force. */
function unread(file: string): LintFinding {
  const message = 'is not read: policies are policy.yaml, and *.yaml and *.json of the folders for them';
  return { code: 'unread', level: 'warning', document: file, rule: null, message };
}

async function inForce({ documents, request }: Host): Promise<readonly PolicyDocument[]> {
  const loaded = await documents.load(request.projectRoot);
  if (loaded.failure === null) return loaded.documents;
  throw new WrongStackError('policy.invalid', `${loaded.failure.file}: ${loaded.failure.reason}`);
}
