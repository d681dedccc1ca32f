/** Link to the new name of a declaration that was renamed by the last load. */

import { Link } from 'react-router';
import { shortName } from '../model/facts/locations.js';
import { useModuleChange } from '../server-state/module.js';

interface RenamedSinceProps {
  readonly path: string;
  readonly locationOf: (path: string) => string;
}

export function RenamedSince({ path, locationOf }: RenamedSinceProps) {
  const renames = useModuleChange().data?.renames ?? [];
  const rename = renames.find(
    ({ from }) => path === from || path.startsWith(`${from}.`) || path.startsWith(`${from}::`),
  );
  if (rename === undefined) return null;
  const name = rename.to + path.slice(rename.from.length);
  return (
    <p>
      Renamed to{' '}
      <Link className="link" to={locationOf(name)}>
        {shortName(name)}
      </Link>{' '}
      in the last load.
    </p>
  );
}
