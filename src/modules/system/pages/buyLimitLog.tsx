import { Tag } from '@blueprintjs/core'
import { Endorsed } from '@blueprintjs/icons'
import { buyLimitLog as page } from '#commands/pages/system.ts'
import { buyLimitLogActions as actions } from '#commands/system/logs.ts'
import { limitResults, limitRules, type LimitRule } from '#src/areas/limit/limits.ts'
import { LOG_DAYS } from '#src/areas/log/logs.ts'
import type { Result } from '#src/contract/call.ts'
import { colon, comma } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Period } from '#src/kit/period.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Badge, Section, When } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { buyLimitLog as calls, type LimitRow } from '../contract/buyLimitLog.ts'
import { Beside } from '../parts/Beside.tsx'
import { Black, Buyer, LimitName, LimitResultBadge } from '../parts/limitCells.tsx'
import { onlyBy, useLogList } from '../parts/logList.ts'
import '../parts/logs.css'

type Explained = Result<typeof calls.explain>
const columns: readonly Column<LimitRow>[] = [
  { key: 'at', title: ['时间', 'Time'], width: 96, cell: row => <When at={row.created_at} /> },
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 96,
    cell: row => (
      <>
        <Buyer row={row} />
        {row.black && (
          <>
            {' '}
            <Black />
          </>
        )}
      </>
    ),
    words: row => `${row.nickname} #${row.member_id}`,
  },
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 112,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
    optional: true,
  },
  {
    key: 'product',
    title: ['商品', 'Product'],
    width: 150,
    grow: true,
    cell: row => row.product_title,
    words: row => `${row.product_title} #${row.product_id ?? row.ecard_id}`,
  },
  { key: 'rule', title: ['限购规则', 'Rule'], width: 116, cell: row => <LimitName row={row} /> },
  { key: 'limit', title: ['上限', 'Limit'], width: 46, align: 'end', cell: row => row.limit_n },
  { key: 'bought', title: ['已购', 'Bought'], width: 46, align: 'end', cell: row => row.bought_n },
  { key: 'asked', title: ['本次', 'Qty'], width: 46, align: 'end', cell: row => row.asked_n },
  { key: 'folded', title: ['次数', 'Times'], width: 46, align: 'end', cell: row => row.folded },
  {
    key: 'result',
    title: ['结果', 'Result'],
    width: 88,
    cell: row => <LimitResultBadge row={row} />,
  },
]

/** What the limit compared, as an equation. */
const Equation = ({ row }: { row: LimitRow }) => {
  const say = useSay()
  if (row.rule === 'new_only')
    return (
      <>
        {say(['仅限没有下过单的会员，已有', 'For members without an order; there were'])}{' '}
        <b className="m-num">{row.bought_n}</b> {say(['单', ''])}
      </>
    )
  if (row.rule === 'per_order')
    return (
      <>
        {say(['本次', 'This order'])} <b className="m-num">{row.asked_n}</b> &gt;{' '}
        {say(['每单上限', 'limit per order'])} <b className="m-num">{row.limit_n}</b>
      </>
    )
  return (
    <>
      {say(['已购', 'Bought'])} <b className="m-num">{row.bought_n}</b> +{' '}
      {say(['本次', 'this order'])} <b className="m-num">{row.asked_n}</b> &gt;{' '}
      <LimitName row={row} /> <b className="m-num">{row.limit_n}</b>
    </>
  )
}
const DeviceAccounts = ({ accounts }: Pick<Explained, 'accounts'>) => {
  const say = useSay()
  return (
    <table className="l-table">
      <tbody>
        {accounts.map(one => (
          <tr key={one.id}>
            <td>
              {one.nickname} <span className="m-muted">#{one.id}</span>
            </td>
            <td>{say(['被拦 {n} 次', 'Blocked × {n}'], { n: one.blocks })}</td>
            <td>
              <When at={one.first_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** How the limit was reckoned, order by order: the answer to "why can't I buy". */
const Explain = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.explain, { id })
  if (!read.data) return <Unanswered of={read} lines={10} />
  const { row, bought_now, would_pass_now, stock, orders, accounts } = read.data
  return (
    <Beside label={row.product_title}>
      <header className="l-head">
        <h2>
          {row.product_title}
          <LimitResultBadge row={row} />
        </h2>
        <p>
          <Buyer row={row} />{' '}
          <span className="m-num">
            {row.member_id === null ? '' : `#${row.member_id}`} {row.phone ?? ''}
          </span>{' '}
          · <span className="m-num">{timeFull(row.created_at)}</span>
        </p>
        {row.release_by_name && (
          <p>
            {row.release_by_name}
            {say(['放行，有效至', ' released it until'])}{' '}
            <span className="m-num">{timeFull(row.release_until ?? 0)}</span>
            {row.release_reason && `${say(colon)}${row.release_reason}`}
            {row.release_order_id !== null &&
              ` · ${say(['订单', 'order'])} #${row.release_order_id}`}
          </p>
        )}
        {row.black && (
          <p className="m-bad">
            {say(['会员在黑名单中，不能放行', 'On the blacklist: cannot be released'])}
          </p>
        )}
      </header>
      <Section title={say(['拦截时的计算', 'How it was calculated'])}>
        <p className="l-equation">
          <Equation row={row} />
        </p>
        <p className={would_pass_now ? undefined : 'm-muted'}>
          {would_pass_now ? (
            <Badge tone="good" icon={Endorsed}>
              {say(['现在再买可以通过', 'It would pass now'])}
            </Badge>
          ) : (
            say(['现在仍会被拦截', 'Still blocked now'])
          )}{' '}
          ·{' '}
          {say(['现已购 {n}，库存 {m}', 'Bought so far {n}, stock {m}'], {
            n: bought_now,
            m: stock,
          })}
        </p>
      </Section>
      {row.rule === 'per_device' && (
        <Section
          title={say(['共用此设备的账号', 'Accounts on this device'])}
          aside={<span className="m-num">{row.device_id}</span>}
        >
          <DeviceAccounts accounts={accounts} />
        </Section>
      )}
      <Section title={say(['订单', 'Orders'])}>
        {orders.length === 0 ? (
          <p className="m-muted">{say(['没有相关订单', 'No order'])}</p>
        ) : (
          <table className="l-table l-orders">
            <thead>
              <tr>
                <th scope="col">{say(['订单号', 'Order'])}</th>
                <th scope="col">{say(['下单', 'Placed'])}</th>
                <th scope="col">{say(['状态', 'State'])}</th>
                <th scope="col" data-end>
                  {say(['件数', 'Qty'])}
                </th>
                <th scope="col">{say(['计入', 'Counts'])}</th>
              </tr>
            </thead>
            <tbody>
              {orders.map(one => (
                <tr key={one.id}>
                  <td>{one.order_no}</td>
                  <td>
                    <When at={one.at} />
                  </td>
                  <td>{one.status}</td>
                  <td data-end>
                    {one.qty}
                    {one.refunded_qty > 0 && <span className="m-muted"> −{one.refunded_qty}</span>}
                  </td>
                  <td>
                    {one.counts ? (
                      <Badge tone="info">{say(['计入', 'Yes'])}</Badge>
                    ) : (
                      <span className="m-muted">{one.why}</span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <FoldedFacts />
    </Beside>
  )
}

/** Which products, and whom, the limits stop most: too tight, or under attack. */
const Ranking = ({ list }: { list: ListState<LimitRow> }) => {
  const say = useSay()
  const { from, to, rule } = list.input as { from?: number; to?: number; rule?: LimitRule }
  const read = useRead(calls.topProducts, {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(rule ? { rule } : {}),
  })
  if (!read.data) return <Unanswered of={read} lines={12} />
  const { products, members } = read.data
  const open = (by: object) =>
    list.filter(onlyBy(list.input, { from: read.data!.from, to: read.data!.to, rule, ...by }))
  return (
    <Beside label={say(['被拦最多的商品', 'Most blocked products'])}>
      <header className="l-head">
        <h2>{say(['被拦最多的商品', 'Most blocked products'])}</h2>
        <p className="m-num">
          {timeFull(read.data.from).slice(0, 16)} – {timeFull(read.data.to).slice(0, 16)}
        </p>
      </header>
      <Section title={say(['商品', 'Products'])}>
        <table className="l-table l-named">
          <thead>
            <tr>
              <th scope="col">{say(['商品', 'Product'])}</th>
              <th scope="col" data-end>
                {say(['次数', 'Times'])}
              </th>
              <th scope="col" data-end>
                {say(['人数', 'Members'])}
              </th>
              <th scope="col">{say(['规则', 'Rules'])}</th>
            </tr>
          </thead>
          <tbody>
            {products.map(one => (
              <tr key={one.id}>
                <td>
                  <button
                    type="button"
                    className="l-link"
                    onClick={() => open({ product_id: one.id })}
                  >
                    {one.name}
                  </button>
                </td>
                <td data-end>{one.blocks}</td>
                <td data-end>{one.members}</td>
                <td className="m-muted">
                  {one.by_rule
                    .map(each => `${say(limitRules[each.rule])} ${each.blocks}`)
                    .join(say(comma))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <Section title={say(['会员', 'Members'])}>
        <table className="l-table l-named">
          <tbody>
            {members.map(one => (
              <tr key={one.id}>
                <td>
                  <button
                    type="button"
                    className="l-link"
                    onClick={() => open({ member_id: one.id })}
                  >
                    {one.name} #{one.id}
                  </button>
                </td>
                <td data-end>{say(['{n} 次', '{n} times'], { n: one.blocks })}</td>
                <td data-end>
                  <When at={one.last_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </Beside>
  )
}

export default function BuyLimitLog() {
  const say = useSay()
  const now = useLang()
  const list = useList(calls.lst)
  const [ranking, setRanking] = usePaneState('ranking', false)
  const [shown] = useRested(list.focusedRow?.id)
  const { member_id, product_id } = list.input
  useLogList(actions.query, actions.export, calls.export, list)
  useDetailAction(actions.explain, ([row]: readonly LimitRow[]) => {
    if (row) {
      setRanking(false)
      list.focus(row.id)
    }
  })
  useDetailAction(actions.topProducts, () => setRanking(!ranking))
  const only = [
    ...(member_id
      ? [{ by: 'member_id', text: say(['会员 #{n}', 'Member #{n}'], { n: member_id }) }]
      : []),
    ...(product_id
      ? [{ by: 'product_id', text: say(['商品 #{n}', 'Product #{n}'], { n: product_id }) }]
      : []),
  ]
  const explained =
    shown === undefined ? (
      <Empty title={say(['选择一行查看限购计算', 'Choose a row to see the calculation'])} />
    ) : (
      <Explain key={shown} id={shown} />
    )
  return (
    <ListDetail label={say(['列表与说明的分隔', 'Between list and explanation'])}>
      <List
        of={list}
        label={titleIn(page, now)}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={() => setRanking(false)}
        filters={
          <>
            <Keyword of={list} by="member_id" placeholder={say(['会员编号', 'Member ID'])} />
            <Keyword of={list} by="product_id" placeholder={say(['商品编号', 'Product ID'])} />
            <Choice
              of={list}
              by="rule"
              label={say(['限购规则', 'Rule'])}
              options={Object.entries(limitRules).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="result"
              label={say(['结果', 'Result'])}
              options={Object.entries(limitResults).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Period
              of={list}
              from="from"
              to="to"
              most={LOG_DAYS}
              usual={['近 92 天', 'Last 92 days']}
            />
            {only.map(one => (
              <Tag
                key={one.by}
                minimal
                intent="primary"
                onRemove={() => list.filter({ [one.by]: undefined })}
              >
                {one.text}
              </Tag>
            ))}
          </>
        }
      />
      {ranking ? <Ranking list={list} /> : explained}
    </ListDetail>
  )
}
