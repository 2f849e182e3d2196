import path from 'node:path';
import { nothingAt } from '@wrongstack/contracts';
import { bootRequest } from '../app/boot-request.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { createOutput } from '../output.js';
import { tableLines } from '../terminal/table.js';

const COLUMNS = [{ title: 'WHAT' }, { title: 'THERE' }, { title: 'FILE' }];

/** Which files are read. Boots nothing, so that it also answers while one of them is broken. */
export async function configPath(_args: readonly string[], options: CommonOptions): Promise<number> {
  const { environment, paths, projectRoot } = bootRequest(options, false);
  const output = createOutput(options, environment);
  const files = [
    { what: 'your configuration', file: paths.userConfig },
    { what: "the project's (can only tighten)", file: path.join(projectRoot, '.wrongstack', 'config.json') },
    { what: 'managed policies', file: paths.managedDir },
    { what: 'your policy', file: path.join(paths.agentHome, 'policy.yaml') },
    {
      what: "the project's policy (can only tighten)",
      file: path.join(projectRoot, '.wrongstack', 'policy.yaml'),
    },
  ].map((entry) => ({ ...entry, exists: !nothingAt(entry.file) }));
  if (output.json) output.writeJson(files);
  else
    output.print(
      tableLines(
        COLUMNS,
        files.map(({ what, exists, file }) => [what, exists ? 'yes' : 'no', file]),
        output.look,
      ),
    );
  return EXIT.done;
}
