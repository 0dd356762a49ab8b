import { BETWEEN, type Lang } from '#src/domain/text.ts'

/** So many entries of a list are made into one text. */
const TOGETHER = 32
/** A list is looked for this far down: the answer, its data, a part of that. */
const LEVELS = 3
const [OPEN, COMMA] = Buffer.from('[,')
/** What is written so far, and in which language. */
type Out = { parts: Buffer[]; lang: Lang }

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

/** Where the languages of a kept text meet (`joined`), as JSON writes it. */
const MEETS = JSON.stringify(BETWEEN).slice(1, -1)
const TWO_LANGUAGES = /"((?:[^"\\]|\\.)*?)\\u001f((?:[^"\\]|\\.)*)"/g
/** What is kept in both languages reaches each reader in theirs. */
const written = (value: unknown, lang: Lang): Buffer => {
  const json = JSON.stringify(value)
  return Buffer.from(
    json.includes(MEETS) ? json.replace(TWO_LANGUAGES, lang === 'en' ? '"$2"' : '"$1"') : json,
  )
}

/** `[a,b]` and `[c]` become `[a,b` and `,c]`. */
const putList = (list: readonly unknown[], { parts, lang }: Out): void => {
  for (let at = 0; at < list.length; at += TOGETHER) {
    const part = written(list.slice(at, at + TOGETHER), lang)
    part[0] = at === 0 ? OPEN! : COMMA!
    parts.push(at + TOGETHER < list.length ? part.subarray(0, -1) : part)
  }
}
const put = (value: unknown, levels: number, out: Out): void => {
  const { parts, lang } = out
  if (isLong(value)) return putList(value, out)
  if (!holdsLong(value, levels)) return void parts.push(written(value, lang))
  let before = '{'
  for (const [name, held] of Object.entries(value as object)) {
    // What JSON has no word for is left out.
    if (held === undefined || typeof held === 'function' || typeof held === 'symbol') continue
    parts.push(Buffer.from(`${before}${JSON.stringify(name)}:`))
    put(held, levels - 1, out)
    before = ','
  }
  parts.push(Buffer.from('}'))
}

/**
 * The bytes of `JSON.stringify(value)`, which is an object or a list; they are the same, but that
 * each text that is kept in both languages (`joined`) is in `lang`, and that a long list is written
 * some entries at a time. A text of a megabyte lies where V8 asks the system for fresh memory each
 * time: that takes three times as long as all else about it.
 */
export const jsonBytes = (value: object, lang: Lang): Buffer => {
  const parts: Buffer[] = []
  put(value, LEVELS, { parts, lang })
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
