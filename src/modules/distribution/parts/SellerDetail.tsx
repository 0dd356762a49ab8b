import { Link } from 'wouter'
import { sellersPage } from '#commands/pages/distribution.ts'
import { levels, sellerKinds } from '#src/areas/distribution/sellers.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { SellerRow } from '../contract/index.ts'
import { RefundRate, StateOf, TeamOf } from './sellerLooks.tsx'

type Props = { row: SellerRow }
/** A way to a page that this person may open; the words alone where they may not. */
export const Way = ({ to, children }: { to: string; children: string }) => {
  const { pageAt, me } = useWorkbench()
  const page = pageAt(to)
  return page && me.can(page.permit) ? <Link href={to}>{children}</Link> : children
}
/** The same as a line of its own beside a title: nothing, where they may not. */
export const Further = ({ to, children }: { to: string; children: string }) => {
  const { pageAt, me } = useWorkbench()
  const page = pageAt(to)
  return page && me.can(page.permit) ? <Link href={to}>{children}</Link> : null
}
const pages: Readonly<Record<SellerRow['kind'], string>> = {
  expert: 'expertDetail',
  guide: 'guideDetail',
  store: 'distStoreDetail',
}
/** The page of one seller, by its kind. */
const sellerAddress = (of: { kind: SellerRow['kind']; id: number }) =>
  `${sellersPage.path}/${pages[of.kind]}?id=${of.id}`

export const SellerMoney = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['佣金', 'Commission'])}>
      <Facts>
        <Fact label={say(['预估佣金', 'Estimated'])}>
          <Money cents={row.estimated_cents} sign />
        </Fact>
        <Fact label={say(['冻结佣金', 'On hold'])}>
          <Money cents={row.frozen_cents} sign />
        </Fact>
        <Fact label={say(['佣金余额', 'Balance'])}>
          <Money cents={row.balance_cents} sign />
        </Fact>
        <Fact label={say(['提现中', 'Being withdrawn'])}>
          <Money cents={row.withdrawing_cents} sign />
        </Fact>
        <Fact label={say(['已提现', 'Withdrawn'])}>
          <Money cents={row.withdrawn_cents} sign />
        </Fact>
        {row.debt_cents > 0 && (
          <Fact label={say(['欠款', 'Owes'])}>
            <Money cents={-row.debt_cents} sign />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
export const SellerFacts = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(sellerKinds[row.kind])}>
      <Facts>
        {row.reason && (
          <Fact wide label={say(['原因', 'Why'])}>
            {row.reason}
          </Fact>
        )}
        {row.apply_note && (
          <Fact wide label={say(['申请说明', 'Description'])}>
            {row.apply_note}
          </Fact>
        )}
        <Fact label={say(['手机号', 'Phone'])}>{row.phone ?? '—'}</Fact>
        {row.kind !== 'store' && (
          <Fact label={say(['实名', 'Real name'])}>
            {row.real_name_ok ? (
              <Badge tone="good">{say(['已核验', 'Checked'])}</Badge>
            ) : (
              <Badge tone="warn">{say(['未核验', 'Not checked'])}</Badge>
            )}
          </Fact>
        )}
        {row.kind === 'expert' && (
          <>
            <Fact label={say(['等级', 'Level'])}>{say(levels[row.level_no]!)}</Fact>
            <Fact label={say(['团队', 'Team'])}>
              <TeamOf row={row} />
            </Fact>
          </>
        )}
        {row.kind === 'guide' && <Fact label={say(['门店', 'Store'])}>{row.store_name}</Fact>}
        <Fact label={say(['位置', 'Location'])}>
          {[row.city_name, row.mall_name].filter(Boolean).join(' · ')}
        </Fact>
        <Fact label={say(['邀请码', 'Invite code'])}>{row.invite_code}</Fact>
        {row.inviter_name && <Fact label={say(['邀请人', 'Invited by'])}>{row.inviter_name}</Fact>}
        <Fact label={say(['申请时间', 'Applied'])}>
          <When at={row.created_at} />
        </Fact>
        <Fact label={say(['加入时间', 'Joined'])}>
          <When at={row.joined_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
export const SellerSales = ({ row }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['业绩', 'Sales'])}>
      <Facts>
        <Fact label={say(['成交额', 'GMV'])}>
          <Money cents={row.gmv_cents} sign />
        </Fact>
        <Fact label={say(['订单', 'Orders'])}>{row.order_count}</Fact>
        <Fact label={say(['退款率', 'Refund rate'])}>
          <RefundRate bp={row.refund_bp} />
        </Fact>
        <Fact label={say(['绑定客户', 'Customers'])}>
          <Way to={`${sellersPage.path}/customer?distributor_id=${row.id}`}>
            {row.customer_count.toLocaleString()}
          </Way>
        </Fact>
        <Fact label={say(['最近成交', 'Last sale'])}>
          <When at={row.last_sale_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
/** A seller beside its list: who it is, what it brought and earned, and the way to its own page. */
export const SellerDetail = ({ row }: Props) => {
  const say = useSay()
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <StateOf row={row} />
          <Further to={sellerAddress(row)}>{say(['完整详情', 'Full details'])}</Further>
        </>
      }
    >
      <SellerFacts row={row} />
      <SellerSales row={row} />
      <SellerMoney row={row} />
    </Inspector>
  )
}
