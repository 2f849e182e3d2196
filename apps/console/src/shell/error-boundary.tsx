import { Button, Group } from '@mantine/core';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { isStaleBuild } from './stale-build.js';

interface Props {
  /** Another page: what broke is forgotten. */
  readonly resetOn: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | null;
  readonly at: string;
}

/** A page that broke takes nothing else with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, at: this.props.resetOn };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ resetOn }: Props, { at }: State): Partial<State> | null {
    return resetOn === at ? null : { error: null, at: resetOn };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    // For whoever reports it: the browser's console is where they will be asked to look.
    reportError(new Error(`a page broke${info.componentStack ?? ''}`, { cause: error }));
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const stale = isStaleBuild(error);
    return (
      <section role="alert">
        <h1>{stale ? 'The console was updated' : 'This page broke'}</h1>
        <p>
          {stale
            ? 'This tab is older than the server. Load it again to get the new one; drafts are kept.'
            : 'The fault is ours. Nothing was sent or lost; drafts are kept. Open it again, or another page.'}
        </p>
        {stale ? null : <pre>{error.message}</pre>}
        <Group>
          <Button onClick={() => location.reload()}>Load again</Button>
          {stale ? null : (
            <Button variant="default" onClick={() => this.setState({ error: null })}>
              Try without loading
            </Button>
          )}
        </Group>
      </section>
    );
  }
}
