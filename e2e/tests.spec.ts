/** The Tests panel: results, the expected and actual value of a failure with its proof, coverage, and watching. */

import { readFileSync, writeFileSync } from 'node:fs';
import { openPalette } from './support/palette.js';
import { expect, test } from './support/served-workbench.js';

const FRIENDS = `module friends

pub concept Person { name: Text }
pub relation knows(a: Person, b: Person)
pub derive linked(a: Person, b: Person) when knows(a, b)
pub individual ada: Person { name: "Ada" }
pub mutation add(name: Text where length(value) > 0) -> Person { return insert Person { name: name } }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }

test "nobody is without a name" {
  expect error SVC_RUNTIME_VALIDATION_FAILED from add("")
}

test "who has met is linked" {
  let guest = add("Bo")
  meet(@ada, guest)
  expect linked(guest, @ada)
}
`;

test.use({ modules: { 'friends.entail': FRIENDS } });

test('shows a failed expectation in its source, with the actual value and the reason', async ({ page, workbench }) => {
  await page.goto(workbench.address);
  await page.getByRole('link', { name: 'Tests', exact: true }).click();
  const tests = page.getByRole('region', { name: 'Tests' });
  await expect(tests.getByRole('status')).toHaveText('2 tests, not run yet');
  await tests.getByRole('button', { name: 'Run all' }).click();
  await expect(tests.getByRole('status')).toHaveText('1 of 2 tests fail');
  await expect(page.getByRole('contentinfo')).toContainText('1 of 2 tests fail');

  const failed = page.getByRole('region', { name: 'Test', exact: true });
  await expect(failed.getByRole('heading', { name: 'who has met is linked' })).toBeVisible();
  await expect(failed.getByRole('alert')).toContainText('linked(guest, @ada)');
  await expect(failed.getByRole('alert')).toContainText('friends::linked(guest, Ada) is false');
  await expect(failed.getByRole('region', { name: 'Source of the test' })).toContainText('failing:   expect linked');
  // An individual that the test created has the name of its variable.
  await expect(failed.getByRole('tree', { name: 'Why it is false' })).toContainText('guest knows Ada');
  await expect(failed.getByRole('region', { name: 'How to make it true' })).toContainText('guest knows Ada');

  // Results survive a reload of the page.
  await page.reload();
  await expect(tests.getByRole('status')).toHaveText('1 of 2 tests fail');
  await expect(failed.getByRole('tree', { name: 'Why it is false' })).toContainText('guest knows Ada');

  await page.getByRole('link', { name: 'Module', exact: true }).click();
  await page.getByRole('link', { name: '1 of 2 tests fail' }).click();
  await failed.getByRole('link', { name: 'friends.entail:17:3' }).click();
  const source = page.getByRole('textbox', { name: 'Source of friends.entail' });
  await expect(source).toBeFocused();

  await test.step('marks each test in the editor with its result, and underlines the failed expectation', async () => {
    await expect(page.getByTitle(/^nobody is without a name: passed/)).toBeVisible();
    await expect(page.getByTitle(/^who has met is linked: failed/)).toBeVisible();
    await page.getByText('expect linked(guest, @ada)').hover();
    const finding = page.locator('.cm-tooltip-lint');
    await expect(finding).toContainText('Actualfriends::linked(guest, ada) is false');
    await finding.getByRole('button', { name: 'Show in Tests' }).click();
    await expect(failed.getByRole('heading', { name: 'who has met is linked' })).toBeVisible();
    await page.goBack();
    await expect(source).toBeFocused();
  });

  await test.step('marks results as outdated after a change, and runs the test again on its shortcut', async () => {
    const outline = page.getByRole('region', { name: 'Outline' });
    const text = readFileSync(workbench.moduleFile, 'utf8');
    writeFileSync(workbench.moduleFile, text.replace('linked(guest, @ada)', 'linked(@ada, guest)'));
    const mark = page.getByTitle(/^who has met is linked: not run since the text changed, failed before/);
    await expect(mark).toBeVisible({ timeout: 15_000 });
    await expect(page.getByRole('contentinfo')).toContainText('before the last reload');
    await page.keyboard.press('Shift+Alt+T');
    await expect(outline.getByRole('link', { name: /^Test who has met is linked: passed/ })).toBeVisible();
    await page.getByTitle(/^nobody is without a name: not run since the text changed, passed before/).click();
    await expect(page.getByRole('contentinfo')).toContainText('2 of 2 tests pass, 1 fixed');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('// What is typed has not run.');
    await expect(page.getByTitle(/: not run since the text changed, passed before. Click to run/)).toHaveCount(2);
  });
});

test('shows the source that was run, although a later save does not compile', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/tests#token=${workbench.token}`);
  await page.getByRole('button', { name: 'Run all' }).click();
  const failing = page.getByRole('region', { name: 'Source of the test' });
  await expect(failing).toContainText('failing:   expect linked');
  writeFileSync(workbench.moduleFile, FRIENDS.replace('\n\n', '\n\npub concept Guest is Persn { seat: Int }\n'));
  await expect(page.getByRole('contentinfo')).toContainText('Server is running an earlier save');
  await expect(failing).toContainText('failing:   expect linked');
});

test('runs one test, the failed tests and all tests by keyboard', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/tests#token=${workbench.token}`);
  const tests = page.getByRole('region', { name: 'Tests' });
  const tree = tests.getByRole('tree', { name: 'Tests' });
  await tests.getByText('Failed 0').click();
  await expect(tests).toContainText('No test has run yet.');
  await tests.getByText('All', { exact: true }).click();
  await tree.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(tests.getByRole('status')).toHaveText('1 of 2 tests fail, 1 not run');
  // Waits for the response, because the status has the same text before and after the run.
  const finished = page.waitForResponse((response) => response.url().endsWith('/v1/tests/run'));
  await tests.getByRole('button', { name: 'Run failed' }).click();
  await finished;
  await expect(tests.getByRole('button', { name: 'Run failed' })).toBeEnabled();
  await expect(tests.getByRole('status')).toHaveText('1 of 2 tests fail, 1 not run');
  await openPalette(page);
  await page.keyboard.type('Run all tests');
  await expect(page.getByRole('button', { name: /^Run all tests/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(tests.getByRole('status')).toHaveText('1 of 2 tests fail');
});

test.describe('with a comparison that fails', () => {
  const counting = `${FRIENDS}
pub fn twice(n: Int) -> Int = n + n
test "twice" { expect twice(2) == 5 }
pub query people() -> [Person] { select p where Person(p) }
pub query size() -> { all: Int, first: Person? } { value { all: count(for p where Person(p)), first: none } }
test "alone" {
  let guest = add("Bo")
  expect people() == [guest]
}
test "counted" { expect size() == { all: 5, first: none } }
`;
  test.use({ modules: { 'friends.entail': counting } });

  test('shows the values of both sides', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/tests#token=${workbench.token}`);
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByRole('treeitem', { name: /^twice/ }).click();
    const failure = page.getByRole('region', { name: 'Test', exact: true }).getByRole('alert');
    await expect(failure).toContainText('it is false');
    await expect(failure).toContainText('twice(2) = 4');
    await page.getByRole('treeitem', { name: /^alone/ }).click();
    await expect(failure).toContainText('people() = [Ada, Bo]');
    await page.getByRole('treeitem', { name: /^counted/ }).click();
    await expect(failure).toContainText('size() = { all: 1, first: none }');
  });
});

test.describe('with a module without tests', () => {
  test.use({ modules: { 'friends.entail': FRIENDS.slice(0, FRIENDS.indexOf('\ntest ')) } });

  test('offers an example test for the module, which passes when pasted', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/tests#token=${workbench.token}`);
    const example = page.getByRole('region', { name: 'Example test' });
    await expect(example).toContainText('add(name: "example")');
    writeFileSync(
      workbench.moduleFile,
      `${readFileSync(workbench.moduleFile, 'utf8')}\n${await example.innerText()}\n`,
    );
    const tests = page.getByRole('region', { name: 'Tests' });
    await expect(tests.getByRole('treeitem', { name: 'add makes a Person' })).toBeVisible();
    await tests.getByRole('button', { name: 'Run all' }).click();
    await expect(tests.getByRole('status')).toHaveText('1 of 1 test passes');
  });
});

test.describe('with a test that never ends', () => {
  const endless = `${FRIENDS}
pub derive grow(n: Int) when Person(_), let n = 0
pub derive grow(n: Int) when grow(m), let n = m + 1
test "grows" { expect grow(-1) }
`;
  test.use({ modules: { 'friends.entail': endless } });

  test('shows the results before it as they arrive, and stops the run', async ({ page, workbench }) => {
    await page.goto(`${workbench.url}/tests#token=${workbench.token}`);
    const tests = page.getByRole('region', { name: 'Tests' });
    await tests.getByRole('button', { name: 'Run all' }).click();
    await expect(tests.getByRole('treeitem', { name: /grows/ })).toContainText('running');
    await expect(tests.getByRole('treeitem', { name: /nobody is without a name/ })).toContainText('ms');
    await tests.getByRole('button', { name: 'Stop' }).click();
    await expect(tests.getByRole('status')).toHaveText('1 of 3 tests fail, 1 not run');
    await expect(tests.getByRole('button', { name: 'Run all' })).toBeVisible();
  });
});

test('measures coverage, and links declarations without a test to their source', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/tests#token=${workbench.token}`);
  const tests = page.getByRole('region', { name: 'Tests' });
  await tests.getByRole('link', { name: 'Coverage not measured yet' }).click();
  const coverage = page.getByRole('region', { name: 'Coverage' });
  await expect(coverage).toContainText('What do the tests miss?');
  await coverage.getByRole('button', { name: 'Measure' }).click();
  await expect(coverage.getByRole('status')).toHaveText('2 of 3 tested');
  await expect(tests.getByRole('link', { name: 'Coverage 2 of 3 tested' })).toBeVisible();
  const survivors = coverage.getByRole('region', { name: 'Tested, but no test fails without it' });
  await expect(survivors.getByRole('listitem')).toHaveText(/linked.*rule.*no test fails without it.*friends\.entail:5/);

  await test.step('counts the rule as tested once the test is fixed', async () => {
    const text = readFileSync(workbench.moduleFile, 'utf8');
    writeFileSync(workbench.moduleFile, text.replace('linked(guest, @ada)', 'linked(@ada, guest)'));
    await expect(coverage.getByRole('status')).toContainText('before the last reload', { timeout: 15_000 });
    await coverage.getByRole('button', { name: 'Measure again' }).click();
    await expect(coverage.getByRole('status')).toHaveText('3 of 3 tested');
    await expect(coverage).toContainText('No gaps');
    await coverage.getByText('All 3').click();
    await expect(coverage.getByRole('region', { name: 'Tested' }).getByRole('listitem')).toHaveCount(3);
  });
  await test.step('measures coverage again while tests are watched', async () => {
    await tests.getByRole('switch', { name: 'Watch' }).check();
    const text = readFileSync(workbench.moduleFile, 'utf8');
    writeFileSync(workbench.moduleFile, text.replace('linked(@ada, guest)', 'linked(guest, @ada)'));
    await expect(coverage.getByRole('status')).toHaveText('2 of 3 tested', { timeout: 15_000 });
    writeFileSync(workbench.moduleFile, text);
    await expect(coverage.getByRole('status')).toHaveText('3 of 3 tested', { timeout: 15_000 });
  });
  await coverage.getByRole('listitem').filter({ hasText: 'rule' }).getByRole('link', { name: 'who has met' }).click();
  await expect(page.getByRole('region', { name: 'Test', exact: true })).toContainText('who has met is linked');
  await page.goBack();
  await coverage
    .getByRole('listitem')
    .filter({ hasText: 'rule' })
    .getByRole('link', { name: /^tested linked/ })
    .press('Enter');
  await expect(page.getByRole('textbox', { name: 'Source of friends.entail' })).toBeVisible();
});

test('runs watched tests again when another program saves the file', async ({ page, workbench }) => {
  await page.goto(`${workbench.url}/tests#token=${workbench.token}`);
  const tests = page.getByRole('region', { name: 'Tests' });
  await tests.getByRole('switch', { name: 'Watch' }).check();
  await expect(tests.getByRole('status')).toHaveText('1 of 2 tests fail');
  const text = readFileSync(workbench.moduleFile, 'utf8');
  writeFileSync(workbench.moduleFile, text.replace('linked(guest, @ada)', 'linked(@ada, guest)'));
  await expect(tests.getByRole('status')).toHaveText('2 of 2 tests pass, 1 fixed', { timeout: 15_000 });
  await expect(tests.getByRole('treeitem', { name: /who has met is linked/ })).toContainText('fixed');
  await expect(page.getByRole('contentinfo')).toContainText('2 of 2 tests pass');
});

test.describe('a failure without a fact', () => {
  const refused = FRIENDS.slice(0, FRIENDS.indexOf('test "nobody')).concat(
    'pub mutation visit(a: Person, b: Person) { require linked(a, b) message "strangers" }\n\n',
    'test "a guest may visit" {\n  let guest = add("Bo")\n  visit(@ada, guest)\n}\n',
  );
  test.use({ modules: { 'friends.entail': refused } });

  test('shows what would meet the requirement of a refused call', async ({ page, workbench }) => {
    await page.goto(workbench.address);
    await page.getByRole('link', { name: 'Tests', exact: true }).click();
    await page.getByRole('region', { name: 'Tests' }).getByRole('button', { name: 'Run all' }).click();
    const failed = page.getByRole('region', { name: 'Test', exact: true });
    await expect(failed.getByRole('alert')).toContainText('strangers');
    await expect(failed.getByRole('region', { name: 'How to make it true' })).toContainText('Ada knows');
  });
});
