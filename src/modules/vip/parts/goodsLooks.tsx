import { pointsKinds } from '#src/areas/points/points.ts'
import {
  closedFor,
  deliveries,
  exchangeCost,
  freeOf,
  shopStates,
  type ShopState,
} from '#src/areas/points/shop.ts'
import { yuan } from '#src/domain/money.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import type { Flag } from '#src/kit/board-rows.tsx'
import type { States } from '#src/kit/cells.tsx'
import { Portrait } from '#src/kit/image.tsx'
import { Phone } from '#src/kit/phone.tsx'
import { Badge, Fact, Facts, Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ShopGoodsRow } from '../contract/pointsShop.ts'
import './vip.css'

export const shopLooks: States<ShopState> = {
  draft: { text: shopStates.draft },
  on: { text: shopStates.on, tone: 'good' },
  off: { text: shopStates.off, tone: 'warn' },
}
/** What one exchange costs a member: points, and cash where it is asked. */
export const Price = ({ of }: { of: Pick<ShopGoodsRow, 'points_price' | 'cash_cents'> }) => {
  const say = useSay()
  return (
    <span className="m-num">
      {say(['{n} 积分', '{n} points'], { n: of.points_price.toLocaleString('en-US') })}
      {of.cash_cents > 0 && ` + ¥${yuan(of.cash_cents)}`}
    </span>
  )
}
/** What keeps goods of a board from members, or will soon. */
export const useGoodsFlags = () => {
  const say = useSay()
  return (row: ShopGoodsRow): readonly Flag[] => {
    if (row.status !== 'on') return [{ tone: 'plain', text: say(shopStates[row.status]) }]
    const closed = closedFor(row, unixNow())
    return closed ? [{ tone: freeOf(row) > 0 ? 'plain' : 'warn', text: say(closed) }] : []
  }
}
export const isClosed = (row: ShopGoodsRow): boolean =>
  row.status !== 'on' || closedFor(row, unixNow()) !== undefined
const time = (at: number | null): string => (at === null ? '' : timeFull(at).slice(0, 16))
const Window = ({ of }: { of: Pick<ShopGoodsRow, 'start_at' | 'end_at'> }) => {
  const say = useSay()
  if (of.start_at === null && of.end_at === null)
    return <span className="m-muted">{say(['不限', 'Any time'])}</span>
  return (
    <span className="m-num">
      {time(of.start_at) || say(['即日', 'Now'])} – {time(of.end_at) || say(['长期', 'no end'])}
    </span>
  )
}
/** What the platform bears for one exchange; nothing where the person may not see costs. */
const Cost = ({ of }: { of: ShopGoodsRow }) => {
  const say = useSay()
  const { cost_cents, cash_cents } = of
  if (cost_cents === undefined) return null
  return (
    <Fact label={say(['单次兑换成本', 'Cost per redemption'])}>
      <Money cents={exchangeCost({ cost_cents, cash_cents })} sign />
    </Fact>
  )
}
/** The terms of goods and what is left of them. */
export const GoodsFacts = ({ of }: { of: ShopGoodsRow }) => {
  const say = useSay()
  const level = of.level_min
  return (
    <Facts>
      <Fact label={say(['类型', 'Kind'])}>{say(pointsKinds[of.kind])}</Fact>
      <Fact label={say(['发放方式', 'Delivery'])}>{say(deliveries[of.delivery])}</Fact>
      <Fact label={say(['可兑', 'Available'])}>{freeOf(of).toLocaleString('en-US')}</Fact>
      <Fact label={say(['待支付占用', 'Held for payment'])}>{of.held}</Fact>
      <Fact label={say(['已兑', 'Redeemed'])}>{of.sold}</Fact>
      <Fact label={say(['每人限兑', 'Limit per member'])}>
        {of.limit_per_member ?? <span className="m-muted">{say(['不限', 'Any'])}</span>}
      </Fact>
      <Fact label={say(['最低等级', 'Minimum level'])}>
        {level === null ? <span className="m-muted">{say(['不限', 'Any'])}</span> : `V${level}`}
      </Fact>
      <Cost of={of} />
      <Fact wide label={say(['兑换时间', 'When'])}>
        <Window of={of} />
      </Fact>
      {of.off_reason && (
        <Fact wide label={say(['下架原因', 'Reason off sale'])}>
          {of.off_reason}
        </Fact>
      )}
    </Facts>
  )
}
type Shown = Pick<ShopGoodsRow, 'name' | 'points_price' | 'cash_cents' | 'original_cents'> & {
  images: readonly string[]
  detail: string
  level_min: number | null
}
/** Goods as a member finds them on a phone; nothing is exchanged in it. */
export const GoodsPhone = ({ of }: { of: Shown }) => {
  const say = useSay()
  return (
    <Phone label={say(['手机预览', 'Phone preview'])}>
      {of.images[0] && <Portrait of={of.images[0]} label={of.name} />}
      <section className="vp-plan">
        <p>
          <b>
            <Price of={of} />
          </b>{' '}
          {of.original_cents > 0 && <s className="m-num">¥{yuan(of.original_cents)}</s>}
        </p>
        <b>{of.name || say(['商品名称', 'Name'])}</b>
        {of.level_min !== null && (
          <Badge>{say(['V{n} 及以上可兑', 'V{n} and above'], { n: of.level_min })}</Badge>
        )}
        <p className="vp-small vp-lines">{of.detail}</p>
      </section>
      <p className="vp-small">{say(['预览页不能兑换', 'Preview only: nothing can be redeemed'])}</p>
    </Phone>
  )
}
