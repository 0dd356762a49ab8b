import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { orderDetailOf } from '#commands/pages/order.ts'
import { groupPage, membersPage } from '#commands/pages/vip.ts'
import { couponPieces } from '#src/areas/coupon/couponWords.ts'
import { orderKinds, orderStatuses } from '#src/areas/order/order.ts'
import { groupStates } from '#src/areas/wecom/wecom.ts'
import { unixNow } from '#src/domain/time.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { CustomerDetailRow, Standing } from '../contract/weChatCustomerDetail.ts'
import { PointsOf } from './memberLooks.tsx'

/** The word of a key; the key itself for one that has none. */
const useWord = () => {
  const say = useSay()
  return (words: Readonly<Record<string, readonly [string, string]>>, key: string): string =>
    Object.hasOwn(words, key) ? say(words[key]!) : key
}
type Chat = {
  id: number
  name: string
  seen: boolean
  status: keyof typeof groupStates
  joined_at: number
  left_at: number | null
}
export const Chats = ({ rows }: { rows: readonly Chat[] }) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <Section title={say(['所在社群', 'Chats'])}>
      {rows.length === 0 ? (
        <p className="m-muted">{say(['没有进群记录', 'None'])}</p>
      ) : (
        <SmallTable
          head={[
            ['群名', 'Chat'],
            ['进群', 'Joined'],
            ['退群', 'Left'],
          ]}
          rows={rows}
          keyOf={one => one.id}
          cells={one => [
            <span key="name">
              {one.seen && me.can(groupPage.permit) ? (
                <Link href={to(groupPage, { id: one.id })}>{one.name}</Link>
              ) : (
                one.name || say(['其他商场的群', 'A chat of another mall'])
              )}{' '}
              {one.status === 'dismissed' && <Badge>{say(groupStates.dismissed)}</Badge>}
            </span>,
            <When key="joined" at={one.joined_at} />,
            one.left_at === null ? '—' : <When key="left" at={one.left_at} />,
          ]}
        />
      )}
    </Section>
  )
}
/** The member that a customer is, with level, points and card. */
export const MemberStanding = ({
  row,
  standing,
}: {
  row: CustomerDetailRow
  standing: Standing | null
}) => {
  const say = useSay()
  const { me } = useWorkbench()
  const { member, clash } = row
  if (member === null || standing === null)
    return (
      <Section title={say(['会员', 'Member'])}>
        <p className="m-muted">
          {clash
            ? say(
                [
                  'UnionID 指向会员 {who}，已由另一位客户关联',
                  'UnionID points to {who}, linked to another customer',
                ],
                {
                  who: `${clash.nickname} ${clash.uid}`,
                },
              )
            : say(['未关联会员', 'No member'])}
        </p>
      </Section>
    )
  const name = `${member.nickname} ${member.uid}`
  return (
    <Section title={say(['会员', 'Member'])}>
      <Facts>
        <Fact wide label={say(['会员', 'Member'])}>
          {me.can(membersPage.permit) ? (
            <Link href={to(membersPage, { member_id: member.id })}>{name}</Link>
          ) : (
            name
          )}
        </Fact>
        <Fact label={say(['手机号', 'Phone'])}>
          <span className="m-num">{row.phone || '—'}</span>
        </Fact>
        <Fact label={say(['等级', 'Level'])}>{`V${standing.level}`}</Fact>
        <Fact label={say(['积分', 'Points'])}>
          <PointsOf row={standing} />
        </Fact>
        <Fact label={say(['成长值', 'Growth'])}>{standing.growth}</Fact>
        <Fact label={say(['会员卡', 'Card'])}>{standing.card || say(['无', 'None'])}</Fact>
        <Fact label={say(['有效至', 'Until'])}>
          <When at={standing.card_end_at} />{' '}
          {standing.card_end_at !== null && standing.card_end_at <= unixNow() && (
            <Badge tone="warn">{say(['已到期', 'Expired'])}</Badge>
          )}
        </Fact>
        <Fact label={say(['累计实付', 'Total paid'])}>
          <Money cents={standing.total_paid_cents} sign />
        </Fact>
        <Fact label={say(['订单', 'Orders'])}>{standing.order_count}</Fact>
        <Fact label={say(['最近下单', 'Last order'])}>
          <When at={standing.last_order_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
/** An order's number, which leads to its page where the person may open that. */
const OrderNo = ({ of }: { of: Standing['orders'][number] }) => {
  const { me } = useWorkbench()
  const page = orderDetailOf(of.kind)
  return page && me.can(page.permit) ? (
    <Link href={to(page, { id: of.id })}>{of.order_no}</Link>
  ) : (
    of.order_no
  )
}
export const BoughtAndCoupons = ({ standing }: { standing: Standing }) => {
  const say = useSay()
  const word = useWord()
  return (
    <>
      <Section
        title={say(['优惠券（未使用 {n}）', 'Coupons ({n} unused)'], {
          n: standing.coupons_unused,
        })}
      >
        {standing.coupons.length === 0 ? (
          <p className="m-muted">{say(['没有优惠券', 'None'])}</p>
        ) : (
          <SmallTable
            head={[
              ['优惠券', 'Coupon'],
              ['状态', 'State'],
              ['有效至', 'Until'],
            ]}
            rows={standing.coupons}
            keyOf={one => one.id}
            cells={one => [
              one.name,
              word(couponPieces, one.status),
              <When key="end" at={one.end_at} />,
            ]}
          />
        )}
      </Section>
      <Section title={say(['最近订单', 'Latest orders'])}>
        {standing.orders.length === 0 ? (
          <p className="m-muted">{say(['没有订单', 'None'])}</p>
        ) : (
          <SmallTable
            head={[
              ['订单号', 'Order'],
              ['类型', 'Kind'],
              ['状态', 'State'],
              ['金额', 'Amount'],
              ['下单', 'Ordered'],
            ]}
            rows={standing.orders}
            keyOf={one => one.id}
            cells={one => [
              <OrderNo key="no" of={one} />,
              word(orderKinds, one.kind),
              word(orderStatuses, one.status),
              <Money key="cents" cents={one.pay_cents} />,
              <When key="at" at={one.created_at} />,
            ]}
          />
        )}
      </Section>
    </>
  )
}
