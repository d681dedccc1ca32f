/** Environments: variables for calls, stored in a file beside the module; and calls for different tenants. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from './support/served-workbench.js';
import { show } from './support/steps.js';

test.beforeEach(async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Invoke', exact: true }).click();
});

const ACME = `module acme
context tenantId: Text
context clerk: Clerk?
pub concept Clerk { name: Text }
pub individual ines: Clerk { name: "Ines Moreau" }
pub enum Status { draft, signed }
pub concept Lease { code: Text, rent: Decimal, start: Date, status: Status = draft }
pub query q10() -> Int { value 10 }
pub query q2() -> Int { value 2 }
pub query q1() -> Int { value 1 }
pub mutation sign(code: Text, rent: Decimal, start: Date, status: Status) -> Lease {
  return insert Lease { code: code, rent: rent, start: start, status: status }
}
pub mutation end(lease: Lease) { delete lease }
`;

test.describe('with a tenant in the context', () => {
  test.use({ modules: { 'acme.entail': ACME } });

  test('supplies the variables of calls from an environment file beside the module', async ({
    page,
    workbench,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const folder = dirname(workbench.moduleFile);
    await expect(page.getByRole('region', { name: 'Queries' }).getByRole('link')).toHaveText(['q1', 'q2', 'q10']);
    await page.getByRole('link', { name: 'sign', exact: true }).click();
    const code = page.getByRole('textbox', { name: 'code' });
    await code.fill('{{lease}}');
    await expect(code).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText('Unknown variable lease')).toBeVisible();
    await page.getByRole('button', { name: 'Define lease' }).click();
    await page.getByRole('textbox', { name: 'Value of lease' }).fill('L1');
    await page.getByRole('textbox', { name: 'Environment' }).fill('at acme');
    for (const [index, [name, value]] of Object.entries({
      tenant: 'acme',
      day: '2026-01-31',
      state: 'signed',
    }).entries()) {
      await page.getByRole('button', { name: 'Add variable' }).click();
      await page.getByRole('textbox', { name: `Name of variable ${index + 2}` }).fill(name);
      await page.getByRole('textbox', { name: `Value of ${name}` }).fill(value);
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const environment = page.getByRole('combobox', { name: 'Environment' });
    await expect(environment).toHaveValue('at acme');
    const file = JSON.parse(readFileSync(join(folder, 'at acme.environment.json'), 'utf8'));
    expect(file.variables).toEqual({ lease: 'L1', tenant: 'acme', day: '2026-01-31', state: 'signed' });
    await expect(page.getByText('lease = L1')).toBeVisible();
    await expect(code).not.toHaveAttribute('aria-invalid');
    await expect(code).toBeFocused();

    await page.getByRole('textbox', { name: 'rent' }).fill('900');
    await page.getByRole('textbox', { name: 'Context tenantId' }).fill('{{tenant}}');
    await expect(page.getByRole('button', { name: 'Scope acme' })).toBeVisible();
    // Date fields and pickers take variables from a menu.
    await page.getByRole('button', { name: 'Use a variable for start' }).click();
    await page.getByRole('menuitem', { name: /^day / }).click();
    await page.getByRole('button', { name: 'Use a variable for status' }).press('Enter');
    await page
      .getByRole('menu', { name: 'Use a variable for status' })
      .getByRole('menuitem', { name: 'state' })
      .press('Enter');
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await page.getByRole('menuitem', { name: 'curl' }).click();
    await expect(page.getByText('Copied as curl.')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('"args":{"code":"L1","rent":"900","start":"2026-01-31","status":"signed"}');
    expect(copied).toContain('x-tenant-id: acme');
    await page.keyboard.press('Control+Enter');
    const outcome = page.getByRole('region', { name: 'Result', exact: true });
    await expect(outcome).toContainText('Saved');
    await outcome.getByRole('button', { name: 'Set variable…' }).click();
    await expect(page.getByRole('combobox', { name: 'Value' })).toHaveValue('result.$id  #i1');
    await page.getByRole('textbox', { name: 'Variable' }).fill('signed');
    await page.getByRole('button', { name: 'Set', exact: true }).click();

    writeEnvironment(folder, 'other', { tenant: 'other', lease: 'L2' });
    await page.reload();
    await expect(environment).toHaveValue('at acme');
    await expect(code).toHaveValue('{{lease}}');
    await environment.click();
    await page.getByRole('option', { name: 'other' }).click();
    await expect(page.getByText('lease = L2')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Scope other' })).toBeVisible();
    await expect(page.getByText('Environment other has no variable day.')).toBeVisible();
    await page.getByRole('link', { name: 'end', exact: true }).click();
    await page.getByRole('combobox', { name: 'lease' }).fill('{{signed}}');
    await expect(page.getByText('signed = #i1')).toBeVisible();

    await show(page, 'History');
    await page.getByRole('button', { name: /^succeeded sign.*code L1/ }).click();
    await expect(code).toHaveValue('{{lease}}');
    await expect(page.getByRole('textbox', { name: 'start' })).toHaveValue('{{day}}');
    await expect(page.getByRole('textbox', { name: 'Context tenantId' })).toHaveValue('{{tenant}}');
  });

  test('never labels the result of one tenant with the individuals of another', async ({ page }) => {
    const tenant = page.getByRole('textbox', { name: 'Context tenantId' });
    const outcome = page.getByRole('region', { name: 'Result', exact: true });
    await page.getByRole('link', { name: 'sign', exact: true }).click();
    await page.getByRole('combobox', { name: 'status' }).click();
    await page.getByRole('option', { name: 'signed' }).click();
    for (const [name, value] of Object.entries({ rent: '900', start: '2026-01-31' })) {
      await page.getByRole('textbox', { name, exact: true }).fill(value);
    }
    await page.getByRole('combobox', { name: 'Context clerk' }).fill('@acme::ines');
    for (const [name, code] of Object.entries({ other: 'L-OTHER', acme: 'L-ACME' })) {
      await tenant.fill(name);
      await page.getByRole('textbox', { name: 'code' }).fill(code);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(outcome.getByRole('listitem').filter({ hasText: 'rent' })).toContainText(`new Lease ${code}`);
    }
    await tenant.fill('other');
    await expect(outcome.getByRole('status')).toContainText('for acme');
    await expect(outcome.getByRole('listitem').filter({ hasText: 'rent' })).toContainText('new Lease #i1');
    await expect(outcome.getByRole('link', { name: /Why|L-ACME/ })).toHaveCount(0);
    await outcome.getByRole('button', { name: 'Switch tenant' }).click();
    await expect(tenant).toHaveValue('acme');
    await expect(outcome.getByRole('link', { name: 'L-ACME' })).toBeVisible();
    await expect(outcome.getByRole('listitem').filter({ hasText: 'rent' })).toContainText('new Lease L-ACME');

    // *Act as* restores a context, and its button keeps the focus.
    const asOther = page.getByRole('button', { name: 'clerk Ines Moreau, tenant other' });
    await asOther.press('Enter');
    await expect(tenant).toHaveValue('other');
    await expect(asOther).toBeFocused();
    await expect(asOther).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('button', { name: 'clerk Ines Moreau, tenant acme' }).click();
    await expect(tenant).toHaveValue('acme');
    await expect(outcome.getByRole('status')).not.toContainText('for acme');

    await page.getByRole('link', { name: 'end', exact: true }).click();
    await page.getByRole('combobox', { name: 'lease' }).fill('#i1');
    await page.keyboard.press('Control+Enter');
    await expect(outcome).toContainText('Saved');
    await tenant.fill('other');
    // The same id is another lease for this tenant, so the selection is kept per tenant.
    await expect(page.getByRole('combobox', { name: 'lease' })).toHaveValue('');
    await tenant.fill('acme');
    await expect(page.getByRole('combobox', { name: 'lease' })).toHaveValue('#i1');
    await tenant.fill('other');
    await show(page, 'History');
    const endCall = page.getByRole('button', { name: /^succeeded end/ });
    await expect(endCall).toContainText('acme');
    await expect(endCall).toContainText('lease #i1');
  });

  test('completes variable names in any field, and offers to define a new one', async ({ page, workbench }) => {
    writeEnvironment(dirname(workbench.moduleFile), 'at acme', { day: '2026-01-31', lease: 'L1', leaseEnd: 'later' });
    await page.getByRole('link', { name: 'sign', exact: true }).click();
    await page.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'at acme' }).click();
    const list = page.getByRole('listbox', { name: 'Variables' });
    const completions = list.getByRole('option');

    const code = page.getByRole('textbox', { name: 'code' });
    await code.pressSequentially('of {{');
    await expect(completions.filter({ hasNotText: '$' })).toHaveText(['day2026-01-31', 'leaseL1', 'leaseEndlater']);
    await page.keyboard.press('ArrowUp');
    await expect(completions.last()).toHaveAttribute('aria-selected', 'true');
    await expect(code).toHaveAttribute('aria-activedescendant', (await completions.last().getAttribute('id')) ?? '');
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect(code).toHaveValue('of {{lease}}');
    await page.keyboard.press('Control+z');
    await expect(code).toHaveValue('of {{');
    await page.keyboard.type('END');
    await expect(completions).toHaveText(['leaseEndlater', 'Define END…']);
    await page.keyboard.press('Escape');
    await page.keyboard.type('2');
    await expect(list).toHaveCount(0);

    await page.getByRole('textbox', { name: 'rent' }).pressSequentially('{{d');
    await expect(page.getByRole('combobox', { name: 'rent' })).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('textbox', { name: 'rent' })).toHaveValue('{{day}}');
    await expect(page.getByRole('textbox', { name: 'rent' })).toBeFocused();
    // A date field accepts a variable as text, too.
    const start = page.getByRole('textbox', { name: 'start' });
    await start.pressSequentially('{');
    await page.keyboard.type('{');
    await completions.first().click();
    await expect(start).toHaveValue('{{day}}');
    for (const _ of '{{day}}') await page.keyboard.press('Backspace');
    await expect(start).toHaveValue('');
    await expect(start).toBeFocused();

    // Generated variables need no environment, and have a new value for each call.
    await code.fill('{{$foo}}');
    await expect(page.getByText('Unknown variable $foo. Generated variables: $today, $now,')).toBeVisible();
    await code.fill('L-');
    await code.pressSequentially('{{$u');
    await page.keyboard.press('Enter');
    await expect(code).toHaveValue('L-{{$uuid}}');
    const rent = page.getByRole('textbox', { name: 'rent' });
    await rent.fill('{{$now}}');
    await expect(page.getByText('Expected Decimal, but $now is DateTime.')).toBeVisible();
    await rent.fill('{{$randomInt}}.50');
    await page.getByRole('button', { name: 'Use a variable for start' }).click();
    await page.getByRole('menuitem', { name: /^\$today/ }).click();
    await page.getByRole('combobox', { name: 'status' }).click();
    await page.getByRole('option', { name: 'signed' }).click();
    await page.getByRole('textbox', { name: 'Context tenantId' }).fill('acme');

    // A generated value may be invalid although its example is valid. Then nothing is sent, and the field says why.
    await page.evaluate(() => {
      Math.random = () => 0.005;
    });
    await start.fill('2{{$randomInt}}-01-01');
    await page.keyboard.press('Control+Enter');
    await expect(
      page.getByText('Not sent, because the generated value is invalid: Not a valid date. Use YYYY-MM-DD.'),
    ).toBeVisible();
    await expect(start).toBeFocused();
    await start.fill('{{$today}}');
    const codes: string[] = [];
    for (const _ of ['once', 'again']) {
      const request = page.waitForRequest('**/v1/dispatch/mutation*');
      await page.keyboard.press('Control+Enter');
      const { args } = (await request).postDataJSON();
      expect(args).toMatchObject({
        rent: expect.stringMatching(/^\d+\.50?$/),
        start: expect.stringMatching(/^2\d{3}-/),
      });
      codes.push(args.code);
      await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText(args.code);
    }
    expect(new Set(codes).size).toBe(2);
    await show(page, 'History');
    await page.getByRole('button', { name: new RegExp(`^succeeded sign.*${codes[0]}`) }).click();
    await expect(code).toHaveValue('L-{{$uuid}}');
    await page.getByRole('textbox', { name: 'Context tenantId' }).fill('');

    await page.getByRole('radiogroup', { name: 'Arguments as' }).getByText('JSON').click();
    const json = page.getByRole('textbox', { name: 'Arguments as JSON' });
    await json.fill('{ "code":  }');
    await json.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('{{l');
    await page.keyboard.press('Enter');
    await expect(json).toHaveValue('{ "code": "{{lease}}" }');

    await page.getByRole('textbox', { name: 'Context tenantId' }).pressSequentially('{{landlord');
    await expect(completions).toHaveText(['Define landlord…']);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Value of landlord' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('textbox', { name: 'Context tenantId' })).toHaveValue('{{landlord}}');
    await expect(page.getByRole('textbox', { name: 'Context tenantId' })).toBeFocused();
  });
});

test('keeps the run button clear of the list of variables', async ({ page }) => {
  await page.getByRole('link', { name: 'register', exact: true }).click();
  await page.getByRole('textbox', { name: 'name', exact: true }).pressSequentially('{{');
  const list = page.getByRole('listbox', { name: 'Variables' });
  await expect(list.getByRole('option').first()).toBeVisible();
  const shown = await list.locator('..').boundingBox();
  const run = await page.getByRole('button', { name: 'Run', exact: true }).boundingBox();
  if (shown === null || run === null) throw new Error('The list or the run button is not on the page.');
  const isApart = shown.y + shown.height <= run.y || run.y + run.height <= shown.y;
  expect(isApart, `list ${JSON.stringify(shown)}, Run ${JSON.stringify(run)}`).toBe(true);
});

test('renames, duplicates and deletes an environment, and undoes the deletion', async ({ page, workbench }) => {
  const folder = dirname(workbench.moduleFile);
  writeEnvironment(folder, 'at acme', { lease: 'L1' });
  writeEnvironment(folder, 'other', {});
  const environment = page.getByRole('combobox', { name: 'Environment' });
  await environment.click();
  await page.getByRole('option', { name: 'at acme' }).click();
  const sheet = page.getByRole('dialog', { name: 'Variables' });
  const open = () => page.getByRole('button', { name: 'Variables', exact: true }).click();
  const name = sheet.getByRole('textbox', { name: 'Environment' });
  await open();
  await name.fill('../up');
  await expect(sheet.getByText('The name must be 1 to 64 letters')).toBeVisible();
  await name.fill('Other');
  await expect(sheet.getByText('other already exists.')).toBeVisible();
  await name.fill('at home');
  await sheet.getByRole('textbox', { name: 'Value of lease' }).fill('L2');
  await sheet.getByRole('button', { name: 'Rename' }).click();
  await expect(environment).toHaveValue('at home');
  expect(existsSync(join(folder, 'at acme.environment.json'))).toBe(false);
  const variablesOf = (file: string): unknown =>
    JSON.parse(readFileSync(join(folder, `${file}.environment.json`), 'utf8')).variables;
  expect(variablesOf('at home')).toEqual({ lease: 'L2' });

  await open();
  await sheet.getByRole('button', { name: 'Duplicate' }).click();
  await expect(name).toHaveValue('at home 2');
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(environment).toHaveValue('at home 2');

  await open();
  await sheet.getByRole('textbox', { name: 'Value of lease' }).fill('not saved');
  await sheet.getByRole('button', { name: 'Delete file' }).click();
  await expect(environment).toHaveValue('No environment');
  expect(existsSync(join(folder, 'at home 2.environment.json'))).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(environment).toHaveValue('at home 2');
  expect(variablesOf('at home 2')).toEqual({ lease: 'L2' });
  await open();
  await expect(sheet.getByRole('textbox', { name: 'Value of lease' })).toHaveValue('not saved');
});

function writeEnvironment(folder: string, name: string, variables: Readonly<Record<string, string>>): void {
  writeFileSync(
    join(folder, `${name}.environment.json`),
    JSON.stringify({ format: 'entail-environment', formatVersion: 1, variables }),
  );
}
