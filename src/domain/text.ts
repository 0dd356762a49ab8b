/**
 * One piece of interface text in both languages. A pair, so that a text can't exist in one language
 * only.
 */
export type Text = readonly [zh: string, en: string]
export const languages = ['zh', 'en'] as const
export type Lang = (typeof languages)[number]

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
