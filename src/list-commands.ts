import { all, screens } from '#commands/index.ts'
import { takenBack } from '#commands/undo.ts'

/** Prints the registry of pages and actions as JSON: `npm run -s commands`. */
const every = [...screens, ...all]
const pages = every.filter(command => command.kind === 'page')
const actions = every.filter(command => command.kind === 'action')
const listed = {
  pages: pages.map(({ path, title, en, menu, keepAlive, permit }) => ({
    path,
    title,
    en,
    menu,
    keepAlive,
    permit,
  })),
  actions: actions.map(action => ({
    id: action.id,
    title: action.title,
    en: action.en,
    key: action.key,
    at: action.at.path,
    on: action.also?.map(page => page.path) ?? [],
    permit: action.permit,
    danger: action.danger ?? false,
    taken_back: takenBack(action),
  })),
}
process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
