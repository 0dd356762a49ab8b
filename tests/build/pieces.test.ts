import { expect, test } from 'vitest'
import { piecesOf, type Graph } from '#src/build/pieces.ts'

const WORKBENCH = '/src/shell/workbench.tsx'
const MAP = '/src/shell/pages.ts'
const pageOf = (module: string, name = 'index') => `/src/modules/${module}/pages/${name}.tsx`
/** A console of files and what each needs at once; pages are the files in folders of pages. */
const piecesIn = (needs: Record<string, readonly string[]>, large: readonly string[] = []) => {
  const graph: Graph = {
    getModuleInfo: id => ({
      importedIds: needs[id] ?? [],
      dynamicImporters: id.includes('/pages/') ? ['/src/shell/router.tsx'] : [],
      code: large.includes(id) ? 'x'.repeat(9000) : 'x',
    }),
  }
  const piece = piecesOf({ workbench: WORKBENCH, map: MAP }, Object.keys(needs))
  return (id: string) => piece(id, graph)
}
/** Twelve modules of a page each, which need nothing more. */
const MODULES = Array.from({ length: 12 }, (_, n) => `m${n}`)
const bare = Object.fromEntries(MODULES.map(module => [pageOf(module), [] as string[]]))

test('what the workbench needs comes with it, apart by libraries and facts', () => {
  const piece = piecesIn({
    [WORKBENCH]: ['/node_modules/react/index.js', '/src/domain/time.ts', '/src/kit/text.ts'],
  })
  expect(piece('/node_modules/react/index.js')).toBe('libraries')
  expect(piece('/src/domain/time.ts')).toBe('commands')
  expect(piece('/src/kit/text.ts')).toBe('workbench')
})
test('what a third of all pages needs comes with the first page, libraries too', () => {
  const shared = ['/src/kit/list.tsx', '/node_modules/virtual/index.js']
  const piece = piecesIn(
    { ...bare, ...Object.fromEntries(MODULES.slice(0, 4).map(one => [pageOf(one), shared])) },
    shared,
  )
  expect(shared.map(piece)).toEqual(['pages', 'pages'])
})
test('what fewer need is named by their modules; a library of few is left to the bundler', () => {
  const shared = ['/src/kit/map.tsx', '/node_modules/map/index.js']
  const piece = piecesIn({ ...bare, [pageOf('m2')]: shared, [pageOf('m1')]: shared }, shared)
  expect(shared.map(piece)).toEqual(['m1-m2', null])
})
test('the map of pages is a piece of its own, though the workbench needs it', () => {
  const needed = '/src/kit/loading.tsx'
  const piece = piecesIn({ [WORKBENCH]: [MAP, '/src/kit/text.ts'], [MAP]: [needed] })
  expect([MAP, needed, '/src/kit/text.ts'].map(piece)).toEqual(['map', 'map', 'workbench'])
})
test('actions and calls of a module are one piece; a large part of one of its pages is left alone', () => {
  const others = Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [pageOf('m1', `other${n}`), [] as string[]]),
  )
  const needed = ['/commands/m1/close.ts', '/src/modules/m1/parts/editor.tsx']
  const piece = piecesIn({ ...bare, ...others, [pageOf('m1')]: needed }, needed)
  expect(needed.map(piece)).toEqual(['commands-m1', null])
})
test('a page that shows parts of all modules makes nothing theirs', () => {
  const part = '/src/modules/m1/contract/close.ts'
  const piece = piecesIn({ ...bare, [pageOf('m1')]: [part], [pageOf('home')]: [part] }, [part])
  expect(piece(part)).toBe('commands-m1')
  expect(piece(pageOf('home'))).toBeNull()
})
