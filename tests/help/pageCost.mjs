// `node tests/help/pageCost.mjs [page …]`: what each page costs, in lines of its own files as they are
// formatted. A file, or a declaration of `commands/`, is a page's own when no other page needs it;
// what several need is nobody's cost.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const filesBelow = folder =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
const text = file => readFileSync(join(root, file), 'utf8')
const linesOf = code => code.split('\n').length - (code.endsWith('\n') ? 1 : 0)

/** The names that a piece of code refers to; a key of an object refers to nothing. */
const namesIn = node => {
  if (Array.isArray(node)) return node.flatMap(namesIn)
  if (!node || typeof node !== 'object') return []
  if (node.type === 'Identifier') return [node.name]
  return Object.entries(node).flatMap(([key, value]) =>
    (key === 'key' || key === 'property') && !node.computed ? [] : namesIn(value),
  )
}
const fileOf = (from, source) => {
  if (!/^[#.]/.test(source)) return undefined
  const path = source.startsWith('#') ? source.slice(1) : join(dirname(from), source)
  return existsSync(join(root, path)) ? path : undefined
}
const programs = new Map()
const programOf = file => {
  if (!programs.has(file)) programs.set(file, parseSync(file, text(file)).program)
  return programs.get(file)
}
/** The files that a file imports, by path. */
const importsOf = file =>
  file.endsWith('.css')
    ? []
    : programOf(file).body.flatMap(({ source }) => (source && fileOf(file, source.value)) || [])

/** Every page by its name: its address and its file. */
const pages = filesBelow('commands/pages').flatMap(file =>
  programOf(file).body.flatMap(({ type, declaration, start, end }) => {
    const made = type === 'ExportNamedDeclaration' ? declaration?.declarations?.[0] : undefined
    if (made?.init?.callee?.name !== 'page') return []
    const [address, , , more] = made.init.arguments
    const own = more?.properties?.find(one => one.key.name === 'file')?.value.value
    const path = own ?? address.value.replace('/manage/', '').replaceAll(/:(\w+)/g, '[$1]')
    const found = [`src/modules/${path}.tsx`, `src/modules/${path}/index.tsx`]
    const [module, ...rest] = path.split('/')
    const at = [
      `src/modules/${module}/pages/${rest.join('/') || 'index'}.tsx`,
      `src/modules/${module}/pages/${rest.join('/')}/index.tsx`,
      `src/modules/${module}/pages/${path}.tsx`,
      ...found,
    ].find(one => existsSync(join(root, one)))
    return at
      ? [
          {
            name: `${file.slice(15, -3)}.${made.id.name}`,
            in: file,
            called: made.id.name,
            file: at,
            lines: linesOf(text(file).slice(start, end)),
          },
        ]
      : []
  }),
)

/** For each of some things, the pages that need it. */
const needed = () => {
  const by = new Map()
  return {
    by,
    add: (thing, page) => by.set(thing, (by.get(thing) ?? new Set()).add(page)),
  }
}
const isOwnable = file =>
  /^src\/modules\/[^/]+\/(pages|parts|contract|server|[\w]+\.css)/.test(file)
const isContract = file => /^src\/modules\/[^/]+\/contract/.test(file)

// Pages, their parts, their styles and their contracts: what the page's file reaches.
const reached = needed()
for (const page of pages) {
  const seen = new Set()
  const go = file => {
    if (seen.has(file) || !isOwnable(file)) return
    seen.add(file)
    reached.add(file, page)
    // What a contract imports of another one is that one's.
    if (!isContract(file)) importsOf(file).forEach(go)
  }
  go(page.file)
}
// A contract that bears a page's name is that page's, though others ask a call of it.
for (const page of pages) {
  const contract = page.file.replace('/pages/', '/contract/').replace(/\.tsx$/, '.ts')
  if (reached.by.has(contract)) reached.by.set(contract, new Set([page]))
}
// The server's files: those that import a page's contract, and what they alone import.
const serverFiles = filesBelow('src/modules').filter(file => /\/server(\.ts|\/)/.test(file))
const joins = file => serverFiles.filter(one => importsOf(file).includes(one)).length > 5
for (const file of serverFiles.filter(one => !joins(one))) {
  const pagesOf = new Set(
    importsOf(file)
      .filter(isContract)
      .flatMap(one => [...(reached.by.get(one) ?? [])]),
  )
  const seen = new Set()
  const go = one => {
    if (seen.has(one) || !serverFiles.includes(one) || joins(one)) return
    seen.add(one)
    for (const page of pagesOf) reached.add(one, page)
    importsOf(one).forEach(go)
  }
  go(file)
}

/** The top-level declarations of a file of `commands/`, with the names that each needs. */
const declarationsOf = file => {
  const { body } = programOf(file)
  const code = text(file)
  let before = 0
  return body.flatMap(statement => {
    const from = before
    before = statement.end
    const declared = statement.declaration ?? statement
    if (statement.type === 'ImportDeclaration') return []
    const names = (declared.declarations ?? [declared]).flatMap(one => one.id?.name ?? [])
    const uses = new Set(namesIn(statement))
    // With the comment above it.
    return [{ names, uses, lines: linesOf(code.slice(from, statement.end).trim()) }]
  })
}
// Commands: a declaration that comes to name a page is that page's, and so is what only it needs.
const slices = needed()
const commandFiles = filesBelow('commands').filter(file => !file.startsWith('commands/pages/'))
/** The pages that a file imports, by the names it has for them. */
const pagesIn = file => {
  const imported = programOf(file).body.flatMap(({ type, source, specifiers }) => {
    const from = type === 'ImportDeclaration' && fileOf(file, source.value)
    return from ? specifiers.map(one => ({ from, one })) : []
  })
  return imported.flatMap(({ from, one: { imported: called, local } }) =>
    pages
      .filter(page => page.in === from && page.called === (called?.name ?? local.name))
      .map(page => [local.name, page]),
  )
}
for (const file of commandFiles) {
  const local = pagesIn(file)
  const all = declarationsOf(file)
  for (const declaration of all) {
    const seen = new Set()
    const go = one => {
      if (seen.has(one)) return
      seen.add(one)
      all.filter(other => other.names.some(name => one.uses.has(name))).forEach(go)
    }
    go(declaration)
    const of = local.filter(([name]) => [...seen].some(one => one.uses.has(name)))
    for (const [, page] of of) seen.forEach(one => slices.add(one, page))
  }
}

const own = (by, page) =>
  [...by].filter(([, of]) => of.size === 1 && of.has(page)).map(([of]) => of)
const sum = numbers => numbers.reduce((all, one) => all + one, 0)
const table = pages.map(page => {
  const files = own(reached.by, page)
  const count = test => sum(files.filter(test).map(file => linesOf(text(file))))
  const row = {
    page: page.name,
    contract: count(isContract),
    server: count(file => serverFiles.includes(file)),
    commands: page.lines + sum(own(slices.by, page).map(one => one.lines)),
    page_file: count(file => file.includes('/pages/')),
    parts: count(file => !/\/(pages|contract|server)(\/|\.ts)/.test(file)),
  }
  const { page: _, ...parts } = row
  return { ...row, all: sum(Object.values(parts)) }
})
const asked = process.argv.slice(2)
console.log(
  [
    'page'.padEnd(26),
    ...['contract', 'server', 'commands', 'page', 'parts', 'all'].map(name => name.padStart(9)),
  ].join(''),
)
for (const { page, ...row } of table
  .filter(
    row =>
      asked.length === 0 || asked.some(name => row.page === name || row.page.endsWith(`.${name}`)),
  )
  .sort((a, b) => b.all - a.all))
  console.log([page.padEnd(26), ...Object.values(row).map(n => String(n).padStart(9))].join(''))
