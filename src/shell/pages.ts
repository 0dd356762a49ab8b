import type { ComponentType } from 'react'

type PageFile = { default: ComponentType }
const files = import.meta.glob<PageFile>('../modules/**/pages/**/*.tsx')

/** The file of a page below `src/modules/`: `/manage/audit/product/detail` → `audit/pages/product/detail.tsx`; a `:id` is `[id]`. */
export const fileOf = (page: { path: string; file?: string }): string => {
  if (page.file) return page.file
  const [module = 'home', ...rest] = page.path.split('/').slice(2)
  return `${module}/pages/${rest.map(part => part.replace(/^:(.*)/, '[$1]')).join('/') || 'index'}.tsx`
}
/** Loads a page's code, or nothing when there is no such file. */
export const loaderOf = (file: string): (() => Promise<PageFile>) | undefined => files[`../modules/${file}`]
/** Asks for a page's code ahead of need, by its address alone. */
export const preload = (path: string) => { loaderOf(fileOf({ path }))?.().catch(() => { /* asked for again, and reported, when it is shown */ }) }
