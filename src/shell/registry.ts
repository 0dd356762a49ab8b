import { actions, pages } from '#commands/index.ts'
import type { Action, Page } from '#commands/command.ts'
import { pinPage, publishLayout, recommendLayout, unpinPage } from '#commands/home.ts'
import { pathOf, tidy } from './address.ts'

type Known = { page: Page; pattern: RegExp; fixed: boolean }
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const known: readonly Known[] = pages
  .map(page => ({ page, fixed: !page.path.includes(':'), pattern: new RegExp(`^${page.path.split('/').map(part => (part.startsWith(':') ? '([^/]+)' : escape(part))).join('/')}$`, 'i') }))
  // `/index/add` before `/index/:id`.
  .sort((a, b) => Number(b.fixed) - Number(a.fixed))

/** True for a page that opens by its path alone: not of one record, and without parameters it can't do without. */
export const opensAlone = (page: Page): boolean => !page.path.includes(':') && (!page.search || page.search.safeParse({}).success)
const looked = new Map<string, Page | undefined>()
/** The page at an address; letter case and extra slashes don't matter. */
export const pageAt = (address: string): Page | undefined => {
  const path = pathOf(tidy(address))
  if (looked.has(path)) return looked.get(path)
  const page = known.find(({ pattern }) => pattern.test(path))?.page
  // Asked many times a second of the same few places; records' own paths are without end.
  if (looked.size >= 500) looked.clear()
  looked.set(path, page)
  return page
}
const usual = new Map(pages.map(page => [page, page.keepAlive]))
/** Which pages a pane keeps, where the server's menu says otherwise than the page itself. */
export const keepAs = (said: ReadonlyMap<string, boolean>) => { for (const page of pages) page.keepAlive = said.get(page.path) ?? usual.get(page)! }
/** The address as the registry spells it: `/manage//Audit/Bulks/?a=1` → `/manage/audit/bulks?a=1`; parameters keep their case. */
export const spelled = (address: string): string => {
  const clean = tidy(address)
  const page = pageAt(clean)
  if (!page) return clean
  const given = pathOf(clean).split('/')
  const path = page.path.split('/').map((part, i) => (part.startsWith(':') ? given[i]! : part)).join('/')
  return path + clean.slice(pathOf(clean).length)
}
/** The parameters in the path, for wouter's `useParams`. */
export const paramsOf = (page: Page, address: string): Record<string, string> => {
  const given = pathOf(tidy(address)).split('/')
  return Object.fromEntries(page.path.split('/').flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), decodeURIComponent(given[i] ?? '')]] : [])))
}
/** The pages above one, from the outermost: its path shortened part by part. */
export const above = (page: Page): Page[] => {
  const parts = page.path.split('/')
  return parts.slice(2).flatMap((_, i) => pageAt(parts.slice(0, i + 2).join('/')) ?? []).filter(other => other !== page)
}

/** What the workbench carries out, whichever page is in front. */
const besides: readonly Action[] = [pinPage, unpinPage, publishLayout, recommendLayout]
export const isGlobal = (action: Action) => action.id.startsWith('workbench.') || besides.includes(action)
/** The actions that a page declares for itself, its own first. */
export const actionsOf = (page: Page): Action[] => {
  let found = byPage.get(page)
  if (!found) {
    const here = actions.filter(action => !isGlobal(action) && !action.id.startsWith('list.') && (action.at === page || action.also?.includes(page)))
    byPage.set(page, found = here)
  }
  return found
}
const byPage = new Map<Page, Action[]>()
const byId = new Map(actions.map(action => [action.id, action]))
export const actionById = (id: string): Action | undefined => byId.get(id)
export { actions, pages }
