import { posix } from 'node:path'

type Node = { type: string; start: number; end: number; [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
/**
 * What only the server checks: whose rows a call has, what it answers, and what a write is sent
 * (src/contract/call.ts, src/contract/record.ts).
 */
const checkedThere: Readonly<Record<string, readonly string[]>> = {
  read: ['scope', 'output'],
  write: ['scope', 'input', 'output'],
  lists: ['scope', 'row', 'answer'],
  creates: ['scope', 'fields', 'answer'],
  changes: ['scope', 'fields', 'answer'],
  deletes: ['scope'],
  sorts: ['scope', 'fields'],
  startsExport: ['scope', 'filters'],
  importCalls: ['fields'],
}
/**
 * Where the shape of an action's rows is an argument, and which one (commands/record.ts); elsewhere
 * it is a property `on` (commands/command.ts).
 */
const rowsIn: Readonly<Record<string, number>> = { rowActions: 1, traceAction: 1, called: 0 }
/** What is called: `lists(…)`, or `call.lists(…)` of the calls of a page (`callsOf`). */
const calledName = (callee: Node): string =>
  String((callee.type === 'MemberExpression' ? (callee.property as Node) : callee)['name'] ?? '')
type Property = Node & { key: Node; value: Node; shorthand: boolean }
const propertiesOf = (of: Node | undefined): Property[] =>
  ((of?.['properties'] ?? []) as Node[]).filter(
    (one): one is Property => (one['key'] as Node | undefined)?.type === 'Identifier',
  )

/** `#src/modules/vip/contract/index.ts` → `vip/index`, as short as it stays the only one. */
const shortOf = (file: string): string =>
  file.replace(/^#/, '').replace(/^src\/(?:modules\/)?|\/contract\b|\.ts$/g, '')
const declaredIn = (statement: Node): Node | undefined =>
  (statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : statement) as
    | Node
    | undefined
/** By its name in this file, what a shape is everywhere: the file that makes it, and its name there. */
const shapesOf = (body: readonly Node[], file: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      const from = String((statement['source'] as Node)['value'])
      const source = from.startsWith('.') ? posix.join(posix.dirname(file), from) : from
      for (const { local, imported } of statement['specifiers'] as Record<string, Node>[])
        found.set(
          String(local!['name']),
          `${shortOf(source)}:${String((imported ?? local)!['name'])}`,
        )
      continue
    }
    const declared = declaredIn(statement)
    if (declared?.type === 'VariableDeclaration')
      for (const { id } of declared['declarations'] as { id: Node }[])
        found.set(String(id['name']), `${shortOf(file)}:${String(id['name'])}`)
  }
  return found
}

type Cut = { start: number; end: number; with: string }
const isZod = (shape: Node): boolean =>
  shape.type === 'CallExpression' &&
  ((shape['callee'] as Node)['object'] as Node | undefined)?.['name'] === 'z'
/** What stands in the place of the shape of rows; undefined where it is no shape, or one passed on. */
const nameOf = (shape: Node, shapes: ReadonlyMap<string, string>): string | undefined => {
  if (isZod(shape)) return '{}'
  const name = shape.type === 'Identifier' ? shapes.get(String(shape['name'])) : undefined
  return name && JSON.stringify(name)
}
/** The properties and arguments that are the shape of rows. */
const rowsOf = (node: Node): { shape: Node; isShorthand: boolean }[] => {
  if (node.type === 'ObjectExpression')
    return propertiesOf(node)
      .filter(({ key }) => key['name'] === 'on')
      .map(({ value, shorthand }) => ({ shape: value, isShorthand: shorthand }))
  if (node.type !== 'CallExpression') return []
  const at = rowsIn[calledName(node['callee'] as Node)]
  const shape = at === undefined ? undefined : (node['arguments'] as Node[])[at]
  return shape?.type === 'Identifier' ? [{ shape, isShorthand: false }] : []
}

/**
 * A contract, or the actions over it, as the browser needs it: without the shapes that only the
 * server checks, and with its other declarations marked as good to leave out where nobody asks for
 * them. The shape of an action's rows becomes its name, as what acts on the same rows is known by
 * it. `file` is its path from the root of the project.
 */
export const slimContract = (
  code: string,
  parse: (code: string) => unknown,
  file: string,
): string => {
  const cuts: Cut[] = []
  const gone = new Set<Node>()
  const cutOff = (node: Node, words: string) => {
    gone.add(node)
    cuts.push({ start: node.start, end: node.end, with: words })
  }
  const { body } = parse(code) as { body: Node[] }
  const shapes = shapesOf(body, file)
  const actsOnRows = file.startsWith('commands/')
  const visit = (node: Node) => {
    const isCall = node.type === 'CallExpression'
    const callee = isCall ? calledName(node['callee'] as Node) : ''
    const given = (isCall ? node['arguments'] : []) as Node[]
    const checked = Object.hasOwn(checkedThere, callee) ? checkedThere[callee]! : []
    const dropped = propertiesOf(given.at(-1)).filter(({ key }) =>
      checked.includes(String(key['name'])),
    )
    for (const { key, value, shorthand } of dropped)
      cutOff(value, `${shorthand ? `${String(key['name'])}: ` : ''}{}`)
    for (const { shape, isShorthand } of actsOnRows ? rowsOf(node) : []) {
      const name = nameOf(shape, shapes)
      if (name !== undefined) cutOff(shape, `${isShorthand ? 'on: ' : ''}${name}`)
    }
    for (const child of childrenOf(node)) if (!gone.has(child)) visit(child)
  }
  for (const statement of body) {
    visit(statement)
    const declared = declaredIn(statement)
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { init } of declared['declarations'] as { init: Node | null }[])
      if (init && !/Function|Literal/.test(init.type))
        cuts.push(
          { start: init.start, end: init.start, with: '/* @__PURE__ */ (() => (' },
          { start: init.end, end: init.end, with: '))()' },
        )
  }
  return cuts
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, cut) => text.slice(0, cut.start) + cut.with + text.slice(cut.end), code)
}
