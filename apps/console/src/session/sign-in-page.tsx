import { Paper, Text, Title } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { usePageTitle } from '../shell/page-title.js';
import { Mark } from '../shell/mark.js';
import { SignInForm } from './sign-in-form.js';
import classes from './sign-in.module.css';

/** What the way back from an identity provider may bring. */
const FAILURES: Readonly<Record<string, string>> = {
  'session.oidc_denied': 'The identity provider let nobody in. Ask there, or use a token.',
  'session.oidc_state': 'The attempt was too old, or from another window. Start again.',
  'session.oidc_failed':
    'The identity provider did not vouch for you. Start again; if it stays, tell an admin.',
  'session.oidc_off': 'Nobody signs in over an identity provider here any more. Use a token.',
  'session.oidc_unknown_person':
    'The identity provider knows you, but somebody else has that name here already. Tell an admin.',
  'session.no_roles': 'You are known, and have no role here yet. An admin can give you one.',
};

export function SignInPage() {
  usePageTitle('Sign in');
  const [search] = useSearchParams();
  const code = search.get('error');
  return (
    <main className={classes['page']}>
      <Paper className={classes['card'] ?? ''} component="section" aria-labelledby="sign-in-title">
        <Mark size={40} />
        <Title order={1} id="sign-in-title" className={classes['title'] ?? ''}>
          WrongStack console
        </Title>
        <Text c="dimmed" mb="lg">
          For those who write the policies, answer for calls, and look at what happened.
        </Text>
        <SignInForm
          failed={code === null ? null : (FAILURES[code] ?? `The identity provider said: ${code}.`)}
        />
      </Paper>
    </main>
  );
}
