import { to } from '#commands/command.ts'
import * as pages from '#commands/pages/order.ts'
import { yuan } from '#src/domain/money.ts'
import { unixNow } from '#src/domain/time.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { duration } from '#src/kit/show.tsx'
import { Failed } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { comboRefund } from '#src/modules/order/contract/comboRefund.ts'
import { eRefund } from '#src/modules/order/contract/eRefund.ts'
import { rollBuy } from '#src/modules/order/contract/rollBuy.ts'
import { waiting } from '#src/modules/order/contract/waiting.ts'
import { Left, Panel, WaitingList } from './Panel.tsx'

/** What a large screen has room for; a low one shows the first (home.css). */
const MOST = 14
type Filter = { city_id?: number }

/** Cases of both queues, by when they must be answered. */
const Cases = ({ filter }: { filter: Filter }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const asked = { ...filter, state: 'open' as const, sort: 'deadline' as const, pageSize: MOST }
  const goods = useRead(eRefund.lst, me.can(eRefund.lst.permit) ? asked : skipToken)
  const combos = useRead(comboRefund.lst, me.can(comboRefund.lst.permit) ? asked : skipToken)
  const all = [
    ...(goods.data?.list ?? []).map(row => ({
      ...row,
      href: to(pages.eRefundDetail, { id: row.id }),
    })),
    ...(combos.data?.list ?? []).map(row => ({
      ...row,
      title: row.combo_name,
      href: to(pages.comboRefund, { state: 'open', keyword: row.refund_no }),
    })),
  ]
    .sort((a, b) => a.deadline_at - b.deadline_at)
    .slice(0, MOST)
  return (
    <Panel title={say(['售后与退款：按时限', 'Refunds by deadline'])}>
      {goods.error && !goods.data && <Failed error={goods.error} retry={goods.refetch} />}
      <WaitingList
        none={say(['没有等待处理的售后。', 'No case waits.'])}
        of={
          goods.data || combos.data
            ? all.map(row => ({
                key: row.id,
                href: row.href,
                title: row.title,
                note: `¥${yuan(row.amount_cents)} · ${row.merchant_name}`,
                end: <Left until={row.deadline_at} />,
              }))
            : undefined
        }
      />
    </Panel>
  )
}
const orderHref = (kind: string, id: number): string | undefined => {
  const page = pages.orderDetailOf(kind)
  return page && to(page, { id })
}
/** What was paid and has not left after a day, the oldest first. */
const Parcels = ({ filter }: { filter: Filter }) => {
  const say = useSay()
  const read = useRead(waiting.unshipped, filter)
  return (
    <Panel title={say(['超 24 小时未发货', 'Unshipped over 24 h'])}>
      {read.error && !read.data && <Failed error={read.error} retry={read.refetch} />}
      <WaitingList
        none={say(['没有超过 24 小时未发货的订单。', 'Nothing waits for more than 24 h.'])}
        of={read.data?.list.map(row => ({
          key: row.id,
          href: orderHref(row.kind, row.id),
          title: row.title,
          note: row.store_name,
          end: (
            <span className={row.promise_at && row.promise_at < unixNow() ? 'm-bad' : undefined}>
              {say(['已付 {t}', 'Paid {t} ago'], {
                t: duration(unixNow() - (row.paid_at ?? unixNow()), say),
              })}
            </span>
          ),
        }))}
      />
    </Panel>
  )
}
/** Groups that will fail within two hours unless somebody joins. */
const Groups = ({ filter }: { filter: Filter }) => {
  const say = useSay()
  const read = useRead(rollBuy.groups, {
    ...filter,
    state: 'forming',
    quick: 'ending',
    pageSize: MOST,
  })
  return (
    <Panel title={say(['即将失败的拼团', 'Groups about to fail'])}>
      {read.error && !read.data && <Failed error={read.error} retry={read.refetch} />}
      <WaitingList
        none={say(['2 小时内没有到期的拼团。', 'No group ends within 2 h.'])}
        of={read.data?.list.map(row => ({
          key: row.id,
          href: to(pages.rollBuy, { view: 'groups', quick: 'ending', q: row.group.group_no }),
          title: row.title,
          note: say(['还差 {n} 人 · {c}', '{n} missing · {c}'], {
            n: Math.max(0, row.group.need_n - row.group.joined_n - row.group.virtual_n),
            c: row.city_name,
          }),
          end: <Left until={row.group.expire_at} />,
        }))}
      />
    </Panel>
  )
}

/** What buyers wait for. */
export const Service = ({ filter }: { filter: Filter }) => {
  const { me } = useWorkbench()
  return (
    <>
      <Cases filter={filter} />
      <Parcels filter={filter} />
      {me.can(rollBuy.groups.permit) && <Groups filter={filter} />}
    </>
  )
}
