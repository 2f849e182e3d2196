import type { Logger } from '@wrongstack/contracts';

/** Each line is tagged `plugin=<name>`. */
export function scopedLog(log: Logger, plugin: string): Logger {
  const tagged = (fields: unknown): Record<string, unknown> =>
    typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? { ...fields, plugin }
      : { ...(fields !== undefined && { detail: fields }), plugin };
  return {
    debug: (message, fields) => log.debug(message, tagged(fields)),
    info: (message, fields) => log.info(message, tagged(fields)),
    warn: (message, fields) => log.warn(message, tagged(fields)),
    error: (message, fields) => log.error(message, tagged(fields)),
  };
}
