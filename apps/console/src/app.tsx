import { useEffect } from 'react';
import { Route, Switch } from 'wouter';
import { ProblemNote } from './parts/problem-note.js';
import { Loading } from './parts/loading.js';
import { ExpiredSessionDialog } from './session/expired-session-dialog.js';
import { SignInPage } from './session/sign-in-page.js';
import { SignedInPage } from './session/signed-in-page.js';
import { session } from './session/session.js';
import { useSessionState } from './session/use-session.js';
import { AppFrame } from './shell/app-frame.js';
import { PageRoutes } from './shell/page-routes.js';

export function App() {
  return (
    <Switch>
      <Route path="/signed-in">
        <SignedInPage />
      </Route>
      <Route>
        <Inside />
      </Route>
    </Switch>
  );
}

function Inside() {
  const state = useSessionState();
  useLookAgain(state.is === 'unreachable');
  switch (state.is) {
    case 'unknown':
      return <Loading what="the console" />;
    case 'unreachable':
      return (
        <main className="alone">
          <ProblemNote error={state.because} onRetry={() => void session.look()} />
        </main>
      );
    case 'signed-out':
      return <SignInPage />;
    case 'signed-in':
    case 'ended':
      return (
        <>
          <AppFrame>
            <PageRoutes />
          </AppFrame>
          <ExpiredSessionDialog />
        </>
      );
  }
}

const AGAIN_MS = 3_000;

function useLookAgain(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setInterval(() => void session.look(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [wanted]);
}
