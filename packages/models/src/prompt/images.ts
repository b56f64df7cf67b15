// Images of a request, loaded and looked at before anything is written: each one is data, an address or a note.
import type { ModelMessage, ModelRequest } from '@tenon/core'
import type { Part, ResultPart } from '@tenon/protocol'
import { sniffImage } from './sniff.ts'

type ImagePart = Extract<Part, { type: 'image' }>

export type Shown =
  | { readonly type: 'data'; readonly mime: string; readonly bytes: Uint8Array }
  | { readonly type: 'url'; readonly mime: string; readonly url: string }
  | { readonly type: 'note'; readonly text: string }

/** What to show for an image; asked by the part itself. */
export type Images = (part: ImagePart) => Shown

/** Bytes of one image as they are sent: what the strictest provider takes (Anthropic: 5 MB as base64, so 3.75 MB). */
export const maxImageBytes = 3_750_000

/** Loads what `request` shows. @param sees false when the model takes no images: all become notes */
export async function loadImages(request: ModelRequest, sees: boolean): Promise<Images> {
  const parts = request.messages.flatMap(partsOf).filter((part) => part.type === 'image')
  const shown = new Map<ImagePart, Shown>()
  for (const part of parts) shown.set(part, sees ? await look(part, request) : note(part, 'this model sees no images'))
  return (part) => shown.get(part) ?? note(part, 'not loaded')
}

const partsOf = (message: ModelMessage): readonly (Part | ResultPart)[] =>
  message.role === 'tool' ? message.results.flatMap(({ content }) => content) : message.parts

async function look(part: ImagePart, request: ModelRequest): Promise<Shown> {
  const { url, mime, blob } = part
  if (url !== undefined && !url.startsWith('data:')) return toUrl(part, url)
  const bytes = url !== undefined ? bytesOf(url) : await loadBlob(blob?.sha256, request)
  if (!bytes) return note(part, url === undefined ? 'its bytes are not here' : 'not base64')
  const found = sniffImage(bytes)
  if ('problem' in found) return note({ mime }, found.problem)
  if (bytes.length > maxImageBytes) return note(part, `${(bytes.length / 1e6).toFixed(1)} MB, too large`)
  return { type: 'data', mime: found.mime, bytes }
}

function toUrl(part: ImagePart, url: string): Shown {
  return URL.canParse(url) && /^https?:/.test(url)
    ? { type: 'url', mime: part.mime, url }
    : note(part, 'its address cannot be read by the provider')
}

/** A lost or damaged blob makes a note: the session has to go on. */
async function loadBlob(sha256: string | undefined, { load }: ModelRequest): Promise<Uint8Array | undefined> {
  if (sha256 === undefined || !load) return undefined
  return load(sha256).catch(() => undefined)
}

function bytesOf(url: string): Uint8Array | undefined {
  const base64 = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  return base64 === undefined ? undefined : new Uint8Array(Buffer.from(base64, 'base64'))
}

const note = ({ mime }: { readonly mime: string }, why: string): Shown => ({
  type: 'note',
  text: `[image ${mime}, not shown: ${why}]`,
})
