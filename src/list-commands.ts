import { all, screens } from '#commands/index.ts'

/** Prints the registry of pages and actions as JSON: `npm run -s commands`. */
const every = [...screens, ...all]
const pages = every.filter(command => command.kind === 'page')
const actions = every.filter(command => command.kind === 'action')
const listed = {
  pages: pages.map(({ path, title, en, menu, keepAlive, permit }) => ({ path, title, en, menu, keepAlive, permit })),
  actions: actions.map(({ id, title, en, key, at, also, permit, danger }) => ({ id, title, en, key, at: at.path, on: also?.map(page => page.path) ?? [], permit, danger: danger ?? false })),
}
process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
