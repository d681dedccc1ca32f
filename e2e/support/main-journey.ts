/**
 * The main journey, the same in a browser and on the desktop: write a mistake, fix it, save, call a query and a mutation,
 * violate a check, and explain one fact that is true and one that is false.
 */

import { expect, type Page } from '@playwright/test';
import { call, explainTuple, openPanel, writeAtEnd } from './steps.js';

interface Saved {
  /** The text of the module file on disk. */
  savedText(): Promise<string>;
}

export async function mainJourney(page: Page, { savedText }: Saved): Promise<void> {
  await openPanel(page, 'Module');
  await makeMistake(page);
  await fixAndSave(page);
  expect(await savedText()).toContain('derive unemployed(p: Person) when Tenant(p), not worksFor(p, _)');
  await query(page);
  await mutate(page);
  await violateCheck(page);
  await explain(page);
  await explainWhyNot(page);
  await findRepair(page);
}

async function makeMistake(page: Page): Promise<void> {
  const source = page.getByRole('textbox', { name: 'Source of lease.entail' });
  await expect(source).toContainText('A small landlord');
  await writeAtEnd(page, 'pub derive unemployed(p: Person) when Tenant(p), not worksFr(p, _)');
  const problems = page.getByRole('button', { name: /error/ });
  await expect(problems).toContainText('1 error');
  await problems.click();
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('worksFr');
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('worksFor');
}

async function fixAndSave(page: Page): Promise<void> {
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

async function violateCheck(page: Page): Promise<void> {
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

async function explainWhyNot(page: Page): Promise<void> {
  await explainTuple(page, 'unemployed', { p: 'Ada Lindqvist' });
  const explanation = page.getByRole('region', { name: 'Explanation' });
  await expect(explanation).toContainText('False');
  await expect(explanation).toContainText('Acme Ltd');
}

async function findRepair(page: Page): Promise<void> {
  await explainLiable(page, 'Harbour Bank', 'NEW-1');
  const suggestions = page.getByRole('region', { name: 'How to make it true' });
  await expect(suggestions.getByRole('listitem').first()).toContainText('add');
  await expect(suggestions).toContainText('Harbour Bank guarantees NEW-1');
}

/** In Explain, with the lease sample: explains whether a party is liable for a lease. */
export async function explainLiable(page: Page, party: string, lease: string): Promise<void> {
  await explainTuple(page, 'liable', { p: party, l: lease });
}
