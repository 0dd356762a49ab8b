/** No message of WeCom's comes near these. */
const LONGEST = 64 * 1024
const DEEPEST = 4
const MOST = 200

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
/** The five entities of XML itself; any other one makes the text unreadable. */
const decoded = (text: string): string | null => {
  let good = true
  const plain = text.replaceAll(/&(?:(\w{1,8});)?/g, (_, name = '') => {
    good &&= Object.hasOwn(named, name)
    return named[name] ?? ''
  })
  return good ? plain : null
}
const part = /<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z_][\w.-]{0,63})(\/?)>|([^<]+)/y
type Reading = {
  fields: Record<string, string>
  way: string[]
  text: string
  elements: number
  /** The element that is open had others within it, so white space between them says nothing. */
  parent: boolean
}

/** Opens an element; false where it is no message of WeCom's. */
const opens = (at: Reading, name: string): boolean => {
  at.elements += 1
  if (at.elements > MOST || at.way.length >= DEEPEST) return false
  if (at.way.length === 0 && (name !== 'xml' || at.elements > 1)) return false
  at.way.push(name)
  at.text = ''
  at.parent = false
  return true
}
/** Closes one: a value of the root's own, or one more of a list of them, with commas. */
const closes = (at: Reading, name: string): boolean => {
  if (at.way.at(-1) !== name) return false
  const [, field, ...within] = at.way
  if (field !== undefined && !at.parent) {
    const before = within.length > 0 ? at.fields[field] : undefined
    if (within.length === 0 && field in at.fields) return false
    at.fields[field] = before ? `${before},${at.text}` : at.text
  }
  at.way.pop()
  at.text = ''
  at.parent = true
  return true
}
const reads = (at: Reading, match: RegExpExecArray): boolean => {
  const [, raw, closing, name, single, text] = match
  if (raw !== undefined) {
    at.text += raw
    return at.way.length > 1
  }
  if (name !== undefined) {
    if (closing) return !single && closes(at, name)
    return opens(at, name) && (!single || closes(at, name))
  }
  const plain = decoded(text!)
  if (plain === null) return false
  if (at.way.length < 2 || at.parent) return plain.trim() === ''
  at.text += plain
  return true
}

/**
 * Reads the flat XML of WeCom's callbacks: fields of one root `xml`, each a text or CDATA; a field
 * with others within it becomes their values, with commas. Anything else is null: no declarations,
 * attributes, comments, entities of its own, a field said twice, more than 64 kB or 200 elements.
 */
export const readFlatXml = (xml: string): Readonly<Record<string, string>> | null => {
  if (xml.length > LONGEST) return null
  const at: Reading = {
    fields: Object.create(null) as Record<string, string>,
    way: [],
    text: '',
    elements: 0,
    parent: false,
  }
  part.lastIndex = 0
  while (part.lastIndex < xml.length) {
    const match = part.exec(xml)
    if (!match || !reads(at, match)) return null
  }
  return at.elements > 0 && at.way.length === 0 ? { ...at.fields } : null
}
const escaped = (text: string): string => text.replaceAll(']]>', ']]]]><![CDATA[>')
/** The same the other way: each field as CDATA. */
export const writeFlatXml = (fields: Readonly<Record<string, string>>): string =>
  `<xml>${Object.entries(fields)
    .map(([name, value]) => `<${name}><![CDATA[${escaped(value)}]]></${name}>`)
    .join('')}</xml>`
