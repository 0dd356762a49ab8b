import { useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import { faceActions as actions, type FacesArranged } from '#commands/ecard/faces.ts'
import { waitsForLoss, type PriceMode } from '#src/areas/ecard/face.ts'
import { onOff } from '#src/areas/log/objectWord.ts'
import { bpOf } from '#src/domain/money.ts'
import { moneyColumn, numberColumn, State, stateColumn, type States } from '#src/kit/cells.tsx'
import { useRead, useWrite } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useAnswered, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { cardFaces as calls, type FaceRow } from '../../contract/attr.ts'
import { FaceGrid } from '../../parts/faceGrid.tsx'
import { cardLooks } from '../../parts/looks.tsx'
import { PriceTrial, type NewPrices } from '../../parts/priceTrial.tsx'

const looks: States<'on' | 'off'> = {
  on: { text: onOff.on, tone: 'good' },
  off: { text: onOff.off },
}
const Margin = ({ row }: { row: FaceRow }) => {
  const say = useSay()
  if (row.margin_cents >= 0) return <Money cents={row.margin_cents} />
  return (
    <Badge
      tone={waitsForLoss(row) ? 'bad' : 'warn'}
      title={
        waitsForLoss(row)
          ? say(['亏损待批准', 'Loss awaiting approval'])
          : say(['亏损已由{who}批准', 'Loss approved by {who}'], { who: row.approver_name })
      }
    >
      <Money cents={row.margin_cents} />
    </Badge>
  )
}
const columns: readonly Column<FaceRow>[] = [
  { key: 'name', title: ['规格', 'Face value'], width: 130, grow: true, cell: row => row.name },
  stateColumn('status', ['状态', 'State'], 80, looks),
  moneyColumn('price_cents', ['售价', 'Price'], 88),
  { ...moneyColumn('bonus_cents', ['赠送', 'Bonus'], 88), priority: 3 },
  { ...moneyColumn('cost_cents', ['成本', 'Cost'], 88), priority: 2 },
  {
    key: 'margin',
    title: ['毛利', 'Margin'],
    width: 96,
    align: 'end',
    priority: 1,
    cell: row => <Margin row={row} />,
  },
  { ...numberColumn('free_n', ['未售', 'Unsold'], 68), priority: 1 },
  { ...numberColumn('held_n', ['占用', 'Reserved'], 60), priority: 4 },
  numberColumn('sold_n', ['已售', 'Sold'], 60),
  { ...numberColumn('void_n', ['作废', 'Void'], 60), priority: 4 },
  { ...moneyColumn('face_cents', ['面值', 'Face'], 88), optional: true },
]
const FaceDetail = ({ row }: { row: FaceRow }) => {
  const say = useSay()
  const total = row.free_n + row.held_n + row.sold_n + row.void_n
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={looks} />}>
      <Section title={say(['价格', 'Price'])}>
        <Facts>
          <Fact label={say(['售价', 'Price'])}>
            <Money cents={row.price_cents} sign />
          </Fact>
          <Fact label={say(['赠送', 'Bonus'])}>
            <Money cents={row.bonus_cents} sign />
          </Fact>
          <Fact label={say(['成本', 'Cost'])}>
            <Money cents={row.cost_cents} sign />
          </Fact>
          <Fact label={say(['毛利', 'Margin'])}>
            <Margin row={row} />
          </Fact>
          {row.margin_cents < 0 && (
            <>
              <Fact wide label={say(['亏损原因', 'Loss reason'])}>
                {row.loss_reason || '—'}
              </Fact>
              <Fact label={say(['申请人', 'Asked by'])}>{row.asker_name || '—'}</Fact>
              <Fact label={say(['批准人', 'Approved by'])}>
                {row.approver_name || say(['待批准', 'Awaiting approval'])}
              </Fact>
            </>
          )}
        </Facts>
      </Section>
      <Section title={say(['卡密 {n} 个', '{n} codes'], { n: total })}>
        <Facts>
          <Fact label={say(['未售', 'Unsold'])}>{row.free_n}</Fact>
          <Fact label={say(['占用', 'Reserved'])}>{row.held_n}</Fact>
          <Fact label={say(['已售', 'Sold'])}>{row.sold_n}</Fact>
          <Fact label={say(['作废', 'Void'])}>{row.void_n}</Fact>
          <Fact label={say(['库存预警', 'Stock alert'])}>{row.stock_alert || '—'}</Fact>
          <Fact label={say(['每人限购', 'Limit per person'])}>
            {row.limit_n ?? say(['不限', 'No limit'])}
          </Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}

type Asked = { face_cents: number; price_cents: number } & Partial<
  Record<'bonus_cents' | 'cost_cents', number>
> & { reason?: string }
/** The actions that the page itself carries out: its card stands in no row of theirs. */
const useFaceActions = (card_id: number) => {
  const say = useSay()
  const pane = usePane()
  const { run, toast } = useWorkbench()
  const { data } = useRead(calls.lst, { card_id, pageSize: 100 })
  const [add] = useWrite(calls.add)
  useAction(actions.sort, () => {
    if (!data) return
    const entries = data.list.map(({ id, name }, at) => ({ id, text: `${at + 1}. ${name}` }))
    const on: FacesArranged = { card_id, list_version: data.list_version, entries }
    void run(actions.sort, [], { pane: pane.id, on })
  })
  useAnswered(actions.add, raw => {
    const asked = raw as Asked
    void add({ card_id, ...asked }).then(
      () => toast(say(['面值已新增', 'Face value added']), 'success'),
      () => {},
    )
  })
  return data?.card
}
type Priced = { mode: PriceMode; percent?: number; amount?: number; reason: string }
const Faces = ({ card_id }: { card_id: number }) => {
  const say = useSay()
  const list = useList(
    calls.lst,
    useMemo(() => ({ card_id }), [card_id]),
  )
  const card = useFaceActions(card_id)
  const [inGrid, setInGrid] = usePaneState('grid', false)
  const [prices, setPrices] = useState<NewPrices | undefined>(undefined)
  useAction(actions.openGrid, () => setInGrid(true))
  useAnswered(actions.batchPrice, raw => {
    const { mode, percent = 0, amount = 0, reason } = raw as Priced
    const value = mode === 'share' ? bpOf(percent) : amount
    const focused = list.focusedRow ? [list.focusedRow] : []
    const rows = list.selected.size > 0 ? [...list.selected.values()] : focused
    setPrices({ rows, mode, value, reason })
  })
  if (inGrid) return <FaceGrid card_id={card_id} close={() => setInGrid(false)} />
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['面值规格', 'Face values'])}
          columns={columns}
          actions={Object.values(actions)}
          aside={
            card && (
              <>
                <b>{card.name}</b> <State of={card.state} in={cardLooks} />
              </>
            )
          }
        />
        <Chosen of={list} none={say(['选择一个面值', 'Choose a face'])}>
          {row => <FaceDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {prices && card && <PriceTrial of={prices} card={card} close={() => setPrices(undefined)} />}
    </>
  )
}
/** The faces of the card of `?card_id=`: on a list, or in a grid. */
export default function FacesPage() {
  const say = useSay()
  const card_id = Number(new URLSearchParams(useSearch()).get('card_id'))
  return Number.isInteger(card_id) && card_id > 0 ? (
    <Faces key={card_id} card_id={card_id} />
  ) : (
    <Empty title={say(['没有指定电子卡', 'No e-card named'])} />
  )
}
