/** What stands in a panel's place when there is no such panel, or when it broke. */

import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { Empty } from '../components/states.js';

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <p>
        The workbench has{' '}
        <Link className="link" to="/module">
          Module
        </Link>
        ,{' '}
        <Link className="link" to="/invoke">
          Invoke
        </Link>{' '}
        and{' '}
        <Link className="link" to="/explain">
          Explain
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
