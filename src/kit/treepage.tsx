import { useMemo, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { aside, type Text } from '#src/domain/text.ts'
import type { PutAt } from '#src/domain/tree.ts'
import type { ReadState } from './data.ts'
import { useDetail } from './detail.ts'
import { Chosen } from './inspector.tsx'
import { ListDetail } from './listdetail.tsx'
import { usePaneState } from './memory.ts'
import { Unanswered } from './states.tsx'
import { useSay } from './text.ts'
import { Toolbar } from './toolbar.tsx'
import { Tree } from './tree.tsx'
import { useAction, usePane, useSubject, useWorkbench } from './workbench.ts'

type TreeRow = {
  id: number
  parent_id: number | null
  name: string
  level: number
  version: number
}
/** A figure of each row, in a column at its end. */
type Figure<R> = { key: string; title: Text; width: number; cell: (row: R) => ReactNode }
type Props<R extends TreeRow> = {
  /** What its open branches are kept under in the pane. */
  name: string
  label: string
  read: ReadState<{ list: R[] }>
  actions: readonly Action[]
  /**
   * The action that makes a row: it begins under the one in focus, or beside it at the lowest level.
   * A tree that is only read has none.
   */
  create?: Action
  /** How many levels there may be. */
  depth?: number
  /** The action that moves a row (commands/tree.ts): to another parent only after it was confirmed. */
  move?: Action
  /** What is to be known of the whole tree, above its rows. */
  top?: ReactNode
  /** A row in words: searched, and read out. */
  wordsOf: (row: R) => string
  draw: (row: R) => ReactNode
  figures: readonly Figure<R>[]
  /** What a row brings those that come to stand under it, in words. */
  brings?: (row: R) => string
  /** Levels that are open at first. */
  levels?: number
  /** What the tree comes to, beside the actions. */
  sum: (rows: readonly R[]) => string
  /** What there is to choose. */
  none: string
  children: (row: R) => ReactNode
}
/** The names from the top down to a row. */
const fullName = <R extends TreeRow>(byId: ReadonlyMap<number, R>, row: R): string => {
  const names = [row.name]
  for (let at = byId.get(row.parent_id ?? 0); at; at = byId.get(at.parent_id ?? 0))
    names.unshift(at.name)
  return names.join(' / ')
}

type Rows<R extends TreeRow> = { byId: ReadonlyMap<number, R>; row: R | undefined }
/** Makes a row where the focus is. */
const Making = <R extends TreeRow>({
  create,
  depth = Infinity,
  byId,
  row,
}: Rows<R> & { create: Action; depth: number | undefined }) => {
  const pane = usePane()
  const { run } = useWorkbench()
  useAction(create, () => {
    const above = row && row.level >= depth ? byId.get(row.parent_id ?? 0) : row
    const to = above && { parent_id: above.id, name: fullName(byId, above), sort: 0 }
    void run(create, [], { pane: pane.id, ...(to && { on: { put: to satisfies PutAt } }) })
  })
  return null
}
/** Puts a row elsewhere: among its siblings at once, under another parent when that is confirmed. */
const usePutting = <R extends TreeRow>({ move, brings }: Props<R>, { byId }: Rows<R>) => {
  const say = useSay()
  const pane = usePane()
  const { run } = useWorkbench()
  if (!move) return undefined
  return (of: R, parent_id: number | null, sort: number) => {
    if (of.parent_id === parent_id) {
      const asked = { parent: parent_id ?? undefined, sort: sort + 1 }
      void run(move, [of], { pane: pane.id, asked })
      return
    }
    const parent = byId.get(parent_id ?? 0)
    const brought = parent && brings ? say(aside, { it: brings(parent) }) : ''
    const name = parent ? `${fullName(byId, parent)}${brought}` : say(['最上级', 'The top'])
    const put: PutAt = { parent_id, sort, name }
    void run(move, [{ ...of, put }], { pane: pane.id })
  }
}
const Head = <R extends TreeRow>({ figures }: Pick<Props<R>, 'figures'>) => {
  const say = useSay()
  return (
    <div className="m-tree-head" aria-hidden>
      {figures.map(({ key, title, width }) => (
        <span key={key} style={{ width }}>
          {say(title)}
        </span>
      ))}
    </div>
  )
}
const Nodes = <R extends TreeRow>({
  of,
  rows,
  focused,
  focus,
}: {
  of: Props<R>
  rows: readonly R[]
  focused: number | undefined
  focus: (id: number) => void
}) => {
  const say = useSay()
  const detail = useDetail()
  const { name, label, actions, wordsOf, draw, figures, levels, sum, create, depth, top } = of
  const byId = useMemo(() => new Map(rows.map(row => [row.id, row])), [rows])
  const nodes = useMemo(
    () => rows.map(row => ({ key: row.id, parent: row.parent_id, row })),
    [rows],
  )
  const row = byId.get(focused ?? 0)
  const subject = useMemo(() => ({ rows: row ? [row] : [] }), [row])
  useSubject(subject)
  const put = usePutting(of, { byId, row })
  return (
    <div className="m-tree-page">
      {create && <Making create={create} depth={depth} byId={byId} row={row} />}
      <Toolbar actions={actions} rows={subject.rows} beside>
        <span className="m-muted">{sum(rows)}</span>
      </Toolbar>
      {top}
      <Tree
        name={name}
        label={label}
        nodes={nodes}
        wordsOf={node => wordsOf(node.row)}
        head={<Head figures={figures} />}
        draw={node => (
          <>
            {draw(node.row)}
            <span className="m-fill" />
            {figures.map(({ key, title, width, cell }) => (
              <span key={key} className="m-tree-figure" style={{ width }} title={say(title)}>
                {cell(node.row)}
              </span>
            ))}
          </>
        )}
        focused={focused}
        onFocus={key => focus(key as number)}
        {...(put && {
          onPlace: (node: { row: R }, parent: number | null, at: number) =>
            put(node.row, parent, at),
        })}
        {...(detail?.over && { onOpen: () => detail.show() })}
        {...(levels !== undefined && { levels })}
      />
    </div>
  )
}

/**
 * A page that keeps a tree: its rows, and beside them what there is to know of the one in focus. A
 * row is moved by dragging or by Alt and the arrows; under another parent it comes only after a
 * look at what that means.
 */
export const TreePage = <R extends TreeRow>(of: Props<R>) => {
  const [focused, focus] = usePaneState<number | undefined>('focus', undefined)
  const { data, error, refetch } = of.read
  const rows = data?.list
  if (!rows) return <Unanswered of={{ error, refetch }} lines={12} />
  return (
    <ListDetail>
      <Nodes of={of} rows={rows} focused={focused} focus={focus} />
      <Chosen
        of={{ focusedRow: rows.find(row => row.id === focused), loaded: true }}
        none={of.none}
      >
        {row => of.children(row)}
      </Chosen>
    </ListDetail>
  )
}
