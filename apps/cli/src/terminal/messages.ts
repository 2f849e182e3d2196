import { plural } from './format.js';

/** Every sentence that a person reads in the terminal, in one place. Answer keys are part of the program, not of the text. */
export const messages = {
  labels: { you: 'you:', tool: 'tool:', asks: 'asks:', denied: 'denied:', note: 'note:' },

  banner: {
    noPolicy: 'no central policy',
    own: 'own',
    brokenPolicy: (file: string) => `policy BROKEN: ${file}, every call denied`,
    yoloLocked: 'yolo locked',
    ignoredFrom: "ignored from this repository's config",
    notRead: 'not read as a policy',
    ignoredKeys: (count: number) =>
      `ignored from this repository's config: ${plural(count, 'key')} (/config)`,
  },
  mode: { default: 'default', plan: 'plan', yolo: 'YOLO' },

  running: {
    of: (elapsed: string, estimate: string) => `${elapsed} of ~${estimate}`,
    backgrounds: 'Ctrl-B backgrounds',
    inBackground: (task: string) => `in the background as ${task}`,
    expand: (count: number) => plural(count, 'line'),
    expandKey: 'Ctrl-O',
    thinking: 'thinking',
    waitingForModel: 'waiting for the model',
    compacting: 'summarising older turns',
    escGivesUp: 'Esc gives up',
    loop: (tool: string, times: number) => `${tool} failed the same way ${times} times`,
    compacted: (before: string, after: string) => `context compacted: ${before} to ${after} tokens`,
    nothingToExpand: 'nothing to expand',
    changed: (path: string) => `changed ${path}`,
    queued: 'next',
  },

  question: {
    asks: (tool: string) => `${tool} asks`,
    in: 'in',
    deletes: 'deletes',
    writes: 'writes',
    reads: 'reads',
    hosts: 'hosts',
    why: 'why',
    always: 'always',
    outside: 'OUTSIDE PROJECT',
    unknownPath: 'a path that is only known when it runs',
    unknownPaths: 'not known: the tool does not say what it touches',
    unknownHosts: 'not known: the tool does not say where it connects',
    unresolvable: 'cannot be resolved',
    notOffered: (reason: string) => `not offered: ${reason}`,
    once: 'once',
    no: 'no',
    noAndWhy: 'no, and say why',
    destructiveKeys: 'yes + Enter runs it',
    exact: 'exact',
    pattern: 'pattern',
    until: (moment: string, hours: number) => `this project, until ${moment} (${hours} h)`,
    never: (count: number) => `${sameWord(count)}, until \`wstack trust revoke\``,
    reason: 'why not? Enter says no, Esc goes back',
    scroll: (hidden: number) => `${plural(hidden, 'more line')} below: ↓ or PgDn to read on`,
    scrollAscii: (hidden: number) => `${plural(hidden, 'more line')} below: Down or PgDn to read on`,
    scrolledAbove: (hidden: number) => `${plural(hidden, 'line')} above`,
    readFirst: 'read to the end first: there is more below',
    tooSmall: 'the window is too small to show the question: enlarge it, or Esc says no',
    typing: 'opens when the keyboard rests',
    typeYes: 'type yes and Enter to run it',
    plainDestructive: 'answer yes, no, or no and a reason, then Enter',
    scripted: 'yes (answered by the script)',
    plainTrust: 'answer yes, no, always, never, or no and a reason, then Enter',
    plainOnce: 'answer yes, no, or no and a reason, then Enter',
    notAnAnswer: 'that is not an answer',
    typedAhead: 'typed before the question opened, kept as your next message',
    answered: {
      once: 'you said yes, once',
      always: 'you said always',
      no: 'you said no',
      never: 'you said never',
      aborted: 'withdrawn before an answer',
    },
    nobodyToAsk: 'other people have to approve this, and no control plane is connected',
  },

  denial: {
    nothingRan: 'nothing ran',
    denied: 'denied',
    declined: 'declined',
    rule: 'rule',
    because: 'because',
    instead: 'instead',
    on: 'on',
    ask: (decision: string) => `/policy ask ${decision} "reason"  asks for an exception`,
    you: 'you said no',
  },

  openCall: {
    underWay: 'under way in another process',
    interrupted: 'interrupted',
    unknown: 'no result is in the log: what it did is unknown, and it is never run again by itself',
    notRun: 'not run',
    decidedLater: 'decided anew when the session is resumed',
  },

  approvers: {
    yes: (have: number, need: number) => `${have} of ${need} yes`,
    expires: (moment: string) => `expires ${moment}`,
    asked: (who: string) => `asked ${who}`,
    withdraws: 'Esc withdraws',
    parked: (approval: string) => `waits for others (${approval})`,
  },

  policy: {
    stale: (age: string, revision: string, expires: string | null) => [
      `policy stale: server unreachable ${age}`,
      `${revision} enforced`,
      expires === null ? null : `expires in ${expires}`,
    ],
    expired: ['policy EXPIRED: dangerous capabilities denied', 'wstack policy pull'],
    undetermined: ['policy UNDETERMINED: never received', 'dangerous denied, safe unchanged, rest asks'],
    fresh: (revision: string) => [`policy fresh: ${revision} in force`],
    none: ['no central policy: built-in and your own rules apply'],
  },

  session: {
    interrupted: 'interrupted by you',
    quitHint: 'Ctrl-C again quits',
    tasksStop: (count: number) =>
      `${plural(count, 'task')} ${count === 1 ? 'stops' : 'stop'} with this session`,
    stopAndQuit: 'and quit',
    stay: 'stay',
    tasksHint: '/tasks',
    historySearch: 'history',
    noMatch: 'no match',
    moreRows: (count: number) => `${count} more`,
    decidedAgain: (tool: string, revision: number | null) =>
      `pending ${tool} decided again under ${revision === null ? 'the rules of now' : `r${revision}`}`,
    editorFailed: 'the editor did not return a text',
  },

  errors: {
    busy: (status: number, attempt: number, of: number, wait: string) => [
      status === 429 || status === 529 ? `model busy (${status})` : `model unavailable (${status})`,
      `try ${attempt} of ${of} in ${wait}`,
      'Esc gives up',
    ],
    unsteady: (reason: string, attempt: number, of: number, wait: string) => [
      // Says itself what kind of failure it is: unreachable, silent, cut off.
      reason,
      `try ${attempt} of ${of} in ${wait}`,
      'Esc gives up',
    ],
  },

  summary: {
    done: 'done',
    failed: 'failed',
    limit: 'stopped at a limit',
    stopped_by_policy: 'stopped by policy',
    interrupted: 'interrupted',
    calls: (total: number) => plural(total, 'call'),
    ran: (count: number, asked: number) => `${count} ran${asked > 0 ? ` (${asked} asked)` : ''}`,
    callFailed: (count: number) => `${count} failed`,
    timedOut: (count: number) => `${count} timed out`,
    aborted: (count: number) => `${count} aborted`,
    denied: (count: number) => `${count} denied`,
    pending: (count: number) => `${count} pending`,
    tokens: (input: string, output: string) => `${input} in, ${output} out`,
    resume: (session: string) => `wstack session resume ${session}`,
  },

  profile: {
    title:
      'How careful should wstack be in your projects? (a letter and Enter; asked once; change it with /policy)',
    guide: 'asks before every command, edit and host; reads freely inside the project',
    balanced: 'guide, and read-only commands inside the project run unasked',
    strict: 'guide, and every write and every host always asks, YOLO or not',
    later: 'later; guide until then',
  },

  otherProject: {
    title: (session: string, folder: string) => `Session ${session} belongs to ${folder}.`,
    here: (folder: string) =>
      `goes on in ${folder}, though its paths and open calls were meant for the other`,
    leave: (command: string) => `it goes on there: ${command}`,
    leaves: 'leaves it',
  },

  pluginTrust: {
    title: (names: readonly string[]) =>
      `This project brings ${plural(names.length, 'plugin')} that would run with your rights: ${names.join(', ')}. Let ${names.length === 1 ? 'it' : 'them'}?`,
    yes: 'runs this content now and in later sessions; other content is asked about again',
    no: 'never runs this content; wstack plugin trust changes that',
    later: 'not now; asked again in the next session',
  },

  notTerminal: 'a session needs a terminal; without one use: wstack run "<prompt>"',
} as const;

function sameWord(count: number): string {
  const words = ['same', 'same one', 'same two', 'same three', 'same four', 'same five'];
  return words[count] ?? `same ${count}`;
}
