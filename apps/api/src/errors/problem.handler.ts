import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { codeOf, type Logger, messageOf, WrongStackError } from '@wrongstack/contracts';
import { ApiProblem } from './api-problem.js';
import { statusOf, titleOf } from './problem-status.js';

interface Reply {
  readonly sent: boolean;
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): unknown;
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly problems?: ApiProblem['problems'];
  readonly headers?: ApiProblem['headers'];
  readonly members?: ApiProblem['members'];
}

/** Every error in one shape. What nobody foresaw says nothing about our insides, and is in the log under the request's id. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<Reply>();
    if (reply.sent) return;
    const { id } = http.getRequest<{ readonly id: string }>();
    const { headers = {}, members = {}, problems = [], status, code, detail } = problemOf(error);
    if (status === 500)
      this.log.error('a request failed', { request: id, code: codeOf(error), message: messageOf(error) });
    reply.status(status).header('content-type', 'application/problem+json');
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    reply.send({
      type: 'about:blank',
      title: titleOf(status),
      status,
      code,
      detail,
      requestId: id,
      ...(problems.length === 0 ? {} : { problems }),
      ...members,
    });
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof ApiProblem) {
    const { status, code, message, problems, headers, members } = error;
    return { status, code, detail: message, problems, headers, members };
  }
  if (error instanceof WrongStackError) {
    const status = statusOf(error.code);
    if (status !== undefined) {
      const problem = { status, code: error.code, detail: messageOf(error) };
      return status === 503 ? { ...problem, headers: { 'retry-after': '5' } } : problem;
    }
  }
  if (error instanceof HttpException) {
    return { status: error.getStatus(), code: `http.${error.getStatus()}`, detail: messageOf(error) };
  }
  // Fastify's own: a body that is no JSON, or too large; too many requests.
  const status: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'statusCode') : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return {
      status,
      code: codeOf(error) === 'unexpected' ? `http.${status}` : codeOf(error),
      detail: messageOf(error),
    };
  }
  return {
    status: 500,
    code: 'internal',
    detail: 'something went wrong here; it is in the log under this request id',
  };
}
