/** The longest tag that is read: a workbook's root names a dozen namespaces. */
const TAG_MAX = 16_384

/** Thrown where a text stops being markup. */
class BadMarkup extends Error {}

export type Visitor = {
  /** `attributes` is what stands in the tag, as it stands there; `empty` for `<a/>`. */
  open: (name: string, attributes: string, empty: boolean) => void
  close: (name: string) => void
  /** Text between tags, undecoded; of CDATA `raw` says that nothing is to be decoded. */
  text: (text: string, raw: boolean) => void
}

const QUOTE = 34
const APOSTROPHE = 39
const OPEN = 60
const CLOSE = 62
/**
 * The place of the `>` that ends a tag begun at `from`; -1 where another tag begins first, or none
 * ends within bounds: no letter is looked at twice for it.
 */
const tagEnd = (markup: string, from: number): number => {
  const last = Math.min(markup.length, from + TAG_MAX)
  let quote = 0
  for (let at = from; at < last; at++) {
    const code = markup.charCodeAt(at)
    if (code === OPEN) return -1
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === QUOTE || code === APOSTROPHE) quote = code
    else if (code === CLOSE) return at
  }
  return -1
}
/** The place behind what begins at `from` and ends with `end`. */
const behind = (markup: string, from: number, end: string): number => {
  const at = markup.indexOf(end, from)
  return at < 0 ? markup.length : at + end.length
}
const isNameStart = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
const SPACE = 32
const SLASH = 47
const COLON = 58
/** Tells of the tag between two places; false where none stands there. */
const visitTag = (markup: string, from: number, end: number, visit: Visitor): boolean => {
  const closes = markup.charCodeAt(from) === SLASH
  let begin = closes ? from + 1 : from
  let at = begin
  for (; at < end; at++) {
    const code = markup.charCodeAt(at)
    if (code <= SPACE || code === SLASH) break
    if (code === COLON) begin = at + 1
  }
  if (!isNameStart(markup.charCodeAt(begin))) return false
  const name = markup.slice(begin, at)
  if (closes) visit.close(name)
  else visit.open(name, markup.slice(at, end), markup.charCodeAt(end - 1) === SLASH)
  return true
}

/**
 * Walks through XML, each letter once, so that no text makes it slow. Names come without their
 * prefix; entities of a DOCTYPE are not known. With `lenient`, as HTML has it, a `<` that begins no
 * tag is text; otherwise BadMarkup is thrown.
 */
export const walk = (markup: string, visit: Visitor, lenient = false): void => {
  let at = 0
  while (at < markup.length) {
    const next = markup.indexOf('<', at)
    const until = next < 0 ? markup.length : next
    if (until > at) visit.text(markup.slice(at, until), false)
    if (next < 0) return
    if (markup.startsWith('<!--', next)) at = behind(markup, next + 4, '-->')
    else if (markup.startsWith('<![CDATA[', next)) {
      at = behind(markup, next + 9, ']]>')
      visit.text(markup.slice(next + 9, Math.max(next + 9, at - 3)), true)
    } else if (markup.startsWith('<?', next)) at = behind(markup, next + 2, '?>')
    else {
      const end = tagEnd(markup, next + 1)
      const isDeclaration = markup.startsWith('<!', next)
      const isTag = end >= 0 && (isDeclaration || visitTag(markup, next + 1, end, visit))
      if (!isTag && !lenient) throw new BadMarkup(`at ${next}`)
      if (!isTag) visit.text('<', true)
      at = isTag ? end + 1 : next + 1
    }
  }
}

const attribute = /\s*([^\s=>"'/]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/y
/** The attributes of a tag by their names without prefix, as far as they can be read. */
export const attributesOf = (text: string): ReadonlyMap<string, string> => {
  const all = new Map<string, string>()
  attribute.lastIndex = 0
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    const [, name = '', double, single, bare] = found
    all.set(
      name.slice(name.indexOf(':') + 1).toLowerCase(),
      decoded(double ?? single ?? bare ?? ''),
    )
  }
  return all
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}
/** Text with its entities decoded; what is none stays as it stands. */
export const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,5});/gi, (whole, inner: string) => {
        if (!inner.startsWith('#')) return named[inner.toLowerCase()] ?? whole
        const code = /^#x/i.test(inner)
          ? Number.parseInt(inner.slice(2), 16)
          : Number(inner.slice(1))
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
      })
    : text
