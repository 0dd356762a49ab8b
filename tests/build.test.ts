import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { slimContract } from '#src/build/slimContract.ts'
import { cycleIn, largeIcons, neededBy, unusedParts } from '../vite.config.ts'

const slim = (code: string, file = 'commands/vip/members.ts') =>
  slimContract(code, text => parseSync(file, text).program, file)

test('the browser gets a contract without the shapes that only the server checks', () => {
  const code = slim(`export const audit = {
    lst: read('audit/lst', ['审核', 'Audit'], { input: z.object({ page: z.int() }), output: listOf(row), touches: ['audit'], scope: placed('audit_task'), permit: 'audit.view' }),
    pass: write('audit/pass', ['通过', 'Pass'], { input: z.object({ id }), output: z.object({ output: id }), touches: ['audit'], permit: 'audit.pass', undo: { call: () => audit.lst, input: done => ({ id: done.id }), seconds: 5 } }),
  }`)
  expect(code).toContain(
    "input: z.object({ page: z.int() }), output: {}, touches: ['audit'], scope: {}, permit",
  )
  expect(code).toContain(
    "{ input: {}, output: {}, touches: ['audit'], permit: 'audit.pass', undo: { call: () => audit.lst, input: done => ({ id: done.id }), seconds: 5 } }",
  )
})
test('so it does of the calls that most records have, where a shape goes by its own name too', () => {
  const code = slim(`export const link = {
    lst: lists('link/lst', ['链接', 'Links'], { filters, row: linkRow, answer: { gaps: z.int() }, touches }),
    edit: changes('link/edit', ['编辑', 'Edit'], { fields, touches }),
    export: startsExport('link/export', ['导出', 'Export'], { filters }),
  }`)
  expect(code).toContain('{ filters, row: {}, answer: {}, touches }')
  expect(code).toContain('{ fields: {}, touches }')
  expect(code).toContain('{ filters: {} }')
})
test('so it does of the calls that a page makes together', () => {
  const code = slim(`const call = callsOf('link', { touches: ['link'], rows: 'link' })
  export const link = {
    lst: call.lists('lst', ['链接', 'Links'], { filters, row: linkRow }),
    edit: call.changes('edit', ['编辑', 'Edit'], { fields }),
    uses: call.read('uses', ['引用', 'Uses'], { input: z.object({ id }), output: listOf(use) }),
  }`)
  expect(code).toContain('{ filters, row: {} }')
  expect(code).toContain('{ fields: {} }')
  expect(code).toContain('{ input: z.object({ id }), output: {} }')
})
test('shapes of its own are marked as good to leave out; functions, texts and numbers stay as they are', () => {
  expect(
    slim(
      'export const row = z.object({ id })\nconst most = 5\nexport const of = id => id\nconst same = { ...page }',
    ),
  ).toBe(
    'export const row = /* @__PURE__ */ (() => (z.object({ id })))()\nconst most = 5\nexport const of = id => id\nconst same = /* @__PURE__ */ (() => ({ ...page }))()',
  )
})
test('an action keeps of the shape of its rows the name, which tells it from all others', () => {
  const imports = `import { memberRow as of } from '#src/modules/vip/contract/index.ts'
  import { orderRow } from '../order/shared.ts'
  const own = z.object({ id })
  `
  const text = slim(`${imports}
  const a = action(calls.pass, { title: '通过', on: of, takes: 'row' })
  const b = action(calls.pass, { on: z.object({ id }) })
  const c = rowActions(at, orderRow)
  const d = { on: own, more: { on: row(calls.on) } }
  called(of, row => row.nickname)`)
  expect(text).toContain(`{ title: '通过', on: "vip/index:memberRow", takes: 'row' }`)
  expect(text).toContain('{ on: {} }')
  expect(text).toContain('rowActions(at, "commands/order/shared:orderRow")')
  expect(text).toContain('{ on: "commands/vip/members:own", more: { on: row(calls.on) } }')
  expect(text).toContain('called("vip/index:memberRow", row')
})
test('what a function of actions was given as their rows is passed on', () => {
  const code = 'export const rowActions = (at, on) => action(does, { at, on, takes: "row" })'
  expect(slim(code)).toBe(code)
})
test('rows that are called by a name of their own are rows of an action', () => {
  const root = join(import.meta.dirname, '..')
  const texts = readdirSync(join(root, 'commands'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => {
      const path = `commands/${file.replaceAll('\\', '/')}`
      return slim(readFileSync(join(root, path), 'utf8'), path)
    })
  const found = (pattern: RegExp) =>
    texts.flatMap(text => [...text.matchAll(pattern)].map(([, name]) => name!))
  const acted = found(/\b(?:on: |rowActions(?:<\w+>)?\(\w+, )"([^"]+)"/g)
  const called = found(/\bcalled\("([^"]+)"/g)
  expect(called.length).toBeGreaterThan(25)
  expect(called.filter(name => !acted.includes(name))).toEqual([])
})

test('no part of Blueprint is used whose styles the build leaves out', () => {
  const src = join(import.meta.dirname, '../src')
  const text = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(?:tsx?|css)$/.test(file))
    .map(file => readFileSync(join(src, file), 'utf8'))
    .join('\n')
  const imported = [
    ...text.matchAll(/import (?:type )?\{([^}]*)\} from '@blueprintjs\/core'/g),
  ].flatMap(([, names]) => names!.split(',').map(name => name.trim().replace(/^type /, '')))
  expect(imported).toContain('Button')
  const parts = unusedParts.map(part => part.replaceAll('-', ''))
  expect(imported.filter(name => parts.some(part => name.toLowerCase().includes(part)))).toEqual([])
  expect(unusedParts.filter(part => text.includes(`bp6-${part}`))).toEqual([])
})
test('an icon that is drawn large keeps its shape for that', () => {
  const src = join(import.meta.dirname, '../src')
  const drawnLarge = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.tsx'))
    .flatMap(file => {
      const text = readFileSync(join(src, file), 'utf8')
      const [, names = ''] =
        /import \{([^}]*)\} from '@blueprintjs\/icons'/.exec(text) ?? ([] as string[])
      const icons = names.split(',').map(name => name.trim())
      // A page that chooses its icon while it draws calls it Icon.
      return [...text.matchAll(/<(\w+)[^>]*?\bsize=\{(\d+)\}/g)]
        .filter(([, , size]) => Number(size) >= 20)
        .flatMap(([, name]) => (name === 'Icon' ? [file] : icons.filter(icon => icon === name)))
    })
  expect([...new Set(drawnLarge)].sort()).toEqual([
    'Document',
    'Video',
    'modules/customer/parts/materialLooks.tsx',
  ])
  expect(largeIcons).toEqual(expect.arrayContaining(['video', 'document']))
})
test('of the table only what needs none of those styles is used, and it comes when a grid is opened', () => {
  const src = join(import.meta.dirname, '../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file =>
    /\.tsx?$/.test(file),
  )
  const textOf = (file: string) => readFileSync(join(src, file), 'utf8')
  const users = files.filter(file => textOf(file).includes('@blueprintjs/table'))
  expect(users).toEqual(['kit/grid-table.tsx'])
  const [imports] = /import \{[^}]*\} from '@blueprintjs\/table'/.exec(textOf(users[0]!))!
  expect(imports).toContain('Table')
  // Its cells and names that are edited are drawn as editable text, whose styles are left out.
  expect(imports).not.toMatch(/Editable/)
  // Whatever imports the table, or what imports that, is fetched: no page has it at once.
  const needs = (name: string) =>
    files.filter(file =>
      new RegExp(`^import (?!type ).* from '\\./${name}'`, 'm').test(textOf(file)),
    )
  expect(needs('grid-table\\.tsx').every(file => file === 'kit/grid-sheet.tsx')).toBe(true)
  expect(needs('grid-sheet\\.tsx')).toEqual([])
})
test('pieces that need each other are found, and others are not', () => {
  const needs = (of: Record<string, string[]>) => cycleIn(new Map(Object.entries(of)))
  expect(needs({ page: ['kit', 'facts'], kit: ['facts'], facts: [] })).toBeUndefined()
  expect(needs({ page: ['actions'], actions: ['facts'], facts: ['actions'] })).toEqual([
    'actions',
    'facts',
    'actions',
  ])
})
test('a page names the workbench with all that it needs, each before what needs it, and none of the entry', () => {
  const chunk = (name: string, imports: readonly string[], isEntry = false) => ({
    type: 'chunk' as const,
    name,
    isEntry,
    imports: [...imports],
  })
  const bundle = {
    'index.js': chunk('index', [], true),
    'workbench.js': chunk('workbench', ['index.js', 'libraries.js', 'commands.js']),
    'libraries.js': chunk('libraries', ['index.js']),
    'commands.js': chunk('commands', ['libraries.js']),
    'page.js': chunk('page', ['workbench.js']),
    'index.css': { type: 'asset' as const },
  }
  expect(neededBy(['workbench', 'map'], bundle)).toEqual([
    'libraries.js',
    'commands.js',
    'workbench.js',
  ])
})
