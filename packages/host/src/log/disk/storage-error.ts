// What the system says about a write, turned into the three codes a person can act on.
import { TenonError } from '@tenon/protocol'
import { hasCode } from './disk.ts'

export const isFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT')
export const isReadonly = (error: unknown): boolean => hasCode(error, 'EROFS', 'EACCES', 'EPERM')

/** A failed read; a TenonError as it is. */
export function toReadError(error: unknown, path: string): TenonError {
  if (error instanceof TenonError) return error
  const cause = error instanceof Error ? error.message : String(error)
  return new TenonError(
    {
      code: 'storage_failed',
      message: `Cannot read ${path}: ${cause}`,
      action: 'Check the disk and the rights of that folder.',
      retryable: true,
      cause,
    },
    { path },
  )
}

/** A failed write. @param bytes how many were to be written; @returns a TenonError as it is, anything else by its system code */
export function toStorageError(error: unknown, path: string, bytes: number): TenonError {
  if (error instanceof TenonError) return error
  const cause = error instanceof Error ? error.message : String(error)
  const facts = { path, bytes }
  if (isFull(error))
    return new TenonError(
      {
        code: 'storage_full',
        message: `No space left to store ${bytes} bytes in ${path}`,
        action: 'Free space on that file system, then send again; or run with --no-session-persistence.',
        retryable: true,
        cause,
      },
      facts,
    )
  if (isReadonly(error))
    return new TenonError(
      {
        code: 'storage_readonly',
        message: `Cannot write to ${path}`,
        action: 'Make the folder writable, point TENON_HOME elsewhere, or run with --no-session-persistence.',
        cause,
      },
      facts,
    )
  return new TenonError(
    {
      code: 'storage_failed',
      message: `Storing ${bytes} bytes in ${path} failed: ${cause}`,
      action: 'Check the disk and its file system, then send again: nothing of what was acknowledged is lost.',
      retryable: true,
      cause,
    },
    facts,
  )
}
