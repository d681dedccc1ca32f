/** Why a file operation failed and what to do about it, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `${error instanceof Error ? error.message : String(error)}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check the path.',
  EACCES: 'permission denied; change its permissions, or run as a user who may.',
  EPERM: 'permission denied; change its permissions, or run as a user who may.',
  EROFS: 'the file system is read-only; move it to one that is not.',
  EISDIR: 'it is a folder; name the .entail files in it.',
  ENOTDIR: 'a part of its path is no folder; check the path.',
  ENOSPC: 'the disk is full; free some space.',
  EMFILE: 'too many files are open; raise the limit of open files.',
};
