import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { codeOf, messageOf, WrongStackError } from '@wrongstack/contracts';
import { ApiProblem } from './api-problem.js';

const STATUS: Readonly<Record<string, number>> = {
  'task.cursor': 416,
  'task.key_conflict': 409,
  'task.limit': 429,
  'task.gone': 404,
  'task.queue_unavailable': 503,
};

interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): unknown;
}

/** Every error in one shape. What nobody foresaw says nothing about our insides. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const { status, code, detail } = problemOf(error);
    const reply = host.switchToHttp().getResponse<Reply>();
    reply
      .status(status)
      .header('content-type', 'application/problem+json')
      .send({ type: 'about:blank', title: titleOf(status), status, code, detail });
  }
}

function problemOf(error: unknown): { status: number; code: string; detail: string } {
  if (error instanceof ApiProblem) return { status: error.status, code: error.code, detail: error.message };
  if (error instanceof WrongStackError) {
    const status = STATUS[error.code];
    if (status !== undefined) return { status, code: error.code, detail: messageOf(error) };
  }
  if (error instanceof HttpException) {
    return { status: error.getStatus(), code: `http.${error.getStatus()}`, detail: messageOf(error) };
  }
  // Fastify's own: a body that is no JSON, or too large.
  const status: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'statusCode') : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { status, code: codeOf(error), detail: messageOf(error) };
  }
  return { status: 500, code: 'internal', detail: 'something went wrong here; it is in the log' };
}

function titleOf(status: number): string {
  const titles: Readonly<Record<number, string>> = {
    400: 'Bad request',
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'Not found',
    409: 'Conflict',
    416: 'Range not satisfiable',
    422: 'Unprocessable',
    429: 'Too many',
    503: 'Unavailable',
  };
  return titles[status] ?? 'Error';
}
