/** The settings of the server that a user of the desktop changes: limits, grants, port and logs. */

import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Capability, Health, Limits } from '../../../src-runtime/api/schemas/health-schemas.js';
import { notifyFailure } from '../../domain/failure/notify-failure.js';
import { LoadingRows } from '../../domain/failure/states.js';
import type { HostSettings, ServerChoices } from '../../host/host.js';
import { queryClient } from '../../server-state/query-client.js';
import { CAPABILITY_WORDS, LIMITS, LOG_LIMIT } from './limit-rows.js';
import styles from './settings.module.css';

const CHOICES = ['host', 'choices'];
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

export function useServerChoices(settings: HostSettings | undefined): ServerChoices | undefined {
  return useQuery({
    queryKey: CHOICES,
    queryFn: () => settings?.choices() ?? {},
    enabled: settings !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** Saves some of the choices; the server restarts with them. */
export async function changeChoices(settings: HostSettings, change: Partial<ServerChoices>): Promise<void> {
  const choices = { ...(await settings.choices()), ...change };
  try {
    await settings.change(choices);
    queryClient.setQueryData(CHOICES, choices);
    await queryClient.invalidateQueries({ queryKey: ['host', 'place'] });
  } catch (error) {
    notifyFailure('Could not change the settings', error);
  }
}

export function ServerForm({ settings, health }: { readonly settings: HostSettings; readonly health: Health }) {
  const saved = useServerChoices(settings);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [changed, setChanged] = useState<ServerChoices>({});
  if (saved === undefined) return <LoadingRows rows={8} />;
  const choices = { ...saved, ...changed };
  const numbers = numbersOf(health, saved);
  const wrong = numbers.filter(({ key, min, isOptional }) => {
    const text = typed[key];
    return text !== undefined && wholeNumber(text, min) === undefined && !(isOptional === true && text === '');
  });
  const isChanged = Object.keys(typed).length > 0 || Object.keys(changed).length > 0;
  const apply = async () => {
    const limits: Record<string, number> = { ...saved.limits };
    const others: Record<string, number | undefined> = {};
    for (const { key, min, isLimit } of numbers) {
      const text = typed[key];
      if (text === undefined) continue;
      const value = wholeNumber(text, min);
      if (!isLimit) others[key] = value;
      else if (value !== undefined) limits[key] = value;
    }
    await changeChoices(settings, { ...changed, ...others, limits: limits as Partial<Limits> });
    setTyped({});
    setChanged({});
  };
  const reset = async () => {
    await changeChoices(settings, {
      ...{ limits: undefined, grant: undefined, adhoc: undefined, memoryMb: undefined },
      ...{ logRequests: undefined, logLevel: undefined, updateFeed: undefined },
    });
    setTyped({});
    setChanged({});
  };
  return (
    <form
      className={styles.serverForm}
      aria-label="Server settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong.length === 0) void apply();
      }}
    >
      <section aria-label="Limits">
        <h3>Limits</h3>
        {numbers.map(({ key, name, effect, value, unit, min }) => (
          <Setting key={key} name={name}>
            <TextInput
              label={`${name}${unit}`}
              description={effect}
              inputMode="numeric"
              placeholder={value === undefined ? 'by the memory of the machine' : ''}
              value={typed[key] ?? String(value ?? '')}
              onChange={({ currentTarget }) => setTyped({ ...typed, [key]: currentTarget.value })}
              error={wrong.some((each) => each.key === key) && `Enter a whole number from ${min}.`}
            />
          </Setting>
        ))}
      </section>
      <Grants
        grant={choices.grant ?? health.capabilities}
        adhoc={choices.adhoc ?? health.adhoc}
        onChange={(change) => setChanged({ ...changed, ...change })}
      />
      <section aria-label="Log file">
        <h3>Log file</h3>
        <NativeSelect
          label="Level"
          data={[...LOG_LEVELS]}
          value={choices.logLevel ?? 'info'}
          onChange={({ currentTarget }) =>
            setChanged({ ...changed, logLevel: LOG_LEVELS.find((level) => level === currentTarget.value) })
          }
        />
        <p>
          <Button variant="default" onClick={() => void settings.openFolder('logs')}>
            Open logs folder
          </Button>
        </p>
      </section>
      <section aria-label="Updates">
        <h3>Updates</h3>
        <TextInput
          label="Update feed"
          description="An https address of a folder with updates, instead of the package's. Entail asks before it downloads one."
          value={choices.updateFeed ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setChanged({ ...changed, updateFeed: value === '' ? undefined : value })
          }
        />
      </section>
      <p className="dim">The server restarts with new settings. Facts are kept.</p>
      <div className={styles.formActions}>
        <Button variant="default" onClick={() => void reset()}>
          Reset to defaults
        </Button>
        <Button type="submit" disabled={!isChanged || wrong.length > 0}>
          Apply
        </Button>
      </div>
    </form>
  );
}

interface GrantsProps {
  readonly grant: readonly Capability[];
  readonly adhoc: boolean;
  readonly onChange: (change: Pick<ServerChoices, 'grant' | 'adhoc'>) => void;
}

function Grants({ grant, adhoc, onChange }: GrantsProps) {
  return (
    <section aria-label="Grants">
      <h3>Grants</h3>
      {(Object.keys(CAPABILITY_WORDS) as Capability[]).map((capability) => (
        <Setting key={capability} name={CAPABILITY_WORDS[capability]}>
          <Checkbox
            label={CAPABILITY_WORDS[capability]}
            description={capability}
            checked={grant.includes(capability)}
            onChange={({ currentTarget: { checked } }) =>
              onChange({
                grant: checked ? [...grant, capability] : grant.filter((each) => each !== capability),
              })
            }
          />
        </Setting>
      ))}
      <Checkbox
        label="Ad-hoc queries and mutations"
        description="ad-hoc"
        checked={adhoc}
        onChange={({ currentTarget }) => onChange({ adhoc: currentTarget.checked })}
      />
    </section>
  );
}

/** Found by its name from the search of the settings. */
function Setting({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return <div data-setting={name}>{children}</div>;
}

interface NumberSetting {
  readonly key: string;
  readonly name: string;
  readonly effect: string;
  /** Undefined for the default. */
  readonly value: number | undefined;
  readonly unit: string;
  readonly min: number;
  readonly isLimit: boolean;
  /** Empty is the default. */
  readonly isOptional?: boolean;
}

const UNITS: Partial<Record<keyof Limits, string>> = { bodyBytes: ' (bytes)', timeoutMs: ' (ms)' };

function numbersOf({ limits, logRequests }: Health, { memoryMb }: ServerChoices): readonly NumberSetting[] {
  const rows = (Object.keys(LIMITS) as (keyof Limits)[]).map((key) => {
    const { name, effect } = LIMITS[key];
    return { key, name, effect, value: limits[key], unit: UNITS[key] ?? '', min: 1, isLimit: true };
  });
  const heap = { name: 'Memory', effect: 'The server restarts when it needs more', unit: ' (MB)', min: 64 };
  return [
    ...rows,
    { ...LOG_LIMIT, key: 'logRequests', value: logRequests, unit: '', min: 0, isLimit: false },
    { ...heap, key: 'memoryMb', value: memoryMb, isLimit: false, isOptional: true },
  ];
}

function wholeNumber(text: string, min: number): number | undefined {
  const value = Number(text.replaceAll(/[\s,_]/g, ''));
  return /\d/.test(text) && Number.isSafeInteger(value) && value >= min ? value : undefined;
}
