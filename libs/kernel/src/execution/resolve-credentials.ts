import type { RegisteredTool } from '@wrongstack/contracts';
import { messageOf } from '@wrongstack/contracts';
import type { ExecutionPorts, Stop } from './call-scope.js';

/** The credentials that the tool declared, and no others. The scrubber learns each before the tool can print it. */
export async function resolveCredentials(
  ports: Pick<ExecutionPorts, 'credentials' | 'scrubber'>,
  tool: RegisteredTool,
): Promise<Readonly<Record<string, string>> | Stop> {
  const values: Record<string, string> = {};
  for (const name of tool.credentials ?? []) {
    let value: string | undefined;
    try {
      value = await ports.credentials?.resolve({ name, tool: tool.name, owner: tool.owner });
    } catch (error) {
      return {
        stop: 'failed',
        message: `Credential ${name} cannot be read: ${messageOf(error)}. Nothing ran.`,
      };
    }
    if (value === undefined || value === '') {
      return {
        stop: 'failed',
        message: `Tool ${tool.name} needs the credential ${name}, which is not set. Nothing ran; the person can add it: wstack auth set ${name}`,
      };
    }
    ports.scrubber.learn(value);
    values[name] = value;
  }
  return Object.freeze(values);
}
