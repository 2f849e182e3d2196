import {
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { Host } from '../app/host.js';

type ModeId = 'default' | 'plan' | 'yolo';

const MODES: readonly { readonly id: ModeId; readonly name: string; readonly description: string }[] = [
  { id: 'default', name: 'Default', description: 'policy decides; what it leaves open is asked' },
  { id: 'plan', name: 'Plan', description: 'reads and thinks, changes nothing' },
  {
    id: 'yolo',
    name: 'YOLO',
    description: 'ordinary work runs unasked; destructive calls and protected files still ask',
  },
];

/** Mode and model of one session, as the editor shows and sets them. */
export class SessionSettings {
  #shown: string;

  private constructor(
    private readonly host: Host,
    private readonly modes: typeof MODES,
  ) {
    this.#shown = this.#fingerprint();
  }

  static async of(host: Host): Promise<SessionSettings> {
    const { yolo } = await host.policy.locks(host.request.projectRoot);
    if (yolo === 'off') host.control.yolo = false;
    return new SessionSettings(
      host,
      MODES.filter(({ id }) => id !== 'yolo' || yolo !== 'off'),
    );
  }

  modeState(): SessionModeState {
    return { currentModeId: this.#mode(), availableModes: this.modes.map((mode) => ({ ...mode })) };
  }

  configOptions(): SessionConfigOption[] {
    const { config } = this.host;
    const { model } = config.current.provider;
    const models = [...new Set([model, ...Object.keys(config.current.prices)])];
    return [
      {
        type: 'select',
        id: 'mode',
        name: 'Mode',
        category: 'mode',
        currentValue: this.#mode(),
        options: this.modes.map(({ id, name, description }) => ({ value: id, name, description })),
      },
      {
        type: 'select',
        id: 'model',
        name: 'Model',
        category: 'model',
        currentValue: model,
        options: models.map((name) => ({ value: name, name })),
      },
    ];
  }

  /** Throws invalid params for a mode that is not offered here, a locked one included. */
  setMode(wanted: string): void {
    const mode = this.modes.find(({ id }) => id === wanted);
    if (mode === undefined) {
      const known = this.modes.map(({ id }) => id).join(', ');
      const locked = wanted === 'yolo' ? 'yolo is locked by policy' : `there is no mode ${wanted}`;
      throw RequestError.invalidParams(undefined, `${locked}: choose ${known}`);
    }
    this.host.control.mode = mode.id === 'plan' ? 'plan' : 'default';
    this.host.control.yolo = mode.id === 'yolo';
  }

  setOption(id: string, value: unknown): void {
    if (typeof value !== 'string') throw RequestError.invalidParams(undefined, `option ${id} takes a name`);
    if (id === 'mode') return this.setMode(value);
    if (id !== 'model') throw RequestError.invalidParams(undefined, `there is no option ${id}`);
    const known = this.configOptions().some(
      (option) =>
        option.id === 'model' &&
        option.type === 'select' &&
        option.options.some((one) => 'value' in one && one.value === value),
    );
    if (!known) throw RequestError.invalidParams(undefined, `model ${value} is not offered`);
    this.host.config.update({ provider: { model: value } });
  }

  /** What to tell the editor when something else than itself changed a setting: the mode tool, a slash command. */
  changes(): SessionUpdate[] {
    const now = this.#fingerprint();
    if (now === this.#shown) return [];
    this.#shown = now;
    return [
      { sessionUpdate: 'current_mode_update', currentModeId: this.#mode() },
      { sessionUpdate: 'config_option_update', configOptions: this.configOptions() },
    ];
  }

  #mode(): ModeId {
    const { mode, yolo } = this.host.control;
    if (mode === 'plan') return 'plan';
    return yolo ? 'yolo' : 'default';
  }

  #fingerprint(): string {
    return `${this.#mode()} ${this.host.config.current.provider.model}`;
  }
}
