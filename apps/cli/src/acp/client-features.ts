import type { InitializeRequest } from '@agentclientprotocol/sdk';

/** What this client said it can do. Whatever it did not say, it cannot. */
export interface ClientFeatures {
  readonly name: string | null;
  /** Shows a terminal that we fill (`_meta.terminal_output`), as editors do for agents that run commands themselves. */
  readonly terminalOutput: boolean;
  /** Runs commands in terminals of its own. */
  readonly terminals: boolean;
  readonly readFiles: boolean;
  readonly writeFiles: boolean;
  readonly notices: boolean;
  readonly terminalAuth: boolean;
}

export const NO_FEATURES: ClientFeatures = {
  name: null,
  terminalOutput: false,
  terminals: false,
  readFiles: false,
  writeFiles: false,
  notices: false,
  terminalAuth: false,
};

export function featuresOf({ clientInfo, clientCapabilities }: InitializeRequest): ClientFeatures {
  const { fs, session, auth, terminal, _meta } = clientCapabilities ?? {};
  return {
    name: clientInfo?.name ?? null,
    terminalOutput: _meta?.['terminal_output'] === true,
    terminals: terminal === true,
    readFiles: fs?.readTextFile === true,
    writeFiles: fs?.writeTextFile === true,
    notices: session?.notices !== undefined && session.notices !== null,
    terminalAuth: auth?.terminal === true,
  };
}
