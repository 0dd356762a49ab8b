import { Confirm, Cross, Time } from '@blueprintjs/icons'
import { useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { moneyJournal } from '#commands/pages/settle.ts'
import { adjustActions as actions } from '#commands/settle/adjust.ts'
import { askStates, sidesOf, type AskState } from '#src/areas/ledger/journal.ts'
import { accountKinds } from '#src/areas/ledger/ledger.ts'
import {
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  type States,
} from '#src/kit/cells.tsx'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { adjusting as calls, type AskRow } from '../contract/adjust.ts'
import { AdjustSheet } from './AdjustSheet.tsx'

const looks: States<AskState> = {
  pending: { text: askStates.pending, tone: 'warn', icon: Time },
  posted: { text: askStates.posted, tone: 'good', icon: Confirm },
  rejected: { text: askStates.rejected, icon: Cross },
}
const columns: readonly Column<AskRow>[] = [
  timeColumn('created_at', ['申请时间', 'Asked'], 112),
  stateColumn('state', ['状态', 'State'], 96, looks),
  {
    key: 'amount',
    title: ['金额', 'Amount'],
    width: 110,
    align: 'end',
    cell: row => <Money cents={row.amount_cents} />,
  },
  { ...textColumn('reason', ['原因', 'Reason'], 240), grow: true },
  textColumn('maker', ['申请人', 'Requested by'], 90),
  { ...textColumn('checker', ['复核人', 'Decided by'], 90), priority: 2 },
]
const AskDetail = ({ row }: { row: AskRow }) => {
  const say = useSay()
  const sides = sidesOf(row.lines)
  return (
    <Inspector
      title={say(['调账申请 #{n}', 'Adjustment #{n}'], { n: row.id })}
      aside={<State of={row.state} in={looks} />}
    >
      <Section title={say(['分录', 'Lines'])}>
        <SmallTable
          head={[
            ['账户', 'Account'],
            ['借', 'Debit'],
            ['贷', 'Credit'],
          ]}
          rows={row.lines}
          keyOf={one => `${one.kind}/${one.owner_kind}/${one.owner_id}`}
          cells={one => [
            `${say(accountKinds[one.kind])} ${one.owner}`,
            one.amount_cents > 0 ? <Money key="debit" cents={one.amount_cents} /> : '',
            one.amount_cents < 0 ? <Money key="credit" cents={-one.amount_cents} /> : '',
          ]}
        />
        <p className="m-muted">
          {say(['借贷各 ', 'Debit = credit = '])}
          <Money cents={sides.debit_cents} />
        </p>
      </Section>
      <Section title={say(['申请与复核', 'Asked and decided'])}>
        <Facts>
          <Fact wide label={say(['原因', 'Reason'])}>
            {row.reason}
          </Fact>
          <Fact label={say(['申请人', 'Requested by'])}>{row.maker}</Fact>
          <Fact label={say(['申请时间', 'When'])}>
            <When at={row.created_at} />
          </Fact>
          {row.checker && <Fact label={say(['复核人', 'Decided by'])}>{row.checker}</Fact>}
          {row.decided_at !== null && (
            <Fact label={say(['复核时间', 'Decided'])}>
              <When at={row.decided_at} />
            </Fact>
          )}
          {row.txn_no && (
            <Fact wide label={say(['凭证号', 'Transaction'])}>
              <Link href={to(moneyJournal, { no: row.txn_no })}>
                <span className="m-num">{row.txn_no}</span>
              </Link>
            </Fact>
          )}
          {row.reject_reason && (
            <Fact wide label={say(['驳回原因', 'Why it was rejected'])}>
              {row.reject_reason}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
/** Adjustments by hand: what waits for a second person, and what became of the others. */
export const Adjustments = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.asks)
  const [asking, setAsking] = useState(false)
  useAction(actions.adjust, () => setAsking(true))
  useResult(actions.approveAdjust, ({ txn_no }) => {
    toast(say(['已入账，凭证 {no}', 'Posted as {no}'], { no: txn_no }), 'success')
    return true
  })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['调账申请', 'Adjustments'])}
          columns={columns}
          actions={Object.values(actions)}
          filters={<Choice of={list} by="state" label={say(['状态', 'State'])} words={askStates} />}
          empty={
            <Empty title={say(['没有调账申请', 'No adjustment was asked for'])}>
              <p>
                {say([
                  '差错用红冲或调账更正；调账须由另一人复核。',
                  'Mistakes are reversed or adjusted; another person approves an adjustment.',
                ])}
              </p>
            </Empty>
          }
        />
        <Chosen of={list} none={say(['选择一笔调账', 'Choose an adjustment'])}>
          {row => <AskDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {asking && <AdjustSheet close={() => setAsking(false)} />}
    </>
  )
}
