import { Button, InputGroup } from '@blueprintjs/core'
import { Confirm, Cross, Delta, Time } from '@blueprintjs/icons'
import { useEffect, useId, useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { moneyJournal } from '#commands/pages/settle.ts'
import { reconActions as actions } from '#commands/settle/recon.ts'
import {
  billChannels,
  diffs,
  fetchedForms,
  fetchStates,
  gapOf,
  itemKinds,
  itemStates,
  methods,
  type Diff,
  type FetchState,
  type ItemState,
} from '#src/areas/reconcile/reconcile.ts'
import type { Result } from '#src/contract/call.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import { State, stateColumn, textColumn, wordColumn, type States } from '#src/kit/cells.tsx'
import { useRead, useWrite } from '#src/kit/data.ts'
import { backToRows, Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type Filtered } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { recon as calls, type ReconRow } from '../contract/recon.ts'
import { ImportBill } from './ImportBill.tsx'
import { Traced } from './looks.tsx'

const looks: States<Diff> = {
  matched: { text: diffs.matched, tone: 'good', icon: Confirm },
  missing_ours: { text: diffs.missing_ours, tone: 'bad', icon: Cross },
  missing_channel: { text: diffs.missing_channel, tone: 'bad', icon: Cross },
  amount: { text: diffs.amount, tone: 'warn', icon: Delta },
  status: { text: diffs.status, tone: 'warn', icon: Delta },
}
const fetchLooks: States<FetchState> = {
  waiting: { text: fetchStates.waiting, tone: 'info', icon: Time },
  done: { text: fetchStates.done, tone: 'good', icon: Confirm },
  none: { text: fetchStates.none, tone: 'good', icon: Confirm },
  failed: { text: fetchStates.failed, tone: 'bad', icon: Cross },
}
const stateLooks: States<ItemState> = {
  open: { text: itemStates.open, tone: 'warn', icon: Time },
  asked: { text: itemStates.asked, tone: 'info', icon: Time },
  resolved: { text: itemStates.resolved, tone: 'good', icon: Confirm },
}
/** A side of an item; a side that has nothing says so. */
const Side = ({ cents }: { cents: number | null }) => {
  const say = useSay()
  return cents === null ? (
    <span className="m-muted">{say(['无', 'None'])}</span>
  ) : (
    <Money cents={cents} />
  )
}
const columns: readonly Column<ReconRow>[] = [
  { ...textColumn('day', ['账单日', 'Day'], 92), priority: 2 },
  wordColumn('kind', ['类型', 'Kind'], 76, itemKinds),
  stateColumn('diff', ['差异', 'Difference'], 112, looks),
  {
    key: 'number',
    title: ['商户单号', 'Our number'],
    width: 180,
    grow: true,
    cell: row => <span className="m-num">{row.our_no || row.channel_no}</span>,
    words: row => row.our_no || row.channel_no,
  },
  {
    key: 'ours',
    title: ['平台', 'Ours'],
    width: 96,
    align: 'end',
    cell: row => <Side cents={row.our_cents} />,
  },
  {
    key: 'theirs',
    title: ['账单', 'The bill'],
    width: 96,
    align: 'end',
    cell: row => <Side cents={row.channel_cents} />,
  },
  stateColumn('status', ['状态', 'State'], 108, stateLooks),
  { ...textColumn('owner', ['跟进人', 'Owner'], 84), priority: 3 },
  { ...wordColumn('channel', ['渠道', 'Channel'], 90, billChannels), priority: 4 },
]

const ItemDetail = ({ row }: { row: ReconRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.our_no || row.channel_no} aside={<State of={row.diff} in={looks} />}>
      <Section title={say(['两边', 'Both sides'])}>
        <Facts>
          <Fact label={say(['平台金额', 'Ours'])}>
            <Side cents={row.our_cents} />
          </Fact>
          <Fact label={say(['账单金额', 'The bill'])}>
            <Side cents={row.channel_cents} />
          </Fact>
          <Fact label={say(['账单多出', 'The bill has more'])}>
            <Money cents={gapOf(row)} />
          </Fact>
          <Fact label={say(['时间', 'When'])}>
            <When at={row.at} />
          </Fact>
          <Fact label={say(['渠道 · 类型', 'Channel, kind'])}>
            {say(billChannels[row.channel])} · {say(itemKinds[row.kind])}
            {row.word && ` · ${row.word}`}
          </Fact>
          <Fact label={say(['账单日', 'Day'])}>{row.day}</Fact>
          <Fact wide label={say(['商户单号', 'Our number'])}>
            <span className="m-num">{row.our_no || '—'}</span>
          </Fact>
          <Fact wide label={say(['渠道单号', 'Number of the channel'])}>
            <span className="m-num">{row.channel_no || '—'}</span>
          </Fact>
          {row.order_no && (
            <Fact wide label={say(['订单', 'Order'])}>
              <Traced no={row.order_no} />
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['处理', 'What becomes of it'])}>
        <Facts>
          <Fact label={say(['状态', 'State'])}>
            <State of={row.status} in={stateLooks} />
          </Fact>
          <Fact label={say(['跟进人', 'Owner'])}>{row.owner || '—'}</Fact>
          {row.method && <Fact label={say(['处理方式', 'How'])}>{say(methods[row.method])}</Fact>}
          {row.resolver && (
            <Fact label={say(['处理人', 'Resolved by'])}>
              {row.resolver} <When at={row.resolved_at} />
            </Fact>
          )}
          {row.note && (
            <Fact wide label={say(['说明', 'Note'])}>
              {row.note}
            </Fact>
          )}
          {row.txn_no && (
            <Fact wide label={say(['调账凭证', 'Adjusted by'])}>
              <Link href={to(moneyJournal, { no: row.txn_no })}>
                <span className="m-num">{row.txn_no}</span>
              </Link>
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
/** The day that is looked at: typed, or the one beside it. */
const DayFilter = ({ of, day, last }: { of: Filtered; day: string; last: string }) => {
  const say = useSay()
  const fault = useId()
  const [typed, setTyped] = useState(day)
  useEffect(() => setTyped(day), [day])
  const at = momentNamed(typed)
  const go = (to: string) => of.filter({ day: to || undefined })
  const step = (by: number) => {
    const from = momentNamed(last)
    if (from !== undefined) go(dateOf(from + by * DAY))
  }
  const label = say(['账单日，如 2026-11-26', 'Day, as 2026-11-26'])
  return (
    <span className="st-day">
      <Button
        size="small"
        variant="minimal"
        text="‹"
        aria-label={say(['前一天', 'The day before'])}
        onClick={() => step(-1)}
      />
      <InputGroup
        size="small"
        aria-label={label}
        placeholder={label}
        aria-invalid={typed !== '' && at === undefined}
        aria-describedby={at === undefined ? fault : undefined}
        value={typed}
        maxLength={10}
        onValueChange={setTyped}
        onKeyDown={event => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter' && (typed === '' || at !== undefined)) go(typed)
          backToRows(event.currentTarget)
        }}
      />
      <Button
        size="small"
        variant="minimal"
        text="›"
        aria-label={say(['后一天', 'The day after'])}
        onClick={() => step(1)}
      />
      {typed !== '' && at === undefined && (
        <span id={fault} className="m-bad">
          {say(['日期写法如 2026-11-26', 'A day such as 2026-11-26'])}
        </span>
      )}
    </span>
  )
}
const order = Object.keys(diffs)
const byDiff = (a: { diff: Diff }, b: { diff: Diff }) =>
  order.indexOf(a.diff) - order.indexOf(b.diff)
type Told = Result<typeof calls.billDay>
/** How the bills of the day match: how many of each, and how many are open. */
const Counts = ({ of }: { of: Told | undefined }) => {
  const say = useSay()
  if (!of) return <div className="st-statement" />
  const open = of.counts.reduce((sum, one) => sum + one.open, 0)
  return (
    <div className="st-statement" role="status">
      <b>
        {of.day
          ? say(['{day} 对账', 'Bills of {day}'], { day: of.day })
          : say(['还没有导入账单', 'No bill yet'])}
      </b>
      {[...of.counts].sort(byDiff).map(one => (
        <span key={one.diff}>
          {say(diffs[one.diff])} <b className="m-num">{one.n.toLocaleString()}</b>
        </span>
      ))}
      {of.day && (
        <Badge tone={open === 0 ? 'good' : 'warn'}>
          {open === 0
            ? say(['全部对平', 'All settled'])
            : say(['{n} 项待处理', '{n} open'], { n: open })}
        </Badge>
      )}
    </div>
  )
}
/** How far the bills are that the channel is asked for by itself, and which shares they lack. */
const Fetches = ({ of }: { of: Told | undefined }) => {
  const say = useSay()
  if (!of || (of.fetches.length === 0 && of.shares_elsewhere === 0)) return null
  return (
    <div className="st-statement" role="status" aria-label={say(['账单获取', 'Bills fetched'])}>
      {of.fetches.map(one => (
        <span key={one.form}>
          {say(fetchedForms[one.form])} <State of={one.state} in={fetchLooks} />{' '}
          {one.state === 'done' && <When at={one.fetched_at} />}
          {one.answer && <>{one.answer} </>}
          {one.ask_at !== null && one.tries > 0 && (
            <span className="m-muted">
              {say(['下次获取', 'Asked for again'])} <When at={one.ask_at} />
            </span>
          )}
        </span>
      ))}
      {of.shares_elsewhere > 0 && (
        <span className="m-muted">
          {say(
            [
              '{n} 笔分账从特约商户的账户划出，在其自己的资金账单中，本账单不含',
              '{n} shares left accounts of merchants: their own fund bills tell them, not this one',
            ],
            { n: of.shares_elsewhere },
          )}
        </span>
      )}
    </div>
  )
}
/** Asks the channel for the bills of a day; they come by themselves once they are there. */
const useFetching = (day: string | undefined, show: (day: string) => void) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [fetchNow] = useWrite(calls.fetchBills)
  useAction(actions.fetchBills, () =>
    fetchNow(day ? { day } : {}).then(
      told => {
        toast(
          say(['正在获取 {day} 的账单，到后自动核对', 'The bills of {day} are being fetched'], {
            day: told.day,
          }),
        )
        show(told.day)
      },
      () => {},
    ),
  )
}
/** Bills of channels beside what we have, day by day; each difference is somebody's. */
export const Reconcile = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.items)
  const { day } = list.input
  const told = useRead(calls.billDay, day ? { day } : {}).data
  const [importing, setImporting] = useState(false)
  const [match] = useWrite(calls.autoMatch)
  const shown = day ?? told?.day ?? ''
  useAction(actions.importBill, () => setImporting(true))
  useFetching(day, asked => list.filter({ day: asked }))
  useAction(actions.autoMatch, () => {
    if (!shown) return setImporting(true)
    return void match({ day: shown }).then(
      ({ changed, open }) =>
        toast(
          say(['对账完成：{n} 项有变化，{open} 项待处理', '{n} changed, {open} are open'], {
            n: changed,
            open,
          }),
          open === 0 ? 'success' : 'warning',
        ),
      () => {},
    )
  })
  return (
    <div className="st-column">
      <Counts of={told} />
      <Fetches of={told} />
      <ListDetail>
        <List
          of={list}
          label={say(['对账明细', 'Items of bills'])}
          columns={columns}
          actions={Object.values(actions)}
          filters={
            <>
              <DayFilter of={list} day={day ?? ''} last={shown} />
              <Choice of={list} by="diff" label={say(['差异', 'Difference'])} words={diffs} />
              <Choice of={list} by="status" label={say(['状态', 'State'])} words={itemStates} />
              <Choice
                of={list}
                by="channel"
                label={say(['渠道', 'Channel'])}
                words={billChannels}
              />
              <Keyword
                of={list}
                by="no"
                placeholder={say(['商户单号或渠道单号', 'Our number or the channel’s'])}
              />
              <Toggle of={list} by="mine" label={say(['我跟进的', 'Mine'])} />
            </>
          }
          empty={
            <Empty title={say(['没有对账记录', 'Nothing to reconcile'])}>
              <p>
                {say([
                  '微信交易账单与资金账单每日 10 点后自动获取，也可导入账单文件或银行流水，在此逐笔核对。',
                  'Bills of WeChat Pay are fetched after ten each day; import those of the bank, or a file: every row is compared here.',
                ])}
              </p>
            </Empty>
          }
        />
        <Chosen of={list} none={say(['选择一项查看两边', 'Choose an item to see both sides'])}>
          {row => <ItemDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {importing && (
        <ImportBill
          day={shown}
          close={() => setImporting(false)}
          done={imported => list.filter({ day: imported })}
        />
      )}
    </div>
  )
}
