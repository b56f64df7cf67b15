// Chunks mean nothing: cut anywhere, also inside a character or a line end, the same data comes out.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSseParser } from './sse.ts'

it('gives the same data whatever the chunks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => JSON.stringify(text))),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (values, end, sizes) => {
        const text = values.map((value, i) => `: comment${end}id: ${i}${end}data: ${value}${end}${end}`).join('')
        const bytes = new TextEncoder().encode(`retry: 1000${end}${text}`)
        const parse = createSseParser()
        const found: string[] = []
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = sizes[i % sizes.length] ?? 1
          found.push(...parse(bytes.slice(at, at + size)))
          at += size
        }
        expect(found).toEqual(values)
      },
    ),
  )
})

it('joins the lines of one event and leaves a broken last one out', () => {
  const parse = createSseParser()
  expect(parse(new TextEncoder().encode('data: a\ndata:b\n\ndata: never'))).toEqual(['a\nb'])
})
