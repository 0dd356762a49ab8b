import { useMemo, useState, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import '#src/kit/tokens.css'
import '#src/kit/kit.css'
import type { Action } from '#commands/command.ts'
import { Grid, type Column } from '#src/kit/grid.tsx'
import { actsColumn, RowActingProvider, RowOffer, useRowActing } from '#src/kit/rowacts.tsx'
import { Stage } from '#src/kit/stage.ts'
import { PaneContext, WorkbenchContext, type Pane, type Workbench } from '#src/kit/workbench.ts'
import './probe.ts'

/** `rows` says how many there are. */
const ROWS = Number(new URLSearchParams(location.search).get('rows') ?? 100_000)
type Row = { id: number; values: readonly string[] }
const words = ['四人餐', '双人下午茶', '火锅套餐', '烤鱼', '健身月卡', '足疗', '代金券', '面包']
const valueOf = (at: number, column: number): string => {
  if (column === 0) return String(at + 1)
  return column % 3 === 0
    ? (((at * 37 + column * 11) % 99_999) / 100).toFixed(2)
    : `${words[(at + column) % words.length]!} ${(at * 7 + column) % 1000}`
}
const rows: Row[] = Array.from({ length: ROWS }, (_, at) => ({
  id: at + 1,
  values: Array.from({ length: 15 }, (_, column) => valueOf(at, column)),
}))
const columns: Column<Row>[] = Array.from({ length: 15 }, (_, at) => ({
  key: `c${at}`,
  title: [`列 ${at}`, `Column ${at}`],
  width: 110,
  ...(at % 3 === 0 ? { align: 'end' as const } : {}),
  cell: row => row.values[at]!,
}))
const nothing = () => undefined
const actions = ['通过', '驳回', '要求补充'].map(title => ({
  id: title,
  title,
  en: title,
  permit: 'p',
  takes: 'rows',
  when: (row: Row) => (row.id % 3 === 0 ? (['已审核', 'Audited'] as const) : true),
})) as unknown as readonly Action[]
const workbench = {
  me: { id: 1, can: () => true },
  keysOf: nothing,
  ariaKeysOf: nothing,
  run: nothing,
} as unknown as Workbench
const pane: Pane = {
  id: 'p',
  stage: new Stage(),
  visible: true,
  memo: { get: nothing, set: nothing },
}
/** How rows offer their actions: `column`, `hover`, or not at all. */
const offers = new URLSearchParams(location.search).get('acts')
const shownColumns = offers === 'column' ? [...columns.slice(0, 5), actsColumn] : columns
const Acting = ({ children }: { children: ReactNode }) => (
  <WorkbenchContext value={workbench}>
    <PaneContext value={pane}>
      <RowActingProvider value={useRowActing(actions, nothing)}>{children}</RowActingProvider>
    </PaneContext>
  </WorkbenchContext>
)

const Rows = () => {
  const [focused, setFocused] = useState<number | undefined>(
    Number(new URLSearchParams(location.search).get('at') ?? 1),
  )
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const shown = useMemo(() => rows, [])
  return (
    <div style={{ position: 'fixed', inset: 0, display: 'flex', flexDirection: 'column' }}>
      <Grid
        label="行"
        rows={shown}
        idOf={row => row.id}
        columns={shownColumns}
        focused={focused}
        onFocus={setFocused}
        selected={selected}
        onSelect={(ids, on) =>
          setSelected(now => {
            const next = new Set(now)
            for (const id of ids) {
              if (on) next.add(id)
              else next.delete(id)
            }
            return next
          })
        }
        onOpen={nothing}
        over={offers === 'hover' && <RowOffer rows={shown} onPick={setFocused} />}
      />
    </div>
  )
}
createRoot(document.getElementById('root')!).render(
  <Acting>
    <Rows />
  </Acting>,
)
