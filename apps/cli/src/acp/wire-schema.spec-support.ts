import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TestEditor } from './acp-editor.spec-support.js';

const SCHEMA = path.join(
  __dirname,
  '../../../../node_modules/@agentclientprotocol/sdk/schema/v1/schema.json',
);

/** Faults of everything that the agent sent, against the protocol's own schema; and ids that were announced twice. */
export function wireFaults({ wire }: TestEditor): string[] {
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as { $defs: Record<string, unknown> };
  // Formats and the generator's own keywords are notes there.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(schema, 'acp');
  const check = (name: string, value: unknown, where: string): string[] => {
    const validate = ajv.getSchema(`acp#/$defs/${name}`);
    if (validate === undefined) throw new Error(`the schema has no ${name}`);
    return validate(value) === true ? [] : [`${where}: ${ajv.errorsText(validate.errors)}`];
  };
  const methods = new Map<unknown, unknown>();
  const calls = new Set<string>();
  return wire.flatMap(({ from, message }) => {
    if (from === 'client') {
      if (message['method'] !== undefined) methods.set(message['id'], message['method']);
      return [];
    }
    if (message['jsonrpc'] !== '2.0') return [`no JSON-RPC message: ${JSON.stringify(message)}`];
    const { method, params } = message;
    if (method === 'session/update') {
      const { sessionId, update } = params as { sessionId: string; update: Record<string, unknown> };
      const id = `${sessionId} ${String(update['toolCallId'])}`;
      const twice = update['sessionUpdate'] === 'tool_call' && calls.has(id) ? [`${id} announced twice`] : [];
      const early =
        update['sessionUpdate'] === 'tool_call_update' && !calls.has(id)
          ? [`${id} updated, never announced`]
          : [];
      if (update['sessionUpdate'] === 'tool_call') calls.add(id);
      return [...twice, ...early, ...check('SessionNotification', params, JSON.stringify(update))];
    }
    const request = typeof method === 'string' ? REQUESTS[method] : undefined;
    if (request !== undefined) return check(request, params, request);
    if (method === '$/cancel_request') return [];
    if (method !== undefined) return [`unknown method ${JSON.stringify(method)}`];
    if ('error' in message) return check('Error', message['error'], 'error');
    const response = RESPONSES[String(methods.get(message['id']))];
    return response === undefined ? [] : check(response, message['result'], response);
  });
}

const REQUESTS: Readonly<Record<string, string>> = {
  'session/request_permission': 'RequestPermissionRequest',
  'fs/read_text_file': 'ReadTextFileRequest',
  'fs/write_text_file': 'WriteTextFileRequest',
  'terminal/create': 'CreateTerminalRequest',
  'terminal/output': 'TerminalOutputRequest',
  'terminal/wait_for_exit': 'WaitForTerminalExitRequest',
  'terminal/kill': 'KillTerminalRequest',
  'terminal/release': 'ReleaseTerminalRequest',
};

const RESPONSES: Readonly<Record<string, string>> = {
  initialize: 'InitializeResponse',
  'session/new': 'NewSessionResponse',
  'session/load': 'LoadSessionResponse',
  'session/resume': 'ResumeSessionResponse',
  'session/list': 'ListSessionsResponse',
  'session/close': 'CloseSessionResponse',
  'session/set_mode': 'SetSessionModeResponse',
  'session/set_config_option': 'SetSessionConfigOptionResponse',
  'session/prompt': 'PromptResponse',
};

/** Calls whose last word is not an end. */
export function unfinishedCalls(editor: TestEditor): string[] {
  const last = new Map<string, string>();
  for (const update of editor.updates()) {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue;
    if (typeof update.status === 'string') last.set(update.toolCallId, update.status);
  }
  return [...last].filter(([, status]) => status !== 'completed' && status !== 'failed').map(([id]) => id);
}
