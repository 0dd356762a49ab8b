import { to } from '#commands/command.ts'
import { cardActions as actions } from '#commands/ecard/cards.ts'
import { cardEdit } from '#commands/pages/ecard.ts'
import type { Arranged } from '#commands/record.ts'
import { isMadeOnPay } from '#src/areas/ecard/card.ts'
import { cardSentence } from '#src/areas/ecard/cardSentence.ts'
import { cardStates, cardTypes, codeSources, refundRules } from '#src/areas/ecard/ecard.ts'
import { suppliers } from '#src/areas/ecard/suppliers.ts'
import {
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  Tagged,
  textColumn,
  wordColumn,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Portrait, Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { cards as calls, type CardRow, type CardWhole } from '../contract/list.ts'
import { cardLooks, faceRange, Validity } from '../parts/looks.tsx'

const Name = ({ row }: { row: CardRow }) => {
  const say = useSay()
  return (
    <Tagged picture={row.cover && <Thumb of={row.cover} />} name={row.name}>
      {row.recommended && <Badge tone="info">{say(['推荐', 'Recommended'])}</Badge>}
    </Tagged>
  )
}
/** The stock that is left to sell: imported codes run out, others are made when they are paid. */
const Stock = ({ row }: { row: CardRow }) => {
  const say = useSay()
  if (isMadeOnPay(row) && row.free_n === 0)
    return <span className="m-muted">{say(['付款时生成', 'On payment'])}</span>
  return row.low ? (
    <Badge tone="warn">{say(['仅剩 {n}', '{n} left'], { n: row.free_n })}</Badge>
  ) : (
    row.free_n.toLocaleString()
  )
}
const columns: readonly Column<CardRow>[] = [
  {
    key: 'name',
    title: ['电子卡', 'E-card'],
    width: 240,
    grow: true,
    cell: row => <Name row={row} />,
    words: row => row.name,
  },
  { ...wordColumn('type', ['类型', 'Type'], 92, cardTypes), priority: 3 },
  stateColumn('state', ['状态', 'State'], 84, cardLooks),
  {
    key: 'faces',
    title: ['面值', 'Face values'],
    width: 116,
    priority: 1,
    cell: row => <span className="m-num">{faceRange(row)}</span>,
    words: faceRange,
  },
  {
    key: 'stock',
    title: ['未售卡密', 'Unsold codes'],
    width: 96,
    align: 'end',
    priority: 1,
    cell: row => <Stock row={row} />,
  },
  numberColumn('sold', ['已售', 'Sold'], 68),
  { ...numberColumn('activated', ['已激活', 'Activated'], 72), priority: 3 },
  {
    key: 'outstanding',
    title: ['未消费余额', 'Outstanding'],
    width: 108,
    align: 'end',
    priority: 2,
    cell: row => <Money cents={row.outstanding_cents} />,
  },
  { ...textColumn('merchant_name', ['发卡商户', 'Issuer'], 140), priority: 4 },
  { ...wordColumn('source', ['卡密来源', 'Code source'], 92, codeSources), optional: true },
  { ...textColumn('store_name', ['发卡门店', 'Issuing store'], 140), optional: true },
  { ...numberColumn('id', ['编号', 'ID'], 64), optional: true },
]

const Faces = ({ of }: { of: CardWhole }) => {
  const say = useSay()
  if (of.face_list.length === 0)
    return <p className="m-muted">{say(['还没有面值', 'No face values yet'])}</p>
  return (
    <SmallTable
      head={[
        ['面值', 'Face'],
        ['售价', 'Price'],
        ['未售', 'Unsold'],
        ['状态', 'State'],
      ]}
      rows={of.face_list}
      keyOf={face => face.id}
      cells={face => [
        <Money key="face" cents={face.face_cents} />,
        <Money key="price" cents={face.price_cents} />,
        face.free_n,
        face.status === 'on' ? say(['启用', 'On']) : say(['停用', 'Off']),
      ]}
    />
  )
}
/** The card in one sentence, and its faces: what its row does not hold. */
const Whole = ({ row }: { row: CardRow }) => {
  const say = useSay()
  const whole = useRead(calls.detail, { id: row.id })
  return (
    <Answer of={whole} lines={6}>
      {of => (
        <>
          <Section title={say(['一句话', 'Summary'])}>
            <p>
              {say(
                cardSentence(
                  of,
                  of.face_list.filter(face => face.status === 'on'),
                ),
              )}
            </p>
          </Section>
          <Section title={say(['面值规格', 'Face values'])}>
            <Faces of={of} />
          </Section>
        </>
      )}
    </Answer>
  )
}
const CardDetail = ({ row }: { row: CardRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.state} in={cardLooks} />}>
      <Section title={say(['销售', 'Sales'])}>
        <Portrait of={row.cover} label={row.name} />
        <Facts>
          {row.off_reason && row.state === 'off' && (
            <Fact wide label={say(['下架原因', 'Why off sale'])}>
              {row.off_reason}
            </Fact>
          )}
          <Fact label={say(['未售卡密', 'Unsold codes'])}>
            <Stock row={row} />
          </Fact>
          <Fact label={say(['已占用', 'Reserved'])}>{row.held_n}</Fact>
          <Fact label={say(['已售', 'Sold'])}>{row.sold}</Fact>
          <Fact label={say(['已激活', 'Activated'])}>{row.activated}</Fact>
          <Fact label={say(['未消费余额', 'Outstanding'])}>
            <Money cents={row.outstanding_cents} sign />
          </Fact>
          <Fact label={say(['库存预警', 'Stock alert'])}>{row.stock_alert || '—'}</Fact>
        </Facts>
      </Section>
      <Whole row={row} />
      <Section title={say(['发行', 'Issue'])}>
        <Facts>
          <Fact wide label={say(['发卡商户', 'Issuer'])}>
            {row.merchant_name} · {row.store_name}
          </Fact>
          <Fact label={say(['卡密来源', 'Code source'])}>{say(codeSources[row.source])}</Fact>
          <Fact label={say(['供应商', 'Supplier'])}>
            {row.supplier ? say(suppliers[row.supplier]) : '—'}
          </Fact>
          <Fact label={say(['有效期', 'Validity'])}>
            <Validity of={row} />
          </Fact>
          <Fact label={say(['退款', 'Refund'])}>{say(refundRules[row.refund_rule])}</Fact>
          <Fact label={say(['创建', 'Created'])}>
            <When at={row.created_at} />
          </Fact>
          <Fact label={say(['编号', 'ID'])}>{String(row.id)}</Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}

/** The question in which order cards are shown begins with the order that they have. */
const useArranging = () => {
  const pane = usePane()
  const { run, open } = useWorkbench()
  const { data } = useRead(calls.arranged, {})
  useAction(actions.sort, () => {
    if (!data) return
    const entries = data.list.map(({ id, name }, at) => ({ id, text: `${at + 1}. ${name}` }))
    const on: Arranged = { list_version: data.list_version, entries }
    void run(actions.sort, [], { pane: pane.id, on })
  })
  // A copy is a draft that is written on.
  useResult(actions.copy, ({ id }) => {
    open(to(cardEdit, { id }), 'here')
    return true
  })
}
/** Electronic cards: what is sold, what is left of their codes, and what their holders may spend. */
export default function Cards() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs, told } = useStateTabs(list, calls.lst, cardStates)
  useExport(actions.export, calls.export, { list })
  useArranging()
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['电子卡', 'E-cards'])}
        columns={columns}
        tabs={tabs}
        actions={Object.values(actions)}
        aside={
          told && (
            <span className="m-muted">
              {say(['未消费余额合计', 'Total outstanding'])}{' '}
              <Money cents={told.outstanding_cents} sign />
            </span>
          )
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['名称、编号', 'Name or number'])} />
            <Choice of={list} by="type" label={say(['类型', 'Type'])} words={cardTypes} />
            <MallFilter of={list} />
            <Toggle of={list} by="low" label={say(['卡密不足', 'Low stock'])} />
            <Toggle of={list} by="recommended" label={say(['推荐', 'Recommended'])} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一张电子卡', 'Choose an e-card'])}>
        {row => <CardDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
