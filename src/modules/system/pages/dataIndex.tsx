import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import * as commands from '#commands/system/overview.ts'
import {
  compareModes,
  flows,
  metricName,
  metrics,
  moneyFigures,
  orderBuckets,
  periodProblem,
  type CompareMode,
  type Metric,
} from '#src/areas/figures/overview.ts'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { unixOf } from '#src/kit/asks.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Named } from '#src/kit/filters.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { useCityOptions, useMallOptions } from '#src/kit/places.tsx'
import { Keys, Money, When } from '#src/kit/show.tsx'
import { Answer, Empty, Failed } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useAction, useAnswered } from '#src/kit/workbench.ts'
import { dataIndex as calls } from '../contract/dataIndex.ts'
import { OverviewCharts } from '../parts/OverviewCharts.tsx'
import '../parts/overview.css'

const actions = Object.values(commands.dataIndexActions)
type Overview = Result<typeof calls.overview>
/** A day as people type it, as the address has it; what is no day stays as it is. */
const dayTyped = (typed: string): string => {
  const at = unixOf(typed)
  return at === undefined ? typed.trim() : dateOf(at)
}
type Asked = { from: string; to: string; city_id?: number; mid?: number; kind?: OrderKind }

/** What the address asks for; without a period, the last seven days. */
const askedOf = (
  search: string,
): {
  asked: Asked
  compare: CompareMode
  metric: Metric | undefined
  by: 'city' | 'mall' | 'store'
} => {
  const query = new URLSearchParams(search)
  const number = (name: string) =>
    /^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : undefined
  const one = <K extends string>(name: string, of: readonly K[]) =>
    of.find(key => key === query.get(name))
  const [city_id, mid, kind] = [
    number('city_id'),
    number('mid'),
    one('kind', Object.keys(orderKinds) as OrderKind[]),
  ]
  const now = unixNow()
  return {
    asked: {
      from: query.get('from') ?? dateOf(now - 6 * DAY),
      to: query.get('to') ?? dateOf(now),
      ...(city_id && { city_id }),
      ...(mid !== undefined && { mid }),
      ...(kind && { kind }),
    },
    compare: one('compare', Object.keys(compareModes) as CompareMode[]) ?? 'previous',
    metric: one('metric', metrics),
    by: one('by', ['city', 'mall', 'store']) ?? 'city',
  }
}

/** How many events a flow counted. */
const counted: Partial<Record<Metric, (of: Overview) => number | undefined>> = {
  gmv: of => of.flows.paid_orders,
  verified: of => of.flows.verified_count,
  refunded_flow: of => of.flows.refunded_count,
  new_members: of => of.flows.new_members ?? undefined,
}
/** One number that opens its list: how many, how much. */
const Number_ = ({
  metric,
  of,
  cents,
  open,
  active,
}: {
  metric: Metric
  of: { count: number; cents?: number | undefined } | null
  cents?: boolean
  open: (metric: Metric) => void
  active: boolean
}) => {
  const say = useSay()
  const name = say(metricName(metric))
  if (!of)
    return (
      <div className="ov-number" data-none>
        <span>{name}</span>
        <b>—</b>
        <small>{say(['不按此筛选统计', 'Not counted for these filters'])}</small>
      </div>
    )
  return (
    <button
      type="button"
      className="ov-number"
      aria-pressed={active}
      data-metric={metric}
      onClick={() => open(metric)}
    >
      <span>{name}</span>
      <b className="m-num">{cents ? <Money cents={of.cents} sign /> : of.count.toLocaleString()}</b>
      <small className="m-num">
        {cents ? (
          say(['{n} 笔', '{n} total'], { n: of.count.toLocaleString() })
        ) : (
          <Money cents={of.cents} sign />
        )}
      </small>
    </button>
  )
}
const arrowOf = (change: number): string => {
  if (change > 0) return '↑'
  return change < 0 ? '↓' : ''
}
/** Against the period compared with. Nothing to divide by shows a dash. */
const Than = ({
  now,
  before,
}: {
  now: number | null | undefined
  before: number | null | undefined
}) => {
  if (now === null || now === undefined || before === null || before === undefined) return null
  if (before === 0) return <small>—</small>
  const bp = Math.round(((now - before) / before) * 1000) / 10
  return (
    <small className="m-num">
      {arrowOf(bp)}
      {Math.abs(bp)}%
    </small>
  )
}

const DrillRows = ({ rows }: { rows: Result<typeof calls.drill>['list'] }) => {
  const say = useSay()
  if (rows.length === 0) return <Empty title={say(['这一期没有记录', 'Nothing in this period'])} />
  return (
    <div className="ov-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{say(['编号', 'No.'])}</th>
            <th scope="col">{say(['内容', 'What'])}</th>
            <th scope="col">{say(['城市', 'City'])}</th>
            <th scope="col">{say(['商场', 'Mall'])}</th>
            <th scope="col">{say(['状态', 'State'])}</th>
            <th scope="col" className="ov-right">
              {say(['金额（元）', 'Yuan'])}
            </th>
            <th scope="col">{say(['时间', 'Time'])}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.id}>
              <td className="m-num">{row.no}</td>
              <td title={row.title}>{row.title}</td>
              <td>{row.city_name}</td>
              <td title={row.mall_name}>{row.mall_name}</td>
              <td>{row.state}</td>
              <td className="ov-right">
                <Money cents={row.cents} />
              </td>
              <td>
                <When at={row.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
/**
 * The rows behind a number. `told` is what the number said where the night counted it: records may
 * have gone since.
 */
const Drill = ({
  metric,
  asked,
  told,
  close,
}: {
  metric: Metric
  asked: Asked
  told: number | undefined
  close: () => void
}) => {
  const say = useSay()
  const [page, setPage] = useState(1)
  const read = useRead(calls.drill, { ...asked, metric, page, pageSize: 50 })
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    setPage(1)
    region.current?.focus()
  }, [metric])
  const pages = Math.max(1, Math.ceil((read.data?.total ?? 0) / 50))
  return (
    <section
      className="ov-drill"
      ref={region}
      tabIndex={-1}
      aria-label={say(['{name}的明细', 'Rows of {name}'], { name: say(metricName(metric)) })}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          close()
        }
      }}
    >
      <header>
        <h3>{say(metricName(metric))}</h3>
        {read.data && (
          <span className="m-muted m-num">
            {say(['共 {n} 条', '{n} total'], { n: read.data.total.toLocaleString() })}
            {read.data.cents !== undefined && metric !== 'new_members' && (
              <> · ¥{yuan(read.data.cents)}</>
            )}
          </span>
        )}
        {told !== undefined && read.data && told !== read.data.total && (
          <span className="m-bad">
            {say(
              [
                '统计时为 {n} 笔，之后有变动或明细已归档',
                '{n} when it was counted; some changed or were archived since',
              ],
              { n: told.toLocaleString() },
            )}
          </span>
        )}
        <span className="m-fill" />
        <Button
          size="small"
          variant="minimal"
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
          aria-label={say(['上一页', 'Previous page'])}
        >
          ‹
        </Button>
        <span className="m-num">
          {page} / {pages}
        </span>
        <Button
          size="small"
          variant="minimal"
          disabled={page >= pages}
          onClick={() => setPage(page + 1)}
          aria-label={say(['下一页', 'Next page'])}
        >
          ›
        </Button>
        <Button size="small" variant="minimal" onClick={close}>
          {say(['收起', 'Close'])}
          <Keys keys="Esc" />
        </Button>
      </header>
      <Answer of={read} lines={6}>
        {({ list }) => <DrillRows rows={list} />}
      </Answer>
    </section>
  )
}

type Numbers = { of: Overview; metric: Metric | undefined; open: (metric: Metric) => void }
const Flows = ({ of, metric, open }: Numbers) => {
  const say = useSay()
  return (
    <section aria-label={say(['经营流水', 'What happened'])}>
      <dl className="ov-flows">
        {(
          [
            ['gmv', of.flows.gmv_cents, of.compared?.gmv_cents, of.flows.paid_orders],
            [
              'verified',
              of.flows.verified_cents,
              of.compared?.verified_cents,
              of.flows.verified_count,
            ],
            [
              'refunded_flow',
              of.flows.refunded_cents,
              of.compared?.refunded_cents,
              of.flows.refunded_count,
            ],
          ] as const
        ).map(([key, value, before, count]) => (
          <div key={key}>
            <dt>{say(flows[key])}</dt>
            <dd>
              <button
                type="button"
                data-metric={key}
                aria-pressed={metric === key}
                onClick={() => open(key)}
              >
                <Money cents={value} sign />
              </button>
              <Than now={value} before={before} />
              <small className="m-num">
                {say(['{n} 笔', '{n} total'], { n: count.toLocaleString() })}
              </small>
            </dd>
          </div>
        ))}
        <div>
          <dt>{say(['退款率（退款额 / 成交额）', 'Refund rate'])}</dt>
          <dd>
            <b className="m-num">
              {of.flows.refund_rate_bp === null
                ? '—'
                : `${(of.flows.refund_rate_bp / 100).toFixed(2)}%`}
            </b>
          </dd>
        </div>
        <div>
          <dt>{say(flows.new_members)}</dt>
          <dd>
            {of.flows.new_members === null ? (
              <b>—</b>
            ) : (
              <button
                type="button"
                data-metric="new_members"
                aria-pressed={metric === 'new_members'}
                onClick={() => open('new_members')}
              >
                {of.flows.new_members.toLocaleString()}
              </button>
            )}
            <Than now={of.flows.new_members} before={of.compared?.new_members} />
          </dd>
        </div>
      </dl>
    </section>
  )
}
const OrderNumbers = ({ of, metric, open }: Numbers) => {
  const say = useSay()
  return (
    <section aria-label={say(['订单总览', 'Orders'])}>
      <h3>
        {say(['订单总览', 'Orders'])}
        <span className="m-muted">
          {say([
            '期内下单，按当前状态；六项之和等于全部',
            'Placed in the period, by current status; the six add up to all',
          ])}
        </span>
      </h3>
      <div className="ov-numbers">
        {(['total', ...Object.keys(orderBuckets)] as ('total' | keyof typeof orderBuckets)[]).map(
          key => (
            <Number_
              key={key}
              metric={key}
              of={of.orders[key]}
              open={open}
              active={metric === key}
            />
          ),
        )}
      </div>
    </section>
  )
}
const MoneyNumbers = ({ of, metric, open }: Numbers) => {
  const say = useSay()
  return (
    <section aria-label={say(['结算与提现', 'Settlement and withdrawal'])}>
      <h3>
        {say(['结算与提现', 'Settlement and withdrawal'])}
        <span className="m-muted">
          {say(['余额与待处理为当前值', 'Balance and pending as of now'])}
        </span>
      </h3>
      <div className="ov-numbers">
        {(Object.keys(moneyFigures) as (keyof typeof moneyFigures)[]).map(key => (
          <Number_
            key={key}
            metric={key}
            of={of.money[key]}
            cents
            open={open}
            active={metric === key}
          />
        ))}
      </div>
    </section>
  )
}
/** From when the figures of past days are, or which days have none. */
const CountedUntil = ({ of }: { of: Overview['snapshot'] }) => {
  const say = useSay()
  if (of.expected > of.days)
    return (
      <span className="m-bad">
        {say(['{n} 天尚无统计', '{n} days not counted'], { n: of.expected - of.days })}
      </span>
    )
  return of.oldest_at ? (
    <>
      {say(['往日数据截至', 'Past days as of'])} <When at={of.oldest_at} />
    </>
  ) : (
    say(['今日实时', 'Live'])
  )
}

type Days = { from: string; to: string }
/** Sets parts of the address; what is empty goes out of it. */
type SetAddress = (patch: Record<string, string | number | undefined>) => void
const Filters = ({
  asked,
  compare,
  typed,
  onTyped,
  wrong,
  explained,
  meant,
  set,
}: {
  asked: Asked
  compare: CompareMode
  typed: Days
  onTyped: (typed: Days) => void
  wrong: keyof Days | undefined
  explained: string
  meant: Days
  set: SetAddress
}) => {
  const say = useSay()
  const cities = useCityOptions()
  const malls = useMallOptions(asked.city_id)
  const quick = (days: number) =>
    set({ from: dateOf(unixNow() - (days - 1) * DAY), to: dateOf(unixNow()) })
  return (
    <div className="m-filters" role="search">
      {[1, 7, 30, 90].map(days => (
        <Button key={days} size="small" variant="minimal" onClick={() => quick(days)}>
          {days === 1 ? say(['今天', 'Today']) : say(['近 {n} 天', '{n} days'], { n: days })}
        </Button>
      ))}
      {(['from', 'to'] as const).map(name => (
        <InputGroup
          key={name}
          size="small"
          style={{ width: 108 }}
          value={typed[name]}
          maxLength={11}
          aria-label={name === 'from' ? say(['开始日期', 'From']) : say(['结束日期', 'To'])}
          aria-invalid={wrong === name}
          aria-describedby={explained}
          intent={wrong === name ? 'danger' : 'none'}
          onValueChange={value => onTyped({ ...typed, [name]: value })}
          onBlur={() => {
            if (!wrong) set(meant)
          }}
          onKeyDown={event => {
            if (event.key === 'Enter' && !wrong) set(meant)
          }}
        />
      ))}
      <Named label={say(['城市', 'City'])}>
        <HTMLSelect
          aria-label={say(['城市', 'City'])}
          value={asked.city_id ?? ''}
          onChange={event => set({ city_id: event.target.value, mid: undefined })}
          options={cities}
        />
      </Named>
      <Named label={say(['商场', 'Mall'])}>
        <HTMLSelect
          aria-label={say(['商场', 'Mall'])}
          value={asked.mid ?? ''}
          onChange={event => set({ mid: event.target.value })}
          options={malls}
        />
      </Named>
      <HTMLSelect
        aria-label={say(['订单类型', 'Order type'])}
        value={asked.kind ?? ''}
        onChange={event => set({ kind: event.target.value })}
        options={[
          { value: '', label: say(['全部类型', 'All types']) },
          ...Object.entries(orderKinds).map(([value, text]) => ({ value, label: say(text) })),
        ]}
      />
      <HTMLSelect
        aria-label={say(['对比', 'Compare with'])}
        value={compare}
        onChange={event => set({ compare: event.target.value })}
        options={Object.entries(compareModes).map(([value, text]) => ({
          value,
          label: say(text),
        }))}
      />
    </div>
  )
}

export default function DataIndex() {
  const base = useId()
  const say = useSay()
  const search = useSearch()
  const [, navigate] = useLocation()
  const { asked, compare, metric, by } = useMemo(() => askedOf(search), [search])
  const [typed, setTyped] = usePaneState('period', { from: asked.from, to: asked.to })
  useEffect(() => setTyped({ from: asked.from, to: asked.to }), [asked.from, asked.to])
  const meant = { from: dayTyped(typed.from), to: dayTyped(typed.to) }
  const wrong = periodProblem(meant, unixNow())
  const set: SetAddress = patch => {
    const next = new URLSearchParams(search)
    for (const [key, value] of Object.entries(patch)) {
      if (value === undefined || value === '') next.delete(key)
      else next.set(key, String(value))
    }
    navigate(next.size ? `?${next}` : '?', { replace: true })
  }
  const sound = periodProblem(asked, unixNow()) === undefined
  const input = sound ? { ...asked, compare } : skipToken
  const overview = useRead(calls.overview, input)
  const trend = useRead(calls.trend, input)
  const ranking = useRead(calls.ranking, sound ? { ...asked, by } : skipToken)
  const numbers = useRef<HTMLDivElement>(null)
  const open = (next: Metric) => set({ metric: next === metric ? undefined : next })
  const close = () => {
    const from = metric
    set({ metric: undefined })
    requestAnimationFrame(() =>
      numbers.current?.querySelector<HTMLElement>(`[data-metric=${from}]`)?.focus(),
    )
  }
  const retry = () => {
    overview.refetch()
    trend.refetch()
    ranking.refetch()
  }

  useAnswered(commands.dataIndexActions.query, ({ from, to, kind, city, mall }) =>
    set({ from, to, kind, city_id: city, mid: mall }),
  )
  useAnswered(commands.dataIndexActions.compare, ({ mode }) => set({ compare: mode }))
  useAction(commands.dataIndexActions.drill, () => {
    if (metric) close()
    else numbers.current?.querySelector<HTMLElement>('button')?.focus()
  })
  useExport(commands.dataIndexActions.export, calls.export, { filters: () => asked })

  const data: Overview | undefined = overview.data
  return (
    <div className="ov-page">
      <Filters
        asked={asked}
        compare={compare}
        typed={typed}
        onTyped={setTyped}
        wrong={wrong?.field}
        explained={`${base}-wrong`}
        meant={meant}
        set={set}
      />
      <Toolbar actions={actions} rows={[]}>
        {data && (
          <span className="m-muted ov-when">
            <CountedUntil of={data.snapshot} />
          </span>
        )}
        <Button
          size="small"
          variant="minimal"
          icon={<Refresh />}
          aria-label={say(['刷新', 'Refresh'])}
          onClick={retry}
        />
      </Toolbar>
      {wrong && (
        <p className="ov-wrong m-bad" id={`${base}-wrong`} role="alert">
          {say(wrong.text)}
        </p>
      )}
      <div className="ov-body">
        <Answer of={{ ...overview, refetch: retry }} lines={10}>
          {of => (
            <>
              <Flows of={of} metric={metric} open={open} />
              <div ref={numbers} className="ov-two">
                <OrderNumbers of={of} metric={metric} open={open} />
                <MoneyNumbers of={of} metric={metric} open={open} />
              </div>
            </>
          )}
        </Answer>
        {metric && sound && (
          <Drill
            metric={metric}
            asked={asked}
            told={data && counted[metric]?.(data)}
            close={close}
          />
        )}
        {trend.data && (
          <OverviewCharts
            trend={trend.data}
            orders={data?.orders}
            compare={compare}
            ranking={ranking.data}
            by={by}
            set={set}
            open={open}
          />
        )}
        {trend.error && !trend.data && <Failed error={trend.error} retry={retry} />}
      </div>
    </div>
  )
}
