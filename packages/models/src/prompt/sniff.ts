// What the bytes of an image really are. Providers refuse a whole request for one image that is none, so each is looked
// at before it is sent: its kind by its first bytes, its end by its format's own mark.

export type Sniffed = { readonly mime: string } | { readonly problem: string }

const text = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

const endsWith = (bytes: Uint8Array, tail: readonly number[]): boolean => {
  // Writers leave padding behind the end mark; 64 bytes of it are let through.
  const from = Math.max(0, bytes.length - tail.length - 64)
  for (let at = bytes.length - tail.length; at >= from; at--)
    if (tail.every((byte, index) => bytes[at + index] === byte)) return true
  return false
}

const kinds: readonly {
  readonly mime: string
  starts(bytes: Uint8Array): boolean
  isWhole(bytes: Uint8Array): boolean
}[] = [
  {
    mime: 'image/png',
    starts: (bytes) => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
    isWhole: (bytes) => endsWith(bytes, [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]),
  },
  {
    mime: 'image/jpeg',
    starts: (bytes) => text(bytes, 0, 3) === '\xff\xd8\xff',
    isWhole: (bytes) => endsWith(bytes, [0xff, 0xd9]),
  },
  {
    mime: 'image/gif',
    starts: (bytes) => /^GIF8[79]a$/.test(text(bytes, 0, 6)),
    isWhole: (bytes) => endsWith(bytes, [0x3b]),
  },
  {
    mime: 'image/webp',
    starts: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP',
    isWhole: (bytes) => bytes.length >= 8 + new DataView(bytes.buffer, bytes.byteOffset + 4, 4).getUint32(0, true),
  },
]

/** The true media type, or what is wrong with it, in words for the model. */
export function sniffImage(bytes: Uint8Array): Sniffed {
  const kind = kinds.find(({ starts }) => starts(bytes))
  if (!kind) return { problem: 'not an image that models take (PNG, JPEG, GIF, WebP)' }
  return kind.isWhole(bytes) ? { mime: kind.mime } : { problem: 'cut off' }
}
