import { type RegisteredTool, WrongStackError } from '@wrongstack/contracts';
import { nearNames, tightened } from '@wrongstack/kernel';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { padText } from '../terminal/graphemes.js';
import { withExtensions, withHost } from './with-host.js';
import type { Host } from '../app/host.js';

export function toolShow([name = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withHost(
    options,
    async (host, output) => {
      const tool = findTool(host, name);
      const fields = fieldsOf(tool);
      if (output.json) output.writeJson({ ...fields, inputSchema: tool.inputSchema });
      else {
        for (const [field, value] of Object.entries(fields))
          output.say(`${padText(field, 20)}${String(value)}`);
        output.say(`input\n${JSON.stringify(tool.inputSchema, null, 2)}`);
      }
      return EXIT.done;
    },
    withExtensions,
  );
}

/** The tool as the settings tighten it. Throws `tool.unknown` and names what is near. */
export function findTool({ kernel, config }: Host, name: string): RegisteredTool {
  const tool = kernel.tools.get(name);
  if (tool !== undefined) return tightened(tool, config.current.tools);
  const near = nearNames(
    name,
    kernel.tools.list().map((one) => one.name),
  );
  throw new WrongStackError('tool.unknown', `no tool named ${name}`, {
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : 'wstack tool list',
  });
}

function fieldsOf(tool: RegisteredTool): Record<string, unknown> {
  return {
    name: tool.name,
    description: tool.description,
    owner: tool.owner,
    category: tool.category ?? 'General',
    permission: tool.permission,
    risk: tool.riskPerCall === true ? 'by the command of each call' : (tool.riskTier ?? 'not declared'),
    mutating: tool.mutating,
    capabilities: (tool.capabilities ?? []).join(' '),
    timeoutMs: tool.timeoutMs ?? 'default',
    maxOutputBytes: tool.maxOutputBytes ?? 'default',
    definitionDigest: tool.definitionDigest,
  };
}
