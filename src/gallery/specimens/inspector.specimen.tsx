import { FoldedContext } from '#src/kit/detail.ts'
import { Chosen, FoldedFacts, Inspector, NoneYet } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { longNames, rows, type Row } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const told = (row: Row) => (
  <Inspector title={row.name} aside={<Badge tone="good">启用</Badge>}>
    <Section title="基本信息">
      <Facts>
        <Fact label="价格">
          <Money cents={row.price_cents} />
        </Fact>
        <Fact label="时间">
          <When at={row.at} />
        </Fact>
        <Fact label="地址" wide>
          {longNames[0]}
        </Fact>
      </Facts>
    </Section>
  </Inspector>
)
const chosen = (focusedRow: Row | undefined, loaded: boolean) => (
  <Chosen of={{ focusedRow, loaded }} none="没有可看的商品">
    {told}
  </Chosen>
)
const first = rows[1]!
const folded = [{ key: 'count', title: ['数量', 'Count'] as const, cell: first.count }]
export const specimen: Specimen = {
  part: 'inspector',
  title: ['详情栏', 'The inspector'],
  states: [
    { name: ['未选行', 'No row chosen'], height: 200, draw: () => <Inspector title={undefined} /> },
    { name: ['一行', 'A row'], height: 260, draw: () => chosen(first, true) },
    {
      name: ['列表收起的列', 'Columns without room'],
      height: 120,
      draw: () => (
        <FoldedContext value={folded}>
          <FoldedFacts />
        </FoldedContext>
      ),
    },
    {
      name: ['长名称', 'A long name'],
      height: 260,
      draw: () => chosen({ ...first, name: longNames[0]! }, true),
    },
    {
      name: ['列表加载中', 'While the list loads'],
      height: 200,
      draw: () => chosen(undefined, false),
    },
    {
      name: ['列表加载失败', 'Beside a list that failed'],
      height: 200,
      draw: () => <NoneYet of={{ error: { status: 500 } }} />,
    },
    {
      name: ['列表为空', 'Beside an empty list'],
      height: 200,
      draw: () => chosen(undefined, true),
    },
  ],
}
