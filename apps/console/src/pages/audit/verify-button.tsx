import { Button, Modal, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { useEvents } from '../../client/use-events.js';
import { Icon } from '../../parts/icon.js';
import { numberIn, objectIn, textIn } from '../../parts/json.js';
import { Badge } from '../../parts/verdict-badge.js';

/** Does the chain hold, from its first record to its last? */
export function VerifyButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="link" size={16} />} onClick={() => setOpen(true)}>
        Verify
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title="Verify the chain"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {open ? <Verification /> : null}
      </Modal>
    </>
  );
}

interface Report {
  readonly ok: boolean;
  readonly records: number;
  readonly brokenAt: number | null;
  readonly reason: string | null;
  readonly flagged: number;
}

function Verification() {
  const [progress, setProgress] = useState({ checked: 0, of: 0 });
  const [report, setReport] = useState<Report | null>(null);
  const state = useEvents(
    '/v1/audit/verify/events',
    (name, data) => {
      const said = objectIn(data);
      if (name === 'progress')
        setProgress({ checked: numberIn(said['checked']) ?? 0, of: numberIn(said['of']) ?? 0 });
      if (name === 'report') setReport(reportIn(said));
    },
    { last: 'report' },
  );
  if (report !== null) return <Outcome report={report} />;
  const percent = progress.of === 0 ? 0 : Math.round((progress.checked / progress.of) * 100);
  return (
    <>
      <Progress value={percent} aria-label="Checked" mb="xs" />
      <Text size="sm" role="status">
        {state === 'refused'
          ? 'Your roles do not allow it.'
          : state === 'late'
            ? 'The server went away; it begins anew when it is back.'
            : `${progress.checked.toLocaleString('en')} of ${progress.of.toLocaleString('en')} records checked`}
      </Text>
    </>
  );
}

function Outcome({ report }: { readonly report: Report }) {
  const { ok, records, brokenAt, reason, flagged } = report;
  return (
    <div role="status">
      <Badge tone={ok ? 'allow' : 'deny'} mark={ok ? 'check' : 'alert'}>
        {ok ? 'The chain holds' : 'The chain is broken'}
      </Badge>
      <Text mt="sm">
        {ok
          ? `${records.toLocaleString('en')} records, each bound to the one before.`
          : `${reason ?? 'It does not fit'}${brokenAt === null ? '' : ` (record ${brokenAt})`}. Keep a copy of the store, and look at who could write to it.`}
      </Text>
      {flagged === 0 ? null : (
        <Text mt="xs" size="sm" c="dimmed">
          {`${flagged} clients shipped a log that did not continue where it had ended. The filter at the left shows their records.`}
        </Text>
      )}
    </div>
  );
}

function reportIn(said: Readonly<Record<string, unknown>>): Report {
  return {
    ok: said['ok'] === true,
    records: numberIn(said['records']) ?? 0,
    brokenAt: numberIn(said['brokenAt']),
    reason: textIn(said['reason']),
    flagged: Array.isArray(said['flaggedSources']) ? said['flaggedSources'].length : 0,
  };
}
