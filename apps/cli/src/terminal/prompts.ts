import type { Clock, SessionSummary } from '@wrongstack/contracts';
import type { Line } from './lines.js';
import { sessionTable } from './list-lines.js';
import { messages } from './messages.js';
import {
  type AnsweredBy,
  ChoiceOverlay,
  OverlayStack,
  PickOverlay,
  type Choice,
  type Overlay,
} from './overlay.js';
import type { Look } from './theme.js';

export type Profile = 'guide' | 'balanced' | 'strict';

/** Questions of the app itself, above the prompt. They are answered by the person alone; null = Esc. */
export class Prompts {
  private readonly stack = new OverlayStack();

  constructor(
    private readonly host: {
      readonly clock: Clock;
      readonly look: () => Look;
      readonly shown: (lines: readonly Line[]) => void;
      readonly redraw: () => void;
    },
  ) {}

  top(): Overlay | null {
    return this.stack.top();
  }

  lines(look: Look): readonly Line[] {
    return this.stack.top()?.lines(look) ?? [];
  }

  choose<Word extends string>(
    title: string,
    choices: readonly (Choice & { readonly word: Word })[],
    escapeText: string,
    answeredBy: AnsweredBy = 'letter',
  ): Promise<Word | null> {
    return this.show<Word>(
      (done) => new ChoiceOverlay(title, choices, escapeText, this.host.clock.now(), done, answeredBy),
    );
  }

  /** The one question of the first start. */
  chooseProfile(): Promise<Profile | null> {
    const { profile } = messages;
    return this.choose<Profile>(
      profile.title,
      [
        { key: 'g', word: 'guide', text: profile.guide },
        { key: 'b', word: 'balanced', text: profile.balanced },
        { key: 's', word: 'strict', text: profile.strict },
      ],
      profile.later,
      'letter and Enter',
    );
  }

  pickSession(sessions: readonly SessionSummary[]): Promise<string | null> {
    const now = this.host.clock.now();
    const values = sessions.map((session) => session.id);
    return this.show<string>(
      (done) => new PickOverlay(values, (look) => sessionTable(sessions, now, look), done),
    );
  }

  private show<Value extends string>(
    create: (done: (value: Value | null) => void) => Overlay,
  ): Promise<Value | null> {
    return new Promise((resolve) => {
      const overlay = create((value) => {
        remove();
        resolve(value);
        this.host.redraw();
      });
      const remove = this.stack.push(overlay);
      this.host.shown(overlay.lines(this.host.look()));
      this.host.redraw();
    });
  }
}
