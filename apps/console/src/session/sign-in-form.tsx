import { Alert, Button, Divider, PasswordInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ProblemError } from '../client/problem.js';
import { ProblemNote } from '../parts/problem-note.js';
import { session } from './session.js';

interface Props {
  /** Words for an attempt that failed elsewhere, at the identity provider. */
  readonly failed?: string | null;
  /** Opens the identity provider in a window of its own, so that this page stays as it is. */
  readonly besides?: boolean;
}

/** A token, or the organisation's own sign-in where there is one. */
export function SignInForm({ failed = null, besides = false }: Props) {
  const ways = useQuery({ queryKey: ['sign-in-ways'], queryFn: () => session.ways() });
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ProblemError | null>(null);
  const oidc = ways.data?.oidc ?? null;

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await session.signIn(token.trim());
      setToken('');
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack gap="md">
      {failed === null ? null : (
        <Alert color="red" variant="light" title="Signing in did not work" role="alert">
          {failed}
        </Alert>
      )}
      {oidc === null ? null : (
        <>
          <OidcButton start={oidc.start} issuer={oidc.issuer} besides={besides} />
          <Divider label="or with a token" />
        </>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <PasswordInput
            label="Access token"
            description="Made with wstack, under Identities, or printed at the first start of the API."
            placeholder="wst_…"
            autoComplete="current-password"
            spellCheck={false}
            value={token}
            onChange={({ currentTarget }) => setToken(currentTarget.value)}
            data-autofocus
            required
          />
          {problem === null ? null : <ProblemNote error={problem} />}
          <Button type="submit" loading={busy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </Stack>
  );
}

function OidcButton({ start, issuer, besides }: { start: string; issuer: string; besides: boolean }) {
  const [returnTo] = useState(() => (besides ? '/console/signed-in' : location.pathname + location.search));
  const address = new URL(start, location.origin);
  address.searchParams.set('returnTo', returnTo.startsWith('/console/sign-in') ? '/console/' : returnTo);
  return (
    <Button
      component="a"
      href={address.href}
      variant="default"
      fullWidth
      {...(besides ? { target: 'wrongstack-sign-in', rel: 'opener' } : {})}
    >
      Sign in with {hostOf(issuer)}
    </Button>
  );
}

function hostOf(issuer: string): string {
  try {
    return new URL(issuer).host;
  } catch {
    return issuer;
  }
}
