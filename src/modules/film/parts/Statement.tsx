import type { Result } from '#src/contract/call.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { filmWithdrawals as calls } from '../contract/withdrawal.ts'

type Detail = Result<(typeof calls)['detail']>
const parts = [
  ['opening_cents', ['期初余额', 'Opening'], ''],
  ['income_cents', ['结算收入', 'Income'], '+'],
  ['refunds_cents', ['退款冲回', 'Refunds'], '−'],
  ['fee_cents', ['微信手续费', 'WeChat fee'], '−'],
  ['adjust_cents', ['调整', 'Adjustments'], '±'],
  ['back_cents', ['提现退回', 'Given back'], '+'],
  ['withdrawn_cents', ['本次提现', 'Withdrawn'], '−'],
  ['closing_cents', ['期末余额', 'Closing'], '='],
] as const
/** What the balance did since the request before; what it does not account for stands red. */
export const StatementOf = ({ of }: { of: Detail['statement'] }) => {
  const say = useSay()
  const off = of.difference_cents || of.lines_difference_cents
  return (
    <Section
      title={say(['流水核对', 'Statement'])}
      aside={
        <Badge tone={off ? 'bad' : 'good'}>
          {off ? say(['不平', 'Off']) : say(['已核平', 'Balanced'])}
        </Badge>
      }
    >
      <Facts>
        {parts.map(([key, title, sign]) => (
          <Fact key={key} label={`${sign} ${say(title)}`.trim()}>
            <Money cents={of[key]} sign />
          </Fact>
        ))}
        <Fact label={say(['上次申请', 'Request before'])}>
          {of.from_at === null ? say(['首次提现', 'None']) : <When at={of.from_at} />}
        </Fact>
        {of.difference_cents ? (
          <Fact label={say(['流水差额', 'Journal is off by'])}>
            <span className="m-bad">
              <Money cents={of.difference_cents} sign />
            </span>
          </Fact>
        ) : null}
        {of.lines_difference_cents ? (
          <Fact label={say(['订单差额', 'Orders are off by'])}>
            <span className="m-bad">
              <Money cents={of.lines_difference_cents} sign />
            </span>
          </Fact>
        ) : null}
      </Facts>
    </Section>
  )
}
/** Orders that are frozen: none of them is in a settlement. */
export const FrozenOrders = ({ of }: { of: Detail['frozen'] }) => {
  const say = useSay()
  return (
    <Section title={say(['冻结订单 {n}', 'Frozen orders {n}'], { n: of.length })}>
      {of.length === 0 ? (
        <p className="m-muted">{say(['没有冻结的订单', 'No frozen orders'])}</p>
      ) : (
        <SmallTable
          head={[
            ['订单号', 'Order'],
            ['影片', 'Film'],
            ['开场', 'Show'],
            ['实付', 'Paid'],
            ['原因', 'Why'],
          ]}
          rows={of}
          keyOf={one => one.id}
          cells={one => [
            <span key="no" className="m-num">
              {one.order_no}
            </span>,
            one.film_name,
            <When key="at" at={one.show_at} />,
            <Money key="pay" cents={one.pay_cents} />,
            one.reason || '—',
          ]}
        />
      )}
    </Section>
  )
}
const SHOWN = 50
/** The orders that the income is made of, the latest show first. */
export const StatementOrders = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.orders, { id, page: 1, pageSize: SHOWN })
  return (
    <Answer of={read}>
      {({ list, total }) => (
        <Section title={say(['结算订单 {n}', 'Settled orders {n}'], { n: total })}>
          {total === 0 ? (
            <p className="m-muted">
              {say(['自上次提现没有新的结算', 'Nothing was settled since the request before'])}
            </p>
          ) : (
            <SmallTable
              head={[
                ['订单号', 'Order'],
                ['影片', 'Film'],
                ['开场', 'Show'],
                ['实付', 'Paid'],
                ['手续费', 'Fee'],
                ['入账', 'Income'],
                ['批次', 'Batch'],
              ]}
              rows={list}
              keyOf={one => one.id}
              cells={one => [
                <span key="no" className="m-num">
                  {one.order_no}
                </span>,
                one.film_name,
                <When key="at" at={one.show_at} />,
                <Money key="pay" cents={one.pay_cents} />,
                <Money key="fee" cents={one.fee_cents} />,
                <Money key="in" cents={one.merchant_cents} />,
                one.batches > 1 ? (
                  <Badge key="batch" tone="bad">
                    {say(['重复结算', 'Settled twice'])}
                  </Badge>
                ) : (
                  one.batch_no
                ),
              ]}
            />
          )}
          {total > SHOWN && (
            <p className="m-muted">
              {say(['仅列出最近 {n} 笔，全部见导出', 'The latest {n}; the export has all'], {
                n: SHOWN,
              })}
            </p>
          )}
        </Section>
      )}
    </Answer>
  )
}
