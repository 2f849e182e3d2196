import type { Provider, ProviderFactory } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';
import { anthropicFormat } from './anthropic/anthropic-format.js';
import { isObject, type JsonObject } from './json-fields.js';
import { openAiResponsesFormat } from './openai-responses/openai-responses-format.js';
import { openAiChatFormat, openAiCompatibleFormat } from './openai/openai-chat-format.js';
import { parseScript } from './scripted/parse-script.js';
import { ScriptedProvider } from './scripted/scripted-provider.js';
import { WireFormatProvider } from './wire-format-provider.js';
import type { WireFormat } from './wire-format.js';

/** Every provider that ships, by type. A factory creates nothing before it is asked to. */
export const builtInProviders: readonly ProviderFactory[] = [
  overHttp(anthropicFormat),
  overHttp(openAiChatFormat),
  overHttp(openAiResponsesFormat),
  overHttp(openAiCompatibleFormat),
  { type: 'scripted', family: 'scripted', create: createScripted },
];

/** Names of the credential that each built-in type asks for by default; `scripted` needs none. */
export const defaultCredentials: Readonly<Record<string, string>> = Object.fromEntries(
  [anthropicFormat, openAiChatFormat, openAiResponsesFormat, openAiCompatibleFormat].map((format) => [
    format.type,
    format.credential,
  ]),
);

function overHttp(format: WireFormat): ProviderFactory {
  return {
    type: format.type,
    family: format.family,
    create: (config): Provider => {
      const settings = settingsOf(config, format.type);
      return new WireFormatProvider(format, {
        apiKey: text(settings, 'apiKey'),
        baseUrl: text(settings, 'baseUrl'),
        credential: text(settings, 'credential'),
        headers: headers(settings),
        idleTimeoutMs: duration(settings, 'idleTimeoutMs'),
        allowInsecureHttp: settings['allowInsecureHttp'] === true,
      });
    },
  };
}

function createScripted(config: unknown): Provider {
  const settings = settingsOf(config, 'scripted');
  const { script } = settings;
  const variables = textMembers(settings, 'variables');
  if (typeof script === 'string' && script !== '') return new ScriptedProvider(script, { variables });
  if (script !== undefined && script !== '') {
    return new ScriptedProvider(parseScript(script, 'inline'), { variables });
  }
  throw new WrongStackError('provider.bad_config', 'provider scripted needs the path of a script', {
    path: '/provider/script',
    hint: 'set provider.script',
  });
}

function settingsOf(config: unknown, type: string): JsonObject {
  if (config === undefined || config === null) return {};
  if (isObject(config)) return config;
  throw new WrongStackError('provider.bad_config', `settings of provider ${type} are not an object`, {
    path: '/provider',
  });
}

function text(settings: JsonObject, key: string): string | undefined {
  const value = settings[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  // The value stays out of the message: it may be a key.
  throw new WrongStackError('provider.bad_config', `provider.${key} is not a string`, {
    path: `/provider/${key}`,
  });
}

function duration(settings: JsonObject, key: string): number | undefined {
  const value = settings[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0 && value <= 3_600_000) return value;
  throw new WrongStackError('provider.bad_config', `provider.${key} is not between 1 and 3600000`, {
    path: `/provider/${key}`,
  });
}

function headers(settings: JsonObject): Readonly<Record<string, string>> | undefined {
  return settings['headers'] === undefined ? undefined : textMembers(settings, 'headers');
}

function textMembers(settings: JsonObject, key: string): Readonly<Record<string, string>> {
  const value = settings[key] ?? {};
  if (!isObject(value)) {
    throw new WrongStackError('provider.bad_config', `provider.${key} is not an object`, {
      path: `/provider/${key}`,
    });
  }
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
