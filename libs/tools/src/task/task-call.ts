import { WrongStackError } from '@wrongstack/contracts';
import type {
  OwnTasks,
  PresentableResult,
  TaskRecord,
  ToolOptions,
  ToolResultView,
} from '@wrongstack/contracts';

export function tasksOf({ tasks }: ToolOptions): OwnTasks {
  if (tasks === undefined) {
    throw new WrongStackError(
      'task.unavailable',
      'this host runs nothing in the background: there are no tasks',
    );
  }
  return tasks;
}

/** The same words for an id that is malformed, never was, or is somebody else's. */
export function unknownTask(id: string): WrongStackError {
  return new WrongStackError(
    'task.unknown',
    `there is no task ${JSON.stringify(id.slice(0, 40))}; task_list lists yours`,
  );
}

/** `t-… running bash: npm run build · 120 bytes`. */
export function taskLine({ id, state, tool, title, exit, outputBytes }: TaskRecord): string {
  const why = exit?.reason == null ? '' : ` (${exit.reason})`;
  return `${id} ${state}${why} ${tool}: ${title} · ${outputBytes} bytes`;
}

export function plainCard(_input: unknown, { content }: PresentableResult): ToolResultView {
  return { card: 'generic', content };
}
