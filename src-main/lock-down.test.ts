/** What the pages of the application may not do. The emitters here stand in for Electron's. */

import { EventEmitter } from 'node:events';
import type { Session } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { lockDownPages, lockDownPermissions } from './lock-down.js';

const application = vi.hoisted(() => ({ listeners: [] as ((event: object, contents: object) => void)[] }));

vi.mock('electron', () => ({
  app: {
    on: (_name: string, listener: (event: object, contents: object) => void) => application.listeners.push(listener),
  },
}));

let contents: EventEmitter & { setWindowOpenHandler(handler: () => object): void };
let openWindow: () => object;

beforeEach(() => {
  application.listeners.length = 0;
  contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: () => object) => {
      openWindow = handler;
    },
  });
  lockDownPages();
  for (const listener of application.listeners) listener({}, contents);
});

function isBlocked(name: string, details: object): boolean {
  const preventDefault = vi.fn();
  contents.emit(name, { ...details, preventDefault });
  return preventDefault.mock.calls.length > 0;
}

it.each([
  'https://example.com/',
  'file:///etc/passwd',
  'app://elsewhere/',
  'app://workbench.example.com/',
  'app://workbench:8080/',
  'data:text/html,x',
  'javascript:alert(1)',
])('blocks navigation and redirects to %s', (url) => {
  expect(isBlocked('will-frame-navigate', { url, isMainFrame: true })).toBe(true);
  expect(isBlocked('will-redirect', { url })).toBe(true);
});

it('permits navigation inside the workbench, but not in a frame', () => {
  const url = 'app://workbench/explain';
  expect(isBlocked('will-frame-navigate', { url, isMainFrame: true })).toBe(false);
  expect(isBlocked('will-frame-navigate', { url, isMainFrame: false })).toBe(true);
});

it('blocks every webview, whatever its options', () => {
  expect(isBlocked('will-attach-webview', {})).toBe(true);
});

it('blocks every new window', () => {
  expect(openWindow()).toEqual({ action: 'deny' });
});

it.each([
  ['clipboard-sanitized-write', 'app://workbench/explain', true],
  ['clipboard-sanitized-write', 'https://example.com/', false],
  ['clipboard-read', 'app://workbench/', false],
  ['media', 'app://workbench/', false],
  ['openExternal', 'app://workbench/', false],
])('answers a request for %s from %s with %s', (permission, requestingUrl, isGranted) => {
  let handler: (...details: unknown[]) => void = () => undefined;
  const session = {
    setPermissionRequestHandler: (given: typeof handler) => {
      handler = given;
    },
    setPermissionCheckHandler: () => undefined,
    setDevicePermissionHandler: () => undefined,
  };
  lockDownPermissions(session as unknown as Session);
  const answer = vi.fn();
  handler(undefined, permission, answer, { requestingUrl });
  expect(answer).toHaveBeenCalledWith(isGranted);
});
