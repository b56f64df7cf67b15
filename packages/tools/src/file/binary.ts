// What can be said of a file that is not text: its kind by content, its size, its first bytes.
import { group, plain } from '../result.ts'

const kinds: readonly (readonly [name: string, magic: string, hint: string])[] = [
  ['PNG image', '89504e470d0a1a0a', 'image'],
  ['JPEG image', 'ffd8ff', 'image'],
  ['GIF image', '47494638', 'image'],
  ['BMP image', '424d', 'image'],
  ['TIFF image', '49492a00', 'image'],
  ['TIFF image', '4d4d002a', 'image'],
  ['PDF document', '255044462d', 'pdftotext FILE - in Bash shows its text'],
  ['ZIP archive (also docx, xlsx, jar)', '504b0304', 'unzip -l in Bash lists it'],
  ['gzip data', '1f8b', 'zcat in Bash shows it'],
  ['bzip2 data', '425a68', 'bzcat in Bash shows it'],
  ['xz data', 'fd377a585a00', 'xzcat in Bash shows it'],
  ['Zstandard data', '28b52ffd', 'zstdcat in Bash shows it'],
  ['7z archive', '377abcaf271c', '7z l in Bash lists it'],
  ['ELF program or library', '7f454c46', 'file, nm or objdump in Bash describe it'],
  ['WebAssembly', '0061736d', 'wasm-objdump in Bash describes it'],
  ['Java class', 'cafebabe', 'javap in Bash describes it'],
  ['SQLite database', '53514c69746520666f726d6174203300', 'sqlite3 FILE .schema in Bash shows it'],
]

/** Kind by content, or by RIFF's inner name; the name's extension is never trusted. */
function binaryKind(head: Uint8Array): { readonly name: string; readonly hint: string } {
  const hex = Buffer.from(head.subarray(0, 16)).toString('hex')
  if (hex.startsWith('52494646') && hex.slice(16, 24) === '57454250') return { name: 'WebP image', hint: 'image' }
  const [name, , hint] = kinds.find(([, magic]) => hex.startsWith(magic)) ?? [
    'binary data',
    '',
    'xxd, strings or file in Bash describe it',
  ]
  return { name, hint }
}

/** Bytes shown in hex. */
const shown = 256

export function describeBinary(path: string, head: Uint8Array, size: number): string {
  const { name, hint } = binaryKind(head)
  const rows = Array.from({ length: Math.ceil(Math.min(shown, head.length) / 16) }, (_, i) =>
    hexRow(head.subarray(i * 16, Math.min(i * 16 + 16, shown)), i * 16),
  )
  const next =
    hint === 'image' ? 'Images are not shown by this Read; a program in Bash can describe or convert it' : hint
  return `${path}: ${name}, ${plain(size)} (${group(size)} bytes), not text.\n${rows.join('\n')}\n[first ${Math.min(shown, head.length)} bytes; ${next}]`
}

function hexRow(bytes: Uint8Array, offset: number): string {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
  const text = [...bytes].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
  return `${offset.toString(16).padStart(4, '0')}  ${hex.padEnd(47)}  ${text}`
}
