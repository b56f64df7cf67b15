// System errors of files → the port's codes, with what to do next.
import { type ErrorCode, TenonError } from '@tenon/protocol'

const known: Readonly<Record<string, { code: ErrorCode; what: string; action: string }>> = {
  ENOENT: { code: 'file_missing', what: 'does not exist', action: 'Check the path with Glob.' },
  EISDIR: { code: 'not_a_file', what: 'is a folder', action: 'Name a file inside it.' },
  ENOTDIR: { code: 'not_a_folder', what: 'runs through something that is not a folder', action: 'Check the path.' },
  EACCES: {
    code: 'read_only',
    what: 'may not be accessed by this user',
    action: 'Change its permissions, or choose another path.',
  },
  EPERM: {
    code: 'read_only',
    what: 'may not be changed by this user',
    action: 'Change its permissions, or choose another path.',
  },
  EROFS: { code: 'read_only', what: 'lies on a read-only file system', action: 'Choose another path.' },
  ENOSPC: {
    code: 'disk_full',
    what: 'does not fit: the disk is full',
    action: 'Free some space; the old content is whole.',
  },
  EDQUOT: {
    code: 'disk_full',
    what: 'does not fit: the disk quota is used up',
    action: 'Free some space; the old content is whole.',
  },
  EFBIG: { code: 'disk_full', what: 'is larger than the file system allows', action: 'Write less.' },
  ELOOP: { code: 'path_invalid', what: 'is a loop of links', action: 'Name the real file.' },
  ENAMETOOLONG: { code: 'path_invalid', what: 'has a name that is too long', action: 'Use a shorter name.' },
  EINVAL: { code: 'path_invalid', what: 'is not a valid path', action: 'Check the path.' },
  ERR_INVALID_ARG_VALUE: { code: 'path_invalid', what: 'holds a NUL character', action: 'Remove it.' },
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A system error as the port's error; one that is not about a path is a bug and passes unchanged. */
export function toFileError(error: unknown, path: string): unknown {
  if (error instanceof TenonError) return error
  const row = known[codeOf(error)]
  if (!row) return error
  return new TenonError(
    { code: row.code, message: `${path} ${row.what} (${codeOf(error)}).`, action: row.action },
    { path, errno: codeOf(error) },
  )
}

/** Runs `work`, translating what it throws. */
export async function onPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toFileError(error, path)
  }
}
