import type { Host } from '../app/host.js';
import { type AskedHere, type OtherProject, resumeThere } from '../app/other-project.js';
import { questionTerminal } from '../app/question-terminal.js';
import type { TerminalCaps } from '../terminal/caps.js';
import { shortenHome } from '../terminal/format.js';
import { messages } from '../terminal/messages.js';
import type { TerminalSession } from '../terminal/terminal-session.js';

/** Asks whether a session of another project goes on here. Esc, Ctrl-C and the end of input leave it where it is. */
export function askedHereBy(terminal: TerminalSession): AskedHere {
  return async (other) => {
    const { home } = terminal.look();
    const { title, here, leave, leaves } = messages.otherProject;
    const answer = await terminal.prompts.choose(
      title(other.session, shortenHome(other.theirs, home)),
      [
        { key: 'h', word: 'here', text: here(shortenHome(other.here, home)) },
        { key: 'l', word: 'leave', text: leave(resumeThere(other)) },
      ],
      leaves,
    );
    return answer === 'here';
  };
}

/** Before there is a session whose terminal could ask. */
export async function askBefore(host: Host, caps: TerminalCaps, other: OtherProject): Promise<boolean> {
  let leave = (): void => undefined;
  const left = new Promise<false>((resolve) => {
    leave = () => resolve(false);
  });
  const questions = questionTerminal(host, caps, () => leave());
  try {
    return await Promise.race([askedHereBy(questions.terminal)(other), left]);
  } finally {
    questions.close();
  }
}
