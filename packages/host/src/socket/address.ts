// Where the owner's socket lies: a private folder, a path that the system can take, an address that the lease can hold.
import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { TenonError } from '@tenon/protocol'

/** Bytes of a socket path, without the final NUL: `sun_path` holds 108 on Linux, 104 on macOS and the BSDs. */
const pathLimit = process.platform === 'linux' ? 107 : 103

const scheme = 'http+unix://'

/** The address of a socket, as the lease holds it. */
export const toSocketUrl = (path: string): string => scheme + encodeURIComponent(path)

/** The path in such an address, or `undefined` for any other. */
export function fromSocketUrl(url: string): string | undefined {
  return url.startsWith(scheme) ? decodeURIComponent(url.slice(scheme.length)) : undefined
}

/**
 * The path to listen on: `path`, or when the system cannot take its length a short one made from it in `/tmp`. Its
 * folder exists afterwards, belongs to this user and is closed to others.
 * @throws TenonError `path_invalid` when neither fits, `not_granted` when the folder belongs to somebody else
 */
export async function prepareSocketPath(path: string): Promise<string> {
  const whole = resolve(path)
  const fitting = fits(whole) ? whole : shortPath(whole)
  if (!fits(fitting)) throw tooLong(whole)
  await claimFolder(dirname(fitting))
  return fitting
}

const fits = (path: string): boolean => Buffer.byteLength(path) <= pathLimit

function shortPath(path: string): string {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return join('/tmp', `tenon-${userInfo().uid}`, `${name}.sock`)
}

async function claimFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = await lstat(folder).then((stat) =>
    stat.isDirectory() ? stat : Promise.reject(foreign(folder)),
  )
  if (uid !== userInfo().uid) throw foreign(folder)
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700)
}

const foreign = (folder: string): TenonError =>
  new TenonError(
    {
      code: 'not_granted',
      message: `${folder} is not a folder of this user, so a socket in it would not be private.`,
      action: 'Remove it, or set XDG_RUNTIME_DIR to a folder of your own.',
    },
    { folder },
  )

const tooLong = (path: string): TenonError =>
  new TenonError(
    {
      code: 'path_invalid',
      message: `The socket path ${path} is longer than the ${pathLimit} bytes that this system takes.`,
      action: 'Set XDG_RUNTIME_DIR to a folder with a shorter path.',
    },
    { path, limit: pathLimit },
  )
