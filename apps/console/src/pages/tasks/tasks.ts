import { api, body } from '../../client/api.js';
import type { operations } from '../../client/schema.js';

export type Task = operations['tasksShow']['responses'][200]['content']['application/json'];

/** `everybody`: of the whole organisation, for those who may see it. */
export async function tasks(everybody: boolean, signal: AbortSignal): Promise<readonly Task[]> {
  return (
    await body(api.GET('/v1/tasks', { params: { query: everybody ? { of: 'everybody' } : {} }, signal }))
  ).tasks;
}

export async function killTask(id: string): Promise<Task> {
  return body(api.DELETE('/v1/tasks/{id}', { params: { path: { id } } }));
}

export function isOver({ state }: Pick<Task, 'state'>): boolean {
  return state !== 'queued' && state !== 'running' && state !== 'stopping';
}
