/** Menu of the calls that take an individual as argument; opens the form with the argument filled in. */

import { Button, Menu } from '@mantine/core';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity } from '../../../src-runtime/api/schemas/schemas.js';
import { invokeLocation } from '../../model/facts/locations.js';
import { type CallWithIndividual, callsOfIndividual } from './calls-of-individual.js';
import styles from './grid/grid.module.css';

export function CallsMenu({ entity, schema }: { entity: Entity; schema: ServedSchema }) {
  const { mutations, queries } = useMemo(() => callsOfIndividual(schema, entity.$meta.classes), [schema, entity]);
  if (mutations.length + queries.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="subtle">Use in call</Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.longMenu}>
        <Calls title="Mutations" calls={mutations} id={entity.$id} />
        <Calls title="Queries" calls={queries} id={entity.$id} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Calls({ title, calls, id }: { title: string; calls: readonly CallWithIndividual[]; id: string }) {
  const navigate = useNavigate();
  if (calls.length === 0) return null;
  return (
    <>
      <Menu.Label>{title}</Menu.Label>
      {calls.map(({ path, parameter, words }) => (
        <Menu.Item key={words} onClick={() => void navigate(invokeLocation(path, { [parameter]: id }))}>
          {words}
        </Menu.Item>
      ))}
    </>
  );
}
