import type { Command } from '#commands/command.ts'
import * as list from '#commands/list.ts'
import * as shell from '#commands/shell.ts'
import type { Text } from '#src/domain/text.ts'
import { actions, isGlobal, pages } from '../registry.ts'
import { setting } from '../settings.ts'
import { meets, parse, type Stroke } from './strokes.ts'

export const idOf = (of: Command): string => (of.kind === 'page' ? of.path : of.id)
const declared = (of: Command): string | undefined => (of.kind === 'page' ? of.keys : of.key)
const is = (...some: readonly Command[]) => new Set(some.map(idOf))

/** What a preset says of a command: other keys, none (null), or nothing: those declared. */
type Says = (of: Command) => string | null | undefined
const table = (rows: readonly (readonly [Command, string])[]): Says => {
  const keys = new Map(rows.map(([of, key]) => [idOf(of), key]))
  return of => keys.get(idOf(of))
}
const withMouse = is(shell.palette, shell.undo, shell.up, list.listOpen)
const says = {
  default: () => undefined,
  vim: table([
    [shell.commandPalette, ':'],
    [shell.goBack, 'mod+o'],
    [shell.goForward, 'mod+i'],
    [list.listDetail, 'mod+shift+.'],
    [list.listNextPage, 'mod+d'],
    [list.listPreviousPage, 'mod+u'],
    [list.listNextTab, 'g t'],
    [list.listPreviousTab, 'g shift+t'],
  ]),
  gmail: table([
    [list.listSelectAll, '* a'],
    [list.listClear, '* n'],
    [list.listNextPage, 'g n'],
    [list.listPreviousPage, 'g p'],
    [list.listNextTab, '`'],
    [list.listPreviousTab, '~'],
  ]),
  /** Whoever works with the mouse is not startled by a key; what every program has stays. */
  mouse: of => (withMouse.has(idOf(of)) ? undefined : null),
} satisfies Record<string, Says>
export type Preset = keyof typeof says
export const presets = Object.keys(says) as Preset[]
/** WCAG 2.1.4: keys that are only a sign work as they are, with Alt, or not at all. */
export const letterModes = ['plain', 'alt', 'off'] as const
export type Letters = (typeof letterModes)[number]
/** How long a sequence waits for its next key; 0: as long as it takes. */
export const waits = [1000, 2000, 4000, 8000, 0] as const

export type KeySettings = {
  preset: Preset
  letters: Letters
  wait_ms: number
  /** Holding Alt shows a letter at every control. */ hints: boolean
  /** By command: the keys recorded for it; null: none. */ own: Readonly<
    Record<string, string | null>
  >
}
export const usualKeys: KeySettings = {
  preset: 'default',
  letters: 'plain',
  wait_ms: 4000,
  hints: true,
  own: {},
}
export const isKeySettings = (value: unknown): value is KeySettings => {
  if (typeof value !== 'object' || value === null) return false
  const { preset, letters, wait_ms, hints, own } = value as Partial<KeySettings>
  return (
    presets.includes(preset!) &&
    letterModes.includes(letters!) &&
    (waits as readonly unknown[]).includes(wait_ms) &&
    typeof hints === 'boolean' &&
    typeof own === 'object' &&
    own !== null &&
    Object.values(own).every(
      keys => keys === null || (typeof keys === 'string' && keys.length > 0 && keys.length <= 60),
    )
  )
}
/** What either machine changed since both agreed. */
export const mergeKeys = (
  mine: KeySettings,
  theirs: KeySettings,
  base: KeySettings = usualKeys,
): KeySettings => {
  const pick = <K extends keyof KeySettings>(key: K) =>
    mine[key] === base[key] ? theirs[key] : mine[key]
  const own: Record<string, string | null> = {}
  for (const id of new Set([...Object.keys(mine.own), ...Object.keys(theirs.own)])) {
    const keys = mine.own[id] === base.own[id] ? theirs.own[id] : mine.own[id]
    if (keys !== undefined) own[id] = keys
  }
  return {
    preset: pick('preset'),
    letters: pick('letters'),
    wait_ms: pick('wait_ms'),
    hints: pick('hints'),
    own,
  }
}
export const keySettings = setting<KeySettings>('keys', isKeySettings, usualKeys, mergeKeys)

/** A press that only makes a sign: a letter, a digit or punctuation, with Shift or without. */
const isSign = (press: Stroke): boolean => /^(shift\+)?[!-~]$/.test(press)
const isPlainLetter = (press: Stroke): boolean => /^[a-z[\];',./\\`=-]$/.test(press)
const lettersAs = (keys: string, letters: Letters, of: Command): string | undefined => {
  const [first] = parse(keys)
  if (letters === 'plain' || !isSign(first!)) return keys
  // The sheet that lists the keys must be found by whoever has just changed them all.
  if (of === shell.shortcuts) return 'mod+/'
  // Alt+Shift switches input methods, and Alt with a digit the browser's tabs.
  return letters === 'alt' && isPlainLetter(first!) ? `alt+${keys.trim()}` : undefined
}
/** What is practised has the keys of what it is practised for. */
const realOf = (of: Command): Command => (of.kind === 'action' ? (of.practises ?? of) : of)
/** The keys of a command under some settings. */
export const keysUnder = (
  { own, preset, letters }: KeySettings,
  asked: Command,
): string | undefined => {
  const of = realOf(asked)
  const id = idOf(of)
  if (Object.hasOwn(own, id)) return own[id] ?? undefined
  const usual = declared(of)
  const said = (says[preset] as Says)(of)
  const keys = said === undefined ? usual : said
  return keys ? lettersAs(keys, letters, of) : undefined
}
let known: { under: KeySettings; keys: Map<Command, string | undefined> } | undefined
/**
 * The keys that run a command now. The one place that decides: what is pressed and what is shown
 * are the same.
 */
export const keysFor = (of: Command): string | undefined => {
  const under = keySettings.get()
  if (known?.under !== under) known = { under, keys: new Map() }
  const { keys } = known
  if (!keys.has(of)) keys.set(of, keysUnder(under, of))
  return keys.get(of)
}
/**
 * Whether a person chose these keys themselves: where a new release wants the same, theirs stay.
 */
export const isOwn = (of: Command): boolean => Object.hasOwn(keySettings.get().own, idOf(of))

/** Everything that can have keys, as far as it is known by now. */
export const bindable = (): readonly Command[] => {
  const all = actions()
  return [
    ...all.filter(isGlobal),
    ...all.filter(action => action.id.startsWith('list.')),
    ...pages,
    ...all.filter(
      action => !isGlobal(action) && !action.id.startsWith('list.') && realOf(action) === action,
    ),
  ]
}
/**
 * Whether two commands can be in front at once. Lists stand on any page; pages are opened from
 * anywhere.
 */
const together = (a: Command, b: Command): boolean => {
  const at = (of: Command) =>
    of.kind === 'page' || isGlobal(of) || of.id.startsWith('list.')
      ? undefined
      : [of.at, ...(of.also ?? [])]
  const [x, y] = [at(a), at(b)]
  return !x || !y || x.some(page => y.includes(page))
}
/**
 * A command in the way of keys: it has the same, they begin its own (it could not be reached), or
 * its own begin them.
 */
export type Hurt = { of: Command; keys: string; how: 'same' | 'longer' | 'shorter' }
/** `longer` by so many presses. */
const compared = (longer: number): Hurt['how'] => {
  if (longer === 0) return 'same'
  return longer > 0 ? 'longer' : 'shorter'
}
/** Whom keys for a command would hurt. `presses` holds every name of each press. */
export const hurtBy = (
  of: Command,
  presses: readonly (readonly Stroke[])[],
  under: KeySettings,
  among: readonly Command[] = bindable(),
): Hurt[] =>
  among.flatMap((other): Hurt[] => {
    if (other === of || !together(of, other)) return []
    const keys = keysUnder(under, other)
    if (!keys) return []
    const theirs = parse(keys)
    const mine = presses.map((names, at) => names.find(name => name === theirs[at]) ?? names[0]!)
    return meets(mine, theirs)
      ? [
          {
            of: other,
            keys,
            how: compared(theirs.length - mine.length),
          },
        ]
      : []
  })

const taken: readonly (readonly [RegExp, Text])[] = [
  [
    /^(mod|ctrl)\+(shift\+)?(t|n|w)$|^(mod|ctrl)\+(shift\+)?(q|tab|pageup|pagedown)$|^mod\+f4$/,
    [
      '浏览器保留：打开、关闭或切换标签与窗口',
      'The browser keeps it: opens, closes or changes tabs and windows',
    ],
  ],
  [
    /^(mod\+)?(shift\+)?f\d+$|^mod\+(shift\+)?r$|^mod\+l$|^alt\+(f4|tab|escape|space)$/,
    [
      '浏览器或系统保留：刷新、地址栏或窗口',
      'The browser or the system keeps it: reload, address bar, windows',
    ],
  ],
  [
    /^(mod|alt)\+[0-9]$|^mod\+(shift\+)?[-=+]$/,
    ['浏览器保留：切换标签或缩放', 'The browser keeps it: changes tabs or the zoom'],
  ],
  [
    /^mod\+[acvx]$/,
    ['系统保留：全选、复制、粘贴、剪切', 'The system keeps it: select all, copy, paste, cut'],
  ],
  [
    /^mod\+shift\+[ijf]$/,
    [
      '浏览器或输入法保留：开发者工具、繁简切换',
      'The browser or an input method keeps it: developer tools, script',
    ],
  ],
  [
    /(^|\+)space$|^alt\+shift\+|^(mod|ctrl)\+alt\+shift\+|^(mod|ctrl)\+shift$/,
    ['输入法保留：切换输入法或语言', 'Input methods keep it: they switch input or language'],
  ],
  [/^meta\+/, ['系统保留：系统键的组合', 'The system keeps combinations with its key']],
  [
    /^(shift\+)?(tab|escape|enter|backspace|arrow\w+|home|end|pageup|pagedown)$/,
    ['界面保留：移动焦点、翻页、返回与确认', 'Kept for moving about, going back and confirming'],
  ],
]
/** Why a press can't be had, if so: the browser, the system or an input method acts on it first. */
export const keptBy = (presses: readonly Stroke[]): Text | undefined =>
  taken.find(([form]) => presses.some(press => form.test(press)))?.[1]

export type Imported = { settings: KeySettings; took: number; left: { id: string; why: Text }[] }
/**
 * Reads what `exportKeys` wrote, perhaps by an older release: what can't be had is left out, and
 * told of. Undefined for what is no such file.
 */
export const importKeys = (text: string): Imported | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isKeySettings(value)) return undefined
  const byId = new Map(bindable().map(of => [idOf(of), of]))
  const left: Imported['left'] = []
  let settings: KeySettings = {
    ...usualKeys,
    preset: value.preset,
    letters: value.letters,
    wait_ms: value.wait_ms,
    hints: value.hints,
    own: {},
  }
  // First what loses its keys: another may have them.
  for (const [id, keys] of Object.entries(value.own).sort(
    ([, a], [, b]) => Number(a !== null) - Number(b !== null),
  )) {
    const of = byId.get(id)
    const presses = keys === null ? [] : parse(keys)
    const hurt =
      of && keys !== null
        ? hurtBy(
            of,
            presses.map(press => [press]),
            { ...settings, own: { ...value.own, [id]: null } },
          )[0]
        : undefined
    const why: Text | undefined = !of
      ? ['没有这项操作', 'There is no such action']
      : (keptBy(presses) ?? (hurt && [`与“${hurt.of.title}”冲突`, `Clashes with “${hurt.of.en}”`]))
    if (why) left.push({ id, why })
    else settings = { ...settings, own: { ...settings.own, [id]: keys } }
  }
  return { settings, took: Object.keys(settings.own).length, left }
}
export const exportKeys = (settings: KeySettings): string => JSON.stringify(settings, null, 2)
