/** What an individual is called: by which of its text fields a person would name it. */

/** Best first; of two texts the one whose field stands earlier here is the label. */
export const NAMING_FIELDS = ['name', 'title', 'label', 'fullName', 'displayName', 'code', 'number', 'key', 'email'];
