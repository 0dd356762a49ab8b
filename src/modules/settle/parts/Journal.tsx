import { useRef } from 'react'
import { flowActions as actions } from '#commands/settle/flow.ts'
import { JOURNAL_DAYS } from '#src/areas/ledger/journal.ts'
import { accountKinds, businesses, ownerKinds } from '#src/areas/ledger/ledger.ts'
import { Among } from '#src/kit/among.tsx'
import { textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { filtersOf, useList } from '#src/kit/uselist.ts'
import { flow as calls, type TxnRow } from '../contract/flow.ts'
import { AmountFilter } from './AmountFilter.tsx'
import { DocumentNo, Lines, OrderNo, TxnNo } from './looks.tsx'

const Marks = ({ row }: { row: TxnRow }) => {
  const say = useSay()
  if (row.reverses_no) return <Badge tone="warn">{say(['红冲', 'Reversal'])}</Badge>
  return row.reversed_no ? <Badge tone="bad">{say(['已红冲', 'Reversed'])}</Badge> : null
}
const columns: readonly Column<TxnRow>[] = [
  timeColumn('created_at', ['时间', 'When'], 108),
  wordColumn('biz', ['业务', 'Business'], 92, businesses),
  {
    key: 'document',
    title: ['订单 / 单号', 'Order or document'],
    width: 186,
    grow: true,
    cell: row => (
      <span className="m-num">
        {row.order_no || row.biz_no} <Marks row={row} />
      </span>
    ),
    words: row => row.order_no || row.biz_no,
  },
  {
    key: 'amount',
    title: ['金额', 'Amount'],
    width: 104,
    align: 'end',
    cell: row => <Money cents={row.amount_cents} />,
  },
  { ...textColumn('memo', ['摘要', 'Memo'], 150), priority: 2 },
  { ...textColumn('place', ['归属', 'Where'], 100), priority: 3 },
  {
    ...textColumn('no', ['凭证号', 'Number'], 150),
    priority: 4,
    cell: row => <span className="m-num">{row.no}</span>,
  },
  { ...textColumn('maker', ['经办人', 'By'], 84), optional: true },
  { ...textColumn('checker', ['复核人', 'Second person'], 84), optional: true },
]

const TxnDetail = ({ row }: { row: TxnRow }) => {
  const say = useSay()
  const lines = useRead(calls.detail, { id: row.id })
  const box = useRef<HTMLDivElement>(null)
  useDetailAction(actions.lines, () => box.current?.querySelector('a')?.focus())
  return (
    <Inspector title={row.no} aside={<Marks row={row} />}>
      <Section title={say(['分录', 'Lines'])}>
        <Answer of={lines}>
          {told => (
            <div ref={box}>
              <Lines lines={told.lines} />
            </div>
          )}
        </Answer>
      </Section>
      <Section title={say(['凭证', 'Transaction'])}>
        <Facts>
          <Fact label={say(['业务', 'Business'])}>{say(businesses[row.biz])}</Fact>
          <Fact label={say(['金额', 'Amount'])}>
            <Money cents={row.amount_cents} />
          </Fact>
          <Fact label={say(['时间', 'When'])}>
            <When at={row.created_at} />
          </Fact>
          <Fact label={say(['归属', 'Where'])}>{row.place || say(['平台', 'The house'])}</Fact>
          {row.order_no && row.order_kind && (
            <Fact wide label={say(['订单', 'Order'])}>
              <OrderNo kind={row.order_kind} id={row.order_id!} no={row.order_no} />
            </Fact>
          )}
          <Fact wide label={say(['单号', 'Document'])}>
            <DocumentNo biz={row.biz} no={row.biz_no} withdrawal={lines.data?.withdrawal ?? null} />
          </Fact>
          {row.memo && (
            <Fact wide label={say(['摘要', 'Memo'])}>
              {row.memo}
            </Fact>
          )}
          {row.reverses_no && (
            <Fact wide label={say(['红冲凭证', 'Reverses'])}>
              <TxnNo no={row.reverses_no} />
            </Fact>
          )}
          {row.reversed_no && (
            <Fact wide label={say(['已被红冲', 'Reversed by'])}>
              <TxnNo no={row.reversed_no} />
            </Fact>
          )}
          {row.maker && <Fact label={say(['经办人', 'By'])}>{row.maker}</Fact>}
          {row.checker && <Fact label={say(['复核人', 'Second person'])}>{row.checker}</Fact>}
        </Facts>
      </Section>
    </Inspector>
  )
}

/** How many transactions the filters match, and what they come to. */
const Sums = ({ of }: { of: object }) => {
  const say = useSay()
  const { data } = useRead(calls.sums, of)
  if (!data) return null
  return (
    <span className="m-muted" role="status">
      {say(['{n} 笔 · 借贷各 ', 'Debit = credit '], {
        n: data.n.toLocaleString(),
      })}
      <Money cents={data.amount_cents} />
    </span>
  )
}
/** Every balanced transaction, with its lines beside it. */
export const Journal = () => {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  const { owner_kind } = list.input
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['资金流水', 'Money journal'])}
        columns={columns}
        actions={Object.values(actions)}
        aside={<Sums of={filtersOf(list)} />}
        filters={
          <>
            <Keyword
              of={list}
              by="no"
              placeholder={say(['订单号、单号或凭证号', 'Order, document or number'])}
            />
            <Keyword
              of={list}
              by="channel_no"
              placeholder={say(['微信支付单号', 'Number of WeChat Pay'])}
            />
            <Choice of={list} by="biz" label={say(['业务', 'Business'])} words={businesses} />
            <Choice of={list} by="kind" label={say(['账户', 'Account'])} words={accountKinds} />
            <Choice of={list} by="owner_kind" label={say(['所有者', 'Owner'])} words={ownerKinds} />
            {owner_kind && owner_kind !== 'platform' && (
              <Among
                of={list}
                by="owner_id"
                label={say(ownerKinds[owner_kind])}
                find={calls.owners}
                given={{ owner_kind }}
                labelOf={(one: { name: string }) => one.name}
                words={['名称或编号', 'name or number']}
              />
            )}
            <AmountFilter of={list} />
            <Period
              of={list}
              from="from"
              to="to"
              most={JOURNAL_DAYS}
              usual={['近 93 天', 'Last 93 days']}
            />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一笔凭证查看分录', 'Choose one to see its lines'])}>
        {row => <TxnDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
