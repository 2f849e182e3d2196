import path from 'node:path';
import type { Environment } from '../environment.js';

/** Where everything of ours lies. Absolute paths. */
export interface AgentPaths {
  readonly home: string;
  readonly agentHome: string;
  readonly managedDir: string;
  readonly userConfig: string;
  readonly sessions: string;
  readonly audit: string;
  readonly vault: string;
  readonly scratch: string;
  /** Background tasks: their state and output. */
  readonly tasks: string;
  /** Enrolment, identity and signed bundles of the control plane. */
  readonly control: string;
  readonly log: string;
  /** Small things that the program remembers about itself: that the profile question was answered, say. */
  readonly state: string;
}

export function agentPaths({ home, agentHome, managedDir }: Environment): AgentPaths {
  const inside = (name: string): string => path.join(agentHome, name);
  return {
    home,
    agentHome,
    managedDir,
    userConfig: inside('config.json'),
    sessions: inside('sessions'),
    audit: inside('audit'),
    vault: inside('vault'),
    scratch: inside('scratch'),
    tasks: inside('tasks'),
    control: inside('control'),
    log: inside(path.join('logs', 'wstack.log')),
    state: inside('state.json'),
  };
}
