import { useDispatch } from 'react-redux'
import { portraitActions as actions } from '#commands/customer/portrait.ts'
import { portraitPage } from '#commands/pages/customer.ts'
import { isSeveral } from '#src/areas/portrait/portrait.ts'
import { colon } from '#src/domain/text.ts'
import { dispatchRead, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction, useAnswered, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { portrait as calls, type BarRow as Row, type PortraitSide } from '../contract/portrait.ts'
import { barColumns, Behind, DimensionChart, Fields, Sides } from '../parts/portraitLooks.tsx'
import '../parts/customer.css'

type Input = { a?: number; b?: number; lost?: boolean }
const inputOf = (list: ListState<Row>): Input => list.input
/** Both sides as they are asked for: where one alone is named, the other is everybody. */
const pairOf = (a: number | undefined, b: number | undefined) => {
  if (!a && !b) return { a: undefined, b: undefined }
  return { a: a || undefined, b: b || 0 }
}
/** What is done with the audiences that stand here, and with the bar that has the focus. */
const useActing = (list: ListState<Row>) => {
  const say = useSay()
  const { run, toast } = useWorkbench()
  const { id: pane } = usePane()
  const dispatch = useDispatch()
  const { a = 0, b, lost = false } = inputOf(list)
  useAnswered(actions.compare, asked => list.filter(pairOf(asked.a, asked.b)))
  useAction(actions.drill, ([row]) => list.focus((row as Row | undefined)?.id))
  useAction(actions.lost, () => list.filter({ lost: lost ? undefined : true }))
  useAction(actions.saveSegment, ([row]) => {
    if (row) void run(actions.saveSegment, [{ ...row, a_id: a, b_id: b, lost }], { pane })
  })
  useAction(actions.sortAttr, () => {
    void dispatchRead(dispatch as never, calls.attrs, { page: 1, pageSize: 200 }, true).then(
      ({ list: rows, list_version }) => {
        const entries = rows.map(row => ({ id: row.id, text: row.label }))
        return run(actions.sortAttr, [{ list_version, entries }], { pane })
      },
      // The read has said itself why it failed.
      () => {},
    )
  })
  useResult(actions.saveSegment, ({ customer_count }) => {
    toast(
      say(['已存为分群，{n} 人', 'Saved as a segment of {n}'], { n: customer_count }),
      'success',
    )
    return true
  })
  useExport(actions.export, calls.export, { list })
}
const Bar = ({
  row,
  list,
  sides,
}: {
  row: Row
  list: ListState<Row>
  sides: readonly PortraitSide[]
}) => {
  const say = useSay()
  const { me } = useWorkbench()
  const { lost = false } = inputOf(list)
  // A page of the list may end in the middle of a dimension.
  const asked = { ...list.input, dim: row.dim, page: 1, pageSize: 200 }
  const all = useRead(calls.lst, asked).data?.list ?? []
  return (
    <Inspector title={`${row.dim_title}${say(colon)}${row.label}`}>
      <DimensionChart rows={all} sides={sides} pick={id => list.focus(id)} />
      {isSeveral(row.dim) && (
        <p className="m-muted">
          {say([
            '一人可有多个标签，占比之和可超过 100%',
            'A person can have several tags, so shares can add up to over 100%',
          ])}
        </p>
      )}
      {me.can(calls.drill.permit) &&
        sides.map((side, at) => (
          <Behind key={side.id} row={row} side={side} name={at === 0 ? 'A' : 'B'} lost={lost} />
        ))}
      <Fields />
    </Inspector>
  )
}

/** A portrait: who an audience is, beside another one or all members. */
export default function Portrait() {
  const say = useSay()
  const list = useList(calls.lst)
  const { page: _, pageSize: __, ...asked } = list.input
  const sides = useRead(calls.lst, { ...asked, page: 1, pageSize: 1 }).data?.sides ?? []
  const dims = useRead(calls.dims, {}).data?.list ?? []
  useActing(list)
  return (
    <div className="cu-page">
      <Sides sides={sides} lost={inputOf(list).lost ?? false} />
      <ListDetail>
        <List
          of={list}
          label={say([portraitPage.title, portraitPage.en])}
          columns={barColumns}
          actions={Object.values(actions)}
          filters={
            <Choice
              of={list}
              by="dim"
              label={say(['维度', 'Dimension'])}
              options={dims.map(one => ({ value: one.key, label: one.title }))}
            />
          }
          empty={<Empty title={say(['这个人群没有人', 'Nobody in this audience'])} />}
        />
        <Chosen of={list} none={say(['选择一项查看名单', 'Choose a bar to see its people'])}>
          {row => <Bar key={row.id} row={row} list={list} sides={sides} />}
        </Chosen>
      </ListDetail>
    </div>
  )
}
