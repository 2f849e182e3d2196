import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { Card } from '../../parts/card.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useMay } from '../../session/use-session.js';
import { changeSettings, settings, type Settings } from './identities.js';
import classes from './identities.module.css';
import { SaveBar } from './save-bar.js';
import { useTaggedForm } from './use-tagged-form.js';

type Oidc = NonNullable<Settings['oidc']>;

const NO_OIDC: Oidc = { issuer: '', audience: '', userClaim: 'sub', groupsClaim: 'groups', clientId: null };
const HALT = { percent: 20, atLeast: 20 };

/** What holds for the whole organisation. */
export function SettingsTab() {
  const readOnly = !useMay()('update:Settings');
  const form = useTaggedForm({ key: 'settings', read: settings, write: changeSettings });
  const { value } = form;
  if (value === null)
    return form.error === null ? (
      <Loading what="settings" />
    ) : (
      <ProblemNote error={form.error} onRetry={form.reload} />
    );
  const { oidc, fourEyes, haltOnDenials } = value;
  const change = (part: Partial<Settings>): void => form.set({ ...value, ...part });
  return (
    <>
      <Card title="Publishing">
        <fieldset className={classes['settings']} disabled={readOnly}>
          <Checkbox
            label="Four eyes: what one person publishes, another reviews"
            checked={fourEyes}
            onChange={({ currentTarget }) => change({ fourEyes: currentTarget.checked })}
          />
          <Checkbox
            label="A spike of denials halts a staged revision"
            checked={haltOnDenials !== null}
            onChange={({ currentTarget }) => change({ haltOnDenials: currentTarget.checked ? HALT : null })}
          />
          {haltOnDenials === null ? null : (
            <div className={classes['row']}>
              <NumberInput
                label="More denials by (percent points)"
                min={1}
                max={100}
                value={haltOnDenials.percent}
                onChange={(percent) =>
                  change({ haltOnDenials: { ...haltOnDenials, percent: Number(percent) } })
                }
              />
              <NumberInput
                label="From so many calls on"
                min={1}
                value={haltOnDenials.atLeast}
                onChange={(atLeast) =>
                  change({ haltOnDenials: { ...haltOnDenials, atLeast: Number(atLeast) } })
                }
              />
            </div>
          )}
        </fieldset>
      </Card>
      <Card title="Identity provider (OIDC)">
        <fieldset className={classes['settings']} disabled={readOnly}>
          <Checkbox
            label="People sign in over an identity provider"
            checked={oidc !== null}
            onChange={({ currentTarget }) => change({ oidc: currentTarget.checked ? NO_OIDC : null })}
          />
          {oidc === null ? null : <OidcFields oidc={oidc} onChange={(next) => change({ oidc: next })} />}
        </fieldset>
      </Card>
      {readOnly ? null : <SaveBar form={form} />}
    </>
  );
}

const FIELDS = [
  ['issuer', 'Issuer', 'Its address; the keys are read from there.'],
  ['audience', 'Audience', 'Whom its tokens must be made for.'],
  ['userClaim', 'Claim of the person', 'Such as sub or email.'],
  ['groupsClaim', 'Claim of the groups', 'Such as groups.'],
  ['clientId', 'Client id of this console', 'Empty: nobody signs in here over it.'],
] as const;

function OidcFields({ oidc, onChange }: { readonly oidc: Oidc; readonly onChange: (oidc: Oidc) => void }) {
  return (
    <>
      <p className={classes['note']}>
        The provider has to know this redirect address of the console:{' '}
        <code>{`${location.origin}/v1/session/oidc/callback`}</code>. A secret of the client is given to the
        API as <code>WRONGSTACK_OIDC_CLIENT_SECRET</code>, and is not kept here.
      </p>
      <div className={classes['row']}>
        {FIELDS.map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            value={oidc[name] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...oidc, [name]: name === 'clientId' && value === '' ? null : value })
            }
          />
        ))}
      </div>
    </>
  );
}
