import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { PAGES } from '../pages.js';
import { EmptyState } from '../parts/empty-state.js';
import { Loading } from '../parts/loading.js';
import { useMay } from '../session/use-session.js';
import { ErrorBoundary } from './error-boundary.js';
import { Page } from './page.js';

/** The page that the address names, as far as the roles allow it. */
export function PageRoutes() {
  const may = useMay();
  const [location] = useLocation();
  const mine = PAGES.filter(({ allowed }) => allowed(may));
  const [first] = mine;
  return (
    <ErrorBoundary resetOn={location}>
      <Suspense fallback={<Loading what="the page" />}>
        <Switch>
          {mine.map(({ path, page: Content }) => (
            <Route key={path} path={path === '/' ? path : `${path}/*?`}>
              <Content />
            </Route>
          ))}
          <Route path="/">
            {first === undefined ? <NothingAllowed /> : <Redirect to={first.path} replace />}
          </Route>
          <Route path="/sign-in">
            <Redirect to="/" replace />
          </Route>
          <Route>
            {PAGES.some(({ path }) => path !== '/' && location.startsWith(path)) ? (
              <NotAllowed />
            ) : (
              <NotFound />
            )}
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

function NothingAllowed() {
  return (
    <Page title="Nothing to see yet">
      <EmptyState icon="identities" title="Your roles open no page of this console">
        Ask an admin for the role that you need: approver, auditor, policy editor or admin. What you do with
        wstack is not affected.
      </EmptyState>
    </Page>
  );
}

function NotAllowed() {
  return (
    <Page title="Not for your roles">
      <EmptyState icon="alert" title="This page needs another role">
        Ask an admin, or choose a page on the left.
      </EmptyState>
    </Page>
  );
}

function NotFound() {
  return (
    <Page title="No such page">
      <EmptyState icon="search" title="There is nothing at this address">
        The link may be old. Choose a page on the left.
      </EmptyState>
    </Page>
  );
}
