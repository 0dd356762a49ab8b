import { useSyncExternalStore } from 'react'
import type { Read } from '#src/contract/call.ts'
import { languages, say, type Lang, type Text } from '#src/domain/text.ts'

const KEY = 'mallet.lang'
const stored = globalThis.localStorage?.getItem(KEY)
let current: Lang = languages.find(lang => lang === stored) ?? 'zh'
const listeners = new Set<() => void>()

export const lang = (): Lang => current
const speak = (next: Lang) => {
  current = next
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en'
  for (const tell of listeners) tell()
}
/** Switches the interface at once, without a reload, in every tab. */
export const setLang = (next: Lang) => {
  localStorage.setItem(KEY, next)
  speak(next)
}
globalThis.addEventListener?.('storage', ({ key, newValue }: StorageEvent) => {
  const next = key === KEY && languages.find(one => one === newValue)
  if (next) speak(next)
})
const subscribe = (tell: () => void) => (listeners.add(tell), () => void listeners.delete(tell))

export const useLang = (): Lang => useSyncExternalStore(subscribe, lang)
/** A text in the language chosen. */
export type Say = (text: Text, values?: Readonly<Record<string, string | number>>) => string
const says: Readonly<Record<Lang, Say>> = {
  zh: (text, values) => say(text, 'zh', values),
  en: (text, values) => say(text, 'en', values),
}
/**
 * `say` in the language chosen; a component that uses it is drawn again when the language changes.
 * One function a language: what is made with it is made once.
 */
export const useSay = (): Say => says[useLang()]
/** What WeCom said of a write, as its row keeps it, with the errcode where there is one. */
export const wecomSaid = (say: Say, of: { error: string; errcode?: number }): string => {
  return of.errcode
    ? say(['{said}（{code}）', '{said} ({code})'], { said: of.error, code: of.errcode })
    : of.error
}
/** By what typing finds a row of a read: its name, and its pinyin where the server knows that. */
export const byName = (find: Read): Text =>
  find.latin ? ['名称或拼音', 'name or pinyin'] : ['名称', 'name']
/** The title of a page or an action, in the language chosen. */
export const titleIn = (of: { title: string; en: string }, now: Lang): string =>
  now === 'en' ? of.en : of.title
