export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Structured log lines: a short message, and ids or numbers as fields. Never payloads. */
export interface Logger {
  debug(message: string, fields?: unknown): void;
  info(message: string, fields?: unknown): void;
  warn(message: string, fields?: unknown): void;
  error(message: string, fields?: unknown): void;
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
