import { Cross, Inbox, Tick, Undo } from '@blueprintjs/icons'
import { useState } from 'react'
import { chargeActions as actions } from '#commands/settle/charge.ts'
import {
  chargeChannels,
  chargeDirections,
  chargeKinds,
  chargeOwners,
  chargeStates,
  type ChargeState,
} from '#src/areas/fund/fund.ts'
import { stateColumn, textColumn, wordColumn, State, type States } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { FileImport } from '#src/kit/file-import.tsx'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { charges as calls, type ChargeRow } from '../contract/charge.ts'

type Row = ChargeRow
const states: States<ChargeState> = {
  pending: { text: chargeStates.pending, tone: 'info', icon: Inbox },
  posted: { text: chargeStates.posted, tone: 'good', icon: Tick },
  rejected: { text: chargeStates.rejected, icon: Cross },
  reversed: { text: chargeStates.reversed, tone: 'warn', icon: Undo },
}
const signed = (row: Row): number => (row.direction === 'in' ? row.amount_cents : -row.amount_cents)
const Debt = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.would_owe_cents > 0)
    return (
      <Badge tone="warn" title={say(['入账后记为欠款', 'Becomes debt'])}>
        <Money cents={row.would_owe_cents} />
      </Badge>
    )
  return row.debt_cents > 0 ? <Money cents={row.debt_cents} /> : <span className="m-muted">—</span>
}
const columns: readonly Column<Row>[] = [
  { ...textColumn('title', ['对象', 'Owner'], 160), grow: true },
  { ...stateColumn('status', ['状态', 'State'], 92, states), priority: 1 },
  { ...wordColumn('kind', ['类型', 'Kind'], 120, chargeKinds), priority: 1 },
  {
    key: 'amount_cents',
    title: ['金额', 'Amount'],
    width: 112,
    align: 'end',
    priority: 1,
    cell: row => <Money cents={signed(row)} />,
  },
  {
    key: 'debt_cents',
    title: ['欠款', 'Debt'],
    width: 100,
    align: 'end',
    priority: 2,
    cell: row => <Debt row={row} />,
  },
  {
    key: 'balance_after_cents',
    title: ['入账后余额', 'Balance after'],
    width: 116,
    align: 'end',
    cell: row =>
      row.balance_after_cents === null ? (
        <span className="m-muted">—</span>
      ) : (
        <Money cents={row.balance_after_cents} />
      ),
  },
  {
    key: 'bank_flow_no',
    title: ['银行流水号', 'Bank number'],
    width: 160,
    cell: row => <span className="m-num">{row.bank_flow_no ?? '—'}</span>,
  },
  textColumn('maker_name', ['登记人', 'Recorded by'], 76),
  textColumn('checker_name', ['复核人', 'Checked by'], 76),
  {
    key: 'created_at',
    title: ['登记时间', 'Recorded'],
    width: 104,
    cell: row => <When at={row.created_at} />,
  },
  { ...wordColumn('channel', ['渠道', 'Channel'], 84, chargeChannels), optional: true },
  { ...wordColumn('direction', ['方向', 'Direction'], 64, chargeDirections), optional: true },
  { ...wordColumn('owner_kind', ['对象类型', 'Kind of owner'], 80, chargeOwners), optional: true },
  { ...textColumn('no', ['单号', 'Number'], 176), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
  { ...textColumn('memo', ['摘要', 'Memo'], 180), optional: true },
]

const Beside = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.title} aside={<State of={row.status} in={states} />}>
      <Section title={say(chargeKinds[row.kind])}>
        <Facts>
          <Fact label={say(['金额', 'Amount'])}>
            <Money cents={signed(row)} sign />
          </Fact>
          <Fact label={say(['记为欠款', 'As debt'])}>
            <Debt row={row} />
          </Fact>
          <Fact label={say(['当前余额', 'Balance now'])}>
            <Money cents={row.has_cents} />
          </Fact>
          <Fact label={say(['当前欠款', 'Owed now'])}>
            <Money cents={row.owes_cents} />
          </Fact>
          <Fact label={say(['摘要', 'Memo'])} wide>
            {row.memo || '—'}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['来源', 'Source'])}>
        <Facts>
          <Fact label={say(['渠道', 'Channel'])}>{say(chargeChannels[row.channel])}</Fact>
          <Fact label={say(['银行', 'Bank'])}>{row.bank ?? '—'}</Fact>
          <Fact label={say(['银行流水号', 'Bank number'])}>
            <span className="m-num">{row.bank_flow_no ?? '—'}</span>
          </Fact>
          <Fact label={say(['回单凭证', 'Bank slip'])}>
            {row.proof ? <Thumb of={row.proof} /> : '—'}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['处理', 'Handling'])}>
        <Facts>
          <Fact label={say(['单号', 'Number'])}>
            <span className="m-num">{row.no}</span>
          </Fact>
          <Fact label={say(['登记', 'Recorded by'])}>
            {row.maker_name || say(['支付渠道', 'The payment channel'])}{' '}
            <When at={row.created_at} />
          </Fact>
          {row.checker_name && (
            <Fact label={say(['复核', 'Checked by'])}>
              {row.checker_name} <When at={row.checked_at} />
            </Fact>
          )}
          {row.reason && (
            <Fact label={say(['驳回原因', 'Why rejected'])} wide>
              {row.reason}
            </Fact>
          )}
          {row.reversed_at && (
            <Fact label={say(['冲销', 'Reversed by'])} wide>
              {row.reverser_name} <When at={row.reversed_at} /> · {row.reverse_reason}
            </Fact>
          )}
          {row.reminded_at && (
            <Fact label={say(['最近催缴', 'Last reminded'])}>
              <When at={row.reminded_at} />
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}

/** Money in and out that is no sale: written down by one person, checked by another. */
export default function Charges() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, chargeStates)
  const [importing, setImporting] = useState(false)
  useExport(actions.export, calls.export, { list })
  useAction(actions.import, () => setImporting(true))
  useResult(actions.refundDeposit, ({ no }) => {
    toast(
      say(['已提交退还单 {no}，待他人复核', '{no} waits for another person'], { no }),
      'success',
    )
    return true
  })
  return (
    <>
      <ListDetail label={say(['列表与详情的分隔', 'Between list and charge'])}>
        <List
          of={list}
          label={say(['充值与扣费', 'Top-ups and charges'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword of={list} placeholder={say(['单号或银行流水号', 'Number or bank number'])} />
              <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={chargeKinds} />
              <Choice
                of={list}
                by="owner_kind"
                label={say(['对象类型', 'Kind of owner'])}
                words={chargeOwners}
              />
              <CityFilter of={list} />
              <Toggle of={list} by="owing" label={say(['有欠款', 'With debt'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一笔单据', 'Choose a charge'])}>
          {row => <Beside key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {importing && (
        <FileImport
          action={actions.import}
          calls={calls}
          hint={[
            '每行登记一笔到账，待另一人复核后入账；已登记的流水号不会重复登记。',
            'Each line is written down and posts once another person checked it; a number on record is not taken again.',
          ]}
          close={() => setImporting(false)}
        />
      )}
    </>
  )
}
