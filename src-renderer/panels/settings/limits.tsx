/** Tables of limits and grants. */

import { Table } from '@mantine/core';
import { clsx } from 'clsx';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { host } from '../../host/current-host.js';
import { isLost } from '../../model/facts/failure.js';
import { useHealth } from '../../server-state/health.js';
import { Glyph } from '../../ui/glyph.js';
import { grantRows, limitRows, type SettingRow, variableOf } from './limit-rows.js';
import { ServerForm } from './server-form.js';
import styles from './settings.module.css';

export function Limits() {
  const health = useHealth();
  if (health.data === undefined) {
    if (isLost(health)) return <LoadFailure error={health.error} onRetry={() => void health.refetch()} />;
    return <LoadingRows rows={8} />;
  }
  if (host.settings !== undefined) return <ServerForm settings={host.settings} health={health.data} />;
  return (
    <>
      <p className="dim">
        Set by options of entail serve or by environment variables; options win. Changes take effect at the next start.
      </p>
      <section aria-label="Limits">
        <h3>Limits</h3>
        <SettingTable label="Limits" rows={limitRows(health.data)} />
      </section>
      <section aria-label="Grants">
        <h3>Grants</h3>
        <SettingTable label="Grants" rows={grantRows(health.data)} />
      </section>
    </>
  );
}

function SettingTable({ label, rows }: { label: string; rows: readonly SettingRow[] }) {
  return (
    <Table className={styles.settingsTable} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Setting</Table.Th>
          <Table.Th className={styles.settingsValue}>Value</Table.Th>
          <Table.Th>Changed by</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, value, effect, option }) => (
          <Table.Tr key={name} data-setting={name}>
            <Table.Td>
              {name}
              <div className={clsx('dim', styles.settingsEffect)}>{effect}</div>
            </Table.Td>
            <Table.Td className={clsx('numeric', styles.settingsValue)}>
              {value === 'granted' && <Glyph kind="good" />}
              {value === 'not granted' && <Glyph kind="absent" />} {value}
            </Table.Td>
            <Table.Td className="mono">
              {option}
              <div className="dim">{variableOf(option)}</div>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
