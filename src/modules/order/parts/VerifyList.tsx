import type { ReactNode } from 'react'
import type { Action, Page } from '#commands/command.ts'
import { FAR_M } from '#src/areas/code/verifier.ts'
import { settleStates, type SettleState } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
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
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { PERIOD_DAYS } from '../contract/shared.ts'
import {
  verifyFlags,
  verifyWays,
  type VerifyCalls,
  type VerifyFlag,
  type VerifyRow,
  type VerifySums,
  type VerifyWay,
} from '../contract/verify.ts'
import './order.css'

type Row = VerifyRow
const tones: Record<SettleState, ToneName> = {
  holding: 'info',
  available: 'info',
  settling: 'warn',
  settled: 'good',
  reversed: 'plain',
}
const Settle = ({ row }: { row: Row }) => {
  const say = useSay()
  return <Badge tone={tones[row.settle_state]}>{say(settleStates[row.settle_state])}</Badge>
}
const Way = ({ row }: { row: Row }) => <>{useSay()(verifyWays[row.way])}</>
const Flags = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <span className="o-states">
      {row.flags.map(flag => (
        <Badge key={flag} tone="warn">
          {say(verifyFlags[flag])}
        </Badge>
      ))}
    </span>
  )
}
const Role = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.group?.role ? (
    <>{say(row.group.role === 'leader' ? ['团长', 'Leader'] : ['团员', 'Member'])}</>
  ) : (
    <span className="m-muted">—</span>
  )
}
const none = <span className="m-muted">—</span>
/** The columns of redemptions; each list takes those it needs. */
export const verifyColumns = {
  verified_at: {
    key: 'verified_at',
    title: ['核销时间', 'Redeemed'],
    width: 104,
    cell: row => <When at={row.verified_at} />,
    words: row => row.order_no,
  },
  settle_state: {
    key: 'settle_state',
    title: ['结算状态', 'Settlement'],
    width: 112,
    cell: row => <Settle row={row} />,
  },
  title: {
    key: 'title',
    title: ['商品', 'Product'],
    width: 150,
    grow: true,
    cell: row => row.title,
    words: row => row.title,
  },
  code: {
    key: 'code',
    title: ['券码', 'Code'],
    width: 116,
    cell: row => <span className="m-num">{row.code ?? '—'}</span>,
  },
  order_no: {
    key: 'order_no',
    title: ['订单号', 'Order no.'],
    width: 168,
    optional: true,
    cell: row => row.order_no,
  },
  store: {
    key: 'store',
    title: ['门店', 'Store'],
    width: 132,
    cell: row => row.store_name,
    words: row => row.store_name,
  },
  by: { key: 'by', title: ['核销人', 'By'], width: 84, cell: row => row.by || none },
  way: { key: 'way', title: ['方式', 'How'], width: 84, cell: row => <Way row={row} /> },
  pay: {
    key: 'pay',
    title: ['实付分摊', 'Share'],
    width: 84,
    align: 'end',
    cell: row => <Money cents={row.pay_cents} />,
  },
  platform: {
    key: 'platform',
    title: ['平台分摊', 'Platform'],
    width: 76,
    align: 'end',
    optional: true,
    cell: row => <Money cents={row.platform_cents} />,
  },
  commission: {
    key: 'commission',
    title: ['佣金', 'Commission'],
    width: 76,
    align: 'end',
    cell: row => <Money cents={row.commission_cents} />,
  },
  settle: {
    key: 'settle',
    title: ['结算', 'Settled'],
    width: 84,
    priority: 1,
    align: 'end',
    cell: row => <Money cents={row.settle_cents} />,
  },
  distance: {
    key: 'distance',
    title: ['距门店', 'Distance'],
    width: 72,
    align: 'end',
    cell: row =>
      row.distance_m === null ? (
        none
      ) : (
        <span className={row.distance_m > FAR_M ? 'm-num m-bad' : 'm-num'}>{row.distance_m} m</span>
      ),
  },
  flags: {
    key: 'flags',
    title: ['提示', 'Flags'],
    width: 128,
    cell: row => (row.flags.length ? <Flags row={row} /> : none),
  },
  city: {
    key: 'city',
    title: ['城市', 'City'],
    width: 72,
    optional: true,
    cell: row => row.city_name,
  },
  merchant: {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 132,
    optional: true,
    cell: row => row.merchant_name,
  },
  group: {
    key: 'group',
    title: ['团号', 'Group'],
    width: 156,
    cell: row => <span className="m-num">{row.group?.no ?? '—'}</span>,
  },
  role: { key: 'role', title: ['身份', 'Seat'], width: 64, cell: row => <Role row={row} /> },
  single: {
    key: 'single',
    title: ['单买价', 'Solo price'],
    width: 80,
    align: 'end',
    cell: row => (row.group ? <Money cents={row.group.single_cents} /> : none),
  },
  bill_no: {
    key: 'bill_no',
    title: ['账单号', 'Bill no.'],
    width: 128,
    cell: row => <span className="m-num">{row.bill?.no ?? '—'}</span>,
  },
  bill: {
    key: 'bill',
    title: ['账单', 'Bill'],
    width: 84,
    align: 'end',
    cell: row => (row.bill ? <Money cents={row.bill.cents} /> : none),
  },
  vouchers: {
    key: 'vouchers',
    title: ['用券/限用', 'On it/limit'],
    width: 72,
    align: 'end',
    cell: row =>
      row.bill ? (
        <span className="m-num">
          {row.bill.vouchers}/{row.bill.limit ?? '∞'}
        </span>
      ) : (
        none
      ),
  },
  faces: {
    key: 'faces',
    title: ['面值合计', 'Total face value'],
    width: 120,
    align: 'end',
    cell: row => (row.bill ? <Money cents={row.bill.face_cents} /> : none),
  },
  leverage: {
    key: 'leverage',
    title: ['账单/面值', 'Bill/face'],
    width: 84,
    align: 'end',
    cell: row =>
      row.bill && row.bill.face_cents > 0 ? (
        <span className="m-num">{(row.bill.cents / row.bill.face_cents).toFixed(2)}×</span>
      ) : (
        none
      ),
  },
} satisfies Record<string, Column<Row>>

/** One line of totals: all, taken back, what stands. */
const SumLine = ({
  title,
  of,
  strong = false,
}: {
  title: Text
  of: VerifySums
  strong?: boolean
}) => {
  const say = useSay()
  const Cell = strong ? 'b' : 'span'
  return (
    <tr>
      <th scope="row">{say(title)}</th>
      <td className="o-right m-num">{of.rows.toLocaleString()}</td>
      <td className="o-right m-num">{of.times.toLocaleString()}</td>
      {[of.pay_cents, of.platform_cents, of.commission_cents, of.settle_cents].map((cents, at) => (
        <td key={at} className="o-right">
          <Cell>
            <Money cents={cents} />
          </Cell>
        </td>
      ))}
    </tr>
  )
}
/**
 * Totals of what matches; what was taken back counts below zero, so that the last line is what is
 * settled.
 */
export const Sums = ({
  of,
}: {
  of: { all: VerifySums; reversed: VerifySums; net: VerifySums }
}) => {
  const say = useSay()
  return (
    <table className="o-table">
      <thead>
        <tr>
          <th />
          <th className="o-right">{say(['笔数', 'Count'])}</th>
          <th className="o-right">{say(['次数', 'Uses'])}</th>
          <th className="o-right">{say(['实付分摊', 'Share'])}</th>
          <th className="o-right">{say(['平台分摊', 'Platform'])}</th>
          <th className="o-right">{say(['佣金', 'Commission'])}</th>
          <th className="o-right">{say(['结算', 'Settled'])}</th>
        </tr>
      </thead>
      <tbody>
        <SumLine title={['核销', 'Redeemed']} of={of.all} />
        <SumLine title={['撤销', 'Reversed']} of={of.reversed} />
        <SumLine title={['净额', 'Net']} of={of.net} strong />
      </tbody>
    </table>
  )
}
const asked = (list: ListState<Row>) => {
  const { page: _, pageSize: __, sort: ___, ...filters } = list.input as Record<string, unknown>
  return filters
}
const Totals = ({ calls, list }: { calls: VerifyCalls; list: ListState<Row> }) => {
  const say = useSay()
  const { data } = useRead(calls.sums, asked(list))
  return (
    <div className="o-sums" role="status" aria-label={say(['合计', 'Totals'])}>
      {data ? (
        <Sums of={data} />
      ) : (
        <span className="m-muted">{say(['合计计算中…', 'Totals…'])}</span>
      )}
      {data?.bills && (
        <p className="m-muted">
          {say(['{n} 张账单，合计', '{n} bills, total'], { n: data.bills.n })}{' '}
          <Money cents={data.bills.cents} sign />
        </p>
      )}
    </div>
  )
}
const Told = ({ row, children }: { row: Row; children?: ReactNode }) => {
  const say = useSay()
  return (
    <>
      <Section title={say(['核销', 'Redemption'])}>
        <Facts>
          <Fact label={say(['订单', 'Order'])}>
            <span className="m-num">{row.order_no}</span>
          </Fact>
          <Fact label={say(['券码', 'Code'])}>
            <span className="m-num">{row.code ?? '—'}</span>
          </Fact>
          <Fact wide label={say(['门店', 'Store'])}>
            {row.store_name} · {row.merchant_name} · {row.city_name}
          </Fact>
          <Fact label={say(['核销', 'By'])}>
            <Way row={row} /> {row.by}
          </Fact>
          <Fact label={say(['次数', 'Uses'])}>{row.times}</Fact>
          <Fact label={say(['核销时间', 'Redeemed'])}>
            <When at={row.verified_at} />
          </Fact>
          <Fact label={say(['冻结期至', 'On hold until'])}>
            <When at={row.hold_until} />
          </Fact>
          {row.reversed_at !== null && (
            <>
              <Fact label={say(['撤销时间', 'Reversed'])}>
                <When at={row.reversed_at} />
              </Fact>
              <Fact label={say(['撤销人', 'By'])}>
                {row.reversed_by ?? say(['商户', 'Merchant'])}
              </Fact>
              <Fact wide label={say(['撤销原因', 'Why'])}>
                {row.reverse_reason}
              </Fact>
            </>
          )}
          {row.flags.length > 0 && (
            <Fact wide label={say(['提示', 'Flags'])}>
              <Flags row={row} />
              {row.abnormal_reason && <> {row.abnormal_reason}</>}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['金额', 'Money'])}>
        <dl className="o-money">
          <div>
            <dt>{say(['实付分摊', 'Share'])}</dt>
            <dd>
              <Money cents={row.pay_cents} />
            </dd>
          </div>
          <div>
            <dt>{say(['平台分摊', 'Platform share'])}</dt>
            <dd>
              <Money cents={row.platform_cents} />
            </dd>
          </div>
          {row.commission_cents !== undefined && (
            <div>
              <dt>{say(['佣金', 'Commission'])}</dt>
              <dd>
                <Money cents={-row.commission_cents} />
              </dd>
            </div>
          )}
          <div data-sum="sum">
            <dt>{say(['结算', 'Settled'])}</dt>
            <dd>
              <Money cents={row.settle_cents} />
            </dd>
          </div>
        </dl>
      </Section>
      {row.group && (
        <Section title={say(['拼团', 'Group'])}>
          <Facts>
            <Fact label={say(['团号', 'Group'])}>
              <span className="m-num">{row.group.no}</span>
            </Fact>
            <Fact label={say(['身份', 'Seat'])}>
              <Role row={row} />
            </Fact>
            <Fact label={say(['成团价', 'Group price'])}>
              <Money cents={row.group.price_cents} sign />
            </Fact>
            <Fact label={say(['单买价', 'Solo price'])}>
              <Money cents={row.group.single_cents} sign />
            </Fact>
          </Facts>
        </Section>
      )}
      {row.bill && (
        <Section title={say(['账单', 'Bill'])}>
          <Facts>
            <Fact label={say(['账单号', 'Bill no.'])}>
              <span className="m-num">{row.bill.no ?? '—'}</span>
            </Fact>
            <Fact label={say(['账单金额', 'Amount'])}>
              <Money cents={row.bill.cents} sign />
            </Fact>
            <Fact label={say(['用券', 'Vouchers'])}>
              {row.bill.vouchers}
              {row.bill.limit !== null &&
                say(['（每单限 {n}）', ' (at most {n})'], { n: row.bill.limit })}
            </Fact>
            <Fact label={say(['面值合计', 'Total face value'])}>
              <Money cents={row.bill.face_cents} sign />
            </Fact>
          </Facts>
        </Section>
      )}
      {children}
    </>
  )
}

type Props = {
  calls: VerifyCalls
  at: Page
  openOrder: Action
  actions: readonly Action[]
  columns: readonly Column<Row>[]
  flags: readonly VerifyFlag[]
  inspect?: (row: Row, list: ListState<Row>) => ReactNode
  also?: (list: ListState<Row>) => ReactNode
}
/**
 * A list of redemptions: totals of what matches on top, tabs by where their money is, and all about
 * the one in focus beside it.
 */
export const VerifyList = ({
  calls,
  at,
  openOrder,
  actions,
  columns,
  flags,
  inspect,
  also,
}: Props) => {
  const say = useSay()
  const workbench = useWorkbench()
  const list = useList(calls.lst)
  const { settle: _, ...others } = asked(list)
  const counts = useRead(calls.counts, others)
  useExport(
    actions.find(action => action.call === calls.export)!,
    calls.export,
    { list },
  )
  const tab = (key: SettleState | 'all', title: Text) => ({
    key,
    title,
    ...(counts.data && { count: counts.data[key] ?? 0 }),
  })
  const row = list.focusedRow
  return (
    <ListDetail>
      <div className="o-verify">
        <Totals calls={calls} list={list} />
        <List
          of={list}
          label={say([at.title, at.en])}
          columns={columns}
          actions={actions}
          onOpen={one => workbench.open(openOrder.to!([one]))}
          aside={also?.(list)}
          tabs={{
            by: 'settle',
            all: [
              tab('all', ['全部', 'All']),
              ...(Object.keys(settleStates) as SettleState[]).map(key =>
                tab(key, settleStates[key]),
              ),
            ],
          }}
          filters={
            <>
              <Keyword
                of={list}
                by="q"
                placeholder={say(['订单号、券码、账单号', 'Order, code, bill'])}
              />
              <Choice
                of={list}
                by="flag"
                label={say(['提示', 'Flags'])}
                options={flags.map(key => ({ value: key, label: say(verifyFlags[key]) }))}
              />
              <Choice
                of={list}
                by="way"
                label={say(['方式', 'How'])}
                options={(Object.keys(verifyWays) as VerifyWay[]).map(key => ({
                  value: key,
                  label: say(verifyWays[key]),
                }))}
              />
              <CityFilter of={list} />
              <Among
                of={list}
                by="store_id"
                label={say(['门店', 'Store'])}
                find={calls.stores}
                labelOf={one => one.name}
              />
              <Among
                of={list}
                by="verifier_id"
                label={say(['核销员', 'Clerk'])}
                find={calls.clerks}
                labelOf={one => `${one.name} · ${one.merchant_name}`}
              />
              <Period
                of={list}
                from="from"
                to="to"
                most={PERIOD_DAYS}
                usual={['核销时间', 'When redeemed']}
              />
            </>
          }
        />
      </div>
      {row ? (
        <Inspector title={row.title} aside={<Settle row={row} />}>
          <Told row={row}>{inspect?.(row, list)}</Told>
        </Inspector>
      ) : (
        <Inspector title={undefined} />
      )}
    </ListDetail>
  )
}
