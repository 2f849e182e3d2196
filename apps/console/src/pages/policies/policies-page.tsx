import { Route, Switch } from 'wouter';
import { PolicyList } from './policy-list.js';
import { PolicyView } from './policy-view.js';

/** All policies, or one of them with everything that can be done with it. */
export default function PoliciesPage() {
  return (
    <Switch>
      <Route path="/policies">
        <PolicyList />
      </Route>
      <Route path="/policies/:id/:tab?">
        {({ id, tab }) => <PolicyView key={id} id={decodeURIComponent(id)} tab={tab ?? null} />}
      </Route>
    </Switch>
  );
}
