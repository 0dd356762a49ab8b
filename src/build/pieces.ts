import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What the bundler knows of the console's files. */
export type Graph = {
  getModuleInfo: (id: string) => {
    importedIds: readonly string[]
    dynamicImporters: readonly string[]
    code: string | null
  } | null
}
/** A file and all that it needs at once. */
const reachOf = (from: string, graph: Graph): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (id: string) => {
    if (!found.has(id)) {
      found.add(id)
      for (const one of graph.getModuleInfo(id)?.importedIds ?? []) add(one)
    }
  }
  add(from)
  return found
}

/** Pages that need a file at once: how many, and of which modules. */
type Needed = { pages: number; modules: ReadonlySet<string> }
/** What is needed, by file; and how many pages there are, in all and by module. */
type Needs = {
  of: ReadonlyMap<string, Needed>
  pages: number
  pagesOf: ReadonlyMap<string, number>
}
/** Modules whose one page shows parts of all others: what it needs says nothing of its neighbours. */
const GUESTS = ['home', 'help']
const inPages = /\/src\/modules\/([\w-]+)\/pages\/.*\.tsx$/
const needsOf = (pages: readonly string[], graph: Graph): Needs => {
  const of = new Map<string, { pages: number; modules: Set<string> }>()
  const pagesOf = new Map<string, number>()
  for (const page of pages) {
    const module = inPages.exec(page)![1]!
    pagesOf.set(module, (pagesOf.get(module) ?? 0) + 1)
    for (const id of reachOf(page, graph)) {
      const needed = of.get(id) ?? { pages: 0, modules: new Set() }
      of.set(id, needed)
      needed.pages++
      if (!GUESTS.includes(module)) needed.modules.add(module)
    }
  }
  return { of, pages: pages.length, pagesOf }
}

/**
 * All pages are sent the files that such a part of them needs; pages of a module, those that such a
 * part of its own needs.
 */
const COMMON = { pages: 1 / 3, inModule: 1 / 4 }
/** How many signs a file may have to be sent to pages that may not need it, before it is packed. */
const SMALL = 5_000
const inCommands = /\/(?:commands|domain|areas|contract)(?:\/|\.ts)/
const isLibrary = (id: string): boolean => id.includes('/node_modules/')

/**
 * The files that the entry fetches: the workbench, and the map that knows the file of each page. The
 * map and what it needs is a piece of its own, as a page is asked for beside the workbench and not
 * after it.
 */
type Fetched = { workbench: string; map: string }
/** Knows the piece of each file of one graph. */
class Pieces {
  readonly #graph: Graph
  readonly #workbench: ReadonlySet<string>
  readonly #map: ReadonlySet<string>
  readonly #needs: Needs
  constructor(graph: Graph, { workbench, map }: Fetched, pages: readonly string[]) {
    this.#graph = graph
    this.#workbench = reachOf(workbench, graph)
    this.#map = reachOf(map, graph)
    this.#needs = needsOf(pages, graph)
  }
  of(id: string): string | null {
    if (this.#map.has(id)) return 'map'
    if (this.#workbench.has(id)) {
      if (isLibrary(id)) return 'libraries'
      return inCommands.test(id) ? 'commands' : 'workbench'
    }
    const needed = this.#needs.of.get(id)
    if (!needed) return null
    if (needed.pages >= this.#needs.pages * COMMON.pages) return 'pages'
    const [module, ...others] = [...needed.modules].sort()
    if (isLibrary(id) || module === undefined) return null
    return others.length > 0 ? [module, ...others].join('-') : this.#inModule(id, needed, module)
  }
  /** A module's actions and calls come with the first of its pages, and so does what many of them need. */
  #inModule(id: string, { pages }: Needed, module: string): string | null {
    const isUsual = pages >= 2 && pages >= this.#needs.pagesOf.get(module)! * COMMON.inModule
    return isUsual || inCommands.test(id) || this.#isLight(id) ? `commands-${module}` : null
  }
  /** True of a small file that needs none but small ones and what the workbench has anyway. */
  #isLight(id: string): boolean {
    return [...reachOf(id, this.#graph)].every(
      one => this.#workbench.has(one) || this.#isSmall(one),
    )
  }
  #isSmall(id: string): boolean {
    return !isLibrary(id) && (this.#graph.getModuleInfo(id)?.code ?? '').length < SMALL
  }
}

/**
 * Names the piece that a file of the console is built into, and null where the bundler may choose.
 * What always travels together travels in few pieces: a hundred small ones pack worse, and each is
 * a request. What a file needs is needed by as many pages as it and more, so that no piece needs
 * one of fewer pages. `candidates` are the files that may be pages.
 */
export const piecesOf = (
  fetched: Fetched,
  candidates: readonly string[],
): ((id: string, graph: Graph) => string | null) => {
  let pieces: Pieces | undefined
  return (id, graph) => {
    pieces ??= new Pieces(
      graph,
      fetched,
      candidates.filter(one => inPages.test(one) && isFetched(one, graph)),
    )
    return pieces.of(id)
  }
}
/** A page is fetched when somebody comes; a part that lies beside it is not. */
const isFetched = (id: string, graph: Graph): boolean =>
  (graph.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0
/** Every file of the modules. */
export const filesOfModules = (root: string): string[] =>
  readdirSync(join(root, 'src/modules'), { recursive: true, withFileTypes: true }).map(entry =>
    join(entry.parentPath, entry.name),
  )
