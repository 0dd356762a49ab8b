/**
 * One press, written as the registry writes it: modifiers in this order, then the key:
 * `mod+shift+p`, `shift+a`, `?`, `escape`.
 */
export type Stroke = string

const isMac = /mac/i.test(globalThis.navigator?.userAgent ?? '')
const fullWidth: Readonly<Record<string, string>> = {
  '、': '/',
  '。': '.',
  '，': ',',
  '【': '[',
  '】': ']',
  '「': '[',
  '」': ']',
  '；': ';',
  '‘': "'",
  '’': "'",
  '·': '`',
  '《': '<',
  '》': '>',
  '　': ' ',
  '￥': '$',
  '…': '^',
  '—': '_',
}
/** Full-width letters, digits and signs as half-width ones. */
export const halfWidth = (text: string): string =>
  text
    .replace(/[\uFF01-\uFF5E]/g, letter => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/[、。，【】「」；‘’·《》　￥…—]/g, letter => fullWidth[letter] ?? letter)

const codes: Readonly<Record<string, string>> = {
  Slash: '/',
  Period: '.',
  Comma: ',',
  Semicolon: ';',
  Quote: "'",
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Minus: '-',
  Equal: '=',
  Backquote: '`',
  Space: 'space',
  NumpadEnter: 'enter',
}
/** The key's name by its place on the keyboard. */
const byCode = (code: string): string | undefined => {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter) return letter.toLowerCase()
  return /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? codes[code]
}
const named: Readonly<Record<string, string>> = {
  ' ': 'space',
  esc: 'escape',
  left: 'arrowleft',
  right: 'arrowright',
  up: 'arrowup',
  down: 'arrowdown',
  return: 'enter',
}
const modifiers = new Set([
  'shift',
  'control',
  'alt',
  'meta',
  'altgraph',
  'capslock',
  'os',
  'fn',
  'dead',
  'unidentified',
])

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'
> &
  Partial<Pick<KeyboardEvent, 'getModifierState'>>
/** AltGr makes signs (`@`, `]`, `ą`), though Windows says that Ctrl and Alt are down. */
export const byAltGr = (event: KeyPress): boolean =>
  event.ctrlKey && event.altKey && event.getModifierState?.('AltGraph') === true
const withModifiers = (event: KeyPress, key: string, shift: boolean): Stroke => {
  const signs = byAltGr(event)
  const mod = isMac ? event.metaKey : event.ctrlKey && !signs
  const other = isMac ? event.ctrlKey : event.metaKey
  return [
    mod && 'mod',
    other && (isMac ? 'ctrl' : 'meta'),
    event.altKey && !signs && 'alt',
    shift && 'shift',
    key,
  ]
    .filter(Boolean)
    .join('+')
}
/** Option and a letter may begin an accent on a Mac: the place says which letter it was. */
const beginsAccent = (event: KeyPress, key: string, place: string | undefined): boolean =>
  key === 'dead' && Boolean(event.altKey) && Boolean(place)
/** AZERTY: digits want Shift, and the same key without it makes a sign. */
const isDigitKey = (event: KeyPress): boolean =>
  /^Digit\d$/.test(event.code ?? '') && !byAltGr(event)
/**
 * What a press may be called, the surest name first: by the sign it makes (`?`), then by its place
 * (`shift+/`). The place alone counts where the key makes no Latin letter: another alphabet, or an
 * input method that swallowed it.
 */
export const strokesOf = (event: KeyPress): Stroke[] => {
  const key = halfWidth(event.key).toLowerCase()
  const place = byCode(event.code ?? '')
  if (modifiers.has(key) && !beginsAccent(event, key, place)) return []
  const strokes = new Set<Stroke>()
  const digit = isDigitKey(event) ? place : undefined
  if (digit && digit === key && event.shiftKey)
    return [withModifiers(event, digit, false), withModifiers(event, digit, true)]
  const name = named[key] ?? key
  if (/^[a-z0-9]$/.test(name) || name.length > 1) {
    if (name !== 'process' && name !== 'dead')
      strokes.add(withModifiers(event, name, event.shiftKey))
  } else if (/^[!-~]$/.test(name)) {
    // A sign says by itself whether Shift was needed, on every layout.
    strokes.add(withModifiers(event, name, false))
    if (place && (event.shiftKey || digit)) strokes.add(withModifiers(event, place, event.shiftKey))
    return [...strokes]
  }
  if (place && strokes.size === 0) strokes.add(withModifiers(event, place, event.shiftKey))
  return [...strokes]
}

/** A key of the registry as its presses: `g a b` is three. */
export const parse = (keys: string): Stroke[] =>
  keys
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .map(press => {
      const parts = press === '+' ? ['+'] : press.split(/\+(?=.)/)
      const key = parts.pop()!
      return [
        ...['mod', 'ctrl', 'meta', 'alt', 'shift'].filter(modifier => parts.includes(modifier)),
        named[key] ?? key,
      ].join('+')
    })
const shown: Readonly<Record<string, string>> = {
  mod: isMac ? '⌘' : 'Ctrl ',
  ctrl: 'Ctrl ',
  meta: '⌘',
  alt: isMac ? '⌥' : 'Alt ',
  shift: '⇧',
  escape: 'Esc',
  enter: '↵',
  space: '␣',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  backspace: '⌫',
  delete: 'Del',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
}
/** As people read it: `G A B`, `⇧A`, `Ctrl K`. */
export const keyLabel = (keys: string): string =>
  parse(keys)
    .map(press =>
      press
        .split(/\+(?=.)/)
        .map(part => shown[part] ?? part.toUpperCase())
        .join(''),
    )
    .join(' ')
    .replaceAll('⇧8', '*')
/** As `aria-keyshortcuts` wants it. */
export const ariaKeys = (keys: string): string | undefined => {
  const presses = parse(keys)
  return presses.length > 1
    ? undefined
    : presses[0]!
        .replace('mod', isMac ? 'Meta' : 'Control')
        .replace(/\b[a-z]/g, letter => letter.toUpperCase())
}

export type Binding<T> = { keys: string; does: T }
type Node<T> = { does?: T; next: Map<Stroke, Node<T>> }
/** What follows the presses made so far. */
export type Found<T> =
  | { kind: 'none' }
  | { kind: 'prefix'; presses: Stroke[]; next: { stroke: Stroke; does?: T; more: number }[] }
  | { kind: 'done'; does: T }

/**
 * Every binding of a moment as a tree: a press that ends one fires at once, one that begins several
 * waits.
 */
export class Keymap<T> {
  #root: Node<T> = { next: new Map() }
  constructor(bindings: readonly Binding<T>[]) {
    for (const { keys, does } of bindings) {
      let node = this.#root
      for (const press of parse(keys)) {
        if (!node.next.has(press)) node.next.set(press, { next: new Map() })
        node = node.next.get(press)!
      }
      node.does ??= does
    }
  }
  find(presses: readonly Stroke[]): Found<T> {
    let node: Node<T> | undefined = this.#root
    for (const press of presses) node = node?.next.get(press)
    if (!node || node === this.#root) return { kind: 'none' }
    if (node.next.size === 0)
      return node.does === undefined ? { kind: 'none' } : { kind: 'done', does: node.does }
    return {
      kind: 'prefix',
      presses: [...presses],
      next: [...node.next].map(([stroke, { does, next }]) => ({
        stroke,
        more: next.size,
        ...(does === undefined ? {} : { does }),
      })),
    }
  }
}

/** Whether two keys can't both be reached: the same, or one that begins the other. */
export const meets = (a: readonly Stroke[], b: readonly Stroke[]): boolean =>
  a.slice(0, b.length).every((press, at) => press === b[at])
/** Bindings that can't both be reached. */
export const clashes = <T extends { keys: string }>(bindings: readonly T[]): [T, T][] => {
  const parsed = bindings.map(one => ({ one, presses: parse(one.keys) }))
  return parsed.flatMap((a, i) =>
    parsed
      .slice(i + 1)
      .flatMap((b): [T, T][] => (meets(a.presses, b.presses) ? [[a.one, b.one]] : [])),
  )
}
