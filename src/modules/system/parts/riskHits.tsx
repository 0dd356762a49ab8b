import { Confirm, Cross, Lock, Time, User } from '@blueprintjs/icons'
import { useMemo } from 'react'
import type { Action } from '#commands/command.ts'
import { risk as page } from '#commands/pages/system.ts'
import { riskHitActions as actions, riskListActions, riskTabs } from '#commands/system/risk.ts'
import {
  riskActions,
  riskCan,
  riskLevels,
  riskScenes,
  riskStates,
  type RiskLevel,
  type RiskState,
} from '#src/areas/risk/risk.ts'
import type { Result } from '#src/contract/call.ts'
import { colon } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { Among } from '#src/kit/among.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { WorkEnd } from '#src/kit/queue-end.tsx'
import { useRested } from '#src/kit/rested.ts'
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
import { Unanswered } from '#src/kit/states.tsx'
import { useTakeNext } from '#src/kit/takenext.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { activeFilters, useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { risk as calls, type RiskHitRow } from '../contract/risk.ts'

const levels: Record<RiskLevel, ToneName> = { high: 'bad', mid: 'warn', low: 'plain' }
const states: Record<RiskState, { tone: ToneName; icon: typeof Time }> = {
  open: { tone: 'warn', icon: Time },
  claimed: { tone: 'info', icon: User },
  released: { tone: 'plain', icon: Cross },
  confirmed: { tone: 'bad', icon: Confirm },
}
const Level = ({ of }: { of: RiskLevel }) => {
  const say = useSay()
  return <Badge tone={levels[of]}>{say(riskLevels[of])}</Badge>
}
const State = ({
  of,
  who,
  title,
}: {
  of: RiskState
  who?: string | null
  title?: string | undefined
}) => {
  const say = useSay()
  return (
    <Badge {...states[of]} {...(title ? { title } : {})}>
      {say(riskStates[of])}
      {who ? ` · ${who}` : ''}
    </Badge>
  )
}
const Score = ({ row }: { row: RiskHitRow }) => {
  const say = useSay()
  return (
    <span className="rk-score" data-level={row.level} title={say(riskLevels[row.level])}>
      <span className="m-num">{row.score}</span>
      <i aria-hidden="true">
        <b style={{ width: `${row.score}%` }} />
      </i>
    </span>
  )
}
const Scene = ({ row }: { row: RiskHitRow }) => <>{useSay()(riskScenes[row.scene])}</>
const Did = ({ row }: { row: RiskHitRow }) => {
  const say = useSay()
  return row.action === null ? (
    <span className="m-muted">—</span>
  ) : (
    <>{say(riskActions[row.action])}</>
  )
}
const Who = ({ row }: { row: RiskHitRow }) => {
  if (row.member_id !== null)
    return (
      <>
        {row.nickname} <span className="m-muted m-num">#{row.member_id}</span>
      </>
    )
  if (row.store_name) return <>{row.store_name}</>
  return <span className="m-num">{row.device_id ?? '—'}</span>
}

const columns: readonly Column<RiskHitRow>[] = [
  {
    key: 'score',
    title: ['风险分', 'Score'],
    width: 92,
    align: 'end',
    cell: row => <Score row={row} />,
  },
  {
    key: 'rule',
    title: ['规则', 'Rule'],
    width: 132,
    grow: true,
    cell: row => row.rule_name,
    words: (row, say) => `${row.rule_name}${say(colon)}${row.note}`,
  },
  {
    key: 'who',
    title: ['会员或设备', 'Subject'],
    width: 126,
    cell: row => <Who row={row} />,
    words: row => row.nickname ?? row.store_name ?? row.device_id ?? '',
  },
  { key: 'scene', title: ['场景', 'Scene'], width: 56, cell: row => <Scene row={row} /> },
  { key: 'orders', title: ['订单', 'Orders'], width: 46, align: 'end', cell: row => row.orders },
  {
    key: 'amount',
    title: ['金额', 'Amount'],
    width: 90,
    align: 'end',
    cell: row =>
      row.amount_cents === 0 ? (
        <span className="m-muted">—</span>
      ) : (
        <Money cents={row.amount_cents} />
      ),
  },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 92,
    cell: row => <State of={row.state} title={row.claimer_name ?? row.decider_name ?? undefined} />,
  },
  { key: 'hit_at', title: ['命中时间', 'Hit'], width: 104, cell: row => <When at={row.hit_at} /> },
  {
    key: 'person',
    title: ['处理人', 'Person'],
    width: 84,
    optional: true,
    cell: row => row.claimer_name ?? row.decider_name ?? <span className="m-muted">—</span>,
  },
  {
    key: 'action',
    title: ['规则动作', 'Did'],
    width: 84,
    optional: true,
    cell: row => <Did row={row} />,
  },
  { key: 'city', title: ['城市', 'City'], width: 70, optional: true, cell: row => row.city_name },
  {
    key: 'merged',
    title: ['合并', 'Merged'],
    width: 56,
    optional: true,
    align: 'end',
    cell: row => row.merged_count,
  },
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 112,
    optional: true,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
  },
]

type Detail = Result<typeof calls.detail>
const [ROW, SHOWN] = [30, 8]
/**
 * Members left, devices right, a line for the orders between them: accounts that share a device are
 * seen at once.
 */
const Graph = ({ of: { row, members, devices, orders } }: { of: Detail }) => {
  const say = useSay()
  const [left, right] = [members.slice(0, SHOWN), devices.slice(0, SHOWN)]
  const between = (member_id: number, device_id: string) =>
    orders.filter(one => one.member_id === member_id && one.device_id === device_id).length
  const y = (at: number) => 20 + ROW * at + ROW / 2
  const short = (text: string) => (text.length > 14 ? `${text.slice(0, 13)}…` : text)
  return (
    <svg
      className="rk-graph"
      viewBox={`0 0 520 ${22 + ROW * Math.max(left.length, right.length)}`}
      role="img"
      aria-label={say(
        ['{a} 个账号与 {b} 台设备之间的订单', 'Orders between {a} accounts and {b} devices'],
        { a: members.length, b: devices.length },
      )}
    >
      <text className="rk-head" x="0" y="9">
        {say(['账号', 'Accounts'])}
      </text>
      <text className="rk-head" x="340" y="9">
        {say(['设备', 'Devices'])}
      </text>
      {left.flatMap((one, i) =>
        right.flatMap((device, k) => {
          const n = between(one.id, device.device_id)
          return n === 0
            ? []
            : [
                <line
                  key={`${one.id} ${device.device_id}`}
                  x1="180"
                  y1={y(i)}
                  x2="340"
                  y2={y(k)}
                  strokeWidth={Math.min(6, 1 + Math.sqrt(n))}
                >
                  <title>{say(['{n} 单', '{n} orders'], { n })}</title>
                </line>,
              ]
        }),
      )}
      {left.map((one, i) => (
        <g
          key={one.id}
          data-bad={one.black || undefined}
          data-own={one.id === row.member_id || undefined}
        >
          <rect x="0" y={y(i) - 11} width="180" height="22" rx="4" />
          <text x="8" y={y(i)}>
            {short(one.nickname)} #{one.id}
          </text>
          <text x="172" y={y(i)} textAnchor="end">
            {one.orders}
          </text>
        </g>
      ))}
      {right.map((one, i) => (
        <g
          key={one.device_id}
          data-bad={one.black || undefined}
          data-own={one.device_id === row.device_id || undefined}
        >
          <rect x="340" y={y(i) - 11} width="180" height="22" rx="4" />
          <text x="348" y={y(i)}>
            {short(one.device_id)}
          </text>
          <text x="512" y={y(i)} textAnchor="end">
            {one.orders}
          </text>
        </g>
      ))}
    </svg>
  )
}
const Orders = ({ of: detail }: { of: Detail }) => {
  const say = useSay()
  const groups = [
    ...detail.members.map(one => ({ key: one.id as number | null, of: one })),
    { key: null, of: undefined },
  ]
    .map(({ key, of }) => ({
      key,
      of,
      orders: detail.orders.filter(order =>
        key === null ? order.member_id === null : order.member_id === key,
      ),
    }))
    .filter(group => group.orders.length > 0 || group.of)
  if (groups.length === 0) return <p className="m-muted">{say(['没有相关订单', 'No order'])}</p>
  return (
    <>
      {groups.map(({ key, of, orders }) => (
        <section key={key ?? 0} className="rk-group">
          <header>
            {of ? (
              <>
                {of.nickname}{' '}
                <span className="m-muted m-num">
                  #{of.id} {of.phone ?? ''}
                </span>
                <span className="m-muted">
                  {of.account_state} · {say(['注册', 'Joined'])} <When at={of.register_at} />
                </span>
                {of.black && (
                  <Badge tone="bad" icon={Lock}>
                    {say(['黑名单', 'Black list'])}
                  </Badge>
                )}
              </>
            ) : (
              <span className="m-muted">{say(['游客订单', 'Visitors'])}</span>
            )}
          </header>
          {orders.length === 0 ? (
            <p className="m-muted">{say(['近 30 天没有订单', 'No order in the last 30 days'])}</p>
          ) : (
            <table className="rk-orders">
              <thead>
                <tr>
                  <th scope="col">{say(['订单', 'Order'])}</th>
                  <th scope="col" data-end>
                    {say(['金额', 'Amount'])}
                  </th>
                  <th scope="col">{say(['状态', 'State'])}</th>
                  <th scope="col">{say(['下单', 'Placed'])}</th>
                </tr>
              </thead>
              <tbody>
                {orders.map(one => (
                  <tr key={one.id} data-counted={one.counted || undefined}>
                    <td>
                      <span className="m-num">{one.order_no}</span>
                      <br />
                      <span className="m-muted">
                        {one.title}
                        {one.store_name && ` · ${one.store_name}`}
                      </span>
                    </td>
                    <td data-end>
                      <Money cents={one.pay_cents} />
                    </td>
                    <td title={one.why_not ?? undefined}>
                      {one.held ? (
                        <Badge tone="info" icon={Lock}>
                          {say(['本命中冻结', 'Frozen by this'])}
                        </Badge>
                      ) : (
                        <>
                          {one.kind} · {one.status}
                        </>
                      )}
                    </td>
                    <td>
                      <When at={one.at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </section>
      ))}
    </>
  )
}
const Hit = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.detail, { id })
  const detail = read.data
  if (!detail || detail.row.id !== id) return <Unanswered of={read} lines={12} />
  const { row } = detail
  return (
    <Inspector
      title={row.rule_name}
      aside={
        <>
          <Level of={row.level} />
          <State of={row.state} who={row.claimer_name ?? row.decider_name} />
        </>
      }
    >
      <div className="rk-advice">
        <b>{say(['建议处置', 'Suggested'])}</b>
        {row.suggested}
      </div>
      <Section title={say(['为什么命中', 'Why it hit'])}>
        <Facts>
          <Fact wide label={say(['规则', 'Rule'])}>
            {detail.says ?? row.note}
          </Fact>
          {detail.measured && detail.says && (
            <Fact label={say(['实测', 'Measured'])}>
              <span className="m-num">{detail.measured}</span>
            </Fact>
          )}
          <Fact label={say(['风险分', 'Score'])}>
            <Score row={row} />
          </Fact>
          <Fact label={say(['规则动作', 'Rule action'])}>
            <Did row={row} />
          </Fact>
          <Fact label={say(['金额', 'Amount'])}>
            <Money cents={row.amount_cents} />
          </Fact>
          <Fact label={say(['命中', 'Hit'])}>
            <When at={row.hit_at} />
          </Fact>
          <Fact label={say(['最近一次', 'Last'])}>
            <When at={row.last_at} />
            {row.merged_count > 1 && (
              <span className="m-muted">
                {' '}
                {say(['合并 {n} 次', '{n} merged'], { n: row.merged_count })}
              </span>
            )}
          </Fact>
          {row.member_id !== null && (
            <Fact label={say(['会员', 'Member'])}>
              <Who row={row} /> <span className="m-num">{row.phone ?? ''}</span>
            </Fact>
          )}
          {row.device_id !== null && (
            <Fact label={say(['设备', 'Device'])}>
              <span className="m-num">{row.device_id}</span>
            </Fact>
          )}
          {row.store_name !== null && <Fact label={say(['门店', 'Store'])}>{row.store_name}</Fact>}
          <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
        </Facts>
      </Section>
      {(row.decided_at !== null || row.claim_until !== null || row.frozen > 0) && (
        <Section title={say(['处理', 'Handling'])}>
          <Facts>
            {row.claim_until !== null && (
              <Fact label={say(['处理中', 'Claimed'])}>
                {row.claimer_name}{' '}
                <span className="m-muted">
                  {say(['剩 {t}', '{t} left'], {
                    t: duration(Math.max(0, row.claim_until - unixNow()), say),
                  })}
                </span>
              </Fact>
            )}
            {row.decided_at !== null && (
              <Fact label={say(riskStates[row.state])}>
                {row.decider_name ?? say(['系统', 'System'])} <When at={row.decided_at} />
              </Fact>
            )}
            {row.frozen > 0 && (
              <Fact label={say(['冻结订单', 'Frozen'])}>
                <span className="m-num">{row.frozen}</span>
              </Fact>
            )}
            {row.reason !== null && (
              <Fact wide label={say(['原因', 'Reason'])}>
                {row.reason}
              </Fact>
            )}
          </Facts>
        </Section>
      )}
      {detail.devices.length > 0 && detail.members.length > 0 && (
        <Section title={say(['账号与设备', 'Accounts and devices'])}>
          <Graph of={detail} />
        </Section>
      )}
      <Section
        title={say(['相关订单', 'Related orders'])}
        aside={
          <span className="m-muted">
            {say(['左侧有色条的计入本次命中', 'Orders with a bar on the left count'])}
          </span>
        }
      >
        <Orders of={detail} />
      </Section>
      {detail.earlier.length > 0 && (
        <Section title={say(['此前的命中', 'Earlier hits'])}>
          <Facts>
            {detail.earlier.map(one => (
              <Fact key={one.id} label={one.rule_name}>
                <State of={one.state} /> <span className="m-num">{one.score}</span>{' '}
                <When at={one.hit_at} />
              </Fact>
            ))}
          </Facts>
        </Section>
      )}
    </Inspector>
  )
}

/** The queue: hits left, the one in focus in full right; a decision takes the eye to the next. */
export const RiskHits = () => {
  const say = useSay()
  const now = useLang()
  const workbench = useWorkbench()
  const pane = usePane()
  const list = useList(calls.lst)
  const { state, sort: _, page: __, pageSize: ___, ...filters } = list.input
  const counts = useRead(calls.counts, filters)
  const [shown] = useRested(list.focusedRow?.id)
  useExport(actions.export, calls.export, { list })
  const decide =
    (action: Action) =>
    ([row]: readonly RiskHitRow[]) => {
      if (!row) return
      void workbench.run(action, [row], { pane: pane.id }).then(done => {
        if (!done || (state !== 'waiting' && state !== 'mine')) return
        const from = list.rows.findIndex(one => one.id === row.id)
        const later = list.rows.slice(from + 1)
        // The next that is mine to decide: what a colleague holds is passed over.
        const next =
          later.find(one => riskCan('confirm', one, workbench.me.id, unixNow()) === true) ??
          later[0] ??
          list.rows[from - 1]
        list.hide([row.id])('done')
        list.focus(next?.id)
      })
    }
  useTakeNext(actions.takeNext, actions.claim, list)
  useAction(actions.confirm, decide(actions.confirm))
  useAction(actions.release, decide(actions.release))
  // The member or the device of the hit in focus stands in the form already.
  const listing = (action: Action) => () =>
    void workbench.run(action, [], {
      pane: pane.id,
      ...(list.focusedRow && { on: list.focusedRow }),
    })
  useAction(riskListActions.addBlack, listing(riskListActions.addBlack))
  useAction(riskListActions.addWhite, listing(riskListActions.addWhite))
  const all = useMemo(
    () => [
      actions.confirm,
      actions.release,
      actions.freezeOrders,
      actions.claim,
      actions.takeNext,
      riskListActions.addBlack,
      riskListActions.addWhite,
      actions.batchRelease,
      actions.export,
    ],
    [],
  )
  return (
    <ListDetail>
      <List
        of={list}
        label={titleIn(page, now)}
        columns={columns}
        actions={all}
        onOpen={row => {
          if (riskCan('claim', row, workbench.me.id, unixNow()) === true)
            void workbench.run(actions.claim, [row], { pane: pane.id })
        }}
        tabs={{
          by: 'state',
          all: Object.entries(riskTabs).map(([key, title]) => ({
            key,
            title,
            ...(counts.data && { count: counts.data[key] ?? 0 }),
          })),
        }}
        empty={
          state === 'waiting' || state === 'mine' ? (
            <WorkEnd
              queue="risk"
              next={actions.takeNext}
              filtered={activeFilters(list, 'state') > 0}
              clear={() =>
                list.filter(Object.fromEntries(Object.keys(filters).map(key => [key, undefined])))
              }
            >
              <p>
                {say([
                  '规则每 3 分钟检测一次，新的命中会自动出现在这里。',
                  'Rules measure every 3 minutes; a new hit appears here by itself.',
                ])}
              </p>
            </WorkEnd>
          ) : undefined
        }
        filters={
          <>
            <Keyword
              of={list}
              placeholder={say(['会员编号、手机号或设备', 'Member, phone or device'])}
            />
            <Choice
              of={list}
              by="scene"
              label={say(['场景', 'Scene'])}
              options={Object.entries(riskScenes).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="level"
              label={say(['等级', 'Level'])}
              options={Object.entries(riskLevels).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Among
              of={list}
              by="rule_id"
              label={say(['规则', 'Rule'])}
              find={calls.ruleNames}
              labelOf={row => row.name}
            />
            <CityFilter of={list} />
            <Choice
              of={list}
              by="sort"
              always
              label={say(['排序', 'Order'])}
              options={[
                { value: 'score', label: say(['风险分', 'Score']) },
                { value: 'newest', label: say(['最新命中', 'Newest']) },
              ]}
            />
            <Period of={list} from="from" to="to" most={366} usual={['全部时间', 'Any time']} />
          </>
        }
      />
      {shown === undefined ? <Inspector title={undefined} /> : <Hit key={shown} id={shown} />}
    </ListDetail>
  )
}
