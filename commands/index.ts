import type { Action, Command, Page, RecordFinder } from './command.ts'
import { commandsOf, findersOf, histories, sections } from './contents.ts'
import * as home from './home.ts'
import * as list from './list.ts'
import * as screenPages from './pages/session.ts'
import * as session from './session.ts'
import * as shell from './shell.ts'

/** The actions of the modules: a folder each. */
const files = import.meta.glob<object>('./*/*.ts', { eager: true })

/** What is declared for a module: its own folder; the workbench's home is the shell's. */
const actionsOf = (key: string): object =>
  key === 'home'
    ? { home, publish: list.listPublishView }
    : Object.entries(files)
        .filter(([path]) => path.startsWith(`./${key}/`))
        .map(([, file]) => file)

/** The modules in menu order, with everything that is declared in each. */
export const modules = sections.map(({ key, title, en, pages }) => ({
  key,
  title,
  en,
  commands: [pages, actionsOf(key)] as const,
}))

/** Everything inside the workbench. */
export const all: readonly Command[] = [
  ...new Set([
    ...modules.flatMap(module => commandsOf(module.commands)),
    ...histories,
    ...commandsOf(list),
    ...commandsOf(shell),
  ]),
]
export const pages: readonly Page[] = all.filter(command => command.kind === 'page')
export const actions: readonly Action[] = all.filter(command => command.kind === 'action')
/** How the record of each page of one is found. */
export const finders: readonly RecordFinder[] = Object.values(files).flatMap(findersOf)
/** The screens outside it, with what can be done there. */
export const screens: readonly Command[] = commandsOf([screenPages, session])
