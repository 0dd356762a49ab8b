import { useState } from 'react'
import { channelActions as actions } from '#commands/ecard/channel.ts'
import { channelStates, channelTypes } from '#src/areas/ecard/ecard.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import { numberColumn, stateColumn, textColumn, wordColumn } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { KeyShown, type NewKey } from '#src/kit/key-shown.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { SecretFile, type SecretZip } from '#src/kit/secret-file.tsx'
import { Badge, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { ecardChannels as calls, type ChannelRow } from '../contract/channel.ts'
import { ChannelDetail } from '../parts/ChannelFacts.tsx'
import { backRate, channelLooks, endsSoon, shareRange } from '../parts/channelLooks.tsx'
import { IssueCards } from '../parts/IssueCards.tsx'
import { Statement } from '../parts/Statement.tsx'

const Mark = ({ row }: { row: ChannelRow }) => {
  const say = useSay()
  if (row.request) return <Badge tone="info">{say(['待复核', 'To approve'])}</Badge>
  return row.balance_cents < 0 ? <Badge tone="bad">{say(['欠款', 'In debt'])}</Badge> : null
}
const until = (row: ChannelRow) => (row.end_at === null ? '—' : timeFull(row.end_at).slice(0, 10))
const Until = ({ row }: { row: ChannelRow }) => (
  <span className={endsSoon(row, unixNow()) ? 'm-bad' : undefined}>{until(row)}</span>
)
const columns: readonly Column<ChannelRow>[] = [
  { ...textColumn('name', ['渠道', 'Channel'], 180), grow: true },
  { key: 'mark', title: ['提醒', 'Note'], width: 84, priority: 1, cell: row => <Mark row={row} /> },
  { ...wordColumn('type', ['类型', 'Type'], 88, channelTypes), priority: 3 },
  stateColumn('status', ['状态', 'State'], 84, channelLooks),
  {
    key: 'end_at',
    title: ['合同至', 'Contract until'],
    width: 92,
    priority: 2,
    cell: row => <Until row={row} />,
    words: until,
  },
  {
    key: 'share',
    title: ['折扣', 'Rate'],
    width: 88,
    priority: 3,
    cell: shareRange,
    words: shareRange,
  },
  {
    key: 'balance',
    title: ['余额', 'Balance'],
    width: 108,
    align: 'end',
    priority: 1,
    cell: row => <Money cents={row.balance_cents} />,
  },
  {
    key: 'credit',
    title: ['授信', 'Credit'],
    width: 104,
    align: 'end',
    priority: 3,
    cell: row => <Money cents={row.credit_cents} />,
  },
  {
    key: 'quota',
    title: ['已发 / 额度', 'Issued / quota'],
    width: 104,
    align: 'end',
    priority: 2,
    cell: row => `${row.issued_n.toLocaleString()} / ${row.quota_n.toLocaleString()}`,
  },
  { ...numberColumn('activated_n', ['已激活', 'Activated'], 76), priority: 3 },
  {
    key: 'back',
    title: ['退卡率', 'Return rate'],
    width: 72,
    priority: 4,
    cell: backRate,
    words: backRate,
  },
  { ...numberColumn('id', ['编号', 'ID'], 64), optional: true },
]

/** Firms that sell cards on: what they may have, what they have paid ahead and may owe. */
export default function Channels() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [zip, setZip] = useState<SecretZip | undefined>(undefined)
  const [key, setKey] = useState<NewKey | undefined>(undefined)
  const [issuing, setIssuing] = useState<ChannelRow | undefined>(undefined)
  const [billed, setBilled] = useState<ChannelRow | undefined>(undefined)
  useExport(actions.export, calls.export, { list })
  useAction(actions.issueBatch, ([row]: readonly ChannelRow[]) => setIssuing(row))
  useAction(actions.statement, ([row]: readonly ChannelRow[]) => setBilled(row))
  useResult(actions.handOver, handed => {
    setZip(handed)
    return true
  })
  useResult(actions.resetKey, made => {
    setKey(made)
    return true
  })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['电子卡渠道', 'E-card channels'])}
          columns={columns}
          actions={Object.values(actions)}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say([
                  '渠道、公司、信用代码或编号',
                  'Name, company, credit code or ID',
                ])}
              />
              <Choice of={list} by="type" label={say(['类型', 'Type'])} words={channelTypes} />
              <Choice of={list} by="status" label={say(['状态', 'State'])} words={channelStates} />
              <Toggle of={list} by="waiting" label={say(['待复核', 'Awaiting approval'])} />
              <Toggle of={list} by="ending" label={say(['30 天内到期', 'Ends within 30 days'])} />
              <Toggle of={list} by="debt" label={say(['欠款', 'In debt'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个渠道', 'Choose a channel'])}>
          {row => <ChannelDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {issuing && (
        <IssueCards
          row={issuing}
          close={() => setIssuing(undefined)}
          done={issued => {
            toast(say(['已发 {n} 张', '{n} cards issued'], { n: issued.rows }), 'success')
            setZip(issued)
          }}
        />
      )}
      {billed && <Statement row={billed} close={() => setBilled(undefined)} />}
      {zip && <SecretFile of={zip} close={() => setZip(undefined)} />}
      {key && <KeyShown of={key} close={() => setKey(undefined)} />}
    </>
  )
}
