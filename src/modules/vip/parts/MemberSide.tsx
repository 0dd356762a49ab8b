import { couponPieces } from '#src/areas/coupon/couponWords.ts'
import { orderKinds, orderStatuses } from '#src/areas/order/order.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Delta, Figure, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { membersPage as calls } from '../contract/index.ts'
import { PointsOf } from './memberLooks.tsx'

type Moves = {
  id: number
  kind: string
  delta: number
  balance_after: number
  note: string
  at: number
}[]
const None = () => <p className="m-muted">{useSay()(['暂无', 'None'])}</p>
const Ledger = ({ rows }: { rows: Moves }) =>
  rows.length === 0 ? (
    <None />
  ) : (
    <SmallTable
      head={[
        ['类型', 'Kind'],
        ['变动', 'Change'],
        ['余额', 'Balance'],
        ['时间', 'Time'],
      ]}
      rows={rows}
      keyOf={one => one.id}
      cells={one => [
        <span key="kind" title={one.note}>
          {one.kind}
        </span>,
        <Delta key="delta" of={one.delta} />,
        one.balance_after,
        <When key="at" at={one.at} />,
      ]}
    />
  )
/** The word of a key; the key itself for one that has none. */
const useWord = () => {
  const say = useSay()
  return (words: Readonly<Record<string, readonly [string, string]>>, key: string): string =>
    Object.hasOwn(words, key) ? say(words[key]!) : key
}

type Order = {
  id: number
  order_no: string
  kind: string
  status: string
  pay_cents: number
  created_at: number
}
const Orders = ({ rows }: { rows: Order[] }) => {
  const say = useSay()
  const word = useWord()
  return (
    <Section title={say(['最近订单', 'Latest orders'])}>
      {rows.length === 0 ? (
        <None />
      ) : (
        <SmallTable
          head={[
            ['订单号', 'Order'],
            ['类型', 'Kind'],
            ['状态', 'State'],
            ['金额', 'Amount'],
            ['下单', 'Ordered'],
          ]}
          rows={rows}
          keyOf={one => one.id}
          cells={one => [
            one.order_no,
            word(orderKinds, one.kind),
            word(orderStatuses, one.status),
            <Money key="cents" cents={one.pay_cents} />,
            <When key="at" at={one.created_at} />,
          ]}
        />
      )}
    </Section>
  )
}

type Twin = {
  id: number
  uid: string
  nickname: string
  level: number
  growth: number
  points: number
  points_debt: number
  order_count: number
  total_paid_cents: number
  vip_end_at: number | null
  register_at: number
}
/** This member and others of the same phone, side by side, before they are merged. */
const Twins = ({ rows }: { rows: Twin[] }) => {
  const say = useSay()
  if (rows.length === 0) return null
  return (
    <Section title={say(['同手机号账号对照', 'Accounts of the same phone'])}>
      <SmallTable
        head={[
          ['会员号', 'Number'],
          ['等级', 'Level'],
          ['成长值', 'Growth'],
          ['积分', 'Points'],
          ['订单', 'Orders'],
          ['实付', 'Paid'],
          ['付费至', 'VIP until'],
          ['注册', 'Joined'],
        ]}
        rows={rows}
        keyOf={one => one.id}
        cells={one => [
          one.uid,
          `V${one.level}`,
          one.growth,
          one.points_debt === 0 ? (
            <Figure key="points" of={one.points} />
          ) : (
            <PointsOf key="points" row={one} />
          ),
          one.order_count,
          <Money key="paid" cents={one.total_paid_cents} />,
          <When key="vip" at={one.vip_end_at} />,
          <When key="joined" at={one.register_at} />,
        ]}
      />
    </Section>
  )
}

/** What stands beside a member: ledgers, orders, coupons, sellers and devices. */
export const MemberSide = ({ id }: { id: number }) => {
  const say = useSay()
  const word = useWord()
  const read = useRead(calls.side, { id })
  return (
    <Answer of={read}>
      {of => (
        <>
          <Twins rows={of.twins} />
          <Section title={say(['积分流水', 'Points'])}>
            <Ledger rows={of.points} />
          </Section>
          <Section title={say(['成长值流水', 'Growth'])}>
            <Ledger rows={of.growth} />
          </Section>
          <Orders rows={of.orders} />
          <Section
            title={say(['优惠券（未使用 {n}）', 'Coupons ({n} unused)'], { n: of.coupons_unused })}
          >
            {of.coupons.length === 0 ? (
              <None />
            ) : (
              <SmallTable
                head={[
                  ['优惠券', 'Coupon'],
                  ['状态', 'State'],
                  ['有效至', 'Until'],
                ]}
                rows={of.coupons}
                keyOf={one => one.id}
                cells={one => [
                  one.name,
                  word(couponPieces, one.status),
                  <When key="end" at={one.end_at} />,
                ]}
              />
            )}
          </Section>
          <Section title={say(['绑定分销员', 'Bound seller'])}>
            {of.sellers.length === 0 ? (
              <None />
            ) : (
              <SmallTable
                head={[
                  ['分销员', 'Seller'],
                  ['身份', 'Role'],
                  ['到期', 'Until'],
                ]}
                rows={of.sellers}
                keyOf={one => one.role}
                cells={one => [one.name, one.role, <When key="end" at={one.expire_at} />]}
              />
            )}
          </Section>
          <Section title={say(['下单设备', 'Order devices'])}>
            {of.devices.length === 0 ? (
              <None />
            ) : (
              <SmallTable
                head={[
                  ['设备', 'Device'],
                  ['订单', 'Orders'],
                  ['其他会员', 'Other members'],
                  ['最近', 'Last'],
                ]}
                rows={of.devices}
                keyOf={one => one.device_id}
                cells={one => [one.device_id, one.n, one.others, <When key="at" at={one.at} />]}
              />
            )}
          </Section>
        </>
      )}
    </Answer>
  )
}
