// Server-sent events to their data, whatever the chunks that they arrive in.

/** Takes bytes; gives the data of each event that is now whole. Comments, ids and `retry` are ours to ignore. */
export function createSseParser(): (chunk: Uint8Array) => string[] {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  return (chunk) => {
    const found: string[] = []
    const text = rest + decoder.decode(chunk, { stream: true })
    let at = 0
    for (;;) {
      const end = text.indexOf('\n', at)
      if (end < 0) break
      const line = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end)
      at = end + 1
      if (line === '') {
        if (data.length > 0) found.push(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
    rest = text.slice(at)
    return found
  }
}
