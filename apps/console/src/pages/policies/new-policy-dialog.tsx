import { Modal, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDraft } from '../../parts/drafts.js';
import { SendForm } from '../../parts/send-form.js';
import { useAttempt } from '../../parts/use-attempt.js';
import { createPolicy, type Policy } from './policies.js';

type Tier = Policy['tier'];

const TIERS: readonly { readonly value: Tier; readonly label: string }[] = [
  { value: 'org', label: 'The organisation' },
  { value: 'team', label: 'One team' },
  { value: 'orgDefault', label: 'Default of the organisation: a person may loosen it' },
];

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (policy: Policy) => void;
}

/** A name and a scope; the rules come in the editor. Nothing is in force before it is published. */
export function NewPolicyDialog({ opened, onClose, onCreated }: Props) {
  const id = useDraft('new-policy.id', '');
  const team = useDraft('new-policy.team', '');
  const [tier, setTier] = useState<Tier>('org');
  const attempt = useAttempt();

  async function send(): Promise<void> {
    const text = startOf(id.text.trim(), tier, team.text.trim());
    const policy = await attempt((key) => createPolicy(text, key));
    id.clear();
    team.clear();
    onClose();
    onCreated(policy);
  }

  return (
    <Modal opened={opened} onClose={onClose} title="New policy" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SendForm submit="Begin a draft" onSend={send} onCancel={onClose}>
        <TextInput
          label="Id"
          description="Small letters, digits and dashes; it stays for good."
          required
          data-autofocus
          value={id.text}
          onChange={({ currentTarget }) => id.set(currentTarget.value)}
        />
        <Select
          mt="sm"
          label="For whom"
          data={TIERS}
          allowDeselect={false}
          value={tier}
          onChange={(value) => setTier(value ?? 'org')}
        />
        {tier === 'team' ? (
          <TextInput
            mt="sm"
            label="Team"
            required
            value={team.text}
            onChange={({ currentTarget }) => team.set(currentTarget.value)}
          />
        ) : null}
      </SendForm>
    </Modal>
  );
}

/** JSON strings are YAML as well: what somebody typed stays one value, whatever is in it. */
function startOf(id: string, tier: Tier, team: string): string {
  const scope = tier === 'team' ? `{ tier: team, ref: ${JSON.stringify(team)} }` : `{ tier: ${tier} }`;
  return `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata:
  id: ${JSON.stringify(id)}
  revision: 1
  scope: ${scope}
rules: []
tests: []
`;
}
