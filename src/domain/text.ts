/**
 * One piece of interface text in both languages. A pair, so that a text can't exist in one language
 * only.
 */
export type Text = readonly [zh: string, en: string]
export const languages = ['zh', 'en'] as const
export type Lang = (typeof languages)[number]

/** Between the languages of a text that has to travel as one string; nobody types it. */
export const BETWEEN = '\u001f'
/** A text as one string, for a schema's message, which has no other form. `saidIn` reads it. */
export const joined = (text: Text): string => text.join(BETWEEN)
/** A stored text as it was before it was joined; of one language only, it stands for both. */
export const unjoined = (text: string): Text => {
  const [zh, en = zh] = text.split(BETWEEN) as [string, string?]
  return [zh, en]
}
/** Answers the part of a text in one language, where the text is joined of both. */
export const saidIn = (text: string | Text, lang: Lang): string => {
  const [zh, en] = typeof text === 'string' ? text.split(BETWEEN) : text
  return (lang === 'en' ? en : zh) ?? zh!
}

/** What is made anew in each language, as one string: `joined` of both. */
export const saidInBoth = (made: (lang: Lang) => string): string => joined([made('zh'), made('en')])

/** English words that end in s and are no plural, or have no singular. */
const noPlural =
  /^(?:is|was|has|does|as|this|always|adds|makes|uses|shows|goes|holds|works|goods|news|series|sms|ms|.*ss)$/
/** The singular of an English noun: cities become `city`, matches `match`, cases `case`. */
const singularOf = (plural: string): string => {
  if (noPlural.test(plural)) return plural
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  return plural.replace(/(ss|x|ch|sh)es$|s$/, '$1')
}
/**
 * The text in one language, with `{name}` replaced by `values.name`, of a joined value by its half;
 * an unknown name is left as it stands. In English a plural behind a count of one is one: `{n}
 * codes` is `1 code`.
 */
export const say = (
  [zh, en]: Text,
  lang: Lang,
  values?: Readonly<Record<string, string | number>>,
): string =>
  (lang === 'en' ? en : zh).replace(
    /\{(\w+)\}(?: ([a-z-]+s)\b)?/g,
    (_, name: string, noun: string | undefined) => {
      const value = saidIn(String(values?.[name] ?? `{${name}}`), lang)
      if (noun === undefined) return value
      return `${value} ${value === '1' && lang === 'en' ? singularOf(noun) : noun}`
    },
  )

/** A count in English with its noun: `1 city`, `3 cities`; `many` where an s does not do. */
export const countEn = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`

/** Stands between the names of a list. */
export const comma: Text = ['、', ', ']
/** Stands between the clauses of a sentence. */
export const clause: Text = ['，', ', ']
/** Stands between sentences and between faults. */
export const semicolon: Text = ['；', '; ']
/** Stands between a label and its value. */
export const colon: Text = ['：', ': ']
/** What is said of a name, behind it, in brackets. */
export const aside: Text = ['（{it}）', ' ({it})']
/**
 * Names as a list for a reader whose language is not known yet: joined of both languages, each name
 * by its half. `say` takes the half that it needs; a list that is the same in both stands once.
 */
export const joinedNames = (names: readonly (string | number)[], between: Text = comma): string => {
  const [zh, en] = languages.map(lang =>
    names.map(name => saidIn(String(name), lang)).join(say(between, lang)),
  )
  return zh === en ? zh! : joined([zh!, en!])
}

/** Nothing to the eye: controls, formats, fillers, selectors. A line break and a tab are space. */
const invisible = String.raw`[[\p{Cc}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]--[\t\n]]`
/** An emoji with what it is made of: pictures joined to one, a keycap, a flag written in tags. */
const picture = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?`
const emoji = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}|${picture}(?:\u200D${picture})*|[\d#*]\uFE0F\u20E3`
const anyInvisible = new RegExp(invisible, 'v')
const emojiOrInvisible = new RegExp(`(${emoji})|${invisible}`, 'gv')
/** A blank of braille is drawn as a space, and is no space to Unicode. */
const blank = /[^\S\n]|\u2800/gu
const lineEnd = /\r\n?|[\u0085\u2028\u2029\v\f]/gu
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Text of several lines in its plain form: NFC, line ends as `\n`, any other white space as a plain
 * one, none at its ends, nothing that can't be seen but what joins an emoji. A text in which nothing
 * can be seen is empty.
 */
export const plainLines = (text: string): string => {
  const spaced = text.normalize('NFC').replace(lineEnd, '\n').replace(blank, ' ')
  // Rare: most texts are looked through once.
  const seen = anyInvisible.test(spaced) ? spaced.replace(emojiOrInvisible, '$1') : spaced
  const plain = seen.trim()
  return visible.test(plain) ? plain : ''
}
/** Text of one line in its plain form, as `plainLines`; a line break is a space. */
export const plainLine = (text: string): string => plainLines(text).replaceAll('\n', ' ')
/**
 * How long a text is: in code points, as PostgreSQL counts a `varchar`. Every limit of a text counts
 * so, in forms, in what is pasted and in contracts.
 */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}
/** Whether a text has more than `max` code points. */
export const isLonger = (text: string, max: number): boolean =>
  text.length > max && lengthOf(text) > max
/** The first `max` code points of a text. */
export const cutToLength = (text: string, max: number): string =>
  isLonger(text, max) ? [...text].slice(0, max).join('') : text
/** Signs that a column has for words in both languages. */
const KEPT = 255
/**
 * Words as a row keeps them: each reader has them in their language (`unjoined`). A column has room
 * for `signs` code points; each half has what the other leaves, and half of it at least.
 */
export const keptWords = ([zh, en]: Text, signs = KEPT): string => {
  const half = Math.floor((signs - 1) / 2)
  const roomBeside = (other: string) => Math.max(half, signs - 1 - lengthOf(other))
  const first = cutToLength(zh, roomBeside(en))
  return joined([first, cutToLength(en, roomBeside(first))])
}
/** Another's words, joined or of one language, as a row keeps them: as they came, cut to fit. */
export const keptAsSaid = (text: string, signs = KEPT): string =>
  text.includes(BETWEEN) ? keptWords(unjoined(text), signs) : cutToLength(text, signs)
/** Words before another's, joined or typed: 追回佣金：原因. Two colons of two languages. */
export const headed = ([zh, en]: Text, said: string): Text => {
  const was = unjoined(said)
  return [`${zh}：${was[0]}`, `${en}: ${was[1]}`]
}
/** A change that is no word of a language, and its reason, as a row keeps them. */
export const explained = (change: string, reason: string): string =>
  joined(headed([change, change], reason))
/** Another's words, joined or typed, with more beside them in brackets of either language. */
export const withAside = (said: string, it: string): Text => {
  const was = unjoined(said)
  return [`${was[0]}（${it}）`, `${was[1]} (${it})`]
}
