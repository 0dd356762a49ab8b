import { glossary } from '#src/areas/workbench/glossary.ts'
import { componentOf, fileOf } from '#src/shell/pages.ts'
import { actionsOf, everything, pageAt } from '#src/shell/registry.ts'
import { pages } from '../e2e/registry.ts'

const PATH = '/manage/kiosk/machine'

// The palette looks among all that can be done.
await everything()
const page = pageAt(PATH)!
/** What the browser, and the sweep of its pages, have of the planted page. */
export const found = {
  title: page.title,
  file: componentOf(fileOf(page)) !== undefined,
  actions: actionsOf(page).map(action => action.id),
  terms: glossary.filter(term => term.at === PATH).map(term => term.id),
  sweep: pages.map(each => each.path),
}
