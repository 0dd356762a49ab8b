import { attrTypes } from '#src/areas/customerAttr/customerAttr.ts'
import { estimatedWords, hiddenWhy, sampledWords, shownOf } from '#src/areas/portrait/portrait.ts'
import { comma } from '#src/domain/text.ts'
import { SmallTable, textColumn, Words } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Figure, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import {
  portrait as calls,
  type BarRow as Row,
  type PortraitSide as Side,
} from '../contract/portrait.ts'
import { PeopleTable } from './segmentLooks.tsx'

type Cell = Row['a']
const share = (tenths: number): string => `${(tenths / 10).toFixed(1)}%`
const People = ({ of }: { of: Cell | null }) => {
  const say = useSay()
  if (of === null) return <span className="m-muted">—</span>
  if (of.n !== null) return <Figure of={of.n} />
  return (
    <span className="m-muted" title={of.hidden ? say(hiddenWhy[of.hidden]) : undefined}>
      {shownOf(of)}
    </span>
  )
}
const Share = ({ of }: { of: Cell | null }) => {
  if (of === null || of.tenths === null) return <span className="m-muted">—</span>
  return <span className="m-num">{share(of.tenths)}</span>
}
/** By how much the share of A is above that of B, in points of a percent. */
const Lead = ({ of }: { of: Row }) => {
  const { a, b } = of
  if (b === null || a.tenths === null || b.tenths === null)
    return <span className="m-muted">—</span>
  const lead = a.tenths - b.tenths
  return (
    <span className="m-num">
      {lead > 0 && '+'}
      {lead < 0 && '−'}
      {(Math.abs(lead) / 10).toFixed(1)}
    </span>
  )
}
export const barColumns: readonly Column<Row>[] = [
  textColumn('dim_title', ['维度', 'Dimension'], 92),
  { ...textColumn('label', ['分布', 'Group'], 120), grow: true },
  { key: 'a', title: ['A 人数', 'A'], width: 76, align: 'end', cell: row => <People of={row.a} /> },
  {
    key: 'a_share',
    title: ['A 占比', 'A share'],
    width: 76,
    align: 'end',
    cell: row => <Share of={row.a} />,
  },
  { key: 'b', title: ['B 人数', 'B'], width: 76, align: 'end', cell: row => <People of={row.b} /> },
  {
    key: 'b_share',
    title: ['B 占比', 'B share'],
    width: 76,
    align: 'end',
    cell: row => <Share of={row.b} />,
  },
  {
    key: 'lead',
    title: ['差（百分点）', 'A − B, pp'],
    width: 104,
    align: 'end',
    priority: 1,
    cell: row => <Lead of={row} />,
  },
]

/** Whose portrait it is, and of when. */
export const Sides = ({ sides, lost }: { sides: readonly Side[]; lost: boolean }) => {
  const say = useSay()
  return (
    <section className="cu-figures" aria-label={say(['对比人群', 'Audiences'])}>
      {sides.map((side, at) => (
        <p key={side.id} className="cu-side">
          <b>{at === 0 ? 'A' : 'B'}</b> {side.name} {side.estimated && say(['约 ', 'about '])}
          <Figure of={side.n} />
          <span className="m-muted">
            {say(['人，刷新于', 'people, updated'])} <When at={side.refreshed_at} />
            {side.sampled !== null &&
              ` · ${say(sampledWords, { n: side.sampled.toLocaleString('en-US') })}`}
            {side.estimated && ` · ${say(estimatedWords)}`}
          </span>
        </p>
      ))}
      <span className="m-muted">
        {lost
          ? say(['已计入流失客户', 'Lost customers included'])
          : say(['已排除流失客户', 'Lost customers excluded'])}
      </span>
    </section>
  )
}
const valuesOf = (rows: readonly Row[], side: 'a' | 'b'): (number | null)[] =>
  rows.map(row => row[side]?.tenths ?? null)
/** A dimension as a chart, which is a table too. */
export const DimensionChart = ({
  rows,
  sides,
  pick,
}: {
  rows: readonly Row[]
  sides: readonly Side[]
  pick: (id: number) => void
}) => {
  const title = rows[0]?.dim_title ?? ''
  return (
    <Section title={title}>
      <Chart
        label={title}
        lying
        height={Math.max(160, rows.length * 34)}
        categories={rows.map(row => row.label)}
        format={share}
        series={sides.map((side, at) => ({
          name: `${at === 0 ? 'A' : 'B'} ${side.name}`,
          kind: 'bar' as const,
          values: valuesOf(rows, at === 0 ? 'a' : 'b'),
        }))}
        onPick={at => pick(rows[at]!.id)}
      />
    </Section>
  )
}
/** The people behind a bar of one side; of fewer than five only who may see phones is told. */
export const Behind = ({
  row,
  side,
  name,
  lost,
}: {
  row: Row
  side: Side
  name: string
  lost: boolean
}) => {
  const say = useSay()
  const read = useRead(calls.drill, {
    segment_id: side.id,
    lost,
    dim: row.dim,
    value: row.value,
  })
  return (
    <Section title={say(['{name} 名单', 'People of {name}'], { name: `${name} ${side.name}` })}>
      <Answer of={read}>
        {({ people, n, sampled }) =>
          n === null ? (
            <p className="m-muted">
              {say([
                '不足 5 人，或会暴露相邻的少数人：有查看手机号权限的人才能看名单',
                'Fewer than 5, or would reveal a small group beside it: only people who may see phones can list them',
              ])}
            </p>
          ) : (
            <>
              <p className="m-muted">
                {say(['共 {n} 人，显示最新 {k} 人', '{n} people, latest {k} shown'], {
                  n: n.toLocaleString('en-US'),
                  k: people.length,
                })}
                {sampled !== null &&
                  ` · ${say(sampledWords, { n: sampled.toLocaleString('en-US') })}`}
              </p>
              <PeopleTable of={people} />
            </>
          )
        }
      </Answer>
    </Section>
  )
}
/** The fields that staff note of customers, in their order. */
export const Fields = () => {
  const say = useSay()
  const read = useRead(calls.attrs, { page: 1, pageSize: 50 })
  return (
    <Section title={say(['画像字段', 'Profile fields'])}>
      <Answer of={read}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['没有启用中的字段', 'No fields enabled'])}</p>
          ) : (
            <SmallTable
              head={[
                ['名称', 'Name'],
                ['类型', 'Type'],
                ['选项', 'Options'],
                ['已填', 'Filled in'],
              ]}
              rows={list}
              keyOf={of => of.id}
              cells={of => [
                of.label,
                <Words key="type" of={attrTypes[of.type]} />,
                of.options.map(one => one.label).join(say(comma)) || '—',
                of.used_n,
              ]}
            />
          )
        }
      </Answer>
    </Section>
  )
}
