/** Versions of a store: whole numbers that grow with every committed change, and within a transaction as it derives. */

/** Behind every version. A row that lives has the death 0; one that died at a version, that version less this. */
export const NEVER = 0x7fffffff;
