import type { Action, Page, RecordFinder } from '#commands/command.ts'
import { commandsOf, histories, historyFrom, pages, sections } from '#commands/contents.ts'
import * as home from '#commands/home.ts'
import * as list from '#commands/list.ts'
import * as shell from '#commands/shell.ts'
import { HOME, moved, pathOf, tidy } from './address.ts'

type Place = { page: Page; pattern: RegExp; fixed: boolean }
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const places: readonly Place[] = pages
  .map(page => ({
    page,
    fixed: !page.path.includes(':'),
    pattern: new RegExp(
      `^${page.path
        .split('/')
        .map(part => (part.startsWith(':') ? '([^/]+)' : escape(part)))
        .join('/')}$`,
      'i',
    ),
  }))
  // `/index/add` before `/index/:id`.
  .sort((a, b) => Number(b.fixed) - Number(a.fixed))

/**
 * True for a page that opens by its path alone: not of one record, and without parameters it can't
 * do without.
 */
export const opensAlone = (page: Page): boolean =>
  !page.path.includes(':') && (!page.search || page.search.safeParse({}).success)
const looked = new Map<string, Page | undefined>()
/** The page at an address; letter case and extra slashes don't matter. */
export const pageAt = (address: string): Page | undefined => {
  const path = pathOf(tidy(address))
  if (looked.has(path)) return looked.get(path)
  const page = places.find(({ pattern }) => pattern.test(path))?.page
  // Asked many times a second of the same few places; records' own paths are without end.
  if (looked.size >= 500) looked.clear()
  looked.set(path, page)
  return page
}
/** The default page of each module that has no page at its own root, by that root in small letters. */
const roots: ReadonlyMap<string, string> = new Map(
  sections.flatMap(({ key, opens, pages: own }) => {
    const root = `${HOME}/${key}`
    const first = opens === undefined ? own[0]?.path : `${root}/${opens}`
    return first === undefined || pageAt(root) ? [] : [[root.toLowerCase(), first] as const]
  }),
)
const usual = new Map(pages.map(page => [page, page.keepAlive]))
/** Which pages a pane keeps, where the server's menu says otherwise than the page itself. */
export const keepAs = (said: ReadonlyMap<string, boolean>) => {
  for (const page of pages) page.keepAlive = said.get(page.path) ?? usual.get(page)!
}
/**
 * The address as the registry spells it: `/manage//Audit/Bulks/?a=1` → `/manage/audit/bulks?a=1`;
 * parameters keep their case. A module's root becomes its default page (specification, section 2).
 */
export const spelled = (address: string): string => {
  const clean = moved(address)
  const opened = roots.get(pathOf(clean).toLowerCase())
  if (opened !== undefined) return opened + clean.slice(pathOf(clean).length)
  const page = pageAt(clean)
  if (!page) return clean
  const given = pathOf(clean).split('/')
  const path = page.path
    .split('/')
    .map((part, i) => (part.startsWith(':') ? given[i]! : part))
    .join('/')
  return path + clean.slice(pathOf(clean).length)
}
/**
 * The pages above one, from the outermost: its path shortened part by part, and the page that it
 * says it belongs to.
 */
export const above = (page: Page): Page[] => {
  const parts = page.path.split('/')
  return [...parts.slice(2).map((_, i) => parts.slice(0, i + 2).join('/')), page.under]
    .flatMap(path => (path === undefined ? [] : (pageAt(path) ?? [])))
    .filter(other => other !== page)
}
/** The address by which the menu is asked where a page stands in it. */
export const menuPlace = (at: string): string => pageAt(at)?.under ?? at

/** What the workbench carries out, whichever page is in front. */
const besides: readonly Action[] = [
  home.pinPage,
  home.unpinPage,
  home.publishLayout,
  home.recommendLayout,
]
export const isGlobal = (action: Action) =>
  action.id.startsWith('workbench.') || besides.includes(action)
const files = import.meta.glob<object>(['../../commands/*/*.ts', '!../../commands/pages/*.ts'])
const moduleOf = (file: string): string => /commands\/(\w+)\//.exec(file)![1]!
const actionsIn = (of: object): Action[] =>
  commandsOf(of).filter(command => command.kind === 'action')

type Known = {
  actions: readonly Action[]
  byId: ReadonlyMap<string, Action>
  byPage: Map<Page, Action[]>
}
const knowing = (actions: readonly Action[]): Known => ({
  actions,
  byId: new Map(actions.map(action => [action.id, action])),
  byPage: new Map(),
})
let known = knowing([...histories, ...actionsIn({ home, list, shell })])
const learn = (more: readonly Action[]) => {
  known = knowing([...new Set([...more, ...known.actions])])
}
/**
 * The actions of the modules that were opened, the lists' and the workbench's own; all of them once
 * `everything` has come.
 */
export const actions = (): readonly Action[] => known.actions
const learnt = new Map<string, Promise<void>>()
const once = (name: string, load: () => Promise<readonly Action[]>): Promise<void> => {
  let under = learnt.get(name)
  if (!under)
    learnt.set(
      name,
      (under = load().then(learn, (fault: unknown) => {
        learnt.delete(name)
        throw fault
      })),
    )
  return under
}
/** Fetches the actions of a module's pages, which come with the first of them. */
export const actionsOfModule = (module: string): Promise<void> =>
  once(module, async () =>
    (
      await Promise.all(
        Object.keys(files)
          .filter(file => moduleOf(file) === module)
          .map(async file => actionsIn(await files[file]!())),
      )
    ).flat(),
  )
/** Fetches the actions of the modules that have such pages, wherever the files of these lie. */
export const actionsShown = (has: (page: Page) => boolean): Promise<unknown> =>
  Promise.all(
    sections.filter(({ pages: own }) => own.some(has)).map(({ key }) => actionsOfModule(key)),
  )
/** Fetches the actions of all pages: whoever looks among all that can be done waits for it. */
export const everything = (): Promise<void> =>
  once('', async () => {
    const found = await import('#commands/index.ts')
    finders = found.finders
    return found.actions
  })
let finders: readonly RecordFinder[] = []
/** How the record of a page of one is found, once `everything` has come. */
export const finderOf = (page: Page): RecordFinder | undefined =>
  finders.find(one => one.pages.includes(page))
export const actionById = (id: string): Action | undefined => known.byId.get(id)
/** The actions of a page, its own first. */
export const actionsOf = (page: Page): Action[] => {
  let found = known.byPage.get(page)
  if (!found)
    known.byPage.set(
      page,
      (found = known.actions.filter(
        action =>
          !isGlobal(action) &&
          !action.id.startsWith('list.') &&
          (action.at === page || action.also?.includes(page)),
      )),
    )
  return found
}
export { historyFrom, pages }
