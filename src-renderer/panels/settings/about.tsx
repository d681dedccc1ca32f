/** Version, and the licences of the packages that the build contains. */

import { useQuery } from '@tanstack/react-query';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { host } from '../../host/current-host.js';
import { useHealth } from '../../server-state/health.js';
import styles from './settings.module.css';

/** Written by the build (scripts/licences.ts). */
interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

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
        {host.kind === 'electron' && (
          <p className="dim">
            The licences of Electron and Chromium are in the application’s folder: LICENSE.electron.txt and
            LICENSES.chromium.html.
          </p>
        )}
        <Licences />
      </section>
    </>
  );
}

function Licences() {
  const licences = useQuery({
    queryKey: ['licences'],
    queryFn: async () => {
      const response = await fetch('/licences.json');
      return (await response.json()) as readonly Licence[];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (licences.data === undefined) {
    if (!licences.isError) return <LoadingRows rows={6} />;
    return <LoadFailure error={licences.error} onRetry={() => void licences.refetch()} />;
  }
  return (
    <ul className={styles.licences}>
      {licences.data.map(({ name, version, licence, text }) => (
        <li key={`${name}@${version}`}>
          <details>
            <summary>
              <span>{name}</span>
              <span className="numeric dim">{version}</span>
              <span className="dim">{licence}</span>
            </summary>
            <pre>{text}</pre>
          </details>
        </li>
      ))}
    </ul>
  );
}

function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.floor(minutes / 60)} hours`;
}
