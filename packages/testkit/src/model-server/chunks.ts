// Text in pieces, as models send it.

/** Pieces of `size` characters; no surrogate pair is split, since each frame is encoded on its own. */
export function chunksOf(text: string, size: number): readonly string[] {
  const chunks: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + size, text.length)
    const code = text.charCodeAt(to - 1)
    if (to < text.length && code >= 0xd800 && code <= 0xdbff) to++
    chunks.push(text.slice(from, to))
    from = to
  }
  return chunks
}
