import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { BoardLine, BoardPage, Pool } from '#src/kit/pool.tsx'
import { Badge } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { sort } from '../actions.ts'
import { lists } from '../answers.ts'
import { longNames, rows, type Row } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const few = rows.slice(0, 3).map((row, at) => (at === 2 ? { ...row, name: longNames[1]! } : row))
const nameOf = (row: Row) => row.name
const lineOf = (row: Row) => (
  <BoardLine image="" name={row.name}>
    <span>¥39.00</span>
    <span>共用库存 120</span>
  </BoardLine>
)
const none = () => undefined
const Shelf = () => {
  const board = useBoard({
    name: 'pool-shelf',
    rows: few,
    version: 1,
    refetch: none,
    save: async () => undefined,
  })
  return <Board of={board} label="本店货架" labelOf={nameOf} row={lineOf} saves={sort} />
}
const Whole = ({ call }: { call: (typeof lists)[keyof typeof lists] }) => (
  <BoardPage
    title="谷雨旗舰店"
    aside={<Badge tone="good">营业中</Badge>}
    toolbar={<Toolbar actions={[sort]} rows={[]} plain />}
  >
    <Columns widths="1fr 1fr" first="shelf">
      <Pool<Row>
        name="pool"
        title="商品池"
        placeholder="商品名称或编号"
        call={call as never}
        input={{}}
        labelOf={nameOf}
        row={lineOf}
        flags={() => []}
        dim={() => false}
        empty={<Empty title="没有可选的商品" />}
      />
      <Column name="board" title="本店货架">
        <Shelf />
      </Column>
    </Columns>
  </BoardPage>
)
export const specimen: Specimen = {
  part: 'pool',
  title: ['选品板', 'A board of two columns'],
  states: [
    {
      name: ['商品池与货架', 'Pool and shelf'],
      height: 320,
      draw: () => <Whole call={lists.full} />,
    },
    {
      name: ['商品池为空', 'An empty pool'],
      height: 320,
      draw: () => <Whole call={lists.empty} />,
    },
    {
      name: ['读取失败', 'It can’t be read'],
      height: 320,
      draw: () => (
        <BoardPage
          title={undefined}
          toolbar={null}
          failed={{ error: { status: 500, message: '服务器忙' }, retry: none }}
        >
          {null}
        </BoardPage>
      ),
    },
  ],
}
