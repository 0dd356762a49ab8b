import { useState, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import {
  payoutChannels,
  riskFlags,
  withdrawalCan,
  withdrawalOwners,
  withdrawalStates,
  type WithdrawalState as StateName,
  type WithdrawalVerb,
} from '#src/areas/payout/withdrawing.ts'
import type { Result } from '#src/contract/call.ts'
import type { revealCall, WithdrawalCalls, WithdrawalRow } from '#src/contract/withdrawals.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { textColumn, wordColumn } from './cells.tsx'
import { useRead } from './data.ts'
import { useExport } from './exporting.ts'
import { Choice, Keyword, Toggle } from './filters.tsx'
import type { Column } from './grid.tsx'
import { Chosen } from './inspector.tsx'
import { List } from './list.tsx'
import { ListDetail } from './listdetail.tsx'
import { CityFilter } from './places.tsx'
import { RevealDialog, type Revealed } from './reveal.tsx'
import { Badge, duration, Money, When } from './show.tsx'
import { Flags } from './submission.tsx'
import { useSay } from './text.ts'
import { useList, type ListState } from './uselist.ts'
import { withdrawalFile } from './withdrawal-file.tsx'
import { WithdrawalState } from './withdrawal-looks.tsx'
import { useAction, usePane, useResult, useWorkbench } from './workbench.ts'

type Row = WithdrawalRow
const PayeeName = ({ row }: { row: Row }) => {
  const say = useSay()
  const differs = row.registered_name !== null && row.registered_name !== row.payee_name
  return (
    <>
      {row.payee_name} {differs && <Badge tone="bad">{say(['户名不符', 'Other name'])}</Badge>}
    </>
  )
}
const Risk = ({ row }: { row: Row }) => {
  const say = useSay()
  return <Flags words={row.risk_flags.map(flag => say(riskFlags[flag]))} />
}
const Waited = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.ended_at) return <When at={row.ended_at} />
  return <span className="m-num">{duration(unixNow() - row.applied_at, say)}</span>
}
const money = (
  key: 'amount_cents' | 'fee_cents' | 'tax_cents' | 'net_cents' | 'balance_before_cents',
  title: Column<Row>['title'],
  width: number,
): Column<Row> => ({
  key,
  title,
  width,
  align: 'end',
  cell: row => <Money cents={row[key]} />,
})
/** The columns of such a page; a page leaves out whichever says the same of all its rows. */
export const withdrawalColumns: readonly Column<Row>[] = [
  { ...textColumn('title', ['申请人', 'Owner'], 180), grow: true },
  {
    key: 'status',
    title: ['状态', 'State'],
    width: 104,
    priority: 1,
    cell: row => <WithdrawalState row={row} />,
  },
  {
    key: 'waited',
    title: ['等待', 'Waiting'],
    width: 96,
    priority: 1,
    align: 'end',
    cell: row => <Waited row={row} />,
  },
  { ...money('amount_cents', ['提现金额', 'Amount'], 108), priority: 1 },
  { ...money('net_cents', ['实付', 'Net'], 108), priority: 2 },
  {
    key: 'risk',
    title: ['风险提示', 'Flags'],
    width: 124,
    priority: 1,
    cell: row => <Risk row={row} />,
  },
  wordColumn('channel', ['渠道', 'Channel'], 108, payoutChannels),
  {
    key: 'payee_name',
    title: ['收款户名', 'Payee'],
    width: 150,
    cell: row => <PayeeName row={row} />,
    words: row => row.payee_name,
  },
  money('balance_before_cents', ['申请前余额', 'Balance before'], 116),
  {
    key: 'last_paid',
    title: ['上次打款', 'Last payout'],
    width: 108,
    cell: row => <When at={row.last_paid_at} />,
  },
  wordColumn('owner_kind', ['类型', 'Kind'], 72, withdrawalOwners),
  { ...money('fee_cents', ['手续费', 'Fee'], 84), optional: true },
  { ...money('tax_cents', ['代扣税', 'Tax'], 84), optional: true },
  {
    key: 'payee_no',
    title: ['收款账号', 'Account'],
    width: 160,
    optional: true,
    cell: row => <span className="m-num">{row.payee_no ?? '—'}</span>,
  },
  { ...textColumn('no', ['提现单号', 'Number'], 176), optional: true },
  { ...textColumn('reviewer_name', ['初审人', 'Reviewer'], 80), optional: true },
  { ...textColumn('payer_name', ['打款人', 'Paid by'], 80), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
]

/** The decisions after which the next row comes. */
const decided = [
  'approve',
  'secondApprove',
  'reject',
  'pay',
  'markPaid',
  'markFailed',
  'retry',
  'back',
  'cancel',
] as const satisfies readonly WithdrawalVerb[]
type Decided = (typeof decided)[number]
const Decision = ({ action, of }: { action: Action; of: ListState<Row> }) => {
  const workbench = useWorkbench()
  const pane = usePane()
  const mine = (row: Row) =>
    decided.some(verb => withdrawalCan(verb, row, workbench.me.id) === true)
  useAction(action, (rows: readonly Row[]) => {
    const [row] = rows
    if (!row) return
    const later = of.rows.slice(of.rows.findIndex(one => one.id === row.id) + 1)
    const next = later.find(mine) ?? later[0]
    void workbench.run(action, rows, { pane: pane.id }).then(done => {
      if (done && next) of.focus(next.id)
    })
  })
  return null
}

const Filters = ({ of, owners }: { of: ListState<Row>; owners: boolean }) => {
  const say = useSay()
  return (
    <>
      <Keyword
        of={of}
        placeholder={say(['单号、渠道流水号或收款人', 'Number, channel no. or payee'])}
      />
      {owners && (
        <Choice
          of={of}
          by="owner_kind"
          label={say(['申请人类型', 'Kind of owner'])}
          words={withdrawalOwners}
        />
      )}
      <Choice of={of} by="channel" label={say(['渠道', 'Channel'])} words={payoutChannels} />
      <CityFilter of={of} />
      <Toggle of={of} by="flagged" label={say(['有风险提示', 'Flagged'])} />
    </>
  )
}
/** The tabs with their numbers, and what the one in sight adds up to. */
const useTotals = (list: ListState<Row>, calls: WithdrawalCalls) => {
  const { status, page: _, pageSize: __, ...filters } = list.input as Record<string, unknown>
  const { data } = useRead(calls.totals, filters)
  const of = (key: string) => data?.states.find(one => one.status === key)
  return {
    tabs: {
      by: 'status',
      all: (Object.keys(withdrawalStates) as StateName[]).map(key => ({
        key,
        title: withdrawalStates[key],
        ...(data && { count: of(key)?.count ?? 0 }),
      })),
    },
    sum: data && (of(status as string) ?? { amount_cents: 0 }),
  }
}

type Told = Result<ReturnType<typeof revealCall>>
type Of = {
  title: Text
  calls: WithdrawalCalls
  actions: Readonly<Record<Decided | 'export', Action>>
  /** Tells a masked account. */
  reveal: Action<Row, any, Told>
  columns: readonly Column<Row>[]
  /** Applicants of every kind: a filter tells them apart. */
  owners?: boolean
  /** What the page has besides, and above its list. */
  more?: () => ReactNode
  head?: () => ReactNode
  /** Where a row is opened. */
  opens?: (row: Row) => string
}
/** Money asked for, the oldest first: a decision takes the eye to the next one. */
export const withdrawalPage = ({ title, calls, actions, reveal, columns, ...of }: Of) => {
  const File = withdrawalFile(calls)
  const { more: More, head: Head, opens } = of
  return function Withdrawals() {
    const say = useSay()
    const { open } = useWorkbench()
    const list = useList(calls.lst) as ListState<Row>
    const { tabs, sum } = useTotals(list, calls)
    const [told, setTold] = useState<Revealed | undefined>(undefined)
    useExport(actions.export, calls.export, { list })
    useResult(reveal, ({ id, payee_no, seconds, left }) =>
      setTold({
        label: ['收款账号', 'Account'],
        of: list.rows.find(row => row.id === id)?.payee_name ?? '',
        value: payee_no,
        seconds,
        left,
      }),
    )
    return (
      <>
        {decided.map(verb => (
          <Decision key={verb} action={actions[verb]} of={list} />
        ))}
        {Head && <Head />}
        <ListDetail label={say(['列表与提现详情的分隔', 'Between list and withdrawal'])} work>
          <List
            of={list}
            label={say(title)}
            columns={columns}
            actions={Object.values(actions)}
            {...(opens && { onOpen: (row: Row) => open(opens(row)) })}
            tabs={tabs}
            filters={<Filters of={list} owners={of.owners ?? false} />}
            aside={
              sum && (
                <span className="m-muted m-num">
                  {say(['合计', 'Total'])} <Money cents={sum.amount_cents} sign />
                </span>
              )
            }
          />
          <Chosen of={list} none={say(['选择一笔提现', 'Choose a withdrawal'])}>
            {row => <File key={row.id} row={row} />}
          </Chosen>
        </ListDetail>
        {More && <More />}
        {told && <RevealDialog of={told} close={() => setTold(undefined)} />}
      </>
    )
  }
}
