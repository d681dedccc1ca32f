/** The collections beside the module: calls that are kept in files, opened by a click. */

import { ActionIcon, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import type { Collection } from '../../src-runtime/api/collection-schemas.js';
import { Cut } from '../components/cut.js';
import { Glyph } from '../components/glyph.js';
import { LoadFailure, LoadingRows } from '../components/states.js';
import { callOfSaved, type SentCall } from '../data/calls.js';
import { useCollections, useCollectionWriter } from '../data/collections.js';
import { isLost } from '../data/failure.js';

export function SavedPane({ onOpen }: { onOpen: (call: SentCall) => void }) {
  const collections = useCollections();
  if (isLost(collections)) return <LoadFailure error={collections.error} onRetry={() => void collections.refetch()} />;
  if (collections.data === undefined) return <LoadingRows rows={4} />;
  if (collections.data.length === 0) {
    return (
      <p className="pane-padded dim">
        Save a call to keep it in a file beside the module, so that it is committed and shared with it.
      </p>
    );
  }
  return collections.data.map((collection) => (
    <CollectionSection key={collection.name} collection={collection} onOpen={onOpen} />
  ));
}

function CollectionSection({ collection, onOpen }: { collection: Collection; onOpen: (call: SentCall) => void }) {
  const { save, remove } = useCollectionWriter();
  const { name, calls, problem } = collection;
  const drop = (index: number): void => {
    const left = calls.filter((_, at) => at !== index);
    const work = left.length === 0 ? remove(collection) : save(name, left, collection);
    work.catch((error: unknown) =>
      notifications.show({
        color: 'red',
        title: 'Not deleted',
        message: error instanceof Error ? error.message : String(error),
      }),
    );
  };
  return (
    <section aria-label={name}>
      <h3 className="group-title">{name}.calls.json</h3>
      {problem !== undefined && (
        <p className="saved-problem">
          <Glyph kind="warning" /> <span>{problem}</span>
        </p>
      )}
      <ul>
        {calls.map((call, index) => (
          <li key={call.name} className="saved-call">
            <button type="button" className="plain row" onClick={() => onOpen(callOfSaved(call))}>
              <Cut>{call.name}</Cut>
            </button>
            <Tooltip label="Delete from the file">
              <ActionIcon aria-label={`Delete ${call.name}`} onClick={() => drop(index)}>
                <IconTrash size={14} />
              </ActionIcon>
            </Tooltip>
          </li>
        ))}
      </ul>
    </section>
  );
}
