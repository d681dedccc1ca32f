/**
 * Parses the story of a demo: a Markdown file whose headings are scenes, whose paragraphs are captions, and whose list items are
 * steps. `STEPS` lists the verbs of steps. docs/demos.md is the guide for authors.
 */

import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** The verbs of steps, and the syntax of the rest of a step. */
export const STEPS = /** @type {const} */ ({
  open: 'open PANEL',
  press: 'press NAME of a button or link',
  call: 'call NAME (argument: value, …)',
  explain: 'explain RELATION (column: value, …)',
  fork: 'fork NAME',
  promote: 'promote NAME',
  write: 'write TEXT at the end of the module',
  see: 'see TEXT',
});

/**
 * @typedef {object} Step
 * @property {keyof typeof STEPS} verb
 * @property {string} object the text after the verb, without the arguments
 * @property {Readonly<Record<string, string>>} args
 * @property {string} text the step as it was written
 *
 * @typedef {object} Scene
 * @property {string} title
 * @property {string} caption
 * @property {readonly Step[]} steps
 *
 * @typedef {object} Story
 * @property {string} name of the file, without its extension
 * @property {string} title
 * @property {Readonly<Record<string, string>>} modules texts by file name
 * @property {readonly Scene[]} scenes
 */

/**
 * Throws an error with a message for the author of the story.
 * @param {string} file
 * @returns {Story}
 */
export function readStory(file) {
  const { title, modules, scenes } = parseStory(
    read(file, 'Name the file of a story, or none to see the sample.'),
    file,
  );
  const texts = modules.map((path) => [
    basename(path),
    read(resolve(dirname(file), path), `${file} names it as a module; write where it lies from there.`),
  ]);
  return { name: basename(file).replace(/\.md$/, ''), title, modules: Object.fromEntries(texts), scenes };
}

/**
 * @param {string} file
 * @param {string} wayOut
 */
function read(file, wayOut) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read. ${wayOut}`, { cause: error });
  }
}

/**
 * @param {string} text
 * @param {string} file as messages name it
 * @returns {{ title: string, modules: string[], scenes: Scene[] }}
 */
export function parseStory(text, file) {
  let title = '';
  /** @type {string[]} */
  const modules = [];
  /** @type {{ title: string, caption: string, steps: Step[] }[]} */
  const scenes = [];
  for (const [index, line] of text
    .split(/\r?\n/)
    .map((raw) => raw.trim())
    .entries()) {
    const at = `${file}:${index + 1}`;
    const scene = scenes.at(-1);
    if (line === '') continue;
    if (line.startsWith('# ')) title = line.slice(2);
    else if (line.startsWith('## ')) scenes.push({ title: line.slice(3), caption: '', steps: [] });
    else if (line.startsWith('Module: ')) modules.push(line.slice('Module: '.length));
    else if (scene === undefined) throw new Error(`${at}: captions and steps belong to a scene; begin one with "## ".`);
    else if (line.startsWith('- ')) scene.steps.push(parseStep(line.slice(2), at));
    else scene.caption = `${scene.caption} ${line}`.trim();
  }
  if (modules.length === 0) throw new Error(`${file}: a line "Module: FILE" has to name what the story is about.`);
  if (scenes.length === 0) throw new Error(`${file}: there is no scene; begin one with "## ".`);
  return { title, modules, scenes };
}

/**
 * @param {string} text
 * @param {string} at
 * @returns {Step}
 */
function parseStep(text, at) {
  const [, verb = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
  if (!isVerb(verb)) {
    throw new Error(`${at}: "${verb}" is no step. Steps are:\n${Object.values(STEPS).join('\n')}`);
  }
  if (rest === '') throw new Error(`${at}: "${verb}" wants more: ${STEPS[verb]}.`);
  if (verb !== 'call' && verb !== 'explain') return { verb, object: rest, args: {}, text };
  const [, object = '', list = ''] = /^([\w:]+)\s*(?:\((.*)\))?$/.exec(rest) ?? [];
  if (object === '') throw new Error(`${at}: "${text}" cannot be read; it should be like this: ${STEPS[verb]}.`);
  return { verb, object, args: parseArguments(list, at), text };
}

/**
 * @param {string} list
 * @param {string} at
 * @returns {Record<string, string>}
 */
function parseArguments(list, at) {
  if (list.trim() === '') return {};
  return Object.fromEntries(
    list.split(/,\s*(?=\w+:\s)/).map((argument) => {
      const [, name, value] = /^\s*(\w+):\s+(.*?)\s*$/.exec(argument) ?? [];
      if (name === undefined || value === undefined) {
        throw new Error(`${at}: "${argument.trim()}" is no argument; it should be "name: value".`);
      }
      return [name, value];
    }),
  );
}

/**
 * @param {string} verb
 * @returns {verb is keyof typeof STEPS}
 */
function isVerb(verb) {
  return Object.hasOwn(STEPS, verb);
}
