/** Makes each format of a package separately, so that one that cannot be made here does not prevent the others, and says why. */

/**
 * @typedef {object} Maker
 * @property {string | undefined} homepage the project's page
 * @property {(command: string) => boolean} isCommand
 * @property {(format: string) => Promise<readonly string[]>} build resolves with a description of each file
 */

/**
 * @param {readonly string[]} formats
 * @param {Maker} maker
 * @returns {Promise<{ isComplete: boolean, summary: string }>}
 */
export async function makeFormats(formats, maker) {
  const lines = ['Summary'];
  let isComplete = true;
  for (const format of formats) {
    const { made, problem } = await make(format, maker);
    isComplete &&= problem === undefined;
    lines.push(problem === undefined ? `  made: ${format}: ${made?.join(', ')}` : `  not made: ${format}: ${problem}`);
  }
  return { isComplete, summary: lines.join('\n') };
}

/**
 * @param {string} format
 * @param {Maker} maker
 * @returns {Promise<{ made?: readonly string[], problem?: string }>}
 */
async function make(format, maker) {
  const problem = missing(format, maker);
  if (problem !== undefined) return { problem };
  try {
    return { made: await maker.build(format) };
  } catch (error) {
    const reason = messageOf(error instanceof Error ? error.message : String(error));
    return { problem: `${reason}. ${wayOut(format, reason)}` };
  }
}

/**
 * What this machine lacks, with the way out; undefined if nothing is known to be missing.
 * @param {string} format
 * @param {Maker} maker
 */
function missing(format, { homepage, isCommand }) {
  if (format !== 'deb' && format !== 'rpm') return undefined;
  if (homepage === undefined) return 'the package names the page of the project. Set ENTAIL_HOMEPAGE to its address.';
  if (format === 'rpm' && !isCommand('rpmbuild')) return 'there is no rpmbuild. Install the package rpm or rpm-build.';
  return undefined;
}

/**
 * @param {string} format
 * @param {string} reason
 */
function wayOut(format, reason) {
  if (!/ENOTFOUND|ECONN|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|status code|HTTPError|RequestError/.test(reason)) {
    return 'See above.';
  }
  const fpm = format === 'deb' || format === 'rpm' ? ', or install fpm (gem install fpm)' : '';
  return `electron-builder downloads a tool for it once. Set HTTPS_PROXY or ELECTRON_BUILDER_BINARIES_MIRROR${fpm}, and try again.`;
}

/**
 * The first lines of a failure can be a stack; the line with the message is more useful.
 * @param {string} text
 */
function messageOf(text) {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => /^\w*Error: /.test(line)) ?? lines.find((line) => line !== '') ?? 'no reason given';
}
