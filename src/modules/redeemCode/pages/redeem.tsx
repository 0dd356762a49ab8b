import { useMemo } from 'react'
import { redeemActions as actions } from '#commands/redeemCode/redeem.ts'
import { goodsFilters, goodsStates, type GoodsState } from '#src/areas/redeemCode/goods.ts'
import { redeemResults, redeemWays, type RedeemResult } from '#src/areas/redeemCode/redeemCode.ts'
import { comma } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import {
  idColumn,
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  type States,
  textColumn,
  timeColumn,
} from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Period } from '#src/kit/period.tsx'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { Tabs } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { redeemLogs as calls, type RedeemRow } from '../contract/redeem.ts'
import '../parts/desk.css'

const PERIOD_DAYS = 366
/** So many wrong codes in an hour are no slips of fingers. */
const GUESSING = 30
const toneOf = (result: RedeemResult): ToneName => {
  if (result === 'ok') return 'good'
  return result === 'unknown' || result === 'locked' ? 'bad' : 'warn'
}
const looks = Object.fromEntries(
  Object.entries(redeemResults).map(([key, text]) => [
    key,
    { text, tone: toneOf(key as RedeemResult) },
  ]),
) as States<RedeemResult>

const goodsLooks: States<GoodsState> = {
  waiting: { text: goodsStates.waiting, tone: 'warn' },
  handed: { text: goodsStates.handed, tone: 'good' },
  expired: { text: goodsStates.expired },
}

const columns: readonly Column<RedeemRow>[] = [
  timeColumn('created_at', ['时间', 'When'], 120),
  {
    ...textColumn('masked', ['兑换码', 'Code'], 92),
    cell: row => <span className="m-num">{row.masked}</span>,
  },
  {
    ...stateColumn('result', ['结果', 'Result'], 110, looks),
    cell: row => (
      <>
        <State of={row.result} in={looks} /> {row.revoked_at !== null && <Revoked />}
      </>
    ),
  },
  { ...textColumn('batch_name', ['批次', 'Batch'], 160), grow: true },
  { ...textColumn('nickname', ['会员', 'Member'], 110), priority: 1 },
  { ...textColumn('partner', ['合作方', 'Partner'], 120), priority: 2 },
  {
    key: 'goods_state',
    title: ['实物核销', 'Prize'],
    width: 84,
    priority: 2,
    cell: row => row.goods_state && <State of={row.goods_state} in={goodsLooks} />,
  },
  { ...textColumn('handed_store', ['核销门店', 'Store'], 120), priority: 4 },
  { ...textColumn('handed_name', ['核销人', 'Handed over by'], 84), optional: true },
  { ...timeColumn('handed_at', ['核销时间', 'Handed over'], 120), optional: true },
  { ...numberColumn('tries', ['同类次数', 'Attempts'], 76), priority: 2 },
  { ...textColumn('by', ['办理人', 'Handled by'], 84), priority: 3 },
  { ...textColumn('mall_name', ['商场', 'Mall'], 110), optional: true },
  { ...textColumn('device_id', ['设备', 'Device'], 110), optional: true },
  { ...textColumn('ip', ['IP', 'IP'], 110), optional: true },
  idColumn,
]
const Revoked = () => <Badge>{useSay()(['已撤销', 'Undone'])}</Badge>

const RedeemDetail = ({ row }: { row: RedeemRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.masked} aside={<State of={row.result} in={looks} />}>
      <Section title={say(['兑换', 'Attempt'])}>
        <Facts>
          <Fact label={say(['时间', 'When'])}>
            <When at={row.created_at} />
          </Fact>
          <Fact label={say(['途径', 'Channel'])}>{say(redeemWays[row.channel])}</Fact>
          <Fact wide label={say(['批次', 'Batch'])}>
            {row.batch_name ? `${row.batch_name} · ${row.partner}` : '—'}
          </Fact>
          <Fact wide label={say(['奖励', 'Rewards'])}>
            {row.rewards.join(say(comma)) || '—'}
          </Fact>
          {row.goods_state && (
            <Fact label={say(['实物核销', 'Prize'])}>
              <State of={row.goods_state} in={goodsLooks} />
            </Fact>
          )}
          {row.handed_at !== null && (
            <>
              <Fact label={say(['核销时间', 'Handed over'])}>
                <When at={row.handed_at} />
              </Fact>
              <Fact wide label={say(['核销门店与核销人', 'Where, and by whom'])}>
                {row.handed_store} · {row.handed_name}
              </Fact>
            </>
          )}
          {row.reason && (
            <Fact wide label={say(['原因', 'Why'])}>
              {row.reason}
            </Fact>
          )}
          {row.revoked_at !== null && (
            <Fact label={say(['撤销时间', 'Undone at'])}>
              <When at={row.revoked_at} />
            </Fact>
          )}
          {row.reissued_at !== null && (
            <Fact label={say(['补发时间', 'Given again'])}>
              <When at={row.reissued_at} />
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['会员与设备', 'Member and device'])}>
        <Facts>
          <Fact label={say(['会员', 'Member'])}>{row.nickname || '—'}</Fact>
          <Fact label={say(['手机号', 'Phone'])}>{row.phone || '—'}</Fact>
          <Fact label={say(['设备', 'Device'])}>{row.device_id || '—'}</Fact>
          <Fact label="IP">{row.ip || '—'}</Fact>
          <Fact label={say(['一小时内同类', 'Similar within an hour'])}>{row.tries}</Fact>
          {row.locked_until !== null && (
            <Fact label={say(['限制至', 'Blocked until'])}>
              <When at={row.locked_until} />
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}

type Asked = { batch_id?: number; from?: number; to?: number }
/** Tries of a week by hour: an hour of guessing stands out, and is named. */
const Curve = ({ of }: { of: Asked }) => {
  const say = useSay()
  const read = useRead(calls.hourly, of)
  const hours = read.data?.hours
  const categories = useMemo(() => (hours ?? []).map(one => timeFull(one.at).slice(5, 13)), [hours])
  const series = useMemo(
    () =>
      (
        [
          ['ok', ['成功', 'Redeemed'], 'good'],
          ['failed', ['其他失败', 'Other failures'], 'warn'],
          ['unknown', ['错码与锁定', 'Wrong or locked'], 'bad'],
        ] as const
      ).map(([key, name, tone]) => ({
        name: say(name),
        kind: 'bar' as const,
        stacked: true,
        tone,
        values: (hours ?? []).map(one => one[key]),
      })),
    [hours, say],
  )
  const worst = (hours ?? []).filter(one => one.unknown >= GUESSING)
  return (
    <Answer of={read}>
      {() => (
        <>
          {worst.length > 0 && (
            <p role="alert">
              <Badge tone="bad">
                {say(
                  [
                    '疑似猜码：{n} 个小时错码超过 {most} 次，最近 {at}',
                    'Possible guessing: hours with over {most} wrong codes: {n}, latest {at}',
                  ],
                  {
                    n: worst.length,
                    most: GUESSING,
                    at: timeFull(worst.at(-1)!.at).slice(5, 16),
                  },
                )}
              </Badge>
            </p>
          )}
          <Chart
            label={say(['每小时兑换次数', 'Attempts per hour'])}
            categories={categories}
            series={series}
            height={150}
          />
        </>
      )}
    </Answer>
  )
}
const Bills = () => {
  const say = useSay()
  const read = useRead(calls.bills, {})
  return (
    <Answer of={read} none={say(['还没有生成过账单', 'No bills yet'])}>
      {({ list }) => (
        <SmallTable
          head={[
            ['合作方', 'Partner'],
            ['月份', 'Month'],
            ['成功', 'Redeemed'],
            ['撤销', 'Undone'],
            ['金额', 'Amount'],
            ['生成时间', 'Billed'],
          ]}
          rows={list}
          keyOf={bill => bill.id}
          cells={bill => [
            bill.partner,
            bill.month,
            bill.successes,
            bill.revokes,
            <Money key="sum" cents={bill.amount_cents} />,
            <When key="at" at={bill.created_at} />,
          ]}
        />
      )}
    </Answer>
  )
}

/** Every try of a code, its curve by hour, and what partners are billed. */
export default function Records() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const [above, setAbove] = usePaneState<'curve' | 'bills'>('above', 'curve')
  useExport(actions.export, calls.export, { list })
  useResult(actions.partnerBill, ({ partner, month, successes, revokes }) => {
    toast(
      say(
        [
          '{partner} {month}：成功 {n} 次，撤销 {m} 次',
          '{partner} {month}: {n} redeemed, {m} undone',
        ],
        {
          partner,
          month,
          n: successes,
          m: revokes,
        },
      ),
      'success',
    )
    setAbove('bills')
    return true
  })
  const { batch_id, from, to } = list.input as Asked
  const asked = {
    ...(batch_id !== undefined && { batch_id }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
  return (
    <div className="rc-records">
      <section className="rc-above">
        <Tabs
          label={say(['概览', 'Overview'])}
          at={above}
          go={setAbove}
          all={[
            { key: 'curve', title: say(['每小时兑换', 'By hour']) },
            { key: 'bills', title: say(['合作方账单', 'Partner bills']) },
          ]}
        />
        {above === 'curve' ? <Curve of={asked} /> : <Bills />}
      </section>
      <ListDetail>
        <List
          of={list}
          label={say(['兑换记录', 'Redemption records'])}
          columns={columns}
          actions={Object.values(actions)}
          filters={
            <>
              <Keyword of={list} by="tail" placeholder={say(['码尾四位', 'Last 4 of the code'])} />
              <Keyword of={list} by="phone" placeholder={say(['手机号', 'Phone'])} />
              <Choice of={list} by="result" label={say(['结果', 'Result'])} words={redeemResults} />
              <Choice
                of={list}
                by="goods_state"
                label={say(['实物核销', 'Prize'])}
                words={goodsFilters}
              />
              <Keyword of={list} by="partner" placeholder={say(['合作方全称', 'Partner'])} />
              <Period
                of={list}
                from="from"
                to="to"
                most={PERIOD_DAYS}
                usual={['全部时间', 'Any time']}
              />
              <Toggle of={list} by="folded" label={say(['折叠重复尝试', 'Fold repeated tries'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一条记录', 'Choose a record'])}>
          {row => <RedeemDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
    </div>
  )
}
