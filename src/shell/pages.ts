import { createElement, type ComponentType } from 'react'
import { loadable } from '#src/kit/loadable.tsx'
import { Loading } from '#src/kit/loading.tsx'

type PageFile = { default: ComponentType }
const files = import.meta.glob<PageFile>('../modules/**/pages/**/*.tsx')

/**
 * The file of a page below `src/modules/`: `/manage/audit/product/detail` →
 * `audit/pages/product/detail.tsx`; a `:id` is `[id]`.
 */
export const fileOf = (page: { path: string; file?: string }): string => {
  if (page.file) return page.file
  const [module = 'home', ...rest] = page.path.split('/').slice(2)
  return `${module}/pages/${rest.map(part => part.replace(/^:(.*)/, '[$1]')).join('/') || 'index'}.tsx`
}
const components = new Map<string, ReturnType<typeof loadable>>()
/**
 * The component of a page's file, with what can be done on it, or nothing when there is no such
 * file.
 */
export const componentOf = (file: string) => {
  const load = files[`../modules/${file}`]
  if (load && !components.has(file))
    components.set(
      file,
      loadable(async () => {
        // The registry is the workbench's, which whoever signs in does not wait for.
        const [page] = await Promise.all([
          load(),
          import('./registry.ts').then(({ actionsShown, everything }) =>
            // The help tells the keys of all modules.
            file.startsWith('help/') ? everything() : actionsShown(of => fileOf(of) === file),
          ),
        ])
        return page.default
      }, createElement(Loading)),
    )
  return components.get(file)
}
