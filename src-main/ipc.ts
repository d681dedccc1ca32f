/**
 * The only entry for messages from the page to the main process. A message is accepted only from the top frame of the workbench and
 * with a payload that its channel accepts; nothing else in the application listens to the page.
 */

import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import type { z } from 'zod';
import { WORKBENCH_ORIGIN } from './workbench-address.js';

/** The part of Electron's `ipcMain` that is used here. */
export type PageMessages = Pick<IpcMain, 'handle'>;

/**
 * Replies on `channel` with the result of `handler`, which gets the page that asks; `payload` is the list of the message's arguments.
 * All other messages are rejected.
 */
export function handlePageMessages<Payload extends z.ZodTuple, Result>(
  messages: PageMessages,
  channel: string,
  payload: Payload,
  handler: (page: WebContents, ...payload: z.output<Payload>) => Result | Promise<Result>,
): void {
  messages.handle(channel, async (event, ...args: unknown[]) => {
    if (!isWorkbench(event)) throw new Error(`${channel} is available only to the workbench page.`);
    const parsed = payload.safeParse(args);
    if (!parsed.success) throw new Error(`${channel} received an invalid payload.`);
    return await handler(event.sender, ...parsed.data);
  });
}

function isWorkbench({ senderFrame }: IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && senderFrame.origin === WORKBENCH_ORIGIN;
}
