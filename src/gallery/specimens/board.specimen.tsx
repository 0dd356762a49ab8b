import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Conflict } from '#src/kit/board-conflict.tsx'
import { Rows, usePicked } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { denied, sort } from '../actions.ts'
import { longNames, rows, type Row } from '../rows.ts'
import type { Specimen, State } from '../specimen.ts'

const few = rows.slice(0, 6).map((row, at) => (at === 2 ? { ...row, name: longNames[1]! } : row))
const nameOf = (row: Row) => row.name
const flags = (row: Row) =>
  row.state === 'off' ? [{ tone: 'warn' as const, text: '已停用', title: '顾客看不到' }] : []
const none = () => undefined
const Ordered = ({
  of,
  name,
  fixed,
  saves = sort,
}: {
  of: readonly Row[] | undefined
  name: string
  fixed?: string
  saves?: typeof sort
}) => {
  const board = useBoard({ name, rows: of, version: 1, refetch: none, save: async () => undefined })
  return (
    <Board
      of={board}
      label="推荐位"
      labelOf={nameOf}
      row={nameOf}
      flags={flags}
      fixed={fixed}
      saves={saves}
    />
  )
}
const Both = () => (
  <Columns widths="1fr 1fr" first="order">
    <Column name="order" title="已排序" aside={<span className="m-muted">6</span>}>
      <Ordered of={few} name="both" />
    </Column>
    <Column name="shelf" title="可选商品">
      <Paged />
    </Column>
  </Columns>
)
const Paged = () => {
  const paging = usePaging('gallery', 20)
  const from = (paging.page - 1) * 20
  return (
    <Shelf
      name="shelf"
      label="可选商品"
      of={{ rows: rows.slice(from, from + 20), refetch: none }}
      labelOf={nameOf}
      row={nameOf}
      paging={{ ...paging, total: rows.length }}
    />
  )
}
const Plain = () => (
  <Rows
    rows={few}
    looks={{ label: '已选商品', labelOf: nameOf, row: nameOf, flags }}
    picked={usePicked('plain')}
    refresh={none}
  />
)
const ids = few.map(row => row.id)
const Conflicting = () => (
  <Conflict
    of={{ rows: few, saving: false, keepMine: none, takeTheirs: none }}
    conflict={{ mine: ids, theirs: ids.toReversed() }}
    by="吴，今天 09:30"
    labelOf={nameOf}
  />
)
const within = (name: State['name'], draw: () => React.ReactNode): State => ({
  name,
  height: 300,
  draw: () => (
    <Columns widths="1fr" first="one">
      <Column name="one" title="推荐位">
        {draw()}
      </Column>
    </Columns>
  ),
})
export const specimen: Specimen = {
  part: 'board',
  title: ['排序板', 'A board'],
  states: [
    { name: ['两列', 'Two columns'], height: 300, draw: () => <Both /> },
    within(['加载中', 'Loading'], () => <Ordered of={undefined} name="loading" />),
    within(['空', 'Empty'], () => <Ordered of={[]} name="empty" />),
    within(['暂不能调整', 'Fixed'], () => (
      <Ordered of={few} name="fixed" fixed="场次进行中，不能调整" />
    )),
    within(['没有权限', 'No permission'], () => <Ordered of={few} name="denied" saves={denied} />),
    within(['他人改了顺序', 'Somebody saved another order'], () => <Conflicting />),
    within(['只有行', 'Rows alone'], () => <Plain />),
    within(['可选列加载失败', 'A shelf that failed'], () => (
      <Shelf<Row>
        name="failing"
        label="可选商品"
        of={{ rows: undefined, error: { status: 500, message: '服务器忙' }, refetch: none }}
        labelOf={nameOf}
        row={nameOf}
      />
    )),
  ],
}
