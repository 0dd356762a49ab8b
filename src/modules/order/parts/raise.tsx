import { Box, Confirm, Cross, Flag, Tick, Time } from '@blueprintjs/icons'
import { useEffect, useState, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { batchActions } from '#commands/order/raiseList.ts'
import {
  depositRules,
  ENDING_SOON_S,
  forecast,
  forfeitCauses,
  isFreeToLeave,
  isMet,
  raiseCan,
  raiseEnds,
  raisedBy,
  raiseModes,
  raiseStates,
  type RaiseState,
  type RaiseVerb,
} from '#src/areas/raise/raise.ts'
import { yuan } from '#src/domain/money.ts'
import { aside, clause, countEn, type Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import {
  Badge,
  duration,
  Fact,
  Facts,
  Money,
  Section,
  When,
  type ToneName,
} from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import type { OrderRow } from '../contract/orderRow.ts'
import { raiseList as calls, type BatchRow } from '../contract/raiseList.ts'
import type { OrderDetail } from '../contract/shared.ts'
import './raise.css'

type Look = NonNullable<OrderRow['raise']>
const tones: Record<RaiseState, readonly [ToneName, typeof Time]> = {
  draft: ['plain', Time],
  raising: ['info', Time],
  success: ['good', Confirm],
  failed: ['plain', Cross],
  shipping: ['info', Box],
  finished: ['good', Tick],
}
export const RaiseBadge = ({ of }: { of: Pick<Look, 'state'> }) => {
  const say = useSay()
  const [tone, icon] = tones[of.state]
  return (
    <Badge tone={tone} icon={icon}>
      {say(raiseStates[of.state])}
    </Badge>
  )
}
/** What is left of the time to raise; it counts by itself. */
const RaiseLeft = ({ of }: { of: Pick<Look, 'state' | 'end_at'> }) => {
  const say = useSay()
  const [, tick] = useState(0)
  const raising = of.state === 'raising'
  useEffect(() => {
    if (!raising) return
    const timer = setInterval(() => tick(n => n + 1), 30_000)
    return () => clearInterval(timer)
  }, [raising])
  if (!raising) return <span className="m-muted">—</span>
  const left = of.end_at - unixNow()
  return left <= 0 ? (
    <span className="m-bad">{say(['已到时', 'Time is up'])}</span>
  ) : (
    <span className={left < ENDING_SOON_S ? 'm-bad m-num' : 'm-num'}>{duration(left, say)}</span>
  )
}
const percentOf = (n: number, of: number) => (of <= 0 ? 0 : Math.floor((n / of) * 100))
/**
 * How much of its target a campaign has raised; a dotted line where it is going, a mark at the
 * target once it is past it.
 */
const RaiseBar = ({ of, forecast: to }: { of: BatchRow; forecast?: number }) => {
  const n = raisedBy(of.raise.target_type, of.raised)
  const end = Math.max(of.raise.target, n, to ?? 0)
  const at = (value: number) => `${Math.min(100, (value / end) * 100)}%`
  return (
    <span
      className="ra-bar"
      data-met={isMet(of.raise, of.raised) || undefined}
      data-off={of.raise.state === 'failed' || undefined}
      aria-hidden="true"
    >
      <i style={{ width: at(n) }} />
      {to !== undefined && to > n && <b style={{ width: at(to) }} />}
      {end > of.raise.target && <s style={{ left: at(of.raise.target) }} />}
    </span>
  )
}
/** An amount of what a campaign counts in. */
const Amount = ({ type, n }: { type: Look['target_type']; n: number }) => {
  const say = useSay()
  return type === 'cents' ? (
    <Money cents={n} sign />
  ) : (
    <>{say(['{n} 件', n === 1 ? '{n} unit' : '{n} units'], { n: n.toLocaleString('en-US') })}</>
  )
}

const LATELY_DAYS = 7
const forecastOf = (of: BatchRow): number =>
  forecast(
    {
      target_type: of.raise.target_type,
      end_at: of.raise.end_at,
      now: unixNow(),
      days: LATELY_DAYS,
    },
    of.raised,
    of.lately,
  )
/** In one line what its figures say of the decision that is due. */
const useAdvice = () => {
  const say = useSay()
  return (of: BatchRow): readonly [ToneName, string] => {
    const { raise } = of
    const shown = (n: number) =>
      raise.target_type === 'cents' ? `¥${yuan(n)}` : say([`${n} 件`, countEn(n, 'unit')])
    if (raise.state === 'raising') {
      if (of.declare_by !== '')
        return [
          'warn',
          say(
            [
              '{who} 提请宣布成功：{why}——待另一人确认',
              '{who} asks for success: {why}. Another person must agree',
            ],
            { who: of.declare_by, why: of.declare_reason ?? '' },
          ),
        ]
      if (isMet(raise, of.raised))
        return [
          'good',
          say([
            '已达标，到期自动成功；也可提前宣布',
            'It has met its target and succeeds at its end, or when you say so',
          ]),
        ]
      const to = forecastOf(of)
      return to >= raise.target
        ? [
            'good',
            say(
              [
                '按近 {d} 天的进度，到期约 {n}，可达标',
                'At the pace of the last {d} days: about {n} by the end, on target',
              ],
              { d: LATELY_DAYS, n: shown(to) },
            ),
          ]
        : [
            'bad',
            raise.extended
              ? say(
                  [
                    '按近 {d} 天的进度，到期约 {n}，差 {m}；已延长过',
                    'At the pace of the last {d} days: about {n} by the end, short by {m}; already extended',
                  ],
                  { d: LATELY_DAYS, n: shown(to), m: shown(raise.target - to) },
                )
              : say(
                  [
                    '按近 {d} 天的进度，到期约 {n}，差 {m}；可延长一次',
                    'At the pace of the last {d} days: about {n} by the end, short by {m}; can be extended once',
                  ],
                  { d: LATELY_DAYS, n: shown(to), m: shown(raise.target - to) },
                ),
          ]
    }
    if (raise.state === 'failed')
      return of.owing_n > 0
        ? [
            'bad',
            say(['{n} 人未退完', '{n} not paid back yet'], { n: of.owing_n }) +
              (of.payout_failed_n > 0
                ? say(['，其中 {n} 人打款失败', ', {n} refused by the channel'], {
                    n: of.payout_failed_n,
                  })
                : ''),
          ]
        : ['plain', say(['支持者已全部退款', 'Everybody was paid back'])]
    const parts = [
      ...(of.owed_n > 0
        ? [
            say(['待付尾款 {n} 单 ¥{m}', '{n} balances due, ¥{m}'], {
              n: of.owed_n,
              m: yuan(of.owed_cents),
            }),
          ]
        : []),
      ...(of.to_ship_n > 0 ? [say(['待发货 {n} 单', '{n} to ship'], { n: of.to_ship_n })] : []),
      ...(of.shipped_n > 0 ? [say(['已发货 {n} 单', '{n} shipped'], { n: of.shipped_n })] : []),
      ...(of.refund_open_n > 0
        ? [say(['退款中 {n} 单', '{n} refunds open'], { n: of.refund_open_n })]
        : []),
      ...(of.kept_cents > 0
        ? [say(['不退定金 ¥{m}', 'deposits kept ¥{m}'], { m: yuan(of.kept_cents) })]
        : []),
    ]
    return [
      of.to_ship_n > 0 && raise.ship_at < unixNow() ? 'bad' : 'plain',
      parts.join(say(clause)) || say(['没有待办', 'Nothing is left to do']),
    ]
  }
}
/** When goods are promised, and how that has moved. */
const ShipDay = ({ of }: { of: Pick<Look, 'ship_at' | 'promised_ship_at'> }) => {
  const say = useSay()
  const days = Math.round((of.ship_at - of.promised_ship_at) / DAY)
  return (
    <>
      <When at={of.ship_at} />
      {days > 0 && (
        <>
          {' '}
          <Badge
            tone={isFreeToLeave(of) ? 'bad' : 'warn'}
            title={say(['最初承诺', 'Promised first'])}
          >
            {say(
              isFreeToLeave(of)
                ? ['晚 {n} 天，可免费退', '{n} d late, free to leave']
                : ['晚 {n} 天', '{n} d late'],
              { n: days },
            )}
          </Badge>
        </>
      )}
    </>
  )
}
/** What a campaign's state leaves to decide: the rest stays in the menu. */
const due: Readonly<Record<RaiseState, readonly RaiseVerb[]>> = {
  draft: [],
  raising: ['extendRaise', 'declareSuccess', 'closeRaise', 'delayShip'],
  success: ['remindBalance', 'delayShip'],
  shipping: ['remindBalance', 'delayShip'],
  failed: [],
  finished: [],
}
const offered = (of: Look): Action[] =>
  due[of.state]
    .filter(verb => raiseCan(verb, of) === true || of.state === 'raising')
    .map(verb =>
      verb === 'delayShip' && of.state === 'raising'
        ? { ...batchActions[verb], main: false }
        : batchActions[verb],
    )

/**
 * The campaign of the order in focus: raised, target, time left, where it goes, and what can be
 * decided of it.
 */
export const CampaignHead = ({ id }: { id: number | null | undefined }) => {
  const say = useSay()
  const advice = useAdvice()
  const read = useRead(calls.batch, id ? { batch_id: id } : skipToken)
  const of = read.data && read.data.id === id ? read.data : undefined
  if (!id)
    return (
      <div className="ra-none">
        {say(['选择一个订单，这里显示它所属的众筹', 'Choose an order: its campaign is shown here'])}
      </div>
    )
  if (!of)
    return (
      <div className="ra-none">
        {read.error ? (
          <Failed error={read.error} retry={read.refetch} />
        ) : (
          say(['载入中…', 'Loading…'])
        )}
      </div>
    )
  const { raise } = of
  const [tone, words] = advice(of)
  return (
    <section
      className="ra-head"
      aria-label={say(['众筹 {title}', 'Campaign {title}'], { title: raise.title })}
    >
      <header>
        <RaiseBadge of={raise} />
        <b title={raise.title}>{raise.title}</b>
        <Toolbar plain actions={offered(raise)} rows={[of]} />
      </header>
      <div className="ra-figures">
        <div className="ra-progress">
          <div>
            <span>
              <strong className="m-num">
                <Amount type={raise.target_type} n={raisedBy(raise.target_type, of.raised)} />
              </strong>{' '}
              / <Amount type={raise.target_type} n={raise.target} />
            </span>
            <strong className="m-num">
              {percentOf(raisedBy(raise.target_type, of.raised), raise.target)}%
            </strong>
          </div>
          <RaiseBar of={of} {...(raise.state === 'raising' && { forecast: forecastOf(of) })} />
        </div>
        <div>
          <small>
            {raise.state === 'raising' ? say(['剩余', 'Left']) : say(['截止', 'Ended'])}
          </small>{' '}
          {raise.state === 'raising' ? (
            <RaiseLeft of={raise} />
          ) : (
            <When at={of.ended_at ?? raise.end_at} />
          )}
          {raise.extended && (
            <>
              {' '}
              <small>{say(['已延长', 'extended'])}</small>
            </>
          )}
        </div>
        <div>
          <small>{say(['支持', 'Backers'])}</small> <span className="m-num">{of.backers}</span> ·{' '}
          <Money cents={of.raised.cents} sign />
        </div>
        <div>
          <small>{say(raiseModes[raise.mode])}</small> ·{' '}
          {raise.mode === 'deposit' && (
            <>
              <Money cents={raise.deposit_cents} sign />{' '}
              <small>{say(depositRules[raise.deposit_rule])}</small> ·{' '}
            </>
          )}
          <small>{say(['发货', 'Ships'])}</small> <ShipDay of={raise} />
        </div>
        <div className="ra-say" data-tone={tone} title={words}>
          {words}
        </div>
      </div>
    </section>
  )
}

/** The columns of the list of campaigns. */
export const batchColumns: readonly Column<BatchRow>[] = [
  {
    key: 'title',
    title: ['场次', 'Campaign'],
    width: 160,
    grow: true,
    cell: row => row.raise.title,
    words: row => row.raise.title,
  },
  { key: 'state', title: ['状态', 'State'], width: 92, cell: row => <RaiseBadge of={row.raise} /> },
  {
    key: 'progress',
    title: ['进度', 'Progress'],
    width: 112,
    cell: row => (
      <span className="ra-cell">
        <RaiseBar of={row} />
        <span className="m-num">
          {percentOf(raisedBy(row.raise.target_type, row.raised), row.raise.target)}%
        </span>
      </span>
    ),
  },
  {
    key: 'raised',
    title: ['已筹/目标', 'Raised'],
    width: 104,
    align: 'end',
    cell: row => (
      <span className="m-num">
        {row.raise.target_type === 'cents' ? (
          <>
            <Money cents={row.raised.cents} />/<Money cents={row.raise.target} />
          </>
        ) : (
          `${row.raised.units}/${row.raise.target}`
        )}
      </span>
    ),
  },
  {
    key: 'left',
    title: ['剩余', 'Left'],
    width: 84,
    align: 'end',
    cell: row => <RaiseLeft of={row.raise} />,
  },
  { key: 'todo', title: ['待办', 'To do'], width: 120, cell: row => <ToDo of={row} /> },
  { key: 'mode', title: ['方式', 'Mode'], width: 56, cell: row => <Mode of={row.raise} /> },
  { key: 'backers', title: ['支持', 'Backers'], width: 60, align: 'end', cell: row => row.backers },
  {
    key: 'money',
    title: ['已收', 'Paid'],
    width: 92,
    align: 'end',
    optional: true,
    cell: row => <Money cents={row.raised.cents} />,
  },
  {
    key: 'ship_at',
    title: ['发货', 'Ships'],
    width: 104,
    cell: row => <When at={row.raise.ship_at} />,
  },
  {
    key: 'end_at',
    title: ['截止', 'Ends'],
    width: 104,
    optional: true,
    cell: row => <When at={row.raise.end_at} />,
  },
  {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 132,
    optional: true,
    cell: row => row.merchant_name,
  },
  { key: 'city', title: ['城市', 'City'], width: 72, optional: true, cell: row => row.city_name },
]
const Mode = ({ of }: { of: Look }) => {
  const say = useSay()
  return <>{say(raiseModes[of.mode])}</>
}
const ToDo = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  if (of.declare_by !== '' && of.raise.state === 'raising')
    return (
      <Badge tone="warn" icon={Flag}>
        {say(['待确认成功', 'To agree to'])}
      </Badge>
    )
  if (of.owing_n > 0)
    return (
      <Badge tone={of.payout_failed_n > 0 ? 'bad' : 'warn'}>
        {of.payout_failed_n > 0
          ? say(['{n} 人打款失败', '{n} refused'], { n: of.payout_failed_n })
          : say(['{n} 人未退完', '{n} owed'], { n: of.owing_n })}
      </Badge>
    )
  if (of.owed_n > 0)
    return (
      <Badge tone="warn">{say(['{n} 单待付尾款', '{n} balances due'], { n: of.owed_n })}</Badge>
    )
  if (of.to_ship_n > 0)
    return (
      <Badge tone={of.raise.ship_at < unixNow() ? 'bad' : 'info'}>
        {say(['{n} 单待发货', '{n} to ship'], { n: of.to_ship_n })}
      </Badge>
    )
  return <span className="m-muted">—</span>
}

const balances: Readonly<Record<NonNullable<OrderRow['dues']>['balance'], Text>> = {
  none: ['成功后付', 'After success'],
  due: ['待付', 'Due'],
  paid: ['已付', 'Paid'],
  lapsed: ['超时未付', 'Not paid in time'],
}
/** The campaign of an order, and the two parts of its price. */
export const raiseColumns = {
  campaign: {
    key: 'campaign',
    title: ['场次', 'Campaign'],
    width: 168,
    grow: true,
    cell: row => row.raise?.title ?? '—',
    words: row => row.raise?.title ?? '',
  },
  raise: {
    key: 'raise',
    title: ['众筹', 'Campaign is'],
    width: 92,
    cell: row => row.raise && <RaiseBadge of={row.raise} />,
  },
  mode: {
    key: 'mode',
    title: ['方式', 'Mode'],
    width: 52,
    cell: row => row.raise && <Mode of={row.raise} />,
  },
  deposit: {
    key: 'deposit',
    title: ['定金', 'Deposit'],
    width: 80,
    align: 'end',
    cell: row =>
      row.dues ? <Money cents={row.dues.deposit_cents} /> : <span className="m-muted">—</span>,
  },
  balance: {
    key: 'balance',
    title: ['尾款', 'Balance'],
    width: 132,
    align: 'end',
    cell: row => (row.dues ? <Balance of={row.dues} /> : <span className="m-muted">—</span>),
  },
  ships: {
    key: 'ships',
    title: ['承诺发货', 'Promised'],
    width: 104,
    cell: row => <When at={row.raise?.ship_at ?? null} />,
  },
} satisfies Record<string, Column<OrderRow>>
const Balance = ({ of }: { of: NonNullable<OrderRow['dues']> }) => {
  const say = useSay()
  return (
    <>
      <Money cents={of.balance_cents} />{' '}
      <span
        className="ra-words"
        data-tone={of.balance === 'due' ? 'warn' : of.balance === 'lapsed' ? 'bad' : 'plain'}
      >
        {say(balances[of.balance])}
      </span>
    </>
  )
}

/** A campaign in full, beside the list of campaigns and on the page of an order. */
const BatchFacts = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  const { raise } = of
  return (
    <Facts>
      <Fact label={say(['已筹 / 目标', 'Raised / target'])}>
        <b className="m-num">
          <Amount type={raise.target_type} n={raisedBy(raise.target_type, of.raised)} />
        </b>{' '}
        / <Amount type={raise.target_type} n={raise.target} />
      </Fact>
      <Fact label={say(['支持人数', 'Backers'])}>
        <span className="m-num">{of.backers}</span> · <Money cents={of.raised.cents} sign />
      </Fact>
      <Fact label={say(['已占 / 上限', 'Taken / cap'])}>
        <span className="m-num">
          {of.taken_units.toLocaleString('en-US')} / {raise.cap_units.toLocaleString('en-US')}
        </span>
        {of.unpaid_n > 0 && (
          <span className="m-muted">
            {' '}
            {say(['{n} 单未付款', '{n} unpaid'], { n: of.unpaid_n })}
          </span>
        )}
      </Fact>
      <Fact label={say(['近 7 天', 'Last 7 days'])}>
        <span className="m-num">
          <Amount type={raise.target_type} n={raisedBy(raise.target_type, of.lately)} />
        </span>
      </Fact>
      <Fact label={say(['方式', 'Mode'])}>
        {say(raiseModes[raise.mode])}
        {raise.mode === 'deposit' && (
          <>
            {' '}
            <Money cents={raise.deposit_cents} sign /> · {say(depositRules[raise.deposit_rule])}
          </>
        )}
      </Fact>
      <Fact label={say(['开始', 'Began'])}>
        <When at={raise.start_at} />
      </Fact>
      <Fact label={say(['截止', 'Ends'])}>
        <When at={raise.end_at} /> {raise.extended && <Badge>{say(['已延长', 'Extended'])}</Badge>}{' '}
        {raise.state === 'raising' && (
          <>
            {say(['剩', 'left'])} <RaiseLeft of={raise} />
          </>
        )}
      </Fact>
      {raise.balance_end_at !== null && (
        <Fact label={say(['尾款截止', 'Balance until'])}>
          <When at={raise.balance_end_at} />
        </Fact>
      )}
      <Fact label={say(['承诺发货', 'To be shipped'])}>
        <ShipDay of={raise} />
      </Fact>
      {raise.ship_at !== raise.promised_ship_at && (
        <Fact label={say(['最初承诺', 'Promised first'])}>
          <When at={raise.promised_ship_at} />
        </Fact>
      )}
      <Fact label={say(['商户', 'Merchant'])}>{of.merchant_name}</Fact>
      <Fact label={say(['商场', 'Mall'])}>
        {of.mall_name || say(['商场外', 'Outside malls'])} · {of.city_name}
      </Fact>
      {of.declare_by !== '' && (
        <Fact wide label={say(['提请宣布成功', 'Success asked for'])}>
          {of.declare_by} <When at={of.declare_at} />
          <div className="m-muted">{of.declare_reason}</div>
        </Fact>
      )}
      {of.end_by && (
        <Fact wide label={say(['如何结束', 'How it ended'])}>
          {say(raiseEnds[of.end_by])}
          {of.ended_by && ` · ${of.ended_by}`} <When at={of.ended_at} />
          {of.end_reason && <div className="m-muted">{of.end_reason}</div>}
        </Fact>
      )}
    </Facts>
  )
}
/** What of its orders is left to do. */
const BatchOrders = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  const lines: readonly (readonly [Text, number, ReactNode?])[] = [
    [['待付尾款', 'Balance due'], of.owed_n, <Money key="m" cents={of.owed_cents} sign />],
    [['待发货', 'To ship'], of.to_ship_n],
    [['已发货', 'Shipped'], of.shipped_n],
    [['退款中', 'Refund open'], of.refund_open_n],
    [['未退完', 'Not paid back'], of.owing_n],
    [['打款失败', 'Refund not paid'], of.payout_failed_n],
  ]
  return (
    <table className="o-table">
      <tbody>
        {lines.map(([title, n, more]) => (
          <tr key={title[1]}>
            <td>{say(title)}</td>
            <td className="o-right m-num">{n}</td>
            <td className="o-right">{n > 0 ? more : null}</td>
          </tr>
        ))}
        {of.kept_cents > 0 && (
          <tr>
            <td>{say(['不退的定金', 'Deposits kept'])}</td>
            <td />
            <td className="o-right">
              <Money cents={of.kept_cents} sign />
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
/** A campaign beside the list of campaigns. */
export const BatchPeek = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  const advice = useAdvice()
  const [tone, words] = advice(of)
  return (
    <>
      <Section title={say(['进度', 'Progress'])}>
        <RaiseBar of={of} {...(of.raise.state === 'raising' && { forecast: forecastOf(of) })} />
        <p data-tone={tone} className="ra-words">
          {words}
        </p>
      </Section>
      <Section title={say(['众筹', 'Campaign'])}>
        <BatchFacts of={of} />
      </Section>
      <Section title={say(['订单', 'Orders'])}>
        <BatchOrders of={of} />
      </Section>
    </>
  )
}

const sends: Readonly<Record<OrderDetail['messages'][number]['state'], Text>> = {
  queued: ['待发送', 'Queued'],
  sent: ['已发送', 'Sent'],
  failed: ['发送失败', 'Failed'],
}
/**
 * What the buyer of an order was promised and told, what became of the deposit, and what a refund
 * would give back now.
 */
export const Terms = ({ of: { order, messages } }: { of: OrderDetail }) => {
  const say = useSay()
  const read = useRead(calls.terms, order.batch_id === null ? skipToken : { id: order.id })
  const of = read.currentData
  if (order.batch_id === null) return null
  if (!of)
    return (
      <Section title={say(['众筹', 'Campaign'])}>
        {read.error ? <Failed error={read.error} retry={read.refetch} /> : <Loading lines={8} />}
      </Section>
    )
  const { promised, at_pay, back, batch } = of
  return (
    <>
      <Section title={say(['众筹', 'Campaign'])}>
        <p>
          <b>{batch.raise.title}</b> <RaiseBadge of={batch.raise} />
        </p>
        <RaiseBar of={batch} />
        <BatchFacts of={batch} />
      </Section>
      {promised && (
        <Section title={say(['下单时的约定', 'Terms at purchase'])}>
          <Facts>
            {at_pay && (
              <Fact wide label={say(['付款时进度', 'When it was paid'])}>
                <span className="m-num">
                  <Amount type={promised.target_type} n={raisedBy(promised.target_type, at_pay)} />
                </span>{' '}
                / <Amount type={promised.target_type} n={promised.target} />
                {say(aside, {
                  it: `${percentOf(raisedBy(promised.target_type, at_pay), promised.target)}%`,
                })}
              </Fact>
            )}
            <Fact label={say(['截止', 'Ends'])}>
              <When at={promised.end_at} />
            </Fact>
            <Fact label={say(['承诺发货', 'To be shipped'])}>
              <When at={promised.ship_at} />
            </Fact>
            {promised.mode === 'deposit' && (
              <>
                <Fact label={say(['定金', 'Deposit'])}>
                  <Money cents={promised.deposit_cents} sign /> ·{' '}
                  {say(depositRules[promised.deposit_rule])}
                </Fact>
                <Fact label={say(['尾款截止', 'Balance until'])}>
                  <When at={promised.balance_end_at} />
                </Fact>
              </>
            )}
          </Facts>
        </Section>
      )}
      {order.dues && (
        <Section title={say(['定金与尾款', 'Deposit and balance'])}>
          <table className="o-table">
            <tbody>
              <tr>
                <td>{say(['定金', 'Deposit'])}</td>
                <td className="o-right">
                  <Money cents={order.dues.deposit_cents} />
                </td>
                <td>
                  {order.dues.deposit_cents > 0 ? say(['已付', 'Paid']) : say(['未付', 'Not paid'])}
                </td>
              </tr>
              <tr>
                <td>{say(['尾款', 'Balance'])}</td>
                <td className="o-right">
                  <Money cents={order.dues.balance_cents} />
                </td>
                <td>
                  {say(balances[order.dues.balance])}
                  {order.dues.until !== null && (
                    <>
                      {say(['，截止', ', until'])} <When at={order.dues.until} />
                    </>
                  )}
                </td>
              </tr>
              {of.forfeits.map(one => (
                <tr key={one.id} data-off={one.state === 'returned' || undefined}>
                  <td>
                    {say(['不退定金', 'Deposit kept'])} · {say(forfeitCauses[one.cause])}
                  </td>
                  <td className="o-right">
                    <Money cents={one.amount_cents} />
                  </td>
                  <td>
                    {one.state === 'returned' ? (
                      <>
                        {say(['已特退', 'Given back'])} <When at={one.returned_at} />
                      </>
                    ) : (
                      <>
                        {say(['商户收入', 'Merchant'])} <Money cents={one.merchant_cents} sign />
                        {say(clause)}
                        {say(['平台收入', 'platform'])} <Money cents={one.platform_cents} sign />
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      <Section title={say(['已发通知', 'Notices sent'])}>
        {messages.length === 0 ? (
          <p className="m-muted">{say(['没有发过通知', 'None sent'])}</p>
        ) : (
          <table className="o-table">
            <tbody>
              {messages.map(one => (
                <tr key={one.id}>
                  <td>
                    <When at={one.at} />
                  </td>
                  <td>{one.text}</td>
                  <td>
                    <Badge
                      tone={
                        one.state === 'sent' ? 'good' : one.state === 'failed' ? 'bad' : 'plain'
                      }
                    >
                      {say(sends[one.state])}
                    </Badge>
                    {one.fault && <div className="m-muted">{one.fault}</div>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      {back && (
        <Section title={say(['现在退款', 'A refund now'])}>
          <p>
            {say(['退', 'Gives back'])}{' '}
            <b>
              <Money cents={back.cents} sign />
            </b>
            {back.kept_cents > 0 && (
              <>
                {say(clause)}
                {say(['定金', 'the deposit of'])} <Money cents={back.kept_cents} sign />{' '}
                {say(['按约定不退', 'stays, as was promised'])}
              </>
            )}
            {back.free && (
              <span className="m-muted">
                {say(['（延期超过 7 天，全额退）', ' (more than 7 days late: all of it)'])}
              </span>
            )}
          </p>
        </Section>
      )}
    </>
  )
}
