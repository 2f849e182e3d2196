import { Alert, Button, Group, Text } from '@mantine/core';
import { adviceFor } from '../client/advice.js';
import { away, ProblemError } from '../client/problem.js';
import { HostileText } from './hostile-text.js';
import { Icon } from './icon.js';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What happened and what to do, for anything that the API refused. */
export function ProblemNote({ error, onRetry }: Props) {
  const problem = asProblem(error);
  const { title, what, todo, retry } = adviceFor(problem);
  const { problems = [], requestId } = problem.problem;
  return (
    <Alert color="red" variant="light" title={title} icon={<Icon name="alert" />} role="alert">
      <Text size="sm">
        <HostileText text={what} />
        {todo === null ? null : ` ${todo}`}
      </Text>
      {problems.length === 0 ? null : (
        <ul>
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <Group mt="xs" gap="sm">
        {onRetry === undefined || !retry ? null : (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {problem.status >= 500 && requestId !== undefined ? (
          <Text size="xs" c="dimmed">
            Request id <code>{requestId}</code>
          </Text>
        ) : null}
      </Group>
    </Alert>
  );
}

/** A fault of this page is shown as well: silence would be worse. */
function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const { problem } = away();
  const detail = error instanceof Error ? error.message : String(error);
  return new ProblemError({ ...problem, status: 599, code: 'console.fault', detail });
}
