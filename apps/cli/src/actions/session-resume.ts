import type { SessionOptions } from '../app/boot-request.js';
import { start } from './start.js';

export function sessionResume([id]: readonly string[], options: SessionOptions): Promise<number> {
  return start([], { ...options, resume: id ?? true });
}
