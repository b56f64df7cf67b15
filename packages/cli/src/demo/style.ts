// A little colour, where a terminal shows it and nobody asked for none.

export interface Style {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  red(text: string): string
}

export function createStyle(stream: { readonly isTTY?: boolean }): Style {
  const { NO_COLOR, TERM } = process.env
  const wanted = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb'
  const paint = (code: number) => (text: string) => (wanted ? `\x1b[${code}m${text}\x1b[0m` : text)
  return { bold: paint(1), dim: paint(2), green: paint(32), red: paint(31) }
}
