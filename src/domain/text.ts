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
/** Answers the part of a text in one language, where the text is joined of both. */
export const saidIn = (text: string | Text, lang: Lang): string => {
  const [zh, en] = typeof text === 'string' ? text.split(BETWEEN) : text
  return (lang === 'en' ? en : zh) ?? zh!
}

/**
 * The text in one language, with `{name}` replaced by `values.name`; an unknown name is left as it
 * stands.
 */
export const say = (
  [zh, en]: Text,
  lang: Lang,
  values?: Readonly<Record<string, string | number>>,
): string =>
  (lang === 'en' ? en : zh).replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values?.[name] ?? whole),
  )
