import { readFile } from 'node:fs/promises';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What the program remembers about itself between sessions. Losing it costs a question and a history, nothing more. */
export interface AgentState {
  readonly profileAsked: boolean;
  /** Messages typed before, oldest first. */
  readonly history: readonly string[];
}

const NOTHING: AgentState = { profileAsked: false, history: [] };
const MOST_HISTORY = 200;

export async function readState(file: string): Promise<AgentState> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return NOTHING;
    const history: unknown = 'history' in value ? value.history : [];
    return {
      profileAsked: 'profileAsked' in value && value.profileAsked === true,
      history: Array.isArray(history)
        ? history.filter((text): text is string => typeof text === 'string')
        : [],
    };
  } catch {
    // Absent or torn: both mean that nothing is remembered.
    return NOTHING;
  }
}

export async function writeState(file: string, state: AgentState): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${String(process.pid)}.tmp`;
  const kept = { ...state, history: state.history.slice(-MOST_HISTORY) };
  await writeFile(temporary, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  await rename(temporary, file);
}
