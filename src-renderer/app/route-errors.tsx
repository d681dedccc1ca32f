/** What stands in a panel's place when there is no such panel, or when it broke. */

import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { Empty } from '../domain/failure/states.js';

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <p>
        The panels on the left are all that there are.{' '}
        <Link className="link" to="/module">
          Go to the source
        </Link>
        .
      </p>
    </Empty>
  );
}

export function PanelCrash() {
  const error = useRouteError();
  return (
    <Empty title="This panel stopped working">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p>What you typed is kept. Loading the page again brings the panel back.</p>
      <Button variant="default" onClick={() => window.location.reload()}>
        Load again
      </Button>
    </Empty>
  );
}
