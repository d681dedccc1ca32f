/** The grammar of relation names: verbs, prepositions, nouns and adjectives. English, which most modules use. */

const PREPOSITIONS = new Set(
  'above across after against along around at before behind below beneath beside between by beyond for from in inside into near of off on onto outside over past through to toward towards under until upon with within without'.split(
    ' ',
  ),
);
const VERB_STARTS = new Set('is has can cannot could may might must shall should was will would does'.split(' '));
/** Adjectives with an object, and their preposition. What is reachable may be the first or the second endpoint. */
export const ADJECTIVES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    accessible: 'to',
    accountable: 'for',
    adjacent: 'to',
    available: 'to',
    connected: 'to',
    dependent: 'on',
    eligible: 'for',
    entitled: 'to',
    equal: 'to',
    liable: 'for',
    related: 'to',
    responsible: 'for',
    similar: 'to',
    subject: 'to',
    visible: 'to',
  }),
);

/** Part-of nouns: in `memberOf(x, y)` the first belongs to the second. */
export const BELONGING = new Set('element instance member part subclass subset subtype'.split(' '));

/** Symmetric nouns, for which the order of the endpoints has no meaning. */
export const MUTUAL = new Set(
  'allies classmates colleagues cousins coworkers duplicates friends neighbors neighbours partners peers relatives rivals roommates siblings spouses teammates twins'.split(
    ' ',
  ),
);
/** Verbs with the ending of a noun. */
const VERBS_LIKE_NOUNS =
  /^(?:answer|author|bring|cement|cent|consider|consent|cover|deliver|differ|discover|document|encounter|enter|favor|filter|foster|frequent|gather|grant|honor|implement|invent|mention|mentor|mirror|monitor|offer|orbit|order|own|patent|plant|position|prefer|present|prevent|question|recover|refer|register|remember|render|rent|represent|ring|sponsor|supplement|tender|transfer|trigger|visit|want|warrant|wing)s$/;

/**
 * Defines are named by a noun (`Tenant`) or by an adjective (`Overworked`, `Reachable`, `Vacant`); only nouns take an article.
 * Unknown words count as nouns.
 */
const ADJECTIVE_ENDING = /(?:[^e]ed|[ai]ble|less|ous)$/;
const NOUNS_LIKE_ADJECTIVES =
  /^(?:bed|bible|cable|constable|crucible|hundred|moped|newlywed|seabed|shed|stable|table|timetable|variable|vegetable|watershed)$/;
const ADJECTIVE_CLASSES = new Set(
  'absent active alive alone away bankrupt blank busy closed complete correct dead due early empty exempt fit free full healthy idle ill inactive incomplete independent invalid late legal new obsolete offline old online open overdue pending present private public ready redundant safe sick single solvent stale unfit unique unknown unsafe urgent vacant valid vegan wrong young'.split(
    ' ',
  ),
);

/** `worksFor` → `works for`. */
export function humanize(name: string): string {
  return humanizeClass(name.replace(/_/g, ' ')).toLowerCase();
}

/** `HasAVote` → `Has A Vote`, `URLOfSite` → `URL Of Site`. */
export function humanizeClass(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
}

/** `Overworked`, `Short Staffed`, but not `Closed Account` or `Timetable`: the last word decides. */
export function isAdjective(text: string): boolean {
  const last = text.slice(text.lastIndexOf(' ') + 1).toLowerCase();
  return ADJECTIVE_CLASSES.has(last) || (ADJECTIVE_ENDING.test(last) && !NOUNS_LIKE_ADJECTIVES.test(last));
}

/** Irregular participles. */
const PARTICIPLES = new Set(
  'bought bound born built caught chosen cut done drawn driven fed felt found given gone grown held hidden kept known laid led left lent let lost made meant met paid put read seen sent set shown shut sold spent spoken spread taken taught thrown told won worn written'.split(
    ' ',
  ),
);

export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(word);
}

/** `as of`, `enrolled in`: the subject must follow. */
export function endsWithPreposition(text: string): boolean {
  const last = text.slice(text.lastIndexOf(' ') + 1);
  return last !== text && (isPreposition(last) || last === 'as');
}

/**
 * Whether the words are an adjective phrase rather than a noun: `fully paid`, `in use`, `enrolled in`, `not liable`; but not
 * `closed account`.
 */
export function saysHow(text: string): boolean {
  const [first = '', second] = text.split(' ');
  if (
    first === 'not' ||
    (first === 'out' && second === 'of') ||
    isAdjective(text) ||
    PARTICIPLES.has(text.slice(text.lastIndexOf(' ') + 1))
  )
    return true;
  if (isPreposition(first)) return second !== undefined;
  const isParticiple = PARTICIPLES.has(first) || isAdjective(first) || ADJECTIVES.has(first);
  return isParticiple && (second === undefined || isPreposition(second));
}

/** It starts with a verb whose subject is the first word of the sentence. */
export function isVerb(word: string): boolean {
  return VERB_STARTS.has(word) || looksThirdPerson(word);
}

/** `works`, `guarantees`, but not `class`, `status` or `basis`, nor the plural of an agent noun: `members`, `agents`. */
function looksThirdPerson(word: string): boolean {
  if (!/[^sui]s$/.test(word) || word.length <= 3 || MUTUAL.has(word)) return false;
  return !/(?:er|or|ant|ent|ian|ist|tion|ment|ship|ing|it(?:y|ie))s$/.test(word) || VERBS_LIKE_NOUNS.test(word);
}
