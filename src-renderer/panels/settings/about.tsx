/** Version and licences. */

import { LoadingRows } from '../../domain/failure/states.js';
import { host } from '../../host/current-host.js';
import { useHealth } from '../../server-state/health.js';
import styles from './settings.module.css';

export function About() {
  const health = useHealth().data;
  if (health === undefined) return <LoadingRows rows={4} />;
  return (
    <>
      <dl className={styles.settingsFacts}>
        <dt>Entail</dt>
        <dd className="numeric">{health.version}</dd>
        <dt>Runs in</dt>
        <dd>{host.kind === 'electron' ? 'the desktop app' : 'a browser'}</dd>
        <dt>Uptime</dt>
        <dd className="numeric">{durationText(health.uptimeMs)}</dd>
        <dt>Licence</dt>
        <dd>MIT, the Entail authors</dd>
      </dl>
      <section aria-label="Built with">
        <h3>Built with</h3>
        <ul className={styles.licences}>
          {__LICENCES__.map(({ name, version, licence }) => (
            <li key={name}>
              <span>{name}</span>
              <span className="numeric dim">{version}</span>
              <span className="dim">{licence}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.floor(minutes / 60)} hours`;
}
