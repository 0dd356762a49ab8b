import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

type Edge = {
  from: string
  raw: string
  to?: string
  typeOnly: boolean
  /** Fetched when it is wanted. */ later?: boolean
}
type Source = { file: string; text: string }

const sources = (): Source[] =>
  ['commands', 'src']
    .flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
    )
    .filter(file => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map(file => ({ file, text: readFileSync(file, 'utf8') }))
const resolve = (from: string, to: string): string | undefined => {
  if (to.startsWith('#src/')) return `src/${to.slice(5)}`
  if (to.startsWith('#commands/')) return `commands/${to.slice(10)}`
  return to.startsWith('.') ? normalize(join(dirname(from), to)) : undefined
}
const edge = (from: string, raw: string, typeOnly: boolean): Edge => {
  const to = resolve(from, raw)
  return { from, raw, typeOnly, ...(to === undefined ? {} : { to }) }
}

/** Every import, export-from and `import()` of some files. */
const edgesOf = (files: readonly Source[]): Edge[] =>
  files.flatMap(({ file, text }) => {
    const { module, errors } = parseSync(file, text)
    if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
    return [
      ...module.staticImports.map(one =>
        edge(
          file,
          one.moduleRequest.value,
          one.entries.length > 0 && one.entries.every(entry => entry.isType),
        ),
      ),
      ...module.staticExports.flatMap(one =>
        one.entries.flatMap(entry =>
          entry.moduleRequest ? [edge(file, entry.moduleRequest.value, entry.isType)] : [],
        ),
      ),
      ...module.dynamicImports.flatMap(one => {
        const raw = /^['"`](.+)['"`]$/.exec(
          text.slice(one.moduleRequest.start, one.moduleRequest.end),
        )?.[1]
        return raw ? [{ ...edge(file, raw, false), later: true }] : []
      }),
    ]
  })

/** `own` stands for the module of the file that imports. */
type Rule = { name: string; of: RegExp; may: (from: string) => RegExp; packages: RegExp }
const any = /./
const none = /^$/
const moduleOf = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1] ?? '-'
/** What the trade knows, for both sides: the shared ground and the facts of every area. */
const FACTS = 'src/(domain/|areas/[^/]+/[\\w-]+\\.ts$)'
/** Files of an area that only a server reads say so by their second name. */
const SERVER_FILE = 'areas/[^/]+/[\\w-]+\\.(?:table|server|channel|demo)\\.ts$'
const CONTRACTS = 'src/modules/[^/]+/contract\\b'
const matching = (...patterns: string[]) => new RegExp(`^(?:${patterns.join('|')})`)
const onServer = () => matching('src/(server|areas|contract|domain)/', CONTRACTS, 'commands/')
const noBrowser = /^(?!react|@blueprintjs|cmdk|wouter|@reduxjs)/
const rules: readonly Rule[] = [
  {
    name: 'domain',
    of: /^src\/domain\//,
    may: () => /^src\/domain\//,
    // A calendar is a library's to know.
    packages: /^dayjs($|\/)/,
  },
  {
    name: 'facts of an area',
    of: matching('src/areas/[^/]+/[\\w-]+\\.ts$'),
    may: () => matching(FACTS),
    packages: none,
  },
  {
    name: 'server files of an area',
    of: matching(`src/${SERVER_FILE}`),
    may: onServer,
    packages: noBrowser,
  },
  {
    name: 'contract',
    of: /^src\/contract\//,
    may: () => matching('src/contract/', FACTS),
    packages: /^zod$/,
  },
  {
    name: 'modules/*/contract',
    of: /^src\/modules\/[^/]+\/contract\b/,
    may: () => matching('src/contract/', FACTS, CONTRACTS),
    packages: /^zod$/,
  },
  {
    name: 'commands',
    of: /^commands\//,
    may: () => matching('commands/', 'src/contract/', FACTS, CONTRACTS),
    packages: /^zod$/,
  },
  {
    name: 'modules/*/server',
    of: /^src\/modules\/[^/]+\/server\b/,
    may: from =>
      matching(
        'src/(contract|domain|areas|server)/',
        `src/modules/${moduleOf(from)}/(contract|server)\\b`,
        // To say where a page is.
        'commands/(command\\.ts|pages/)',
      ),
    packages: any,
  },
  {
    name: 'server',
    of: /^src\/server\//,
    may: onServer,
    packages: noBrowser,
  },
  {
    name: 'kit',
    of: /^src\/kit\//,
    may: () => matching('src/(kit|contract)/', FACTS, 'commands/(command|list)\\.ts$'),
    packages: /^(?!node:|fastify|pg|drizzle|vite)/,
  },
  {
    name: 'modules/*/pages and parts',
    of: /^src\/modules\/[^/]+\/(pages|parts)\//,
    may: from =>
      matching(
        'src/(kit|contract)/',
        FACTS,
        `src/modules/${moduleOf(from)}/parts/`,
        CONTRACTS,
        'commands/(?!(?:index|contents)\\.ts)',
      ),
    packages: /^(?!node:|fastify|pg$|drizzle|vite|react-mosaic|cmdk|react-hotkeys)/,
  },
  {
    name: 'gallery',
    of: /^src\/gallery\//,
    may: () => matching('src/(gallery|kit|contract)/', FACTS, 'commands/(command|list)\\.ts$'),
    packages: /^(?!node:|fastify|pg$|drizzle)/,
  },
  {
    name: 'shell',
    of: /^src\/shell\//,
    may: () => matching('src/(shell|kit|contract)/', FACTS, CONTRACTS, 'commands/'),
    packages: /^(?!node:|fastify|pg$|drizzle)/,
  },
]
const breaks = (edges: readonly Edge[]): string[] =>
  edges.flatMap(one => {
    const rule = rules.find(({ of }) => of.test(one.from))
    if (!rule) return []
    const fits =
      one.to === undefined
        ? rule.packages.test(one.raw)
        : rule.may(one.from).test(one.to) ||
          (one.to.endsWith('.css') && dirname(one.to).startsWith('src/'))
    return fits ? [] : [`${rule.name}: ${one.from} → ${one.raw}`]
  })
/** Only the shell, the server's menu and lists of the registry may take all commands at once. */
const takesAll = (edges: readonly Edge[]) =>
  edges
    .filter(
      one =>
        one.to === 'commands/index.ts' &&
        !/^src\/shell\/|^src\/areas\/people\/(?:menu|permits)\.server\.ts$|^src\/list-commands\.ts$|^src\/serve\.ts$|^commands\//.test(
          one.from,
        ),
    )
    .map(one => one.from)
const cycles = (edges: readonly Edge[]): string[][] => {
  const next = new Map<string, string[]>()
  for (const { from, to, typeOnly } of edges)
    if (to && !typeOnly) next.set(from, [...(next.get(from) ?? []), to])
  const found: string[][] = []
  const done = new Set<string>()
  const walk = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file)
    if (at >= 0) {
      found.push([...way.slice(at), file])
      return
    }
    if (done.has(file)) return
    for (const to of next.get(file) ?? []) walk(to, [...way, file])
    done.add(file)
  }
  for (const file of next.keys()) walk(file, [])
  return found
}
/** All that a file is made of before anything is fetched. */
const madeOf = (edges: readonly Edge[], file: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (one: string) => {
    if (!found.has(one)) {
      found.add(one)
      for (const { from, to, typeOnly, later } of edges)
        if (from === one && to && !typeOnly && !later) add(to)
    }
  }
  add(file)
  return found
}
/** What is done on the modules' pages comes with them. */
const doneOnPages = /^commands\/(?:index\.ts$|(?!pages\/)[\w-]+\/)/
/** A file that only hands on what others export. */
const barrels = (files: readonly Source[]) =>
  files
    .filter(({ text }) => /\bexport\s*[*{]/.test(text))
    .filter(({ file, text }) => {
      const { body } = parseSync(file, text).program
      const handsOn = (one: (typeof body)[number]) =>
        one.type === 'ExportAllDeclaration' ||
        (one.type === 'ExportNamedDeclaration' && one.source !== null)
      return (
        body.some(handsOn) && body.every(one => handsOn(one) || one.type === 'ImportDeclaration')
      )
    })
    .map(({ file }) => file)
const defaults = (files: readonly Source[]) =>
  files
    .filter(
      ({ file, text }) =>
        /^export default\b/m.test(text) &&
        !/^src\/modules\/[^/]+\/(pages\/|server\b)|drizzle\.config\.ts$/.test(file),
    )
    .map(({ file }) => file)
const bareIcons = (files: readonly Source[]) =>
  files.filter(({ text }) => /\bicon=["'][a-z-]+["']/.test(text)).map(({ file }) => file)
const bannedNames = (files: readonly Source[]) =>
  files
    .filter(
      ({ file, text }) =>
        (file.endsWith('.tsx') || file.includes('/shell/')) &&
        (/import \{[^}]*\bPopover\b[^}]*\} from '@blueprintjs\/core'/.test(text) ||
          /import \{[^}]*\buseHotkeys\b[^}]*\} from '@blueprintjs\/core'/.test(text) ||
          /from '@blueprintjs\/icons\/[^']*(IconSvgPaths|allPaths)/.test(text)),
    )
    .map(({ file }) => file)

const files = sources()
const edges = edgesOf(files)

describe('the walk', () => {
  test('saw the code', () => {
    expect(files.length).toBeGreaterThan(60)
    expect(edges.length).toBeGreaterThan(300)
    expect(edges.filter(({ raw }) => raw.startsWith('#')).length).toBeGreaterThan(100)
    // Every layer has files, or its rule would hold of nothing.
    expect(
      rules
        .filter(({ of }) => !files.some(({ file }) => of.test(file)))
        .map(({ name }) => name)
        .filter(name => name !== 'modules/*/server'),
    ).toEqual([])
  })
  test('resolved every import to a file that is there', () => {
    expect(
      edges
        .filter(({ to }) => to !== undefined && !existsSync(to))
        .map(({ from, raw }) => `${from} → ${raw}`),
    ).toEqual([])
  })
})
describe('the house', () => {
  test('every folder imports only what it may', () => expect(breaks(edges)).toEqual([]))
  test('only the shell and the server take all commands', () => expect(takesAll(edges)).toEqual([]))
  test('the workbench begins without the actions of any module', () => {
    expect(
      [...madeOf(edges, 'src/shell/workbench.tsx')].filter(file => doneOnPages.test(file)),
    ).toEqual([])
    expect(
      [...madeOf(edges, 'src/modules/order/pages/bulks.tsx')].filter(file =>
        doneOnPages.test(file),
      ),
    ).toContain('commands/order/bulks.ts')
  })
  test('no import cycles', () => expect(cycles(edges)).toEqual([]))
  test('no barrels', () => expect(barrels(files)).toEqual([]))
  test('default exports are pages and servers', () => expect(defaults(files)).toEqual([]))
  test('icons are components', () => expect(bareIcons(files)).toEqual([]))
  test('no Popover and no useHotkeys of Blueprint', () => expect(bannedNames(files)).toEqual([]))
})
describe('each rule bites', () => {
  const planted = (file: string, raw: string) =>
    breaks(edgesOf([{ file, text: `import { x } from '${raw}'\n` }]))
  test.each([
    ['src/domain/x.ts', '#src/contract/call.ts'],
    ['src/domain/x.ts', '#src/areas/order/order.ts'],
    ['src/areas/order/x.ts', '#src/areas/order/trade.server.ts'],
    ['src/areas/order/x.ts', '#src/areas/order/order.table.ts'],
    ['src/areas/order/x.ts', 'zod'],
    ['src/areas/order/x.server.ts', '#src/kit/data.ts'],
    ['src/areas/order/x.table.ts', '#src/modules/order/server.ts'],
    ['src/contract/x.ts', '#src/areas/order/order.table.ts'],
    ['src/kit/x.tsx', '#src/areas/order/trade.server.ts'],
    ['src/modules/audit/pages/x.tsx', '#src/areas/audit/claiming.server.ts'],
    ['commands/x.ts', '#src/areas/audit/claiming.server.ts'],
    ['src/domain/x.ts', 'zod'],
    ['src/contract/x.ts', '#src/kit/data.ts'],
    ['src/contract/x.ts', 'react'],
    ['src/modules/audit/contract.ts', '#src/modules/audit/server.ts'],
    ['src/modules/audit/contract.ts', '#commands/audit/audit.ts'],
    ['commands/x.ts', '#src/kit/text.ts'],
    ['commands/x.ts', 'react'],
    ['commands/x.ts', '#src/modules/audit/pages/bulks.tsx'],
    ['src/server/x.ts', '#src/kit/text.ts'],
    ['src/server/x.ts', '#src/modules/audit/server.ts'],
    ['src/server/x.ts', 'react'],
    ['src/modules/audit/server.ts', '#src/modules/home/server.ts'],
    ['src/modules/audit/server.ts', '#src/kit/data.ts'],
    ['src/modules/audit/server.ts', '#commands/audit/audit.ts'],
    ['src/modules/audit/server.ts', '#commands/index.ts'],
    ['src/kit/x.tsx', '#src/shell/desk.ts'],
    ['src/kit/x.tsx', '#commands/audit/audit.ts'],
    ['src/kit/x.tsx', '#src/modules/audit/contract.ts'],
    ['src/kit/x.tsx', 'node:fs'],
    ['src/modules/audit/pages/x.tsx', '#src/shell/desk.ts'],
    ['src/modules/audit/pages/x.tsx', '#commands/index.ts'],
    ['src/modules/audit/pages/x.tsx', '#src/modules/home/parts/x.tsx'],
    ['src/modules/audit/pages/x.tsx', '#src/server/http/app.ts'],
    ['src/shell/x.tsx', '#src/server/http/app.ts'],
    ['src/shell/x.tsx', '#src/modules/audit/pages/bulks.tsx'],
    ['src/shell/x.tsx', 'fastify'],
    ['src/gallery/x.tsx', '#src/shell/desk.ts'],
    ['src/gallery/x.tsx', '#src/modules/audit/contract.ts'],
    ['src/gallery/x.tsx', '#commands/audit/audit.ts'],
    ['src/gallery/x.tsx', 'node:fs'],
    ['src/kit/x.tsx', '#src/gallery/stand.tsx'],
    ['src/shell/x.tsx', '#src/gallery/stand.tsx'],
    ['src/modules/audit/pages/x.tsx', '#src/gallery/stand.tsx'],
  ])('%s may not import %s', (file, raw) => expect(planted(file, raw)).toHaveLength(1))
  test('a dynamic import and an export-from count too', () => {
    expect(
      breaks(
        edgesOf([
          {
            file: 'src/domain/x.ts',
            text: "export const x = () => import('zod')\nexport { y } from '#src/kit/text.ts'\n",
          },
        ]),
      ),
    ).toHaveLength(2)
  })
  test('what is allowed is not refused', () => {
    expect(planted('src/modules/audit/pages/x.tsx', '#commands/audit/audit.ts')).toEqual([])
    expect(planted('src/kit/x.tsx', '#commands/command.ts')).toEqual([])
    expect(planted('src/modules/audit/server.ts', '#commands/pages/order.ts')).toEqual([])
  })
  test('a page that takes the table of contents', () =>
    expect(planted('src/modules/audit/pages/x.tsx', '#commands/contents.ts')).toHaveLength(1))
  test('all commands at once', () =>
    expect(
      takesAll(
        edgesOf([
          {
            file: 'src/modules/audit/pages/x.tsx',
            text: "import { all } from '#commands/index.ts'",
          },
        ]),
      ),
    ).toHaveLength(1))
  test('a cycle, and not one of types alone', () => {
    const two = (type: string) =>
      edgesOf([
        { file: 'src/kit/a.ts', text: "import { b } from './b.ts'" },
        { file: 'src/kit/b.ts', text: `import ${type}{ a } from './a.ts'` },
      ])
    expect(cycles(two(''))).toHaveLength(1)
    expect(cycles(two('type '))).toEqual([])
  })
  test('a barrel, a default export, a string icon, a banned part', () => {
    const plant = (text: string) => [{ file: 'src/kit/x.tsx', text }]
    expect(barrels(plant("export * from './a.ts'\nexport { b } from './b.ts'"))).toHaveLength(1)
    expect(defaults(plant('export default 1'))).toHaveLength(1)
    expect(bareIcons(plant('export const x = <Button icon="search" />'))).toHaveLength(1)
    expect(bannedNames(plant("import { Popover } from '@blueprintjs/core'"))).toHaveLength(1)
    expect(bannedNames(plant("import { PopoverNext } from '@blueprintjs/core'"))).toEqual([])
  })
})
