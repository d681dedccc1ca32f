/**
 * The main journey, the same in a browser and on the desktop: edit the module, be told of a mistake, mend it, save, call a
 * query and a mutation, be refused by a check, and see why a derived fact holds and why another does not.
 */

import { expect, type Page } from '@playwright/test';
import { call, explainTuple, openPanel, writeAtEnd } from './steps.js';

export interface JourneyEnd {
  /** The module file as it is on disk. */
  savedText(): Promise<string>;
}

export async function mainJourney(page: Page, { savedText }: JourneyEnd): Promise<void> {
  await openPanel(page, 'Module');
  await mistakeIsTold(page);
  await mendAndSave(page);
  expect(await savedText()).toContain('derive unemployed(p: Person) when Tenant(p), not worksFor(p, _)');
  await query(page);
  await mutate(page);
  await beRefused(page);
  await explain(page);
  await askWhyNot(page);
  await seeWhatWouldMakeItHold(page);
}

async function mistakeIsTold(page: Page): Promise<void> {
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await expect(source).toContainText('A small landlord');
  await writeAtEnd(page, 'pub derive unemployed(p: Person) when Tenant(p), not worksFr(p, _)');
  const problems = page.getByRole('button', { name: /error/ });
  await expect(problems).toContainText('1 error');
  await problems.click();
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('worksFr');
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('worksFor');
}

async function mendAndSave(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Source of lease.entail' }).click();
  await page.keyboard.press('Control+End');
  for (let step = 0; step < '(p, _)'.length; step++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('or');
  await expect(page.getByRole('button', { name: /error/ })).toContainText('0 errors');
  await page.getByRole('button', { name: 'Close problems' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved and reloaded')).toBeVisible();
  await expect(page.getByText('In sync with server')).toBeVisible();
}

async function query(page: Page): Promise<void> {
  await openPanel(page, 'Invoke');
  await call(page, 'activeLeases', { minRent: '1000' });
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await expect(outcome.getByText('3 rows')).toBeVisible();
  await expect(outcome).toContainText('QUAY-5');
}

async function mutate(page: Page): Promise<void> {
  await call(page, 'sign', { tenant: 'Chidi Okafor', code: 'NEW-1', rent: '700' });
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await expect(outcome).toContainText('Saved');
  await expect(outcome).toContainText('has nobody who guarantees it');
}

async function beRefused(page: Page): Promise<void> {
  await call(page, 'sign', { tenant: 'Ada Lindqvist', code: 'NEW-2', rent: '700' });
  const outcome = page.getByRole('region', { name: 'Result', exact: true });
  await expect(outcome).toContainText('SVC_RUNTIME_CHECK_VIOLATION');
  await expect(outcome).toContainText('Ada Lindqvist holds 4 leases; three are allowed');
}

async function explain(page: Page): Promise<void> {
  await openPanel(page, 'Explain');
  await page.getByRole('region', { name: 'Derived' }).getByRole('link', { name: 'active' }).click();
  await page.getByRole('region', { name: 'Tuples' }).getByRole('link', { name: 'NEW-1' }).click();
  const explanation = page.getByRole('region', { name: 'Explanation' });
  const outline = explanation.getByRole('tree');
  await expect(outline.getByRole('treeitem').first()).toContainText('NEW-1 is active');
  await outline.getByRole('treeitem', { name: /Chidi Okafor is a tenant of NEW-1/ }).click();
  await expect(explanation).toContainText('stored');
  await expect(explanation.getByRole('application').or(page.getByLabel('Graph of the explanation'))).toContainText(
    'Chidi Okafor',
  );
}

async function askWhyNot(page: Page): Promise<void> {
  await explainTuple(page, 'unemployed', { p: 'Ada Lindqvist' });
  const explanation = page.getByRole('region', { name: 'Explanation' });
  await expect(explanation).toContainText('False');
  await expect(explanation).toContainText('Acme Ltd');
}

async function seeWhatWouldMakeItHold(page: Page): Promise<void> {
  await askWhoIsLiable(page, 'Harbour Bank', 'NEW-1');
  const suggestions = page.getByRole('region', { name: 'How to make it true' });
  await expect(suggestions.getByRole('listitem').first()).toContainText('add');
  await expect(suggestions).toContainText('Harbour Bank guarantees NEW-1');
}

/** From the Explain panel of the lease sample. */
export async function askWhoIsLiable(page: Page, party: string, lease: string): Promise<void> {
  await explainTuple(page, 'liable', { p: party, l: lease });
}
