/** So many entries of a list are made into one text. */
const TOGETHER = 32
/** A list is looked for this far down: the answer, its data, a part of that. */
const LEVELS = 3
const [OPEN, COMMA] = Buffer.from('[,')

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !('toJSON' in value)
const isLong = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > TOGETHER
const holdsLong = (value: unknown, levels: number): boolean => {
  if (Array.isArray(value)) return value.length > TOGETHER
  return (
    levels > 0 && isPlain(value) && Object.values(value).some(one => holdsLong(one, levels - 1))
  )
}

/** `[a,b]` and `[c]` become `[a,b` and `,c]`. */
const putList = (list: readonly unknown[], parts: Buffer[]): void => {
  for (let at = 0; at < list.length; at += TOGETHER) {
    const part = Buffer.from(JSON.stringify(list.slice(at, at + TOGETHER)))
    part[0] = at === 0 ? OPEN! : COMMA!
    parts.push(at + TOGETHER < list.length ? part.subarray(0, -1) : part)
  }
}
const put = (value: unknown, levels: number, parts: Buffer[]): void => {
  if (isLong(value)) return putList(value, parts)
  if (!holdsLong(value, levels)) return void parts.push(Buffer.from(JSON.stringify(value)))
  let before = '{'
  for (const [name, held] of Object.entries(value as object)) {
    // What JSON has no word for is left out.
    if (held === undefined || typeof held === 'function' || typeof held === 'symbol') continue
    parts.push(Buffer.from(`${before}${JSON.stringify(name)}:`))
    put(held, levels - 1, parts)
    before = ','
  }
  parts.push(Buffer.from('}'))
}

/**
 * The bytes of `JSON.stringify(value)`, which is an object or a list; they are the same, but a long
 * list is written some entries at a time. A text of a megabyte lies where V8 asks the system for
 * fresh memory each time: that takes three times as long as all else about it.
 */
export const jsonBytes = (value: object): Buffer => {
  const parts: Buffer[] = []
  put(value, LEVELS, parts)
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
