import { WrongStackError } from '@wrongstack/contracts';

export interface Environment {
  host: string;
  /** 0 lets the system choose a free port. */
  port: number;
}

const DEFAULT_PORT = 3000;

/** The only place of this app that reads the process environment. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  // Loopback unless somebody asks for more: an API that governs machines is not opened to a network by accident.
  return { host: env.HOST || '127.0.0.1', port: readPort(env.PORT) };
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new WrongStackError(
    'api.port_invalid',
    `PORT is ${JSON.stringify(text)}: set it to a number from 0 to 65535, or leave it out for ${DEFAULT_PORT}.`,
  );
}
