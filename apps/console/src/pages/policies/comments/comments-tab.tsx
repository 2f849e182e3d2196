import { Button, Textarea } from '@mantine/core';
import { useDraft } from '../../../parts/drafts.js';
import { HostileText } from '../../../parts/hostile-text.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { SendForm } from '../../../parts/send-form.js';
import { useAttempt } from '../../../parts/use-attempt.js';
import { RelativeTime } from '../../../parts/relative-time.js';
import { usePagedRows } from '../../../parts/table/use-paged-rows.js';
import { useMay } from '../../../session/use-session.js';
import { type Comment, type Policy, policyKey } from '../policies.js';
import { addComment, comments } from './comments.js';
import classes from './comments-tab.module.css';

/** What people say about a policy. Default export for `lazy`. */
export default function CommentsTab({ policy: { id } }: { readonly policy: Policy }) {
  const may = useMay();
  const draft = useDraft(`comment.${id}`, '');
  const attempt = useAttempt();
  const list = usePagedRows<Comment>(policyKey(id, 'comments'), (cursor, signal) =>
    comments(id, cursor, signal),
  );
  const words = draft.text.trim();

  async function send(): Promise<void> {
    await attempt((key) => addComment(id, words, key));
    draft.clear();
    list.reload();
  }

  return (
    <div className={classes['comments']}>
      {list.error === null ? null : <ProblemNote error={list.error} onRetry={list.again} />}
      {list.loading ? <Loading what="comments" /> : null}
      <ol className={classes['list']}>
        {list.rows.map(({ id: key, author, at, text, revision }) => (
          <li key={key} className={classes['comment']}>
            <p className={classes['head']}>
              <strong>
                <HostileText text={author} />
              </strong>{' '}
              <RelativeTime at={at} />
              {revision === null ? '' : `, on revision ${revision}`}
            </p>
            <HostileText text={text} />
          </li>
        ))}
      </ol>
      {list.more ? (
        <Button variant="default" onClick={list.onNearEnd}>
          Show more
        </Button>
      ) : null}
      {may('update:Policy') ? (
        <SendForm submit="Comment" disabled={words === ''} onSend={send}>
          <Textarea
            label="Say something about it"
            autosize
            minRows={2}
            maxLength={4000}
            value={draft.text}
            onChange={({ currentTarget }) => draft.set(currentTarget.value)}
          />
        </SendForm>
      ) : null}
    </div>
  );
}
