/** What a token may allow, beside reading and calling. Apart from the schemas, so that the command line names them without Zod. */

export const CAPABILITIES = ['fork', 'forget', 'reload'] as const;
