import type { Action, Command, Page, RecordFinder, Section } from './command.ts'
import { historyAction } from './history.ts'

/** One file a module; one without a section holds screens outside the workbench. */
const files = import.meta.glob<Record<string, unknown>>('./pages/*.ts', { eager: true })

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isPage = (value: unknown): value is Page =>
  isObject(value) && 'kind' in value && value.kind === 'page'
const isAction = (value: unknown): value is Action =>
  isObject(value) && 'kind' in value && value.kind === 'action'

/**
 * The modules in menu order, with the name of each in the sidebar, and the pages of each in the
 * order of their declaration.
 */
export const sections: readonly (Section & { pages: readonly Page[] })[] = Object.values(files)
  .flatMap(file => {
    const pages = Object.values(file)
      .filter(value => isPage(value))
      .sort((a, b) => a.order - b.order)
    return file['section'] === undefined ? [] : [{ ...(file['section'] as Section), pages }]
  })
  .sort((a, b) => a.place - b.place)
/**
 * Every page inside the workbench: few words each, known before anything else is fetched. What is
 * done on them comes with the page, or with commands/index.ts.
 */
export const pages: readonly Page[] = sections.flatMap(section => section.pages)
const made: ReadonlyMap<Page, Action> = new Map(
  pages.flatMap(page => (page.object ? [[page, historyAction(page)] as const] : [])),
)
/** "Who changed this" of every page whose rows are objects of the operation log. */
export const histories: readonly Action[] = [...made.values()]
export const historyFrom = (page: Page): Action | undefined => made.get(page)

/** What else a file exports, such as a question that several actions ask, is passed over. */
const commandsIn = (of: object): Command[] =>
  Object.values(of).flatMap((value: unknown) => {
    if (isPage(value) || isAction(value)) return [value]
    return isObject(value) && !('kind' in value) ? commandsIn(value) : []
  })
/** The finders of records that something holds. */
export const findersOf = (of: object): RecordFinder[] =>
  Object.values(of).flatMap((value: unknown) => {
    if (!isObject(value)) return []
    if ('kind' in value) return value.kind === 'finder' ? [value as RecordFinder] : []
    return findersOf(value)
  })
/**
 * The pages and actions that something holds, such as what a file exports, in the order of their
 * declaration.
 */
export const commandsOf = (of: object): Command[] =>
  commandsIn(of).sort((a, b) => a.order - b.order)
