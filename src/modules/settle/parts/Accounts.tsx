import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { moneyJournal } from '#commands/pages/settle.ts'
import { accountActions as actions, statementOf } from '#commands/settle/flow.ts'
import { JOURNAL_DAYS } from '#src/areas/ledger/journal.ts'
import {
  accountKinds,
  accounts,
  businesses,
  ownerKinds,
  type AccountKind,
} from '#src/areas/ledger/ledger.ts'
import { Among } from '#src/kit/among.tsx'
import { textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Choice, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Period } from '#src/kit/period.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction } from '#src/kit/workbench.ts'
import { flow as calls, type AccountRow, type EntryRow } from '../contract/flow.ts'
import { Balance, Traced } from './looks.tsx'

const codeOf = (kind: AccountKind) => accounts[kind].code
const columns: readonly Column<AccountRow>[] = [
  {
    key: 'code',
    title: ['科目', 'Code'],
    width: 64,
    cell: row => <span className="m-num">{codeOf(row.kind)}</span>,
  },
  wordColumn('kind', ['账户', 'Account'], 180, accountKinds),
  wordColumn('owner_kind', ['所有者类型', 'Owner is'], 110, ownerKinds),
  { ...textColumn('owner', ['所有者', 'Owner'], 220), grow: true },
  {
    key: 'balance',
    title: ['余额', 'Balance'],
    width: 150,
    align: 'end',
    cell: row => <Balance cents={row.balance_cents} />,
  },
]
const entryColumns: readonly Column<EntryRow>[] = [
  timeColumn('at', ['时间', 'When'], 108),
  wordColumn('biz', ['业务', 'Business'], 100, businesses),
  {
    key: 'document',
    title: ['订单 / 单号', 'Order or document'],
    width: 190,
    grow: true,
    cell: row =>
      row.order_no ? <Traced no={row.order_no} /> : <span className="m-num">{row.biz_no}</span>,
    words: row => row.order_no || row.biz_no,
  },
  { ...textColumn('memo', ['摘要', 'Memo'], 160), priority: 3 },
  {
    key: 'debit',
    title: ['借', 'Debit'],
    width: 110,
    align: 'end',
    cell: row => (row.amount_cents > 0 ? <Money cents={row.amount_cents} /> : ''),
  },
  {
    key: 'credit',
    title: ['贷', 'Credit'],
    width: 110,
    align: 'end',
    cell: row => (row.amount_cents < 0 ? <Money cents={-row.amount_cents} /> : ''),
  },
  {
    key: 'balance',
    title: ['余额', 'Balance'],
    width: 130,
    align: 'end',
    cell: row => <Balance cents={row.balance_after_cents} />,
  },
  {
    ...textColumn('no', ['凭证号', 'Number'], 150),
    priority: 4,
    cell: row => <span className="m-num">{row.no}</span>,
  },
]

/** What a statement begins with, its two sides, and what it ends with. */
const Ends = ({ of }: { of: object }) => {
  const say = useSay()
  const { data } = useRead(calls.accountView, {
    ...(of as { account_id: number }),
    page: 1,
    pageSize: 1,
  })
  if (!data) return <div className="st-statement" />
  const { account } = data
  return (
    <div className="st-statement" role="status">
      <b>
        {codeOf(account.kind)} {say(accountKinds[account.kind])} {account.owner}
      </b>
      <span>
        {say(['期初', 'Opening'])} <Balance cents={data.open_cents} />
      </span>
      <span>
        {say(['借方合计', 'Debits'])} <Money cents={data.debit_cents} />
      </span>
      <span>
        {say(['贷方合计', 'Credits'])} <Money cents={data.credit_cents} />
      </span>
      <span>
        {say(['期末', 'Closing'])} <Balance cents={data.close_cents} />
      </span>
    </div>
  )
}
/** Every line of one account in a period, the newest first, each with what it left there. */
const Statement = ({ account_id }: { account_id: number }) => {
  const say = useSay()
  const fixed = useMemo(() => ({ account_id }), [account_id])
  const list = useList(calls.accountView, fixed)
  const [, navigate] = useLocation()
  useAction(actions.accounts, () => navigate(to(moneyJournal, { view: 'account' })))
  const { page: _, pageSize: __, sort: ___, ...asked } = list.input as Record<string, unknown>
  return (
    <div className="st-column">
      <Ends of={asked} />
      <List
        of={list}
        label={say(['账户明细账', 'Statement of the account'])}
        columns={entryColumns}
        onOpen={row => navigate(to(moneyJournal, { no: row.no }))}
        actions={[actions.entry, actions.accounts]}
        filters={
          <Period
            of={list}
            from="from"
            to="to"
            most={JOURNAL_DAYS}
            usual={['近 93 天', 'Last 93 days']}
          />
        }
      />
    </div>
  )
}
const Chart = () => {
  const say = useSay()
  const list = useList(calls.accounts)
  const [, navigate] = useLocation()
  const { owner_kind } = list.input
  return (
    <List
      of={list}
      label={say(['账户', 'Accounts'])}
      columns={columns}
      actions={[actions.accountView]}
      onOpen={row => navigate(statementOf(row.id))}
      filters={
        <>
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
          <Toggle of={list} by="used" label={say(['有余额', 'With a balance'])} />
        </>
      }
    />
  )
}
/** The accounts and their balances, or the statement of the one that the address names. */
export const Accounts = () => {
  const account = Number(new URLSearchParams(useSearch()).get('account_id'))
  return account > 0 ? <Statement key={account} account_id={account} /> : <Chart />
}
